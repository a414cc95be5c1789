"""The forms of the agenda: bookmarks, private entries, changes, devices and links."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from events.agenda.models.bookmarks import BookmarkLevel, BookmarkState
from events.agenda.models.notes import MAX_NOTE_CHARS
from events.core.db.fields import plain_text
from events.core.spans import utc
from events.core.tokens import DEVICE_CODE_LENGTH, normalize_code
from events.programme.models.conference import Conference

# Browsers keep what waits for the network no longer.
MAX_DECISION_AGE = dt.timedelta(days=7)
# Some visitors travel a week before and after.
PRIVATE_ENTRY_MARGIN = dt.timedelta(days=14)


class PrivateEntryForm(forms.Form):
    """Times are in the zone that the page shows."""

    guid = forms.UUIDField(required=False)
    title = forms.CharField(
        max_length=120,
        validators=[plain_text],
        error_messages={"required": "Enter a title.", "max_length": "Use at most 120 characters for the title."},
    )
    place = forms.CharField(
        max_length=120,
        required=False,
        validators=[plain_text],
        error_messages={"max_length": "Use at most 120 characters for the place."},
    )
    date = forms.DateField(
        input_formats=["%Y-%m-%d"],
        error_messages={"required": "Choose the day.", "invalid": "Enter the day as 2025-04-24."},
    )
    start = forms.TimeField(error_messages={"required": "Enter the start.", "invalid": "Enter the start as 09:30."})
    end = forms.TimeField(error_messages={"required": "Enter the end.", "invalid": "Enter the end as 10:45."})

    def __init__(self, conference: Conference, zone: ZoneInfo, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.first, self.last = conference.start - PRIVATE_ENTRY_MARGIN, conference.end + PRIVATE_ENTRY_MARGIN

    def clean_title(self) -> str:
        return " ".join(self.cleaned_data["title"].split())

    def clean_place(self) -> str:
        return " ".join(self.cleaned_data["place"].split())

    def clean_date(self) -> dt.date:
        date: dt.date = self.cleaned_data["date"]
        if not self.first <= date <= self.last:
            raise forms.ValidationError(f"Choose a day from {_day(self.first)} to {_day(self.last)}.")
        return date

    def clean(self) -> None:
        date, start, end = (self.cleaned_data.get(name) for name in ("date", "start", "end"))
        if date is None or start is None or end is None:
            return
        if start == end:
            self.add_error("end", "It ends when it starts: choose a later end.")
        # An end before the start is past midnight.
        ends_on = date + dt.timedelta(days=end < start)
        self.begins = utc(dt.datetime.combine(date, start, self.zone))
        self.ends = utc(dt.datetime.combine(ends_on, end, self.zone))
        if start != end and self.begins >= self.ends:
            self.add_error("end", "The clocks change in between, so it would end before it starts: choose a later end.")

    @property
    def entry_values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("title", "place")} | {"start": self.begins, "end": self.ends}

    @property
    def date_text(self) -> str:
        return _field_text(self["date"].value(), "%Y-%m-%d")

    @property
    def start_text(self) -> str:
        return _field_text(self["start"].value(), "%H:%M")

    @property
    def end_text(self) -> str:
        return _field_text(self["end"].value(), "%H:%M")


def _field_text(value: Any, pattern: str) -> str:
    """The value of an HTML date or time field; invalid input stays as it was typed."""
    return value.strftime(pattern) if isinstance(value, dt.date | dt.time) else str(value or "")


def _day(date: dt.date) -> str:
    return f"{date.day} {date:%B %Y}"


_STATES = (BookmarkState(), *(BookmarkState(level, presents) for level in BookmarkLevel.values for presents in (False, True)))
STATE_CHOICES = [(str(state), str(state)) for state in _STATES]


class BookmarkForm(forms.Form):
    """The wanted state, never a toggle: a request sent twice does no harm."""

    on = forms.TypedChoiceField(
        choices=[("1", "in my agenda"), ("0", "not in my agenda")],
        coerce=lambda value: value == "1",
        empty_value=None,
        required=False,
    )
    level = forms.ChoiceField(choices=BookmarkLevel.choices, required=False)
    undo = forms.ChoiceField(choices=STATE_CHOICES, required=False)
    # A decision made without network: how long ago, and whose agenda the device showed (``agenda_mark``).
    seconds_ago = forms.IntegerField(required=False, min_value=0, max_value=int(MAX_DECISION_AGE.total_seconds()))
    whose = forms.CharField(required=False, max_length=64)
    # What the page shows besides the pressed button: its event, and the date of its column "My day".
    shown_event = forms.UUIDField(required=False)
    shown_date = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    # Whether the page has the line about the next room.
    has_leave_line = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """A level without ``on`` means ``on=1``: a button can send one name only. A former state is complete by itself."""
        wanted = super().clean() or self.cleaned_data
        if wanted.get("undo") and not self.errors:
            state = BookmarkState.read(wanted["undo"])
            wanted |= {"on": bool(state.level), "level": state.level}
        if wanted.get("on") is None and not self.errors:
            if not wanted["level"]:
                self.add_error("on", "Choose in or out.")
            wanted["on"] = True
        return wanted

    @property
    def decided_at(self) -> dt.datetime | None:
        """When the visitor decided, if that was sent late."""
        ago = self.cleaned_data["seconds_ago"]
        return None if ago is None else timezone.now() - dt.timedelta(seconds=ago)

    @property
    def problem(self) -> str:
        if "seconds_ago" in self.errors:
            return "This was chosen too long ago to be sent now: use the button below."
        if "level" not in self.errors:
            return "Something went wrong. Please use the button below."
        return f"“{str(self.data.get('level', ''))[:40]}” is not Must, Maybe or Watch later: use the buttons below."


class ExchangeForm(forms.Form):
    """The former states of both events, to undo an exchange; empty to exchange them."""

    undo = forms.ChoiceField(choices=STATE_CHOICES, required=False)
    undo_other = forms.ChoiceField(choices=STATE_CHOICES, required=False)

    @property
    def states(self) -> list[BookmarkState]:
        found = [self.cleaned_data["undo"], self.cleaned_data["undo_other"]]
        return [BookmarkState.read(state) for state in found] if all(found) else []


class AgendaNoteForm(forms.Form):
    """The wanted text; empty deletes the note."""

    text = forms.CharField(required=False, validators=[plain_text])
    undo = forms.BooleanField(required=False)

    def clean_text(self) -> str:
        if "text" not in self.data:
            raise forms.ValidationError("The text is missing, so your note stays as it was. Please use the button below.")
        # Browsers send a line break as two characters.
        text: str = self.cleaned_data["text"].replace("\r\n", "\n").strip()
        if len(text) > MAX_NOTE_CHARS:
            raise forms.ValidationError(
                f"Your note has {len(text):,} characters; at most {MAX_NOTE_CHARS:,} are allowed. Shorten it and save again."
            )
        return text

    @property
    def problem(self) -> str:
        return str(self.errors["text"][0]) if "text" in self.errors else "Something went wrong. Please use the button below."


class StartForm(forms.Form):
    """The slug of a starting point; empty deletes it."""

    start = forms.SlugField(max_length=60, required=False)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('start', ''))[:40]}” is not a starting point here. Nothing was changed: choose another."


class PresentingForm(forms.Form):
    """Whether the visitor presents at the event: the wanted state."""

    on = forms.TypedChoiceField(choices=[("1", "I do"), ("0", "I do not")], coerce=lambda value: value == "1")

    @property
    def problem(self) -> str:
        return "Something went wrong. Please use the button below."


class ChangesSeenForm(forms.Form):
    """The moment up to which the changes of an event, or of all events, were shown."""

    event = forms.UUIDField(required=False)
    upto = forms.DateTimeField(input_formats=["%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S%z"])

    @property
    def problem(self) -> str:
        name = "upto" if "upto" in self.errors else "event"
        what = "a time" if name == "upto" else "an event"
        return f"“{str(self.data.get(name, ''))[:40]}” is not {what}: use the buttons below."


class HandoverForm(forms.Form):
    """A code from another device; without ``how`` its effect is only previewed."""

    code = forms.CharField(max_length=100, error_messages={"required": "Enter the code that the other device shows."})
    how = forms.ChoiceField(
        choices=[("merge", "bring both together"), ("replace", "only the other one")],
        required=False,
        error_messages={"invalid_choice": "Choose one of the buttons below."},
    )

    def clean_code(self) -> str:
        code = normalize_code(self.cleaned_data["code"], DEVICE_CODE_LENGTH)
        if not code:
            raise forms.ValidationError("A code has twelve letters and digits, such as 7GK2MX-4PQZ3T.")
        return code


class ReadLinkForm(forms.Form):
    """``label`` is for the visitor's own list of links."""

    label = forms.CharField(max_length=60, required=False, validators=[plain_text])

    def clean_label(self) -> str:
        return " ".join(self.cleaned_data["label"].split())
