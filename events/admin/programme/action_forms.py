"""Forms of the bulk actions, and the changes they plan."""

from __future__ import annotations

import datetime as dt
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import Truncator

from events.admin.base.fields import NUMBER_ERRORS, ReasonField
from events.admin.base.times import TimeError, clock_time, day_span_text, long_date, venue_instant
from events.core.clock import programme_date
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.venue import Room

MAX_MOVE_MINUTES = 60 * 24 * 60
INCLUDE_LABEL = "Move what is inside it too"
ZERO_TEXT = "Enter a number other than 0."


@dataclass
class ActionPlan:
    """Changed but unsaved events by key, pairs of an event and its unsaved copy, descriptions, and why others are skipped."""

    changed: dict[int, Event] = field(default_factory=dict)
    made: list[tuple[Event, Event]] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def change(self, event: Event, description: str) -> None:
        self.changed[event.pk] = event
        self.descriptions.append(description)

    def skips_cancelled(self, event: Event) -> bool:
        """A move of what does not happen would be announced as news."""
        if event.is_cancelled:
            self.skipped.append(f"{quoted_title(event)} is cancelled")
        return event.is_cancelled


def quoted_title(event: Event) -> str:
    return f"“{Truncator(event.title).chars(60)}”"


def plan_publishing(events: Iterable[Event]) -> ActionPlan:
    """Drafts become confirmed, or tentative if they have no time yet."""
    plan = ActionPlan()
    for event in events:
        if event.status != Status.DRAFT:
            plan.skipped.append(f"{quoted_title(event)} is {event.get_status_display().lower()}")
            continue
        event.status = Status.CONFIRMED if event.start else Status.TENTATIVE
        plan.change(event, quoted_title(event))
    return plan


def plan_cancelling(events: Iterable[Event]) -> ActionPlan:
    plan = ActionPlan()
    for event in events:
        if event.status in {Status.DRAFT, Status.CANCELLED}:
            why = "is a draft that nobody has seen: delete it instead" if event.status == Status.DRAFT else "is cancelled already"
            plan.skipped.append(f"{quoted_title(event)} {why}")
            continue
        event.status = Status.CANCELLED
        plan.change(event, quoted_title(event))
    return plan


def plan_taking_place(events: Iterable[Event]) -> ActionPlan:
    """What was cancelled becomes confirmed, or tentative if it has no time yet."""
    plan = ActionPlan()
    for event in events:
        if not event.is_cancelled:
            plan.skipped.append(f"{quoted_title(event)} is not cancelled")
            continue
        event.status = Status.CONFIRMED if event.start else Status.TENTATIVE
        plan.change(event, quoted_title(event))
    return plan


def plan_moving(events: Iterable[Event], minutes: int) -> ActionPlan:
    """Move by wall-clock time, so that a day later is the same hour. Raises TimeError if that hour or day does not exist."""
    plan = ActionPlan()
    days = days_by_date()
    for event in events:
        if plan.skips_cancelled(event):
            continue
        if event.start is None or event.end is None:
            plan.skipped.append(f"{quoted_title(event)} has no time yet")
            continue
        before = day_and_time(event)
        shift_event(event, dt.timedelta(minutes=minutes), days, "minutes")
        plan.change(event, f"{quoted_title(event)} {before} → {day_and_time(event)}")
    return plan


def day_and_time(event: Event) -> str:
    return day_span_text(event.day.date if event.day else None, event.start, event.end, event.conference.zone)


def shift_event(event: Event, by: dt.timedelta, days: Mapping[tuple[int, dt.date], Day], field: str) -> None:
    """Move an event that has a time by the clock of the venue; TimeError on ``field`` if that hour or day does not exist."""
    assert event.start and event.end  # noqa: S101, PT018 - callers leave the others out
    zone = event.conference.zone
    length = event.end - event.start
    try:
        wall = clock_time(event.start, zone) + by
        start, _ = venue_instant(field, wall, zone)
        end = start + length
    except OverflowError as error:
        raise TimeError(field, "That date is out of range.") from error
    event.start, event.end, event.day = start, end, found_day(event, programme_date(start, zone), days, field)


def days_by_date() -> dict[tuple[int, dt.date], Day]:
    return {(day.conference_id, day.date): day for day in Day.objects.all()}


def found_day(event: Event, date: dt.date, days: Mapping[tuple[int, dt.date], Day], field: str) -> Day:
    """Raises TimeError on ``field`` if the conference has no such day."""
    day = days.get((event.conference_id, date))
    if day is None:
        where = f"{long_date(date)}, which is no day of {event.conference}"
        raise TimeError(field, f"{quoted_title(event)} would be on {where}: add it under Days first.")
    return day


def put_in_room(event: Event, room: Room) -> None:
    """A place in words, and the way to it, stand in for a room: with one they would lead to two places."""
    if event.room is None:
        event.place, event.travel_minutes = "", None
    if event.at_venue is not None:
        event.at_venue = not room.zone.off_site
    event.room = room


