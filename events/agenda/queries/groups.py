"""The agendas of a group, by links that its members gave out: who covers what, and when all are free."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from events.agenda.models.sharing import ReadLink
from events.agenda.queries.sharing import SharedRow, shared_rows, start_time_key
from events.agenda.rules.itinerary import common_free_spans
from events.core.clock import Clock, with_pinned_time
from events.core.spans import Span
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status, Track
from events.programme.queries.public_names import only_public
from events.programme.rules.days import is_of_date

MAX_GROUP_LINKS = 8
MAX_UNCOVERED_EVENTS = 50
READ_LINK_PATTERN = re.compile(r"(?:.*/shared/)?([A-Za-z0-9_-]{32})/?(?:[?#].*)?\Z", re.DOTALL)
MEETING_HOURS_START, MEETING_HOURS_END = dt.time(8), dt.time(22)
# Events that nobody needs to cover, and posters, of which there are hundreds.
KINDS_NOT_COVERED = (Kind.BREAK, Kind.SERVICE, Kind.POSTER, Kind.SOCIAL)


@dataclass(frozen=True)
class Member:
    """A link of the group, with the name that the reader chose for it."""

    name: str
    link: str
    rows: list[SharedRow] | None
    """None if the link is not valid."""


@dataclass(frozen=True)
class TogetherRow:
    """An event or busy time, with each member's own row of it."""

    row: SharedRow
    own: list[SharedRow | None]


@dataclass(frozen=True)
class UncoveredEvent:
    """An event that no member attends."""

    title: str
    url: str
    start: dt.datetime | None
    end: dt.datetime | None
    language: str


@dataclass(frozen=True)
class TogetherPage:
    members: list[Member]
    days: list[dt.date]
    tracks: list[Track]
    date: dt.date | None
    track: Track | None
    lines: list[TogetherRow]
    # None when the hours to meet on that day are over, or for a single agenda.
    free: list[Span] | None
    left: list[UncoveredEvent]
    left_more: int

    @property
    def shown(self) -> list[Member]:
        return [it for it in self.members if it.rows is not None]

    @property
    def gone(self) -> list[Member]:
        return [it for it in self.members if it.rows is None]


def together_page(conference: Conference, query: QueryDict, clock: Clock) -> TogetherPage:
    members = members_of(conference, query, clock)
    days = list(conference.days.values_list("date", flat=True).order_by("date"))
    tracks = list(only_public(conference.tracks.all()))
    date = _chosen_day(query.get("day", ""), days, members, clock)
    track = next((it for it in tracks if it.slug == query.get("track")), None)
    zone = clock.venue_zone
    shown = [[row for row in it.rows if is_of_date(row.day, row.end, date, zone)] for it in members if it.rows is not None]
    covered = {row.key for rows in shown for row in rows}
    left = _uncovered_events(conference, date, track, covered) if shown and date else Event.objects.none()
    rows = list(left[: MAX_UNCOVERED_EVENTS + 1])
    return TogetherPage(
        members=members,
        days=days,
        tracks=tracks,
        date=date,
        track=track,
        lines=_together_rows(shown),
        free=_common_free_time(conference, date, shown, clock),
        left=[_uncovered_event(event, clock) for event in rows[:MAX_UNCOVERED_EVENTS]],
        left_more=max(0, len(rows) - MAX_UNCOVERED_EVENTS) and left.count() - MAX_UNCOVERED_EVENTS,
    )


def members_of(conference: Conference, query: QueryDict, clock: Clock) -> list[Member]:
    """In the order of the address; links of other conferences are not valid here."""
    asked = [(link.strip(), name) for link, name in _links_with_names(query) if link.strip()][:MAX_GROUP_LINKS]
    tokens = {link: match[1] for link, _ in asked if (match := READ_LINK_PATTERN.match(link))}
    alive = ReadLink.objects.alive_by_token(list(tokens.values()))
    agendas = {token: it.agenda for token, it in alive.items() if it.agenda.conference_id == conference.pk}
    rows = shared_rows(agendas.values(), clock)
    found = []
    for place, (link, name) in enumerate(asked, start=1):
        agenda = agendas.get(tokens.get(link, ""))
        found.append(
            Member(_member_name(name) or f"Link {place}", tokens.get(link, link[:200]), rows[agenda.pk] if agenda else None)
        )
    return found


def _links_with_names(query: QueryDict) -> Iterable[tuple[str, str]]:
    names = query.getlist("n")
    return (
        (link, names[place] if place < len(names) else "") for place, link in enumerate(query.getlist("a")[: 2 * MAX_GROUP_LINKS])
    )


def _member_name(text: str) -> str:
    return "".join(it for it in " ".join(text.split()) if it.isprintable())[:20]


def _chosen_day(text: str, days: list[dt.date], members: list[Member], clock: Clock) -> dt.date | None:
    """The day that is asked for, else today, else the first with picks."""
    picked = {row.day for member in members for row in member.rows or ()}
    wanted = [text, clock.today.isoformat(), *(day.isoformat() for day in days if day in picked)]
    by_text = {day.isoformat(): day for day in days}
    return next((by_text[it] for it in wanted if it in by_text), next(iter(days), None))


def _together_rows(members: list[list[SharedRow]]) -> list[TogetherRow]:
    """By time; an event of several members is one row."""
    by_member = [{(row.key, row.start, row.end): row for row in rows} for rows in members]
    every = {key: row for rows in reversed(by_member) for key, row in rows.items()}
    ordered = sorted(every.items(), key=lambda it: start_time_key(it[1]))
    return [TogetherRow(row, [rows.get(key) for rows in by_member]) for key, row in ordered]


def _common_free_time(
    conference: Conference, date: dt.date | None, members: list[list[SharedRow]], clock: Clock
) -> list[Span] | None:
    """From now on. Breaks and cancelled events count as free."""
    if date is None or len(members) < 2:
        return None
    start, end = (dt.datetime.combine(date, it, conference.zone) for it in (MEETING_HOURS_START, MEETING_HOURS_END))
    # In whole minutes, as its hours are shown.
    within = Span.from_times(max(start, clock.now.replace(second=0, microsecond=0)), end)
    busy = [[(it.start, it.end) for it in rows if it.start and it.end and not _is_free_time(it)] for rows in members]
    return common_free_spans(within, busy) if within else None


def _is_free_time(row: SharedRow) -> bool:
    return row.is_break or row.cancelled


def _uncovered_events(conference: Conference, date: dt.date, track: Track | None, covered: set[int]) -> EventQuerySet:
    events = Event.objects.public().filter(conference=conference, day__date=date).exclude(pk__in=covered)
    events = events.exclude(status=Status.CANCELLED).exclude(type__kind__in=KINDS_NOT_COVERED)
    # A session covers its talks, and a talk covers its session.
    events = events.exclude(session__in=covered).exclude(children__in=covered)
    return (events.filter(track=track) if track else events).select_related("conference").in_order()


def _uncovered_event(event: Event, clock: Clock) -> UncoveredEvent:
    url = with_pinned_time(event.get_absolute_url(), clock)
    return UncoveredEvent(event.title, url, event.start, event.end, event.language)
