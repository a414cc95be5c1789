"""The free time that an address asks about, and the order of what fits into it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.rules.gaps import GapFit
from events.core.clock import DAY_CHANGE, Clock, parse_at, programme_date
from events.core.spans import Span, spoken_duration
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status

MAX_FREE_TIME = dt.timedelta(hours=24)


@dataclass(frozen=True)
class FreeTimeRequest:
    """The requested time, or the problem with it."""

    span: Span | None
    problem: str = ""


def gap_query(start: dt.datetime | None, end: dt.datetime | None, clock: Clock) -> str:
    """The query string for the time between two moments; None means the start or the end of the day."""
    times = {"from": start, "to": end}
    return urlencode({name: f"{it.astimezone(clock.venue_zone):%Y-%m-%dT%H:%M}" for name, it in times.items() if it}, safe=":")


def requested_free_time(query: QueryDict, agenda: Agenda | None, clock: Clock) -> FreeTimeRequest:
    """The time between ``from`` and ``to``; without both, from now to the next bookmarked event."""
    texts = {name: query.get(name, "") for name in ("from", "to")}
    times = {name: parse_at(text, clock.venue_zone) for name, text in texts.items() if text}
    wrong = [texts[name] for name, it in times.items() if it is None]
    if wrong:
        return FreeTimeRequest(None, problem=f"“{wrong[0][:40]}” is not a time: enter it as 2025-04-24T09:30.")
    start, end = times.get("from"), times.get("to")
    # In whole minutes, as its hours are shown.
    now = clock.now.replace(second=0, microsecond=0)
    if start is None and end is None:
        start, end = now, _next_start(agenda, clock)
    span = Span.from_times(start or _day_change(end or now, clock), end or _day_change(start or now, clock, days=1))
    if span is None or span.length > MAX_FREE_TIME:
        return FreeTimeRequest(None, problem="A free time ends after it begins, within a day: choose one from your agenda.")
    # What is over cannot be attended any more.
    still = Span.from_times(max(span.start, now), span.end)
    return FreeTimeRequest(still or span)


def _next_start(agenda: Agenda | None, clock: Clock) -> dt.datetime | None:
    if agenda is None:
        return None
    coming = agenda.attended().filter(event__start__gt=clock.now, event__start__lt=_day_change(clock.now, clock, days=1))
    coming = coming.exclude(event__status=Status.CANCELLED).exclude(event__type__kind__in=[Kind.BREAK, Kind.SERVICE])
    return coming.order_by("event__start").values_list("event__start", flat=True).first()


def _day_change(moment: dt.datetime, clock: Clock, days: int = 0) -> dt.datetime:
    """The start of the programme day that contains this moment, or of one some days later."""
    date = programme_date(moment, clock.venue_zone) + dt.timedelta(days=days)
    return dt.datetime.combine(date, DAY_CHANGE, clock.venue_zone)


def fit_text(fit: GapFit, event: Event) -> str:
    parts = []
    if fit.there and fit.there.minutes:
        parts.append(f"{fit.there.minutes} min walk, there at {_clock(fit.arrive)}")
    elif fit.there:
        parts.append("Same area")
    parts.append(time_left_text(fit, event))
    if fit.onward and fit.onward.minutes:
        parts.append(f"leave at {_clock(fit.leave)} for your next pick, {fit.onward.minutes} min away")
    return " · ".join(parts)


def time_left_text(fit: GapFit, event: Event) -> str:
    minutes = spoken_duration(fit.minutes)
    return f"{minutes} of {spoken_duration(event.minutes or 0)} left" if fit.missed else f"full {minutes}"


def _clock(moment: dt.datetime) -> str:
    return f"{timezone.localtime(moment):%H:%M}"


class Interests:
    """The topics and tracks of the bookmarked events."""

    def __init__(self, bookmarked: Iterable[Event], among: Iterable[Event]) -> None:
        self.topics: dict[int, list[str]] = defaultdict(list)
        self.tracks: dict[int, list[str]] = defaultdict(list)
        for event in bookmarked:
            if topic := _topic_id(event):
                self.topics[topic].append(event.title)
            if event.track_id:
                self.tracks[event.track_id].append(event.title)

        if len({it.track_id for it in among}) == 1:
            # A track that all events share says nothing about any of them.
            self.tracks.clear()

    def score(self, event: Event) -> int:
        """One point for each bookmarked event on the same track, two for each on the same topic."""
        return 2 * len(self._on_topic(event)) + len(self._on_track(event))

    def reasons(self, event: Event) -> list[str]:
        if on_topic := self._on_topic(event):
            return [f"Same topic as {_titles_text(on_topic)}"]
        on_track = self._on_track(event)
        return [f"Same track as {_titles_text(on_track)}"] if on_track else []

    def _on_topic(self, event: Event) -> list[str]:
        return self.topics.get(_topic_id(event) or 0, [])

    def _on_track(self, event: Event) -> list[str]:
        return self.tracks.get(event.track_id or 0, [])


def _topic_id(event: Event) -> int | None:
    topic: int | None = getattr(event, "about", None)
    return topic


def _titles_text(titles: Sequence[str]) -> str:
    more = len(titles) - 1
    return f"{shorten(titles[0], 60, placeholder='…')}{f' and {more} more of your picks' if more else ''}"
