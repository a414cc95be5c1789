"""What visitors may send."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from events.http import known_zone
from events.models import Agenda, Attendance, CancelledIn, Conference, Level, RoomState
from events.models.codes import as_typed
from events.models.validators import plain_text
from events.schedule.spans import utc
from events.schedule.walking import Need, Needs

# Who flies in a week early has things to do, too.
AROUND = dt.timedelta(days=14)


class BookmarkForm(forms.Form):
    """The wanted state, never a toggle: a request sent twice does no harm."""

    on = forms.TypedChoiceField(
        choices=[("1", "in my agenda"), ("0", "not in my agenda")],
        coerce=lambda value: value == "1",
        empty_value=None,
        required=False,
    )
    level = forms.ChoiceField(choices=Level.choices, required=False)

    def clean(self) -> dict[str, Any]:
        """Who says how much they want it wants it; the button of a level can send one name only."""
        wanted = super().clean() or self.cleaned_data
        if wanted.get("on") is None and not self.errors:
            if not wanted["level"]:
                self.add_error("on", "Say in or out.")
            wanted["on"] = True
        return wanted

    @property
    def problem(self) -> str:
        if "on" in self.errors:
            return f"“{str(self.data.get('on', ''))[:40]}” says neither in nor out of the agenda: use the button below."
        return (
            f"“{str(self.data.get('level', ''))[:40]}” is neither a must nor a maybe nor to watch later: use the buttons below."
        )


class TimeZoneForm(forms.Form):
    """An IANA name; empty means the venue's time."""

    zone = forms.CharField(max_length=60, required=False)

    def clean_zone(self) -> str:
        name: str = self.cleaned_data["zone"]
        if name and known_zone(name) is None:
            raise forms.ValidationError(f"“{name}” is not a time zone we know: choose one from the list.")
        return name


class StartForm(forms.Form):
    """Where I start from; empty forgets it."""

    start = forms.SlugField(max_length=60, required=False)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('start', ''))[:40]}” is no place to start from here. Nothing was changed: choose another."


class AttendanceForm(forms.Form):
    """How I take part; empty forgets it."""

    attendance = forms.ChoiceField(choices=Attendance.choices, required=False)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('attendance', ''))[:40]}” is no way to take part: use one of these buttons."


class WalkingForm(forms.Form):
    """What ways have to be; what is not sent stays as it was."""

    step_free = forms.ChoiceField(choices=[("1", "on"), ("0", "off")], required=False)
    dry = forms.ChoiceField(choices=[("1", "on"), ("0", "off")], required=False)

    def changed(self, needs: Needs) -> Needs:
        """The needs with those set that were sent; what cannot be read changes nothing."""
        sent = {Need.STEP_FREE: self.cleaned_data.get("step_free"), Need.DRY: self.cleaned_data.get("dry")}
        return frozenset(need for need in Need if (sent[need] == "1" if sent[need] else need in needs))


class FeedOptionsForm(forms.Form):
    """What one's calendar holds, all of it at once; a box that was not sent was not ticked."""

    feed_must_only = forms.BooleanField(required=False)
    feed_breaks = forms.BooleanField(required=False)
    feed_alarm = forms.BooleanField(required=False)
    feed_busy = forms.BooleanField(required=False)
    feed_deadlines = forms.BooleanField(required=False)
    feed_cancelled = forms.ChoiceField(
        choices=CancelledIn.choices,
        error_messages={
            "required": "Choose what becomes of cancelled events.",
            "invalid_choice": "“%(value)s” is no way to show cancelled events: choose one of these.",
        },
    )

    @classmethod
    def of(cls, agenda: Agenda) -> FeedOptionsForm:
        return cls(initial={name: getattr(agenda, name) for name in cls.base_fields})


class PresentForm(forms.Form):
    """Whether one presents something: the wanted state."""

    on = forms.TypedChoiceField(choices=[("1", "I do"), ("0", "I do not")], coerce=lambda value: value == "1")

    @property
    def problem(self) -> str:
        return (
            f"“{str(self.data.get('on', ''))[:40]}” says neither that you present it nor that you do not: use the button below."
        )


class CrowdForm(forms.Form):
    """How full it is, in one word."""

    state = forms.ChoiceField(choices=RoomState.choices)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('state', ''))[:40]}” says nothing of how full it is: use the buttons below."


class SignUpForm(forms.Form):
    """Whether one wants a place: the wanted state, and what the host may call one."""

    on = forms.TypedChoiceField(choices=[("1", "a place"), ("0", "none")], coerce=lambda value: value == "1")
    name = forms.CharField(
        max_length=60,
        required=False,
        validators=[plain_text],
        error_messages={"max_length": "The name has %(show_value)d characters, and at most 60 are kept: shorten it."},
    )

    @property
    def wanted_name(self) -> str | None:
        """None where nothing was said of it: then it stays as it is."""
        return " ".join(str(self.cleaned_data["name"]).split()) if "name" in self.data else None

    @property
    def problem(self) -> str:
        if "on" in self.errors:
            return f"“{str(self.data.get('on', ''))[:40]}” says neither that you want a place nor not: use the buttons."
        return str(self.errors["name"][0])


