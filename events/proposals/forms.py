"""Forms for proposing a social, correcting one, and reporting a page; their fields, and the signed stamp against bots."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django import forms
from django.core.signing import BadSignature, Signer
from django.forms.boundfield import BoundField
from django.utils import timezone

from events.core.clock import DAY_CHANGE, programme_date
from events.core.db.fields import plain_text, web_address
from events.core.spans import ONE_DAY, utc
from events.programme.models.conference import Conference
from events.proposals.diff import PROPOSAL_FIELDS, comparable_values
from events.proposals.models import PROPOSAL_DATE_MARGIN, Proposal

FORM_STAMP_SIGNER = Signer(salt="hallway.desk.form")
DATE_TIME_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]


@dataclass(frozen=True)
class FormStamp:
    """Signed in a hidden field: when the form was shown, and the guid of the proposal, so that a double submit makes one."""

    guid: UUID
    at: float

    @classmethod
    def new(cls, guid: UUID | None = None) -> FormStamp:
        return cls(guid or uuid4(), timezone.now().timestamp())

    @classmethod
    def parse(cls, text: str) -> FormStamp | None:
        try:
            guid, at = FORM_STAMP_SIGNER.unsign_object(text)
            return cls(UUID(guid), float(at))
        except (BadSignature, ValueError, TypeError):
            return None

    def __str__(self) -> str:
        return FORM_STAMP_SIGNER.sign_object([str(self.guid), self.at])

    @property
    def age(self) -> dt.timedelta:
        return dt.timedelta(seconds=timezone.now().timestamp() - self.at)


class SingleLineField(forms.CharField):
    """Whitespace becomes one space. Required if ``missing`` has a message; ``keys`` is the inputmode for phones."""

    def __init__(self, label: str, max_chars: int, *, missing: str = "", help_text: str = "", keys: str = "") -> None:
        messages = {"required": missing, "max_length": f"That is too long: use at most {max_chars} characters."}
        super().__init__(label=label, max_length=max_chars, required=bool(missing), help_text=help_text, error_messages=messages)
        self.validators.append(plain_text)
        if keys:
            self.widget.attrs["inputmode"] = keys

    def to_python(self, value: Any) -> str:
        return " ".join(str(value or "").split())


class MultiLineField(forms.CharField):
    def __init__(self, label: str, max_chars: int, *, missing: str = "", help_text: str = "", rows: int = 4) -> None:
        messages = {"required": missing, "max_length": f"That is too long: use at most {max_chars:,} characters."}
        widget = forms.Textarea(attrs={"rows": rows})
        super().__init__(
            label=label, max_length=max_chars, required=bool(missing), help_text=help_text, error_messages=messages, widget=widget
        )
        self.validators.append(plain_text)

    def to_python(self, value: Any) -> str:
        """Browsers send CRLF."""
        return str(super().to_python(value) or "").replace("\r\n", "\n")


class ProgrammeDayField(forms.TypedChoiceField):
    """A day of the conference, or of the week before or after it."""

    def __init__(self) -> None:
        messages = {"required": "Choose the day.", "invalid_choice": "Choose one of the days in the list."}
        super().__init__(label="Day", coerce=dt.date.fromisoformat, empty_value=None, error_messages=messages)

    def set_days(self, first: dt.date, last: dt.date, today: dt.date, chosen: dt.date | None = None) -> None:
        """Days before ``today`` are not offered."""
        self.first, self.last = first - PROPOSAL_DATE_MARGIN, last + PROPOSAL_DATE_MARGIN
        days = [day for number in range((self.last - self.first).days + 1) if (day := self.first + ONE_DAY * number) >= today]
        groups = {
            "Before the conference": [day for day in days if day < first],
            "The conference": [day for day in days if first <= day <= last],
            "After it": [day for day in days if day > last],
        }
        if chosen and chosen not in days:
            groups["As it is now"] = [chosen]
        choices = [(name, [(day.isoformat(), _date_text(day)) for day in dates]) for name, dates in groups.items() if dates]
        self.choices = [("", "Choose the day"), *choices]


def _date_text(date: dt.date) -> str:
    return f"{date:%A} {date.day} {date:%B}"


class VenueTimeField(forms.TimeField):
    def __init__(self, label: str, *, help_text: str = "") -> None:
        messages = {"invalid": f"Write “{label.lower()}” as 18:30."}
        widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(label=label, required=False, help_text=help_text, error_messages=messages, widget=widget)


class VenueDateTimeField(forms.DateTimeField):
    def __init__(self, label: str, *, help_text: str = "") -> None:
        messages = {"invalid": "Write day and time as 2025-04-24 18:30."}
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(
            label=label,
            required=False,
            help_text=help_text,
            error_messages=messages,
            widget=widget,
            input_formats=DATE_TIME_FORMATS,
        )


class CountField(forms.IntegerField):
    def __init__(self, label: str, *, help_text: str = "") -> None:
        message = "Write a number from 1 to 100,000, or leave it empty."
        messages = dict.fromkeys(["invalid", "min_value", "max_value"], message)
        super().__init__(
            label=label, required=False, min_value=1, max_value=100_000, help_text=help_text, error_messages=messages
        )


def answer_text(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return f"{_date_text(value.date())}, {value:%H:%M}"
    if isinstance(value, dt.date):
        return _date_text(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def start_and_end(date: dt.date, start: dt.time, end: dt.time, zone: ZoneInfo) -> dict[str, dt.datetime]:
    """A start before DAY_CHANGE is in the night after ``date``; an end before the start is on the next day."""
    begins_on = date + ONE_DAY if start < DAY_CHANGE else date
    ends_on = begins_on + ONE_DAY if end < start else begins_on
    return {
        "start": utc(dt.datetime.combine(begins_on, start, zone)),
        "end": utc(dt.datetime.combine(ends_on, end, zone)),
    }


def initial_at_venue(values: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    shown = dict(values)
    for name in ("start", "end", "signup_until"):
        if values[name] is not None:
            shown[name] = values[name].astimezone(zone).replace(second=0, microsecond=0, tzinfo=None)
    if values["start"] is not None:
        shown["date"] = programme_date(values["start"], zone)
        shown |= {name: shown[name].time() for name in ("start", "end")}
    return shown


# An older form may show what is no longer true.
MAX_FORM_AGE = dt.timedelta(days=1)
NOTHING_CHANGED_MESSAGE = "Nothing is changed yet: change what is wrong, or write a message to the chairs."


class ProposalForm(forms.Form):
    """The fields of all forms: a mailbox for the answer, the stamp, and a honeypot."""

    stamp = forms.CharField(required=False, widget=forms.HiddenInput)
    # A fingerprint of what the form showed, to detect changes by others since.
    seen = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    homepage = forms.CharField(label="Leave this empty", required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    mailbox = forms.EmailField(
        label="Your mail address",
        required=False,
        max_length=254,
        help_text="Only to write to you when the chairs have decided.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": "That is not a mail address: write one like ada@example.org, or leave it empty."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "field-%s"} | kwargs)
        self.received_stamp = FormStamp.parse(str(self.data.get("stamp", "")))
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    @functools.cached_property
    def next_stamp(self) -> FormStamp:
        """The received one; renewed with the same guid if it is too old, so that the form can be sent again at once."""
        if self.received_stamp is None:
            return FormStamp.new()
        if self.received_stamp.age <= MAX_FORM_AGE:
            return self.received_stamp
        return FormStamp.new(self.received_stamp.guid)

    def renew_stamp(self) -> None:
        """A new guid: the next submit makes another proposal."""
        self.next_stamp = FormStamp.new()

    @property
    def guid(self) -> UUID:
        return self.next_stamp.guid

    def clean_mailbox(self) -> str:
        mailbox: str = self.cleaned_data["mailbox"]
        if not mailbox.isascii():
            raise forms.ValidationError("Use only the letters a to z, digits and signs.")
        return mailbox.lower()

    def clean(self) -> None:
        if self.received_stamp is None or self.received_stamp.age > MAX_FORM_AGE:
            self.add_error(None, "This form is older than a day. Everything you wrote is still here: send it again.")
        if self.cleaned_data.get("homepage"):
            self.add_error("homepage", "A hidden field was filled in. It is empty now: send the form again.")

    @property
    def error_lines(self) -> list[tuple[str, str]]:
        """Id of the field and message; the id is empty for hidden fields and the whole form, which come first."""
        visible = [field.name for _, fields in self.groups for field in fields]
        order = [*(name for name in self.errors if name not in visible), *(name for name in visible if name in self.errors)]
        return [(self[name].auto_id if name in visible else "", str(message)) for name in order for message in self.errors[name]]

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        return [("", [self[name] for name in ("message", "mailbox")])]

    @property
    def initial_rows(self) -> list[tuple[str, str]]:
        fields = [field for _, group in self.groups for field in group]
        rows = [(str(field.label), answer_text(self.initial.get(field.name))) for field in fields]
        return [(label, text) for label, text in rows if text]

    @property
    def overwritten_rows(self) -> list[tuple[str, str]]:
        typed, current = comparable_values(self.proposal_values), comparable_values(self.current_values)
        changed = [field for _, group in self.groups for field in group if typed[field.name] != current[field.name]]
        return [(str(field.label), answer_text(self.initial.get(field.name)) or "nothing") for field in changed]

    def is_repeat_of(self, sent: Proposal) -> bool:
        values = self.proposal_values
        return comparable_values(values) == comparable_values({name: getattr(sent, name) for name in values})

    @property
    def has_changes(self) -> bool:
        return self.has_changes_in(self.current_values)

    def has_changes_in(self, names: Iterable[str]) -> bool:
        typed, current = comparable_values(self.proposal_values), comparable_values(self.current_values)
        return any(typed[name] != current[name] for name in names)

    @property
    def current_values(self) -> dict[str, Any]:
        return {name: self.initial.get(name) for name in ("message", "mailbox")}

    @property
    def proposal_values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("message", "mailbox")}


class NoteForm(ProposalForm):
    """A report of what is missing or wrong on a page."""

    message = MultiLineField("What is missing or wrong?", 5_000, missing="Describe what is missing or wrong.", rows=6)


MAX_SIGN_UP_LEAD = dt.timedelta(days=366)
SOCIAL_TIME_FIELDS = ("date", "start", "end")
SOCIAL_FIELD_GROUPS = {
    "What and when": ("title", "date", "start", "end"),
    "Where and who": ("place", "host", "audience"),
    "More about it": ("about", "access_notes"),
    "Signing up": ("signup_url", "signup_until", "cost", "capacity"),
    "Only for the chairs": ("message", "mailbox"),
}


class SocialForm(ProposalForm):
    """A social in venue time; ``current`` has the values of the event or proposal that is changed."""

    title = SingleLineField("Name", 300, missing="Give it a name.")
    date = ProgrammeDayField()
    start = VenueTimeField("From", help_text="Venue time. For 01:00, choose the day the evening starts.")
    end = VenueTimeField("To", help_text="If earlier than the start, it ends the next day.")
    place = SingleLineField("Place", 200, help_text="Room name or address; leave empty if not known.")
    host = SingleLineField(
        "Host", 200, missing="Name the host.", help_text="A person, a group, a company. Separate several with a semicolon."
    )
    audience = SingleLineField("Who can come", 300, help_text="Everybody, students, members …")
    about = MultiLineField("What it is", 10_000, help_text="Markdown and $TeX$.", rows=6)
    access_notes = MultiLineField("Accessibility", 2_000, help_text="Steps, lift, hearing loop, seats, food.", rows=3)
    signup_url = SingleLineField("Sign-up page", 500, help_text="Leave empty if no sign-up is needed.", keys="url")
    signup_until = VenueDateTimeField("Sign-up until", help_text="Venue time.")
    cost = SingleLineField("Cost", 100, help_text="Free, 5 dollars …")
    capacity = CountField("Places", help_text="The chairs can open a sign-up list with so many places on this site.")
    message = MultiLineField("Message to the chairs", 5_000, rows=3)

    def __init__(
        self, conference: Conference, *args: Any, current: Mapping[str, Any] | None = None, corrects: bool = False, **kwargs: Any
    ) -> None:
        self.zone, self.current, self.corrects = conference.zone, current, corrects
        self.current_at_venue = initial_at_venue(current, self.zone) if current else {}
        kwargs["initial"] = self.current_at_venue | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for name in ("date", "host"):
            # A correction may leave empty what is empty now.
            self.fields[name].required &= not self.current_at_venue or bool(self.current_at_venue[name])
        self.days = cast(ProgrammeDayField, self.fields["date"])
        today = programme_date(timezone.now(), self.zone)
        self.days.set_days(conference.start, conference.end, today, self.current_at_venue.get("date"))

    def full_clean(self) -> None:
        # Django reads datetimes in the active zone, which may be the visitor's; the form is in venue time.
        with timezone.override(self.zone):
            super().full_clean()

    def clean_signup_url(self) -> str:
        url: str = self.cleaned_data["signup_url"]
        if url:
            web_address(url)
        return url

    def clean(self) -> None:
        super().clean()
        self._read_times()
        until, ends = self.cleaned_data.get("signup_until"), self.times["end"]
        if until and not self._is_unchanged("signup_until"):
            if not self.days.first - MAX_SIGN_UP_LEAD <= until.date() <= self.days.last:
                self.add_error("signup_until", "Choose a day within the year before the conference, or during it.")
            elif ends and until > ends:
                self.add_error("signup_until", "Choose a time before the social ends.")
        if self.corrects and not self.errors and not self.cleaned_data["message"] and not self.has_changes_in(PROPOSAL_FIELDS):
            self.add_error(None, NOTHING_CHANGED_MESSAGE)

    def _read_times(self) -> None:
        """Both times or neither; unchanged times stay exact to the second."""
        date, start, end = (self.cleaned_data.get(name) for name in SOCIAL_TIME_FIELDS)
        self.times: dict[str, Any] = {"date": date, "start": None, "end": None}
        if self.current and all(self._is_unchanged(name) for name in SOCIAL_TIME_FIELDS):
            self.times = {name: self.current[name] for name in SOCIAL_TIME_FIELDS}
        elif start and not end and "end" not in self.errors:
            self.add_error("end", "Add when it ends, or leave both empty.")
        elif end and not start and "start" not in self.errors:
            self.add_error("start", "Add when it begins, or leave both empty.")
        elif start and start == end:
            self.add_error("end", "It must end after it begins: choose another end.")
        elif date and start and end:
            self.times |= start_and_end(date, start, end, self.zone)
            if self.times["start"] >= self.times["end"]:
                self.add_error("end", "Clocks change that night, so it would end before it begins: choose a later end.")

    def _is_unchanged(self, name: str) -> bool:
        typed = self.cleaned_data.get(name)
        if isinstance(typed, dt.datetime):
            typed = typed.astimezone(self.zone).replace(tzinfo=None)
        return bool(self.current_at_venue) and typed == self.current_at_venue[name]

    @property
    def current_values(self) -> dict[str, Any]:
        return super().current_values | dict(self.current or {})

    @property
    def proposal_values(self) -> dict[str, Any]:
        values = {name: self.cleaned_data[name] for name in PROPOSAL_FIELDS if name not in self.times} | self.times
        if self.current and self._is_unchanged("signup_until"):
            values["signup_until"] = self.current["signup_until"]
        return values | super().proposal_values

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        return [(legend, [self[name] for name in names]) for legend, names in SOCIAL_FIELD_GROUPS.items()]
