"""The form a proposal is published from: the social as it will be, to be put right in passing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.models import fields_for_model
from django.utils.html import format_html

from events.admin.event_forms import ReasonField
from events.admin.proposal_forms import DecisionForm
from events.admin.proposal_words import rows
from events.admin.times import TimeError, Wall, read, shown
from events.admin.widgets import DateInput, InstantInput, WallField
from events.models import Event, EventType, Kind, Person, Proposal, Room
from events.models.deciding import publish
from events.models.proposed import HOSTS_APART, Verdict
from events.models.publishing import Plan, hosts_in, plan_of, wanted
from events.schedule.clock import programme_date

OF_MODEL = (
    *("title", "place", "at_venue", "official", "abstract", "audience"),
    *("signup_url", "cost", "capacity", "access_notes"),
)
ORDER = (
    *("take", "type", "title", "date", "start", "end", "room", "place", "at_venue", "official", "hosts", "abstract", "audience"),
    *("signup_url", "signup_until", "cost", "capacity", "access_notes", "reason"),
)
LINES = ("title", "place", "audience", "cost", "hosts", "reason")
LABELS = {"abstract": "About", "audience": "Who may come", "signup_url": "Sign-up page", "access_notes": "Accessibility"}


class PublishForm(DecisionForm):
    decision = "publish"

    type = forms.ModelChoiceField(EventType.objects.none(), empty_label=None)
    date = forms.DateField(label="Day", required=False, widget=DateInput, help_text="Empty: to be announced.")
    start = WallField(label="Starts")
    end = WallField(label="Ends")
    room = forms.ModelChoiceField(Room.objects.none(), required=False, empty_label="None: the place says it")
    hosts = forms.CharField(
        label="Host", max_length=5_000, required=False, help_text="Several are separated by a semicolon.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )  # fmt: skip
    signup_until = forms.SplitDateTimeField(label="Sign-up until", required=False, widget=InstantInput)
    reason = ReasonField()
    take = forms.MultipleChoiceField(label="Take from the sender", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, proposal: Proposal, **kwargs: Any) -> None:
        super().__init__(*args, proposal=proposal, **kwargs)
        self.conference, self.as_sent = proposal.conference, plan_of(proposal)
        found = fields_for_model(Event, fields=OF_MODEL, labels=LABELS, help_texts={"abstract": "Markdown."})
        self.fields.update(found)
        for name, field in found.items():
            if isinstance(field.widget, forms.TextInput) and name != "capacity":
                field.widget.attrs["class"] = "vTextField"
            elif isinstance(field.widget, forms.Textarea):
                field.widget.attrs |= {"class": "vLargeTextField", "rows": 6 if name == "abstract" else 3}
        self._offer()
        self._fill()
        self.order_fields(ORDER)

    def _offer(self) -> None:
        types = EventType.objects.filter(conference=self.conference, kind=Kind.SOCIAL)
        fields: Any = self.fields
        fields["type"].queryset, fields["room"].queryset = types, Room.objects.filter(conference=self.conference)
        if len(types) < 2:
            del self.fields["type"]
        clashing = [row for row in rows(self.proposal) if row.verdict == Verdict.CONFLICT]
        fields["take"].choices = [(row.part, row.choice) for row in clashing]
        fields["take"].help_text = "Organisers changed it too, after the sender read it. Theirs stays, unless you tick it."
        if not clashing:
            del self.fields["take"]
        if self.proposal.event_id is None:
            del self.fields["reason"]

    def _fill(self) -> None:
        plan, zone = self.as_sent, self.conference.zone
        walls = shown(plan.start, plan.end, plan.date, zone)
        same = (*OF_MODEL, "type", "date", "room", "signup_until")
        values = {name: getattr(plan, name) for name in same} | {"hosts": HOSTS_APART.join(plan.hosts)}
        self.initial = {**self.initial, **values, "start": walls[0], "end": walls[1]}
        # Django shows a help text as HTML, and a city's name may be anything.
        for name in ("start", "end", "signup_until"):
            self.fields[name].help_text = format_html("{} ({}).", self.conference.zone_name, self.conference.timezone)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # One line each, however it was pasted.
        cleaned |= {name: " ".join(cleaned[name].split()) for name in LINES if name in cleaned}
        self.clean_by_model(Event, OF_MODEL)
        for name in hosts_in(cleaned.get("hosts", "")):
            try:
                Person._meta.get_field("name").clean(name, None)
            except ValidationError as error:
                self.add_error("hosts", error)
        if not {"date", "start", "end"} & set(self.errors):
            self._read_times(cleaned)
        return cleaned

    def _read_times(self, cleaned: dict[str, Any]) -> None:
        sent = self.as_sent
        if not {"date", "start", "end"} & set(self.changed_data):
            # Seconds, and the second of two equal hours, survive a form that does not show them.
            cleaned |= {"date": sent.date, "start": sent.start, "end": sent.end}
            return
        walls: tuple[Wall | None, Wall | None] = (cleaned.get("start"), cleaned.get("end"))
        kind = cleaned.get("type") or sent.type
        zone = self.conference.zone
        try:
            times = read(cleaned.get("date"), *walls, zone=zone, minutes=kind.default_minutes or 60)
        except TimeError as error:
            self.add_error("date" if error.field == "day" else error.field, str(error))
            return
        date = programme_date(times.start, zone) if times.start else cleaned.get("date")
        cleaned |= {"date": date, "start": times.start, "end": times.end}

    def plan(self) -> Plan:
        """What is to be published: as it stands in the form, and from the sender what was ticked."""
        cleaned, sent = self.cleaned_data, self.as_sent
        names = ("date", "start", "end", "room", "signup_until", *OF_MODEL)
        # Hosts who were left as they stand keep their names, whatever is in them.
        hosts = hosts_in(cleaned["hosts"]) if "hosts" in self.changed_data else sent.hosts
        values = {name: cleaned[name] for name in names} | {"hosts": hosts}
        plan = replace(sent, type=cleaned.get("type", sent.type), **values)
        for part in cleaned.get("take", ()):
            plan = replace(plan, **wanted(self.proposal, part))
        return plan

    def differing(self) -> list[tuple[str, str]]:
        """What was typed, where the form says something else by now: of what came too late nothing is lost."""
        self.is_valid()
        found = []
        for name in [it for it in self.fields if it in {*self.changed_data, "reason"} - {"version", "take"}]:
            typed: Any = self.cleaned_data.get(name) if name in {"room", "type"} else self[name].value()
            text = " ".join(map(str, filter(None, typed))) if isinstance(typed, list) else str(typed or "")
            found.append((str(self[name].label), text or "empty"))
        return [it for it in found if it != ("Reason for attendees", "empty")]

    def act(self, by: Any) -> str:
        is_new = self.proposal.event_id is None
        event = publish(self.proposal, by=by, plan=self.plan(), reason=self.cleaned_data.get("reason", ""), **self.how)
        return f"Published as “{event}”." if is_new else f"Approved: “{event}” is changed."
