"""Forms of the bulk actions on day, type, track and status, and of copies on other days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator

from events.admin.base.fields import NUMBER_ERRORS
from events.admin.base.times import long_date
from events.admin.programme.action_forms import (
    ZERO_TEXT,
    ActionForm,
    ActionPlan,
    OneConferenceForm,
    days_by_date,
    found_day,
    quoted_title,
    shift_event,
)
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.programme.models.labels import EventType, Kind, Status, Track
from events.programme.models.repeating import twin_of

MAX_MADE_EVENTS = 500
MAX_MOVE_DAYS = 3660
TIME_WITHOUT_DAY_TEXT = "has a time and no day: choose its day in its form first"


def shift_to(day: Day, event: Event, chosen: Mapping[int, Event]) -> dt.timedelta | None:
    """How far an event moves: as far as the chosen session that it is inside of. None if that one has no day."""
    above = [event.pk, event.session_id or 0, (event.session.session_id if event.session else None) or 0]
    top = next((chosen[key] for key in above if key in chosen), event)
    return day.date - top.day.date if top.day else None


def put_on_day(event: Event, day: Day, by: dt.timedelta | None, days: Mapping[tuple[int, dt.date], Day]) -> None:
    """At the same hours on the clock; TimeError if that hour or day does not exist."""
    if by is None or event.day is None:
        event.day = day
    elif event.start and event.end:
        shift_event(event, by, days, "day")
    else:
        event.day = found_day(event, event.day.date + by, days, "day")


def _has_time_without_day(event: Event) -> bool:
    return event.start is not None and event.day is None


def _day_name(event: Event) -> str:
    return long_date(event.day.date) if event.day else "no day"


class ChangeDayForm(OneConferenceForm):
    heading = "Change day"
    button = "Change the day"
    done = "Moved to another day"
    warns_of_clashes = True
    answer = "day"

    day = forms.ModelChoiceField(Day.objects.all(), label="To", help_text="At the same hours on the clock.")
    field_order = ["day", "include", "reason"]

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan, day, days = ActionPlan(), self.cleaned_data["day"], days_by_date()
        chosen = {event.pk: event for event in self.events}
        # Before any of them is moved.
        shifts = [shift_to(day, event, chosen) for event in events]
        for event, by in zip(events, shifts, strict=True):
            if plan.skips_cancelled(event):
                continue
            if event.day_id == day.pk and not by:
                plan.skipped.append(f"{quoted_title(event)} is on that day already")
                continue
            if _has_time_without_day(event):
                plan.skipped.append(f"{quoted_title(event)} {TIME_WITHOUT_DAY_TEXT}")
                continue
            before = _day_name(event)
            put_on_day(event, day, by, days)
            plan.change(event, f"{quoted_title(event)} {before} → {_day_name(event)}")
        return plan


class MoveProgrammeForm(ActionForm):
    """All events of a conference, to other dates."""

    heading = "Move the programme"
    button = "Move all of it"
    done = "Moved to other days"
    reaches_inside = False
    warns_of_clashes = True

    days = forms.IntegerField(
        label="By how many days",
        help_text="7 is a week later, -1 a day earlier, at the same hours on the clock.",
        validators=[MinValueValidator(-MAX_MOVE_DAYS), MaxValueValidator(MAX_MOVE_DAYS)],
        error_messages=NUMBER_ERRORS,
    )
    field_order = ["days", "reason"]

    def clean_days(self) -> int:
        days: int = self.cleaned_data["days"]
        if days == 0:
            raise ValidationError(ZERO_TEXT)
        return days

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan, by, days = ActionPlan(), dt.timedelta(days=self.cleaned_data["days"]), days_by_date()
        for event in events:
            if event.day is None:
                plan.skipped.append(f"{quoted_title(event)} has no day yet")
                continue
            before = _day_name(event)
            put_on_day(event, event.day, by, days)
            plan.change(event, f"{quoted_title(event)} {before} → {_day_name(event)}")
        return plan


class ChangeTypeForm(OneConferenceForm):
    heading = "Change type"
    button = "Change the type"
    done = "Changed to another type"
    reaches_inside = False
    answer = "type"

    type = forms.ModelChoiceField(EventType.objects.all(), label="To")
    field_order = ["type", "reason"]

    def limit_kinds(self, kinds: Collection[Kind]) -> None:
        field: Any = self.fields["type"]
        field.queryset = field.queryset.filter(kind__in=kinds)

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan, new = ActionPlan(), self.cleaned_data["type"]
        for event in events:
            if event.type_id == new.pk:
                plan.skipped.append(f"{quoted_title(event)} has that type already")
                continue
            before, event.type = event.type, new
            plan.change(event, f"{quoted_title(event)} {before} → {new}")
        return plan


class ChangeTrackForm(OneConferenceForm):
    heading = "Change track"
    button = "Change the track"
    done = "Changed to another track"
    answer = "track"

    track = forms.ModelChoiceField(Track.objects.all(), label="To", required=False, empty_label="No track")
    field_order = ["track", "include", "reason"]

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan, new = ActionPlan(), self.cleaned_data["track"]
        for event in events:
            if event.track_id == (new.pk if new else None):
                plan.skipped.append(f"{quoted_title(event)} is there already")
                continue
            before, event.track = event.track, new
            plan.change(event, f"{quoted_title(event)} {before or 'no track'} → {new or 'no track'}")
        return plan


class BackToDraftForm(ActionForm):
    heading = "Back to draft"
    button = "Take them back to draft"
    done = "Taken back to draft"
    reaches_inside = False
    needs_no_answers = True

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan = ActionPlan()
        for event in events:
            if event.status == Status.DRAFT:
                plan.skipped.append(f"{quoted_title(event)} is a draft already")
                continue
            event.status = Status.DRAFT
            plan.change(event, quoted_title(event))
        return plan


class RepeatForm(OneConferenceForm):
    """Copies on one or several days of the programme, also on the event's own."""

    heading = "Copy"
    button = "Make the copies"
    done = "Copied"
    answer = "days"

    days = forms.ModelMultipleChoiceField(
        Day.objects.all(),
        label="On these days",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one day."},
        help_text="At the same hours on the clock. People and links come along, lists of who signed up do not.",
    )
    publish = forms.BooleanField(
        label="Publish them at once", required=False, help_text="Otherwise they are drafts, which only organisers see."
    )
    field_order = ["days", "include", "publish", "reason"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        copied = len(self.events) + (self.inside if self.includes_children else 0)
        if copied * len(cleaned.get("days", ())) > MAX_MADE_EVENTS:
            raise ValidationError(f"That would be more than {MAX_MADE_EVENTS} events: choose fewer of them, or fewer days.")
        return cleaned

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        plan = ActionPlan()
        # Sessions before what is inside them.
        ordered = sorted(events, key=lambda it: (it.session_id is not None, bool(it.session and it.session.session_id)))
        chosen, days = {event.pk: event for event in self.events}, days_by_date()
        plan.skipped += [f"{quoted_title(event)} {TIME_WITHOUT_DAY_TEXT}" for event in ordered if _has_time_without_day(event)]
        for day in self.cleaned_data["days"]:
            for event in ordered:
                if not _has_time_without_day(event):
                    twin = twin_of(event)
                    put_on_day(twin, day, shift_to(day, event, chosen), days)
                    self._plan_twin(plan, event, twin)
        return plan

    def _plan_twin(self, plan: ActionPlan, event: Event, twin: Event) -> None:
        publishes = self.cleaned_data["publish"] and event.status not in {Status.DRAFT, Status.CANCELLED}
        twin.status = event.status if publishes else Status.DRAFT
        plan.made.append((event, twin))
        plan.descriptions.append(f"{quoted_title(event)} on {_day_name(twin)}")
