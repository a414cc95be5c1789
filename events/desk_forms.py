"""What anyone may hand in at the desk: a social, what is different about one, a word on a page."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django import forms
from django.forms.boundfield import BoundField
from django.utils import timezone

from events.desk_fields import Day, Line, Many, Moment, Prose, Stamp, Time, instants, localised, told
from events.models import Conference
from events.models.proposed import FIELDS, plain
from events.models.validators import web_address

# Nobody types a proposal in less, and nobody leaves a form open for longer without having forgotten it.
QUICKEST = dt.timedelta(seconds=3)
OLDEST = dt.timedelta(days=1)
A_YEAR = dt.timedelta(days=366)
WHEN = ("date", "start", "end")
GROUPS = {
    "What and when": ("title", "date", "start", "end"),
    "Where and who": ("place", "host", "audience"),
    "More about it": ("about", "access_notes"),
    "Signing up": ("signup_url", "signup_until", "cost", "capacity"),
    "Only for the chairs": ("message", "mailbox"),
}


class DeskForm(forms.Form):
    """What all of them have: an address for news, and what tells people from programs."""

    stamp = forms.CharField(required=False, widget=forms.HiddenInput)
    # What the form showed: what has changed since is shown before it is written over.
    seen = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    homepage = forms.CharField(label="Leave this empty", required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    mailbox = forms.EmailField(
        label="Your mail address",
        required=False,
        max_length=254,
        help_text="Only to write to you when the chairs have decided.",
        error_messages={"invalid": "That is not a mail address: write one as ada@example.org, or leave it empty."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "field-%s"} | kwargs)
        self.given = Stamp.read(str(self.data.get("stamp", "")))
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    @functools.cached_property
    def next_stamp(self) -> Stamp:
        """The one that the form came with, if it can be sent with that again."""
        return self.given if self.given and self.given.age <= OLDEST else Stamp.new()

    @property
    def guid(self) -> UUID:
        return self.next_stamp.guid

    def clean_mailbox(self) -> str:
        mailbox: str = self.cleaned_data["mailbox"]
        if not mailbox.isascii():
            raise forms.ValidationError("Only the letters a to z, digits and signs can be in it.")
        return mailbox.lower()

    def clean(self) -> None:
        if self.given is None or self.given.age > OLDEST:
            self.add_error(None, "This form is older than a day. All you wrote is still in it: send it once more.")
        elif self.given.age < QUICKEST:
            self.add_error(None, "That was faster than people type. Wait a few seconds, and send it once more.")
        if self.cleaned_data.get("homepage"):
            self.add_error("homepage", "A field that people do not see was filled in. It is empty now: send the form once more.")

    @property
    def errors_told(self) -> list[tuple[str, str]]:
        """Each sentence with the field it leads to, if people see that."""
        seen = [field.name for _, fields in self.groups for field in fields]
        order = [*(name for name in self.errors if name not in seen), *(name for name in seen if name in self.errors)]
        return [(self[it].auto_id if it in seen else "", str(message)) for it in order for message in self.errors[it]]

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        return [("", [self[name] for name in ("message", "mailbox")])]

    @property
    def kept_rows(self) -> list[tuple[str, str]]:
        """What it says before anything is typed, without what is empty."""
        fields = [field for _, group in self.groups for field in group]
        rows = [(str(field.label), told(self.initial.get(field.name))) for field in fields]
        return [(label, text) for label, text in rows if text]

    @property
    def rows_now(self) -> list[tuple[str, str]]:
        """Of what is typed, what it says otherwise so far."""
        typed, so_far = plain(self.said), plain(self.so_far)
        names = [field.name for _, group in self.groups for field in group]
        return [(str(self[it].label), told(self.initial.get(it)) or "nothing") for it in names if typed[it] != so_far[it]]

    @property
    def so_far(self) -> dict[str, Any]:
        return {name: self.initial.get(name) for name in ("message", "mailbox")}

    @property
    def said(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("message", "mailbox")}


class NoteForm(DeskForm):
    """What is missing or wrong on a page."""

    message = Prose("What is missing or wrong?", 5_000, missing="Say what is missing or wrong.", rows=6)


class SocialForm(DeskForm):
    """A social by the clock of the venue; ``was`` is what it says so far, of an event or of what was sent before."""

    title = Line("Name", 300, missing="Say what it is called.")
    date = Day()
    start = Time("From", help_text="By the clock at the venue. 01:00 is the night after that day.")
    end = Time("To", help_text="Before “from”: on the next day.")
    place = Line("Place", 200, help_text="A room as its sign says it, or an address. Empty: to be announced.")
    host = Line("Host", 200, missing="Say who invites.", help_text="A person, a group, a company. Several: with ; between them.")
    audience = Line("Who may come", 300, help_text="Everybody, students, members …")
    about = Prose("What it is", 10_000, help_text="Markdown and $TeX$.", rows=6)
    access_notes = Prose("Accessibility", 2_000, help_text="Steps, lift, hearing loop, seats, food.", rows=3)
    signup_url = Line("Sign-up page", 500, help_text="It starts with https://. Empty: people just come.")
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
        if self.corrects and not self.errors and not self.cleaned_data["message"] and not self.is_different:
            self.add_error(None, "Nothing is different yet: change what is wrong, or say it in a word to the chairs.")

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
    def is_different(self) -> bool:
        typed = plain(self.said)
        return any(typed[name] != value for name, value in plain(self.was or {}).items())

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
