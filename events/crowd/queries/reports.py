"""Crowds of rooms and lines of services, from the recent reports."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable
from typing import NamedTuple, TypeAlias
from uuid import UUID

from django.db.models import BigIntegerField, F, Max, Q, Value
from django.utils import timezone

from events.core.clock import Clock
from events.crowd.models import REPORT_RETENTION, CrowdReport
from events.crowd.rules import REPORT_LEAD, REPORT_TTL, UNKNOWN_CROWD, Crowd, Report, crowd_of
from events.programme.display import Badge
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status, public_within

ROOM_STATE_TEXTS = {"open": "seats left", "filling": "nearly full", "full": "full"}
LINE_STATE_TEXTS = {"open": "no line", "filling": "short line", "full": "long line"}


class CrowdReportRow(NamedTuple):
    """A report, with the place and the times of its event."""

    room: int | None
    service: int | None
    event: int | None
    start: dt.datetime | None
    end: dt.datetime | None
    report: Report

    def is_running(self, now: dt.datetime) -> bool:
        """Return whether its event is on; True for a report of staff without an event, which is about the room."""
        return self.event is None or _is_running(self.start, self.end, now)


CrowdKey: TypeAlias = tuple[str, int]


class Crowds:
    """The crowds of places, read once for each conference when they are first needed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rows: dict[int, dict[CrowdKey, list[CrowdReportRow]]] = {}
        # Hundreds of posters hang in one hall, and have the same crowd.
        self._crowds: dict[Hashable, Crowd] = {}

    @property
    def _now(self) -> dt.datetime:
        # Anybody may report at any time.
        self._clock.is_live()
        return self._clock.now

    def is_on(self, event: Event) -> bool:
        """As ``is_on``, for a page that ends when the answer changes."""
        if event.start is None or event.end is None or not is_on(event, event.start):
            return False
        return self._clock.is_between(event.start - REPORT_LEAD, event.end)

    def for_event(self, event: Event) -> Crowd:
        """Return UNKNOWN_CROWD unless the event is running or about to begin."""
        if not self.is_on(event):
            return UNKNOWN_CROWD
        place = _crowd_key(event.room_id, event.service_id)
        rows = self._reports(event.conference_id).get(place, [])
        reported = frozenset({event.pk, event.session_id} & {row.event for row in rows} - {None})
        key = (place, reported, _is_running(event.start, event.end, self._now))
        if key not in self._crowds:
            reports = [row.report for row in rows if _is_about_event(row, event, self._now)]
            self._crowds[key] = crowd_of(reports, self._now)
        return self._crowds[key]

    def by_room(self, conference: Conference) -> dict[int, Crowd]:
        return self._by_place(conference, "room")

    def by_service(self, conference: Conference) -> dict[int, Crowd]:
        return self._by_place(conference, "service")

    def _reports(self, conference: int) -> dict[CrowdKey, list[CrowdReportRow]]:
        if conference not in self._rows:
            by_place: dict[CrowdKey, list[CrowdReportRow]] = defaultdict(list)
            for row in recent_reports(conference, self._now):
                by_place[_crowd_key(row.room, row.service)].append(row)
            self._rows[conference] = dict(by_place)
        return self._rows[conference]

    def _by_place(self, conference: Conference, kind: str) -> dict[int, Crowd]:
        """Use the reports about running events, else about the next ones."""
        crowds = {}
        for (place, key), rows in self._reports(conference.pk).items():
            if place == kind and (coming := [row for row in rows if row.end is None or self._now < row.end]):
                running = [row for row in coming if row.is_running(self._now)] or coming
                crowds[key] = crowd_of([row.report for row in running], self._now)
        return crowds


