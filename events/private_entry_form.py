"""What somebody types of a meeting or a flight of their own."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from events.models import Conference
from events.models.validators import plain_text
from events.schedule.spans import utc

# Who flies in a week early has things to do, too.
AROUND = dt.timedelta(days=14)


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