class PrivateEntryForm(forms.Form):
    """What somebody has besides the programme, by the clocks of the zone that is shown."""

    guid = forms.UUIDField(required=False)
    title = forms.CharField(
        max_length=120,
        validators=[plain_text],
        error_messages={"required": "Say what it is, in a word or two.", "max_length": "Say what it is in 120 characters."},
    )
    place = forms.CharField(
        max_length=120, required=False, validators=[plain_text], error_messages={"max_length": "Say where in 120 characters."}
    )
    date = forms.DateField(
        input_formats=["%Y-%m-%d"],
        error_messages={"required": "Choose the day.", "invalid": "That is no day: write it as 2025-04-24."},
    )
    start = forms.TimeField(error_messages={"required": "Say when it begins.", "invalid": "Write the beginning as 09:30."})
    end = forms.TimeField(error_messages={"required": "Say when it ends.", "invalid": "Write the end as 10:45."})

    def __init__(self, conference: Conference, zone: ZoneInfo, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.first, self.last = conference.start - AROUND, conference.end + AROUND

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
            self.add_error("end", "It ends when it begins: choose a later end.")
        # An end before the start is past midnight.
        ends_on = date + dt.timedelta(days=end < start)
        self.begins = utc(dt.datetime.combine(date, start, self.zone))
        self.ends = utc(dt.datetime.combine(ends_on, end, self.zone))
        if start != end and self.begins >= self.ends:
            self.add_error("end", "The clocks change in between, so that it would end before it begins: choose a later end.")

    @property
    def said(self) -> dict[str, Any]:
        """What an entry keeps of it."""
        return {name: self.cleaned_data[name] for name in ("title", "place")} | {"start": self.begins, "end": self.ends}

    @property
    def problems(self) -> list[str]:
        return [str(message) for messages in self.errors.values() for message in messages]

    @property
    def date_text(self) -> str:
        return _typed(self["date"].value(), "%Y-%m-%d")

    @property
    def start_text(self) -> str:
        return _typed(self["start"].value(), "%H:%M")

    @property
    def end_text(self) -> str:
        return _typed(self["end"].value(), "%H:%M")


def _typed(value: Any, form: str) -> str:
    """As browsers' fields want it; what could not be read stays as it was typed."""
    return value.strftime(form) if isinstance(value, dt.date | dt.time) else str(value or "")


def _day(date: dt.date) -> str:
    return f"{date.day} {date:%B %Y}"


class SeenForm(forms.Form):
    """Up to which moment the changes of an event, or of all, were shown: what changed later stays news."""

    event = forms.UUIDField(required=False)
    upto = forms.DateTimeField(input_formats=["%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S%z"])

    @property
    def problem(self) -> str:
        name = "upto" if "upto" in self.errors else "event"
        what = "a moment" if name == "upto" else "an event"
        return f"“{str(self.data.get(name, ''))[:40]}” is not {what}: use the buttons below."


class TakeForm(forms.Form):
    """A code from another device; without ``how`` it is only looked at."""

    code = forms.CharField(max_length=100, error_messages={"required": "Type the code that the other device shows."})
    how = forms.ChoiceField(
        choices=[("merge", "bring both together"), ("replace", "only what is there")],
        required=False,
        error_messages={"invalid_choice": "Choose one of the buttons below."},
    )

    def clean_code(self) -> str:
        code = as_typed(self.cleaned_data["code"])
        if not code:
            raise forms.ValidationError("A code has ten letters and digits, such as 7GK2M-X4PQZ.")
        return code


class ReadLinkForm(forms.Form):
    """Whom the address is for, in the words of who gives it out."""

    label = forms.CharField(max_length=60, required=False, validators=[plain_text])

    def clean_label(self) -> str:
        return " ".join(self.cleaned_data["label"].split())


class MailboxForm(forms.Form):
    """Where a code is to go."""

    mailbox = forms.EmailField(
        max_length=254,
        error_messages={
            "required": "Write your mail address.",
            "invalid": "That is not a mail address: write one as ada@example.org.",
            "max_length": "That is too long for a mail address.",
        },
    )

    def clean_mailbox(self) -> str:
        mailbox: str = self.cleaned_data["mailbox"]
        # Letters that look like others would be somebody else's mailbox; capitals are the same one everywhere.
        if not mailbox.isascii():
            raise forms.ValidationError("Only the letters a to z, digits and signs can be in it.")
        return mailbox.lower()


class CodeForm(forms.Form):
    """A code that was mailed, and whether the picks of this browser come along."""

    code = forms.CharField(max_length=100, error_messages={"required": "Write the code from the mail."})
    take = forms.BooleanField(required=False)


class DigestsForm(forms.Form):
    """Whether changes are mailed: the wanted state."""

    on = forms.TypedChoiceField(choices=[("1", "on"), ("0", "off")], coerce=lambda value: value == "1")
