"""Another time zone of a conference: whether its events keep their times on the clock or their moments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q

from events.admin.base.times import TimeError, clock_time, venue_instant
from events.admin.programme.action_forms import ActionPlan, quoted_title
from events.admin.programme.actions import MAX_EVENTS_PER_ACTION, load_events
from events.programme.models.conference import Conference
from events.programme.models.event import Event

CLOCK, MOMENT = "clock", "moment"


class KeptTimesField(forms.ChoiceField):
    """Its choices say what attendees read, once the new zone is known (``plan``)."""

    def __init__(self) -> None:
        choices = [(CLOCK, "their times on the clock"), (MOMENT, "their moments")]
        super().__init__(label="Events keep", choices=choices, required=False, widget=forms.RadioSelect)

    def plan(self, conference: Conference, after: ZoneInfo, answer: str) -> ActionPlan | None:
        """The moves that keep the clock; None if no event moves. ValidationError without an answer, or if they cannot."""
        before = conference.zone
        events = [
            event
            for event in load_events(Q(conference=conference, start__isnull=False))
            if clock_time(event.start, before) != clock_time(event.start, after)
        ]
        if not events:
            return None
        self.choices = _choices(quoted_title(events[0]), events[0].start, before, after)
        if not answer:
            raise ValidationError("Nothing is saved yet: choose what the events keep in the new time zone.")
        if answer == MOMENT:
            return None
        if len(events) > MAX_EVENTS_PER_ACTION:
            raise ValidationError(f"{len(events):,} events are too many to move at once: import the programme in its new zone.")
        return plan_keeping_clock(events, before, after)


def _choices(title: str, start: dt.datetime, before: ZoneInfo, after: ZoneInfo) -> list[tuple[str, str]]:
    old, new = (f"{clock_time(start, zone):%a %H:%M}" for zone in (before, after))
    return [
        (CLOCK, f"their times on the clock: {title} stays at {old}. All move in calendars, and are among the changes."),
        (MOMENT, f"their moments: attendees read {new} for {title}, no longer {old}. No change is announced."),
    ]


def plan_keeping_clock(events: Iterable[Event], before: ZoneInfo, after: ZoneInfo) -> ActionPlan:
    """Raise ValidationError for an hour that does not exist in the new zone."""
    plan = ActionPlan()
    for event in events:
        length = event.end - event.start if event.end and event.start else dt.timedelta()
        try:
            event.start = _moved(event.start, before, after)
            event.signup_until = _moved(event.signup_until, before, after)
        except TimeError as error:
            raise ValidationError(f"{quoted_title(event)}: {error} Move it first.") from error
        event.end = event.start + length if event.start else None
        plan.change(event, quoted_title(event))
    return plan


def _moved(at: dt.datetime | None, before: ZoneInfo, after: ZoneInfo) -> dt.datetime | None:
    return venue_instant("timezone", clock_time(at, before), after)[0] if at else None
