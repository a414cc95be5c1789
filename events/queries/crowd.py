"""How full rooms are and how long lines are, as of what was said there lately."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable
from typing import NamedTuple, TypeAlias

from django.db.models import BigIntegerField, Max, Q, Value
from django.utils import timezone

from events.models import Conference, CrowdReport, Event
from events.models.crowd import KEPT
from events.models.event import public_within
from events.schedule.clock import Clock
from events.schedule.crowd import AHEAD, LASTS, NOTHING_SAID, Crowd, Report, crowd_of

OF_ROOMS = {"open": "seats left", "filling": "nearly full", "full": "full"}
OF_LINES = {"open": "no line", "filling": "short line", "full": "long line"}


class Said(NamedTuple):
    """A report, and when what it is about is on."""

    room: int | None
    service: int | None
    event: int | None
    start: dt.datetime | None
    end: dt.datetime | None
    report: Report

    def runs(self, now: dt.datetime) -> bool:
        """Whether what it is about is on; staff's word of an empty room is about the room."""
        return self.event is None or _runs(self.start, self.end, now)


Place: TypeAlias = tuple[str, int]


class Crowds:
    """What people say of places; asked for once for each conference, when something that is on needs it."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now
        self._read: dict[int, dict[Place, list[Said]]] = {}
        # Hundreds of posters hang in one hall, and as much is known of each.
        self._known: dict[Hashable, Crowd] = {}

    def of(self, event: Event) -> Crowd:
        """Where this is on, or about to be; nothing is said of what is not."""
        if not is_on(event, self._now):
            return NOTHING_SAID
        place = _place(event.room_id, event.service_id)
        said = self._said(event.conference_id).get(place, [])
        about = frozenset({event.pk, event.session_id} & {it.event for it in said} - {None})
        key = (place, about, _runs(event.start, event.end, self._now))
        if key not in self._known:
            reports = [it.report for it in said if _is_about(it, event, self._now)]
            self._known[key] = crowd_of(reports, self._now)
        return self._known[key]

    def of_rooms(self, conference: Conference) -> dict[int, Crowd]:
        """Of every room about which somebody said something."""
        return self._by_place(conference, "room")

    def of_services(self, conference: Conference) -> dict[int, Crowd]:
        return self._by_place(conference, "service")

    def _said(self, conference: int) -> dict[Place, list[Said]]:
        if conference not in self._read:
            by_place: dict[Place, list[Said]] = defaultdict(list)
            for it in said_lately(conference, self._now):
                by_place[_place(it.room, it.service)].append(it)
            self._read[conference] = dict(by_place)
        return self._read[conference]

    def _by_place(self, conference: Conference, kind: str) -> dict[int, Crowd]:
        """What is on counts; where nothing is, what comes next."""
        found = {}
        for (place, key), said in self._said(conference.pk).items():
            if place == kind and (coming := [it for it in said if it.end is None or self._now < it.end]):
                running = [it for it in coming if it.runs(self._now)] or coming
                found[key] = crowd_of([it.report for it in running], self._now)
        return found


def said_lately(conference: int, now: dt.datetime) -> list[Said]:
    """Every word that may still count, and of older ones the last about each: that there was one is all they tell."""
    # What is hidden since is on nowhere.
    reports = CrowdReport.objects.filter(Q(event=None) | public_within("event"), conference=conference).order_by()
    about = ("room", "service", "event", "event__start", "event__end")
    fresh = reports.since(now - LASTS, now).values_list(*about, "agenda", "by_staff", "state", "weight", "at")
    older = (
        reports.since(now - KEPT, now - LASTS)
        .values(*about)
        .annotate(
            who=Value(None, output_field=BigIntegerField()),
            of_staff=Value(value=True),
            said=Value(""),
            heavy=Value(0),
            last=Max("at"),
        )
    )
    rows = fresh.union(older.values_list(*about, "who", "of_staff", "said", "heavy", "last"), all=True)
    return [
        Said(room, service, event, start, end, Report(state, moment, None if by_staff else agenda, weight, ends=end))
        for room, service, event, start, end, agenda, by_staff, state, weight, moment in rows
    ]


def room_states(conference: Conference, clock: Clock) -> dict[int, Crowd]:
    """By the key of a room, how full it is."""
    return Crowds(clock).of_rooms(conference)


def service_states(conference: Conference, clock: Clock) -> dict[int, Crowd]:
    """By the key of a service, how long its line is."""
    return Crowds(clock).of_services(conference)


def is_on(event: Event, now: dt.datetime) -> bool:
    """Whether people are there, or stand before the door; something without a place has none."""
    if event.start is None or event.end is None or event.is_cancelled or not (event.room_id or event.service_id):
        return False
    return event.start - AHEAD <= now < event.end


def said_words(crowd: Crowd, *, line: bool = False) -> str:
    """Of a room or a line, for everybody: never how many said so, and an old word is none."""
    if crowd.stale:
        return "no recent report"
    if crowd.said_at is None:
        return ""
    words, moment = (OF_LINES if line else OF_ROOMS)[crowd.state], f"{timezone.localtime(crowd.said_at):%H:%M}"
    return f"{words}, {moment}" if crowd.sure else f"reported {words} at {moment}, not confirmed"


def _place(room: int | None, service: int | None) -> Place:
    """A desk's line is no room's crowd, whichever room it is in."""
    return ("service", service) if service else ("room", room or 0)


def _is_about(said: Said, event: Event, now: dt.datetime) -> bool:
    """Whether something said of its place is of this event's time: an earlier one never colours the next."""
    if event.service_id:
        return said.event == event.pk
    # Several things may be on in one room.
    both_run = said.runs(now) and _runs(event.start, event.end, now)
    return said.event in {event.pk, event.session_id} - {None} or both_run


def _runs(start: dt.datetime | None, end: dt.datetime | None, now: dt.datetime) -> bool:
    return start is not None and end is not None and start <= now < end
