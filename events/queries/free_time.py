"""Which free time somebody asks about."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from events.models import Agenda, Kind, Status
from events.schedule.clock import DAY_CHANGE, Clock, parse_at, programme_date
from events.schedule.spans import Span

LONGEST = dt.timedelta(hours=24)


@dataclass(frozen=True)
class Asked:
    """Which time somebody asks about; a problem where it cannot be one."""

    span: Span | None
    has_start: bool = False
    has_end: bool = False
    problem: str = ""


def gap_query(start: dt.datetime | None, end: dt.datetime | None, clock: Clock) -> str:
    """What asks for the time between these; without one, from the beginning of the day or to its end."""
    times = {"from": start, "to": end}
    return urlencode({name: f"{it.astimezone(clock.venue_zone):%Y-%m-%dT%H:%M}" for name, it in times.items() if it}, safe=":")


def asked_for(query: QueryDict, agenda: Agenda | None, clock: Clock) -> Asked:
    """The time between ``from`` and ``to``; without both, from now to the next pick."""
    texts = {name: query.get(name, "") for name in ("from", "to")}
    times = {name: parse_at(text, clock.venue_zone) for name, text in texts.items() if text}
    wrong = [texts[name] for name, it in times.items() if it is None]
    if wrong:
        return Asked(None, problem=f"“{wrong[0][:40]}” is no time: write it as 2025-04-24T09:30.")
    start, end = times.get("from"), times.get("to")
    if start is None and end is None:
        start, end = clock.now, _next_start(agenda, clock)
    span = Span.of(start or _day_change(end or clock.now, clock), end or _day_change(start or clock.now, clock, days=1))
    if span is None or span.length > LONGEST:
        return Asked(None, problem="A free time ends after it begins, within a day: choose one from your agenda.")
    # What is over cannot be attended any more.
    still = Span.of(max(span.start, clock.now), span.end)
    return Asked(still or span, "from" in times, end is not None)


def _next_start(agenda: Agenda | None, clock: Clock) -> dt.datetime | None:
    """When the next pick of today begins."""
    if agenda is None:
        return None
    coming = agenda.attended().filter(event__start__gt=clock.now, event__start__lt=_day_change(clock.now, clock, days=1))
    coming = coming.exclude(event__status=Status.CANCELLED).exclude(event__type__kind__in=[Kind.BREAK, Kind.SERVICE])
    return coming.order_by("event__start").values_list("event__start", flat=True).first()


def _day_change(moment: dt.datetime, clock: Clock, days: int = 0) -> dt.datetime:
    """When the day of the programme begins that this is in, or one so many days later."""
    date = programme_date(moment, clock.venue_zone) + dt.timedelta(days=days)
    return dt.datetime.combine(date, DAY_CHANGE, clock.venue_zone)
