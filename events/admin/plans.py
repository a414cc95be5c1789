"""What a bulk action would do to events, worked out in memory before anything is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.text import Truncator

from events.admin.times import TimeError, at_venue, long_date, span_words
from events.models import Day, Event, Room, Status
from events.schedule.clock import programme_date


@dataclass
class Plan:
    """Events as they will be, what to say of each, and what is left as it is and why."""

    changed: dict[int, Event] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def change(self, event: Event, words: str) -> None:
        self.changed[event.pk] = event
        self.said.append(words)


def named(event: Event) -> str:
    return f"“{Truncator(event.title).chars(60)}”"


def plan_publishing(events: Iterable[Event]) -> Plan:
    """Drafts become confirmed, or tentative as long as their hour is open."""
    plan = Plan()
    for event in events:
        if event.status != Status.DRAFT:
            plan.skipped.append(f"{named(event)} is {event.get_status_display().lower()}")
            continue
        event.status = Status.CONFIRMED if event.start else Status.TENTATIVE
        plan.change(event, named(event))
    return plan


def plan_cancelling(events: Iterable[Event]) -> Plan:
    plan = Plan()
    for event in events:
        if event.status in {Status.DRAFT, Status.CANCELLED}:
            why = "is a draft, which nobody has seen: delete it" if event.status == Status.DRAFT else "is cancelled already"
            plan.skipped.append(f"{named(event)} {why}")
            continue
        event.status = Status.CANCELLED
        plan.change(event, named(event))
    return plan


def plan_moving(events: Iterable[Event], minutes: int) -> Plan:
    """By the clock at the venue, so that a day later is the same hour; TimeError where that hour or day does not exist."""
    plan = Plan()
    days = {(day.conference_id, day.date): day for day in Day.objects.all()}
    for event in events:
        if event.start is None or event.end is None:
            plan.skipped.append(f"{named(event)} has no time yet")
            continue
        before = _placed(event)
        _move(event, minutes, days)
        plan.change(event, f"{named(event)} {before} → {_placed(event)}")
    return plan


def _placed(event: Event) -> str:
    day = f"{event.day.date:%a} {event.day.date.day} {event.day.date:%b} " if event.day else ""
    return day + span_words(event.start, event.end, event.conference.zone)


def _move(event: Event, minutes: int, days: dict[tuple[int, dt.date], Day]) -> None:
    assert event.start and event.end  # noqa: S101, PT018 - plan_moving() leaves the others out
    zone = event.conference.zone
    length = event.end - event.start
    try:
        wall = event.start.astimezone(zone).replace(tzinfo=None) + dt.timedelta(minutes=minutes)
        start, _ = at_venue("minutes", wall, zone)
        end = start + length
    except OverflowError as error:
        raise TimeError("minutes", "That is further than any calendar goes.") from error
    date = programme_date(start, zone)
    day = days.get((event.conference_id, date))
    if day is None:
        where = f"{long_date(date)}, which is no day of {event.conference}"
        raise TimeError("minutes", f"{named(event)} would be on {where}: add it under Days first.")
    event.start, event.end, event.day = start, end, day


def plan_changing_room(events: Iterable[Event], room: Room) -> Plan:
    plan = Plan()
    for event in events:
        if event.room_id == room.pk:
            plan.skipped.append(f"{named(event)} is there already")
            continue
        before = event.room.name if event.room else event.place or "no room"
        event.room = room
        plan.change(event, f"{named(event)} {Truncator(before).chars(40)} → {Truncator(room.name).chars(40)}")
    return plan
