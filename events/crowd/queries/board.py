"""The board of rooms, for helpers at the doors: what is on now, and how full it is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import F

from events.core.clock import Clock
from events.crowd.models import CrowdReport
from events.crowd.queries.reports import Crowds
from events.crowd.rules import REPORT_LEAD, REPORT_TTL, Crowd
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Status
from events.programme.models.venue import Room, RoomState


@dataclass(frozen=True)
class BoardRoom:
    """``staff_name`` is empty if attendees report the crowd, or nobody does."""

    room: Room
    event: Event
    crowd: Crowd
    staff_name: str = ""
    by_staff: bool = False

    @property
    def state_text(self) -> str:
        return RoomState(self.crowd.state).label

    @property
    def lasts_until(self) -> dt.datetime | None:
        """When the report no longer counts."""
        if self.crowd.reported_at is None or self.event.end is None:
            return None
        return min(self.crowd.reported_at + REPORT_TTL, self.event.end)


def rooms_now(conference: Conference, clock: Clock) -> list[BoardRoom]:
    """Return the rooms with an event that is on or about to begin, in three queries."""
    by_room: dict[int, Event] = {}
    for event in _events_now(conference, clock.now):
        by_room.setdefault(event.room_id or 0, event)
    crowds, reports = Crowds(clock), _staff_reports(conference, clock.now)
    board = [_board_room(event, crowds.for_event(event), reports) for event in by_room.values()]
    return sorted(board, key=lambda it: (it.room.position, it.room.name, it.room.pk))


def next_event(conference: Conference, now: dt.datetime) -> Event | None:
    """Return the event with a room that begins next."""
    return _events_in_rooms(conference).filter(start__gt=now).order_by("start", "pk").first()


def _events_in_rooms(conference: Conference) -> EventQuerySet:
    events = Event.objects.public().filter(conference=conference, room__isnull=False, service=None)
    return events.exclude(status=Status.CANCELLED).select_related("conference", "room", "session")


def _events_now(conference: Conference, now: dt.datetime) -> EventQuerySet:
    """The event that a report of staff is about comes first (``current_event``)."""
    events = _events_in_rooms(conference).filter(start__lte=now + REPORT_LEAD, end__gt=now)
    return events.order_by(F("session").asc(nulls_first=True), "start", "pk")


def _staff_reports(conference: Conference, now: dt.datetime) -> dict[tuple[int | None, dt.datetime], str]:
    """Names of staff by room and time of their report."""
    reports = CrowdReport.objects.since(now - REPORT_TTL, now).filter(conference=conference, by_staff=True)
    return {(room, at): name for room, at, name in reports.order_by("pk").values_list("room", "at", "staff_name")}


def _board_room(event: Event, crowd: Crowd, reports: dict[tuple[int | None, dt.datetime], str]) -> BoardRoom:
    assert event.room  # noqa: S101 - the events of the board have one
    name = reports.get((event.room_id, crowd.reported_at)) if crowd.reported_at else None
    return BoardRoom(event.room, event, crowd, name or "", by_staff=name is not None)
