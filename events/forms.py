"""What visitors may send."""

from __future__ import annotations

from typing import Any

from django import forms

from events.http import known_zone
from events.models import Agenda, Attendance, CancelledIn, Level, RoomState
from events.models.codes import as_typed
from events.models.validators import plain_text
from events.schedule.walking import Need, Needs


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