def recent_reports(conference: int, now: dt.datetime) -> list[CrowdReportRow]:
    """Return every report that may still count, and the last of the older ones about each target.

    The older ones show that there were reports; they have no state.
    """
    # Without events that were hidden since, or moved to another room.
    current = Q(event=None) | (public_within("event") & (Q(room=None) | Q(event__room=F("room"))))
    reports = CrowdReport.objects.filter(current, conference=conference).order_by()
    target = ("room", "service", "event", "event__start", "event__end")
    fresh = reports.since(now - REPORT_TTL, now).values_list(*target, "agenda", "by_staff", "state", "weight", "at")
    older = (
        reports.since(now - REPORT_RETENTION, now - REPORT_TTL)
        .values(*target)
        .annotate(
            who=Value(None, output_field=BigIntegerField()),
            of_staff=Value(value=True),
            no_state=Value(""),
            no_weight=Value(0),
            last=Max("at"),
        )
    )
    rows = fresh.union(older.values_list(*target, "who", "of_staff", "no_state", "no_weight", "last"), all=True)
    return [
        CrowdReportRow(room, service, event, start, end, Report(state, moment, None if by_staff else agenda, weight, ends=end))
        for room, service, event, start, end, agenda, by_staff, state, weight, moment in rows
    ]


def room_states(conference: Conference, clock: Clock) -> dict[int, Crowd]:
    return Crowds(clock).by_room(conference)


def is_on(event: Event, now: dt.datetime) -> bool:
    """Return whether people are inside or at the door, from REPORT_LEAD before the start; False without a place."""
    if event.start is None or event.end is None or event.is_cancelled or not (event.room_id or event.service_id):
        return False
    return event.start - REPORT_LEAD <= now < event.end


def crowd_text(crowd: Crowd, *, line: bool = False) -> str:
    if crowd.stale:
        return "no recent report"
    if crowd.reported_at is None:
        return ""
    words, moment = (
        (LINE_STATE_TEXTS if line else ROOM_STATE_TEXTS)[crowd.state],
        f"{timezone.localtime(crowd.reported_at):%H:%M}",
    )
    return f"{words}, {moment}" if crowd.sure else f"reported {words} at {moment}, not confirmed"


def _crowd_key(room: int | None, service: int | None) -> CrowdKey:
    # The line of a service is apart from the crowd of its room.
    return ("service", service) if service else ("room", room or 0)


def _is_about_event(row: CrowdReportRow, event: Event, now: dt.datetime) -> bool:
    """Return whether a report about the place concerns this event too: one about an earlier event does not."""
    if event.service_id:
        return row.event == event.pk
    # Several events may be on in one room.
    both_run = row.is_running(now) and _is_running(event.start, event.end, now)
    return row.event in {event.pk, event.session_id} - {None} or both_run


def _is_running(start: dt.datetime | None, end: dt.datetime | None, now: dt.datetime) -> bool:
    return start is not None and end is not None and start <= now < end


def crowd_badge(crowd: Crowd, *, line: bool = False) -> Badge:
    words = crowd_text(crowd, line=line)
    if line and not crowd.stale:
        return Badge(crowd.state, f"{words[0].upper()}{words[1:]}", live=True)
    return Badge("crowd" if crowd.stale else crowd.state, f"{'Line' if line else 'Room'}: {words}", live=True)


class LiveCrowdBadge(NamedTuple):
    guid: UUID
    flag: Badge


def live_crowd_badges(conference: Conference, clock: Clock) -> list[LiveCrowdBadge]:
    crowds = Crowds(clock)
    rooms, services = crowds.by_room(conference), crowds.by_service(conference)
    if not rooms and not services:
        return []
    there = Q(service__in=services) | Q(service=None, room__in=rooms)
    on = Event.objects.public().filter(there, conference=conference, start__lte=clock.now + REPORT_LEAD, end__gt=clock.now)
    on = on.exclude(status=Status.CANCELLED).exclude(type__kind=Kind.POSTER).order_by("start", "pk")
    needed = ("guid", "start", "end", "status", "room", "service", "conference", "session")
    return [
        LiveCrowdBadge(event.guid, crowd_badge(crowd, line=event.service_id is not None))
        for event, crowd in ((event, crowds.for_event(event)) for event in on.only(*needed))
        if crowd.sure or crowd.stale
    ]
