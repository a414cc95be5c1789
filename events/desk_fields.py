"""The fields of the desk's forms: what they take, and what they say when they do not; and what each form is stamped with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django import forms
from django.core.signing import BadSignature, Signer
from django.utils import timezone

from events.models.validators import plain_text
from events.schedule.clock import DAY_CHANGE, programme_date
from events.schedule.spans import utc

# Days before the first and after the last on which people still, or already, are there.
AROUND = dt.timedelta(days=7)
SIGNER = Signer(salt="hallway.desk.form")
ONE_DAY = dt.timedelta(days=1)
MOMENTS = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]


@dataclass(frozen=True)
class Stamp:
    """When a form was given out, and the guid of what it makes: sent twice, it makes one."""

    guid: UUID
    at: float

    @classmethod
    def new(cls, guid: UUID | None = None, *, ago: dt.timedelta = dt.timedelta()) -> Stamp:
        return cls(guid or uuid4(), (timezone.now() - ago).timestamp())

    @classmethod
    def read(cls, text: str) -> Stamp | None:
        try:
            guid, at = SIGNER.unsign_object(text)
            return cls(UUID(guid), float(at))
        except (BadSignature, ValueError, TypeError):
            return None

    def __str__(self) -> str:
        return SIGNER.sign_object([str(self.guid), self.at])

    @property
    def age(self) -> dt.timedelta:
        return dt.timedelta(seconds=timezone.now().timestamp() - self.at)


class Line(forms.CharField):
    """One line, however it was pasted; needed if there is a sentence for when it is missing. A phone shows it the right keys."""

    def __init__(self, label: str, most: int, *, missing: str = "", help_text: str = "", keys: str = "") -> None:
        messages = {"required": missing, "max_length": f"That is too long: say it in {most} characters."}
        super().__init__(label=label, max_length=most, required=bool(missing), help_text=help_text, error_messages=messages)
        self.validators.append(plain_text)
        if keys:
            self.widget.attrs["inputmode"] = keys

    def to_python(self, value: Any) -> str:
        return " ".join(str(value or "").split())


class Prose(forms.CharField):
    def __init__(self, label: str, most: int, *, missing: str = "", help_text: str = "", rows: int = 4) -> None:
        messages = {"required": missing, "max_length": f"That is too long: say it in {most:,} characters."}
        widget = forms.Textarea(attrs={"rows": rows})
        super().__init__(
            label=label, max_length=most, required=bool(missing), help_text=help_text, error_messages=messages, widget=widget
        )
        self.validators.append(plain_text)

    def to_python(self, value: Any) -> str:
        """A browser ends lines with two characters, of which people see none."""
        return str(super().to_python(value) or "").replace("\r\n", "\n")


class Day(forms.TypedChoiceField):
    """A day of the conference, or of the week before or after it."""

    def __init__(self) -> None:
        messages = {"required": "Choose the day.", "invalid_choice": "That is no day around the conference: choose one."}
        super().__init__(label="Day", coerce=dt.date.fromisoformat, empty_value=None, error_messages=messages)

    def offer(self, first: dt.date, last: dt.date, chosen: dt.date | None = None) -> None:
        """These days and those around them; one that was chosen before stays to be chosen."""
        self.first, self.last = first - AROUND, last + AROUND
        days = [self.first + ONE_DAY * number for number in range((self.last - self.first).days + 1)]
        parts = {
            "Before the conference": [it for it in days if it < first],
            "The conference": [it for it in days if first <= it <= last],
            "After it": [it for it in days if it > last],
        }
        if chosen and chosen not in days:
            parts["As it is now"] = [chosen]
        offered = [(name, [(it.isoformat(), _day(it)) for it in dates]) for name, dates in parts.items()]
        self.choices = [("", "Choose the day"), *offered]


def _day(date: dt.date) -> str:
    return f"{date:%A} {date.day} {date:%B}"


class Time(forms.TimeField):
    def __init__(self, label: str, *, help_text: str = "") -> None:
        messages = {"invalid": f"Write “{label.lower()}” as 18:30."}
        widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(label=label, required=False, help_text=help_text, error_messages=messages, widget=widget)


class Moment(forms.DateTimeField):
    def __init__(self, label: str, *, help_text: str = "") -> None:
        messages = {"invalid": "That is no day and time: write it as 2025-04-24 18:30."}
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(
            label=label, required=False, help_text=help_text, error_messages=messages, widget=widget, input_formats=MOMENTS
        )


class Many(forms.IntegerField):
    def __init__(self, label: str) -> None:
        said = "Write how many there are as a number from 1 to 100,000, or leave it empty."
        messages = dict.fromkeys(["invalid", "min_value", "max_value"], said)
        super().__init__(label=label, required=False, min_value=1, max_value=100_000, error_messages=messages)


def told(value: Any) -> str:
    """As people read it; all of it is by the clock at the venue."""
    if isinstance(value, dt.datetime):
        return f"{_day(value.date())}, {value:%H:%M}"
    if isinstance(value, dt.date):
        return _day(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def instants(date: dt.date, start: dt.time, end: dt.time, zone: ZoneInfo) -> dict[str, dt.datetime]:
    """01:30 on a day of the programme is the night after it, and an end before the start the day after that."""
    begins_on = date + ONE_DAY if start < DAY_CHANGE else date
    ends_on = begins_on + ONE_DAY if end < start else begins_on
    return {
        "start": utc(dt.datetime.combine(begins_on, start, zone)),
        "end": utc(dt.datetime.combine(ends_on, end, zone)),
    }


def localised(values: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """As a form shows what is kept: days of the programme, and clocks at the venue to the minute."""
    shown = dict(values)
    for name in ("start", "end", "signup_until"):
        if values[name] is not None:
            shown[name] = values[name].astimezone(zone).replace(second=0, microsecond=0, tzinfo=None)
    if values["start"] is not None:
        shown["date"] = programme_date(values["start"], zone)
        shown |= {name: shown[name].time() for name in ("start", "end")}
    return shown
