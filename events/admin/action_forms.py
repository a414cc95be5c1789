"""What each bulk action asks before it acts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from events.admin.event_forms import ReasonField
from events.admin.plans import Plan, plan_cancelling, plan_changing_room, plan_moving
from events.admin.times import TimeError
from events.models import Event, Room

SIXTY_DAYS = 60 * 24 * 60


class ActionForm(forms.Form):
    """Base of the pages between choosing events and changing them."""

    heading: ClassVar[str]
    button: ClassVar[str]
    done: ClassVar[str]
    warns_of_clashes: ClassVar[bool] = False
    known_at_once: ClassVar[bool] = False
    """What it does depends on no answer, so that the first page can say it."""

    include = forms.BooleanField(label="Also what is inside them", required=False, initial=True)
    reason = ReasonField()

    def __init__(self, *args: Any, events: Sequence[Event], inside: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.events = events
        if inside:
            self.fields["include"].help_text = f"{inside} {'talk' if inside == 1 else 'talks'} inside the sessions you chose."
        else:
            del self.fields["include"]

    @property
    def includes(self) -> bool:
        return "include" in self.fields and bool(self["include"].value())

    @property
    def reason_given(self) -> str:
        reason: str = self.cleaned_data.get("reason", "")
        return reason

    def planned(self, events: Sequence[Event], inside: Sequence[Event]) -> Plan | None:
        """What would happen, as far as the answers say; None if they do not, or if it cannot be."""
        if not (self.is_valid() or self.known_at_once):
            return None
        try:
            return self.plan([*events, *(inside if self.includes else [])])
        except TimeError as error:
            self.add_error(error.field if error.field in self.fields else None, str(error))
            return None

    @abstractmethod
    def plan(self, events: Sequence[Event]) -> Plan:
        """What would happen to these events."""


class CancelForm(ActionForm):
    heading = "Cancel"
    button = "Cancel them"
    done = "Cancelled"
    known_at_once = True

    reason = ReasonField(required=True, help_text="Attendees read it beside the struck title.")

    def plan(self, events: Sequence[Event]) -> Plan:
        return plan_cancelling(events)


class MoveForm(ActionForm):
    heading = "Move"
    button = "Move them"
    done = "Moved"
    warns_of_clashes = True

    minutes = forms.IntegerField(
        label="By how many minutes",
        help_text="30 is later, -30 earlier, 1440 the next day at the same hour.",
        validators=[MinValueValidator(-SIXTY_DAYS), MaxValueValidator(SIXTY_DAYS)],
    )
    field_order = ["minutes", "include", "reason"]

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError("0 minutes moves nothing.")
        return minutes

    def plan(self, events: Sequence[Event]) -> Plan:
        return plan_moving(events, self.cleaned_data["minutes"])


class RoomForm(ActionForm):
    heading = "Change room"
    button = "Change the room"
    done = "Moved to another room"
    warns_of_clashes = True

    room = forms.ModelChoiceField(Room.objects.none(), label="To")
    field_order = ["room", "include", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["room"]
        field.queryset = Room.objects.filter(conference__in={event.conference_id for event in self.events})

    def plan(self, events: Sequence[Event]) -> Plan:
        return plan_changing_room(events, self.cleaned_data["room"])
