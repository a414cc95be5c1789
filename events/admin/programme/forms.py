"""Forms of events, with times by the venue's clock."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.html import format_html

from events.admin.base.fields import ReasonField, WallTimeField
from events.admin.base.forms import HallwayForm
from events.admin.base.scope import ScopedRelatedWrapper
from events.admin.base.times import TimeError, WallTime, parse_event_times, wall_times
from events.core.clock import programme_date
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status

BACK_BUTTON = "back"
"""The button of the page before saving that leads to the form again, with what was typed."""
DAY_HELP_TEXT = "Leave empty if to be announced. A day lasts until 04:00 of the next morning."


class EventTimesForm(HallwayForm):
    """Start and end of an event. The day is a field, or that of the parent."""

    start = WallTimeField(label="Starts")
    end = WallTimeField(label="Ends")
    kinds: tuple[Kind, ...] = tuple(Kind)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: tuple[str, ...] = ()
        if "type" in self.fields:
            self._offer_types(self.fields["type"])
        if self.conference:
            self._show_times(self.conference)

    def _offer_types(self, choice: Any) -> None:
        choice.queryset = choice.queryset.filter(kind__in=self.kinds)
        if len(self.kinds) == 1 and isinstance(choice.widget, ScopedRelatedWrapper):
            choice.widget.extra_params = {"kind": self.kinds[0]}
        # An empty line for a talk, which may be of several kinds, must stay empty.
        is_chosen_here = len(self.kinds) == 1 or self.parent is None
        if self.conference and is_chosen_here and not (self.instance.pk or self.is_bound or self.initial.get("type")):
            only = list(choice.queryset[:2])
            self.initial["type"] = only[0].pk if len(only) == 1 else None

    def _show_times(self, conference: Conference) -> None:
        event = self.instance
        if event.pk:
            day = event.day.date if event.day else None
            self.initial["start"], self.initial["end"] = wall_times(event.start, event.end, day, conference.zone)
        # Django does not escape help texts, and the name of a city is free text.
        zone = format_html("{} ({})", conference.zone_name, conference.timezone)
        self.fields["start"].help_text = format_html("{}. Enter a date only if it differs from the day.", zone)
        self.fields["end"].help_text = format_html("{}. Leave empty for the usual length of its type.", zone)
        if "day" in self.fields:
            self.fields["day"].help_text = DAY_HELP_TEXT

    def clean(self) -> dict[str, Any]:
        # Wall-clock times must not be set on the event before they are instants.
        walls = (self.cleaned_data.pop("start", None), self.cleaned_data.pop("end", None))
        cleaned = super().clean()
        if self.conference and not {"start", "end", "day", "type"} & set(self.errors):
            self._read_times(cleaned, walls, self.conference)
        return cleaned

    def _read_times(
        self, cleaned: dict[str, Any], walls: tuple[WallTime | None, WallTime | None], conference: Conference
    ) -> None:
        day = self._day(cleaned)
        if self.instance.pk and not {"start", "end", "day"} & set(self.changed_data):
            # Seconds, and the second of two equal hours, are not shown and must not be lost.
            cleaned["start"], cleaned["end"] = self.instance.start, self.instance.end
            return
        try:
            date = day.date if day else None
            minutes = self._minutes(cleaned)
            times = parse_event_times(date, *walls, zone=conference.zone, minutes=minutes)
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
        """The day of a typed date; TimeError if the conference has no such day."""
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


class EventForm(EventTimesForm):
    reason = ReasonField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk and "status" in self.fields and self.conference and self.conference.is_draft:
            # Nobody sees it before the whole conference is published, which then needs no second step.
            self.initial["status"] = Status.CONFIRMED

    def is_valid(self) -> bool:
        # “Back to the form” shows the form as it was typed and saves nothing.
        return super().is_valid() and BACK_BUTTON not in self.data

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        session: Event | None = cleaned.get("session")
        if session and self.instance.pk and self._is_inside(session):
            self.add_error("session", ValidationError("An event cannot be inside itself."))
        if session and not self.instance.pk and not (cleaned.get("room") or cleaned.get("place")):
            # Nobody types the room of a session for each of its talks.
            cleaned["room"], cleaned["place"] = session.room, session.place
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


class TalkForm(EventTimesForm):
    kinds = (Kind.TALK, Kind.SESSION, Kind.POSTER, Kind.BREAK, Kind.INVITED_TALK)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk or self.parent is None:
            return
        if self.parent.pk:
            # What is added to a public session is public with it.
            self.initial["status"] = self.parent.status
        elif self.conference and self.conference.is_draft:
            # As the session that is typed with it.
            self.initial["status"] = Status.CONFIRMED

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.instance.pk and self.parent is not None:
            # A talk is where its session is; its own page can say otherwise.
            self.instance.room, self.instance.place = self.parent.room, self.parent.place
        return cleaned


class OpeningHoursForm(EventTimesForm):
    kinds = (Kind.SERVICE,)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk and self.parent is not None:
            self.initial.setdefault("title", self.parent.name)
            # A service is public at once, and so are its hours.
            self.initial.setdefault("status", Status.CONFIRMED)