def where_is(event: Event) -> int | str:
    """The key of its room, or without one its place in words; empty if neither is known."""
    return event.room_id or event.place


def move_part(part: Event, event: Event, shift: dt.timedelta, where: int | str, days: Mapping[tuple[int, dt.date], Day]) -> None:
    """Move what is inside an event: by the same time, and to the same room if it was ``where`` the event was."""
    if part.start and shift:
        shift_event(part, shift, days, "start")
    elif part.start is None:
        part.day = event.day if part.day else None
    if not where or where_is(part) != where or where_is(event) == where:
        return
    if event.room:
        put_in_room(part, event.room)
    else:
        part.room, part.place = None, event.place


def plan_changing_room(events: Iterable[Event], room: Room) -> ActionPlan:
    plan = ActionPlan()
    for event in events:
        if plan.skips_cancelled(event):
            continue
        if event.room_id == room.pk:
            plan.skipped.append(f"{quoted_title(event)} is there already")
            continue
        before = event.room.name if event.room else event.place or "no room"
        put_in_room(event, room)
        plan.change(event, f"{quoted_title(event)} {Truncator(before).chars(40)} → {Truncator(room.name).chars(40)}")
    return plan


class ActionForm(forms.Form):
    """Base of the forms between choosing events and changing them."""

    heading: ClassVar[str]
    button: ClassVar[str]
    done: ClassVar[str]
    warns_of_clashes: ClassVar[bool] = False
    reaches_inside: ClassVar[bool] = True
    """Whether it is offered for the talks inside too."""
    needs_no_answers: ClassVar[bool] = False
    """What it does depends on no answer, so that the first page can say it."""

    include = forms.BooleanField(label="Include what is inside them", required=False, initial=True)
    reason = ReasonField()

    def __init__(self, *args: Any, events: Sequence[Event], inside: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.events, self.inside = events, inside
        if inside and self.reaches_inside:
            self.fields["include"].help_text = f"{inside} {'talk' if inside == 1 else 'talks'} inside the sessions you chose."
        else:
            del self.fields["include"]

    def limit_kinds(self, kinds: Collection[Kind]) -> None:
        """Offer only what the user may change."""

    @property
    def includes_children(self) -> bool:
        return "include" in self.fields and bool(self["include"].value())

    @property
    def reason_given(self) -> str:
        reason: str = self.cleaned_data.get("reason", "")
        return reason

    def try_plan(self, events: Sequence[Event], inside: Sequence[Event]) -> ActionPlan | None:
        """The plan as far as the answers allow; None if they are missing or impossible."""
        if not (self.is_valid() or self.needs_no_answers):
            return None
        try:
            return self.plan([*events, *(inside if self.includes_children else [])])
        except TimeError as error:
            self.add_error(error.field if error.field in self.fields else None, str(error))
            return None

    @abstractmethod
    def plan(self, events: Sequence[Event]) -> ActionPlan:
        """What would happen to these events."""


class OneConferenceForm(ActionForm):
    """An answer that is a row of the conference of the chosen events; ``answer`` is its field."""

    answer = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields[self.answer]
        field.queryset = field.queryset.filter(conference__in={event.conference_id for event in self.events})


class CancelForm(ActionForm):
    heading = "Cancel"
    button = "Cancel them"
    done = "Cancelled"
    needs_no_answers = True

    reason = ReasonField(required=True, help_text="Shown beside the crossed-out title.")

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        return plan_cancelling(events)


class TakePlaceForm(ActionForm):
    heading = "Takes place after all"
    button = "They take place"
    done = "Takes place after all"
    warns_of_clashes = True
    needs_no_answers = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if include := self.fields.get("include"):
            # A talk that was withdrawn before its session was cancelled would come back too.
            include.initial = False
            include.help_text += " Choose single ones in the list if some of them stay cancelled."

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        return plan_taking_place(events)


class MoveForm(ActionForm):
    heading = "Move"
    button = "Move them"
    done = "Moved"
    warns_of_clashes = True

    minutes = forms.IntegerField(
        label="By how many minutes",
        help_text="30 is later, -30 earlier, 1440 the next day at the same hour.",
        validators=[MinValueValidator(-MAX_MOVE_MINUTES), MaxValueValidator(MAX_MOVE_MINUTES)],
        error_messages=NUMBER_ERRORS,
    )
    field_order = ["minutes", "include", "reason"]

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError(ZERO_TEXT)
        return minutes

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        return plan_moving(events, self.cleaned_data["minutes"])


class ChangeRoomForm(OneConferenceForm):
    heading = "Change room"
    button = "Change the room"
    done = "Moved to another room"
    warns_of_clashes = True
    answer = "room"

    room = forms.ModelChoiceField(Room.objects.select_related("zone"), label="To")
    field_order = ["room", "include", "reason"]

    def plan(self, events: Sequence[Event]) -> ActionPlan:
        return plan_changing_room(events, self.cleaned_data["room"])
