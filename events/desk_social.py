"""A social as anyone proposes it, or what is different about one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, cast

from django.forms.boundfield import BoundField
from django.utils import timezone

from events.desk_fields import Day, Line, Many, Moment, Prose, Time, instants, localised
from events.desk_forms import SAME, DeskForm
from events.models import Conference
from events.models.proposed import FIELDS
from events.models.validators import web_address

A_YEAR = dt.timedelta(days=366)
WHEN = ("date", "start", "end")
GROUPS = {
    "What and when": ("title", "date", "start", "end"),
    "Where and who": ("place", "host", "audience"),
    "More about it": ("about", "access_notes"),
    "Signing up": ("signup_url", "signup_until", "cost", "capacity"),
    "Only for the chairs": ("message", "mailbox"),
}


class SocialForm(DeskForm):
    """A social by the clock of the venue; ``was`` is what it says so far, of an event or of what was sent before."""

    title = Line("Name", 300, missing="Say what it is called.")
    date = Day()
    start = Time("From", help_text="By the clock at the venue. 01:00 is the night after that day.")
    end = Time("To", help_text="Before “from”: on the next day.")
    place = Line("Place", 200, help_text="A room as its sign says it, or an address. Empty: to be announced.")
    host = Line("Host", 200, missing="Say who invites.", help_text="A person, a group, a company. Put ; between several.")
    audience = Line("Who may come", 300, help_text="Everybody, students, members …")
    about = Prose("What it is", 10_000, help_text="Markdown and $TeX$.", rows=6)
    access_notes = Prose("Accessibility", 2_000, help_text="Steps, lift, hearing loop, seats, food.", rows=3)
    signup_url = Line("Sign-up page", 500, help_text="It starts with https://. Empty: people just come.", keys="url")
    signup_until = Moment("Sign-up until", help_text="By the clock at the venue.")
    cost = Line("Cost", 100, help_text="Free, 5 dollars …")
    capacity = Many("Places")
    message = Prose("A word to the chairs", 5_000, rows=3)

    def __init__(
        self, conference: Conference, *args: Any, was: Mapping[str, Any] | None = None, corrects: bool = False, **kwargs: Any
    ) -> None:
        self.zone, self.was, self.corrects = conference.zone, was, corrects
        self.kept = localised(was, self.zone) if was else {}
        kwargs["initial"] = self.kept | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for name in ("date", "host"):
            # Who corrects something else may leave open what is open.
            self.fields[name].required &= not self.kept or bool(self.kept[name])
        self.days = cast(Day, self.fields["date"])
        self.days.offer(conference.start, conference.end, self.kept.get("date"))

    def full_clean(self) -> None:
        # Django reads a moment by the zone that is shown; a social is by the clock of the venue.
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
        if until and not self._is_as_it_was("signup_until"):
            if not self.days.first - A_YEAR <= until.date() <= self.days.last:
                self.add_error("signup_until", "That is more than a year before the conference, or after it: choose another day.")
            elif ends and until > ends:
                self.add_error("signup_until", "That is after the social is over: choose an earlier moment.")
        if self.corrects and not self.errors and not self.cleaned_data["message"] and not self.differs(FIELDS):
            self.add_error(None, SAME)

    def _read_times(self) -> None:
        """Both times or neither; as they were to the second where nobody changed them."""
        date, start, end = (self.cleaned_data.get(name) for name in WHEN)
        self.times: dict[str, Any] = {"date": date, "start": None, "end": None}
        if self.was and all(self._is_as_it_was(name) for name in WHEN):
            self.times = {name: self.was[name] for name in WHEN}
        elif start and not end and "end" not in self.errors:
            self.add_error("end", "Say when it ends, too; or leave both empty.")
        elif end and not start and "start" not in self.errors:
            self.add_error("start", "Say when it begins, too; or leave both empty.")
        elif start and start == end:
            self.add_error("end", "It ends when it begins: choose another end.")
        elif date and start and end:
            self.times |= instants(date, start, end, self.zone)
            if self.times["start"] >= self.times["end"]:
                self.add_error("end", "The clocks change in between, so that it would end before it begins: choose a later end.")

    def _is_as_it_was(self, name: str) -> bool:
        typed = self.cleaned_data.get(name)
        if isinstance(typed, dt.datetime):
            typed = typed.astimezone(self.zone).replace(tzinfo=None)
        return bool(self.kept) and typed == self.kept[name]

    @property
    def so_far(self) -> dict[str, Any]:
        return super().so_far | dict(self.was or {})

    @property
    def said(self) -> dict[str, Any]:
        """What a proposal keeps of it."""
        values = {name: self.cleaned_data[name] for name in FIELDS if name not in self.times} | self.times
        if self.was and self._is_as_it_was("signup_until"):
            values["signup_until"] = self.was["signup_until"]
        return values | super().said

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        return [(legend, [self[name] for name in names]) for legend, names in GROUPS.items()]
