"""The form that moves one event to another day, hour or room, and the changes that it plans."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from events.admin.base.fields import ReasonField, TimeInput
from events.admin.base.times import TimeError, clock_time, venue_instant, wall_datetime
from events.admin.programme.action_forms import (
    INCLUDE_LABEL,
    ActionPlan,
    day_and_time,
    move_part,
    put_in_room,
    quoted_title,
    where_is,
)
from events.core.spans import utc
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.venue import Room

EVENT_FIELD = "event"
UNCHANGED = "as it is"


class MoveEventForm(forms.Form):
    """What is left empty stays as it is."""

    day = forms.ModelChoiceField(Day.objects.none(), required=False, empty_label=UNCHANGED, to_field_name="date")
    start = forms.TimeField(label="Starts", required=False, widget=TimeInput, help_text="Empty: as it is.")
    room = forms.ModelChoiceField(Room.objects.none(), required=False, empty_label=UNCHANGED)
    include = forms.BooleanField(label=INCLUDE_LABEL, required=False)
    reason = ReasonField()

    def __init__(self, data: Any, *, conference: Conference, inside: int = 0) -> None:
        super().__init__(data)
        for name, rows in (
            ("day", conference.days.all()),
            ("room", conference.rooms.select_related("zone").order_by("position", "name", "pk")),
        ):
            choice: Any = self.fields[name]
            choice.queryset = rows
        self.fields["start"].help_text = f"{conference.zone_name}. Empty: as it is. A day lasts until 04:00 of the next morning."
        if not inside:
            del self.fields["include"]

    def plan(self, event: Event, inside: Sequence[Event]) -> ActionPlan | None:
        """The planned change; None, with an error, if an answer is missing or impossible."""
        if not self.is_valid():
            return None
        try:
            return plan_moving_to(
                event,
                inside if self.cleaned_data.get("include") else [],
                day=self.cleaned_data["day"],
                time=self.cleaned_data["start"],
                room=self.cleaned_data["room"],
            )
        except TimeError as error:
            self.add_error(error.field, str(error))
            return None


def plan_moving_to(
    event: Event, inside: Sequence[Event], *, day: Day | None, time: dt.time | None, room: Room | None
) -> ActionPlan:
    """Move an event, and with it what is inside: by the same time, and to the same room if it was in that of the event.

    Raises TimeError, with the field that it is about.
    """
    plan = ActionPlan()
    days = {(it.conference_id, it.date): it for it in Day.objects.filter(conference=event.conference_id)}
    before, where = _time_and_room(event), where_is(event)
    shift = _move_start(event, day, time)
    if room and room.pk != event.room_id:
        put_in_room(event, room)
    _describe(plan, event, before)
    for part in inside:
        if plan.skips_cancelled(part):
            continue
        before = _time_and_room(part)
        move_part(part, event, shift, where, days)
        _describe(plan, part, before)
    return plan


def _move_start(event: Event, day: Day | None, time: dt.time | None) -> dt.timedelta:
    """Set day, start and end; return by how much the clock moved, which is nothing for an event that had no hour."""
    zone = event.conference.zone
    was = clock_time(event.start, zone) if event.start else None
    to_day = day or event.day
    if time is None and (was is None or day is None):
        # Its hour stays to be announced, or all of its time as it is.
        event.day = to_day
        return dt.timedelta()
    if to_day is None:
        raise TimeError("day", "Choose the day this time belongs to.")
    wall = wall_datetime(to_day.date, time or (was.time() if was else dt.time()))
    length = dt.timedelta(minutes=event.type.default_minutes or 60)
    if event.start and event.end:
        length = utc(event.end) - utc(event.start)
    # Of two equal hours, where the clocks go back, an event stays in its own.
    start = event.start if event.start and wall == was else venue_instant("start", wall, zone)[0]
    event.day, event.start, event.end = to_day, start, start + length
    return wall - was if was else dt.timedelta()


def _describe(plan: ActionPlan, event: Event, before: str) -> None:
    after = _time_and_room(event)
    if after == before:
        plan.skipped.append(f"{quoted_title(event)} is there already")
    else:
        plan.change(event, f"{quoted_title(event)} {before} → {after}")


def _time_and_room(event: Event) -> str:
    where = event.room.name if event.room else event.place or "no room"
    return f"{day_and_time(event)}, {where}"
