"""The agendas of a group, by links that its members gave out: who covers what, and when all are free."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from events.models import Conference, Event, Kind, ReadLink, Status, Track
from events.models.event import EventQuerySet
from events.queries.pinned import carried
from events.queries.shared_agenda import SharedRow, in_time, shared_rows
from events.schedule.clock import Clock
from events.schedule.spans import Span
from events.schedule.together import free_for_all

MOST = 8
FIRST = 50
TOKEN = re.compile(r"(?:.*/shared/)?([A-Za-z0-9_-]{32})/?(?:[?#].*)?\Z", re.DOTALL)
FROM, TO = dt.time(8), dt.time(22)
# What nobody needs to cover, and what hangs by the hundred.
NOT_TO_COVER = (Kind.BREAK, Kind.SERVICE, Kind.POSTER, Kind.SOCIAL)


@dataclass(frozen=True)
class Member:
    """A link of the group under the name that whoever looks gave it."""

    name: str
    link: str
    rows: list[SharedRow] | None
    """None when the link shows nothing."""


@dataclass(frozen=True)
class Line:
    """Something that goes on, and for each member whether they are there."""

    row: SharedRow
    covered: list[bool]


@dataclass(frozen=True)
class Left:
    """What nobody covers."""

    title: str
    url: str
    start: dt.datetime | None
    end: dt.datetime | None


@dataclass(frozen=True)
class TogetherPage:
    members: list[Member]
    days: list[dt.date]
    tracks: list[Track]
    date: dt.date | None
    track: Track | None
    lines: list[Line]
    free: list[Span]
    left: list[Left]
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
    tracks = list(conference.tracks.all())
    date = _chosen_day(query.get("day", ""), days, clock)
    track = next((it for it in tracks if it.slug == query.get("track")), None)
    shown = [[row for row in it.rows if row.day == date] for it in members if it.rows is not None]
    covered = {row.key for rows in shown for row in rows}
    left = _left_over(conference, date, track, covered) if shown and date else Event.objects.none()
    rows = list(left[: FIRST + 1])
    return TogetherPage(
        members=members,
        days=days,
        tracks=tracks,
        date=date,
        track=track,
        lines=_lines(shown),
        free=_free(conference, date, shown),
        left=[_left(event, clock) for event in rows[:FIRST]],
        left_more=max(0, len(rows) - FIRST) and left.count() - FIRST,
    )


def members_of(conference: Conference, query: QueryDict, clock: Clock) -> list[Member]:
    """In the order of the address; whatever is no link of this conference shows nothing."""
    asked = [(link.strip(), name) for link, name in _pairs(query) if link.strip()][:MOST]
    tokens = {link: match[1] for link, _ in asked if (match := TOKEN.match(link))}
    alive = ReadLink.objects.all_alive(list(tokens.values()))
    agendas = {token: it.agenda for token, it in alive.items() if it.agenda.conference_id == conference.pk}
    rows = shared_rows(agendas.values(), clock)
    found = []
    for place, (link, name) in enumerate(asked, start=1):
        agenda = agendas.get(tokens.get(link, ""))
        found.append(Member(_name(name) or f"Link {place}", tokens.get(link, link[:200]), rows[agenda.pk] if agenda else None))
    return found


def _pairs(query: QueryDict) -> Iterable[tuple[str, str]]:
    names = query.getlist("n")
    return ((link, names[place] if place < len(names) else "") for place, link in enumerate(query.getlist("a")[: 2 * MOST]))


def _name(text: str) -> str:
    return "".join(it for it in " ".join(text.split()) if it.isprintable())[:20]


def _chosen_day(text: str, days: list[dt.date], clock: Clock) -> dt.date | None:
    return next((it for it in days if it.isoformat() == text), clock.today if clock.today in days else next(iter(days), None))


def _lines(members: list[list[SharedRow]]) -> list[Line]:
    """By time; what several go to stands there once."""
    there = [{(row.key, row.start, row.end) for row in rows} for rows in members]
    every = {(row.key, row.start, row.end): row for rows in reversed(members) for row in rows}
    ordered = sorted(every.items(), key=lambda it: in_time(it[1]))
    return [Line(row, [key in keys for keys in there]) for key, row in ordered]


def _free(conference: Conference, date: dt.date | None, members: list[list[SharedRow]]) -> list[Span]:
    """Breaks are no time in which one cannot meet."""
    if date is None or len(members) < 2:
        return []
    within = Span.of(dt.datetime.combine(date, FROM, conference.zone), dt.datetime.combine(date, TO, conference.zone))
    busy = [[(it.start, it.end) for it in rows if it.start and it.end and not _leaves_free(it)] for rows in members]
    return free_for_all(within, busy) if within else []


def _leaves_free(row: SharedRow) -> bool:
    return row.is_break or row.cancelled


def _left_over(conference: Conference, date: dt.date, track: Track | None, covered: set[int]) -> EventQuerySet:
    events = Event.objects.public().filter(conference=conference, day__date=date, start__isnull=False).exclude(pk__in=covered)
    events = events.exclude(status=Status.CANCELLED).exclude(type__kind__in=NOT_TO_COVER)
    # Who is in the session is at its talks, and who is at one of them is in the session.
    events = events.exclude(session__in=covered).exclude(children__in=covered)
    return (events.filter(track=track) if track else events).select_related("conference").in_order()


def _left(event: Event, clock: Clock) -> Left:
    url = carried(reverse("events:event-detail", args=[event.conference.slug, event.guid]), clock)
    return Left(event.title, url, event.start, event.end)
