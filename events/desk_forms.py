"""What anyone may hand in at the desk: what all its forms share, and a word on a page; desk_social has the other."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.forms.boundfield import BoundField

from events.desk_fields import Prose, Stamp, told
from events.models import Proposal
from events.models.proposed import plain

# Nobody types a proposal in less, and nobody leaves a form open for longer without having forgotten it.
QUICKEST = dt.timedelta(seconds=3)
OLDEST = dt.timedelta(days=1)
SAME = "Nothing is different yet: change what is wrong, or say it in a word to the chairs."


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
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"invalid": "That is not a mail address: write one as ada@example.org, or leave it empty."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "field-%s"} | kwargs)
        self.given = Stamp.read(str(self.data.get("stamp", "")))
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    @functools.cached_property
    def next_stamp(self) -> Stamp:
        """The one that the form came with; of a form that is too old, so that it can be sent once more, and at once."""
        if self.given is None:
            return Stamp.new()
        return self.given if self.given.age <= OLDEST else Stamp.new(self.given.guid, ago=QUICKEST)

    def begin_anew(self) -> None:
        """Have it make another one than that which it has made already."""
        self.next_stamp = Stamp.new(ago=QUICKEST)

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

    def repeats(self, sent: Proposal) -> bool:
        """Whether it says what was sent with it before, as when somebody clicks twice."""
        return plain(self.said) == plain({name: getattr(sent, name) for name in self.said})

    @property
    def is_different(self) -> bool:
        """Whether anything in it is otherwise than it says so far."""
        return self.differs(self.so_far)

    def differs(self, names: Iterable[str]) -> bool:
        typed, so_far = plain(self.said), plain(self.so_far)
        return any(typed[name] != so_far[name] for name in names)

    @property
    def so_far(self) -> dict[str, Any]:
        return {name: self.initial.get(name) for name in ("message", "mailbox")}

    @property
    def said(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("message", "mailbox")}


class NoteForm(DeskForm):
    """What is missing or wrong on a page."""

    message = Prose("What is missing or wrong?", 5_000, missing="Say what is missing or wrong.", rows=6)
