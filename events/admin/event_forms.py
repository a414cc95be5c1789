"""Forms of events: times by the venue's clock, and a word to those who come."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html

from events.admin.forms import HallwayForm
from events.admin.times import TimeError, Wall, read, shown
from events.admin.widgets import WallField
from events.models import Conference, Day, Event, Kind
from events.models.validators import plain_text
from events.schedule.clock import programme_date

BACK = "back"
"""The button of the page before saving that leads to the form again, with what was typed."""
A_DAY = "Empty: to be announced. It lasts until 04:00 of the next morning."


class ReasonField(forms.CharField):
    """Read by those who bookmarked the event; kept with what changed, not with the event."""

    default_validators = [plain_text]

    def __init__(self, **kwargs: Any) -> None:
        usual: dict[str, Any] = {
            "label": "Reason for attendees",
            "help_text": "Shown beside what you change here: “The speaker's flight is late.” Forgotten if nothing changes.",
            "required": False,
            "max_length": 300,
            "widget": forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
        }
        super().__init__(**usual | kwargs)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class TimesForm(HallwayForm):
    """An event's start and end; the day is a field, or that of what the event is part of."""

    start = WallField(label="Starts")
    end = WallField(label="Ends")
    kinds: tuple[Kind, ...] = tuple(Kind)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: tuple[str, ...] = ()
        if "type" in self.fields:
            choice: Any = self.fields["type"]
            choice.queryset = choice.queryset.filter(kind__in=self.kinds)
        if self.conference:
            self._show_times(self.conference)

    def _show_times(self, conference: Conference) -> None:
        event = self.instance
        if event.pk:
            day = event.day.date if event.day else None
            self.initial["start"], self.initial["end"] = shown(event.start, event.end, day, conference.zone)
        # Django shows a help text as HTML, and a city's name may be anything.
        zone = format_html("{} ({})", conference.zone_name, conference.timezone)
        self.fields["start"].help_text = format_html("{}. A date only if it is not the day’s.", zone)
        self.fields["end"].help_text = format_html("{}. Empty: as long as its type usually is.", zone)
        if "day" in self.fields:
            self.fields["day"].help_text = A_DAY

    def clean(self) -> dict[str, Any]:
        # What clocks show is not what is stored: until both are instants, neither reaches the event.
        walls = (self.cleaned_data.pop("start", None), self.cleaned_data.pop("end", None))
        cleaned = super().clean()
        if self.conference and not {"start", "end", "day", "type"} & set(self.errors):
            self._read_times(cleaned, walls, self.conference)
        return cleaned

    def _read_times(self, cleaned: dict[str, Any], walls: tuple[Wall | None, Wall | None], conference: Conference) -> None:
        day = self._day(cleaned)
        if self.instance.pk and not {"start", "end", "day"} & set(self.changed_data):
            # Seconds, and the second of two equal hours, survive a form that does not show them.
            cleaned["start"], cleaned["end"] = self.instance.start, self.instance.end
            return
        try:
            date = day.date if day else None
            minutes = self._minutes(cleaned)
            times = read(date, *walls, zone=conference.zone, minutes=minutes)
            cleaned["start"], cleaned["end"], self.notes = times
            self._set_day(cleaned, day or self._day_of(times.start, conference))
        except TimeError as error:
            self.add_error(error.field if error.field in self.fields else "start", str(error))

    def _day(self, cleaned: dict[str, Any]) -> Day | None:
        if "day" in self.fields:
            chosen: Day | None = cleaned.get("day")
            return chosen
        return self.instance.day or getattr(self.parent, "day", None)

    def _set_day(self, cleaned: dict[str, Any], day: Day | None) -> None:
        cleaned["day"] = day
        if "day" not in self.fields:
            self.instance.day = day

    def _day_of(self, start: dt.datetime | None, conference: Conference) -> Day | None:
        """The day of the programme that a date written out belongs to."""
        if start is None:
            return None
        date = programme_date(start, conference.zone)
        day = Day.objects.filter(conference=conference, date=date).first()
        if day is None:
            raise TimeError("day", f"{conference} has no day {date:%d %B %Y}: add it under Days first.")
        return day

    def _minutes(self, cleaned: dict[str, Any]) -> int:
        kind = cleaned.get("type")
        return kind.default_minutes or 60 if kind else 60


class EventForm(TimesForm):
    """The whole form of an event."""

    reason = ReasonField()

    def is_valid(self) -> bool:
        # Who goes back wants the form as it was left, not to have it saved.
        return super().is_valid() and BACK not in self.data

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        session: Event | None = cleaned.get("session")
        if session and self.instance.pk and self._is_inside(session):
            self.add_error("session", ValidationError("This would be part of itself."))
        return cleaned

    def _is_inside(self, session: Event) -> bool:
        above: Event | None = session
        seen: set[int] = set()
        while above is not None and above.pk not in seen:
            if above.pk == self.instance.pk:
                return True
            seen.add(above.pk)
            above = above.session
        return False


class TalkForm(TimesForm):
    """A talk inside its session, in one line."""

    kinds = (Kind.TALK, Kind.SESSION, Kind.POSTER, Kind.BREAK, Kind.INVITED_TALK)


class HoursForm(TimesForm):
    """When a service is open."""

    kinds = (Kind.SERVICE,)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk and self.parent is not None:
            self.initial.setdefault("title", self.parent.name)
