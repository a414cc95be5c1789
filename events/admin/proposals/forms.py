"""Forms for the decisions on a proposal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms.boundfield import BoundField
from django.forms.models import fields_for_model
from django.utils.html import format_html

from events.admin.base.fields import DateInput, InstantInput, ReasonField, WallTimeField
from events.admin.base.scope import label_of
from events.admin.base.times import TimeError, WallTime, parse_event_times, wall_times
from events.admin.proposals.texts import proposal_rows
from events.core.clock import programme_date
from events.programme.models.event import Event
from events.programme.models.labels import EventType, Kind
from events.programme.models.people import Person
from events.programme.models.venue import Room
from events.proposals.decisions import (
    SocialPlan,
    ask_back,
    deal_with,
    decline,
    merge_into,
    merge_into_event,
    part_values,
    plan_of,
    publish,
    split_hosts,
)
from events.proposals.diff import HOST_SEPARATOR, DiffState
from events.proposals.models import Proposal
from events.proposals.queries import proposals_to_merge_into, socials_to_merge_into
from events.sign_up.models import SignUp


class ProposalDecisionForm(forms.Form):
    """A decision on one version of a proposal."""

    decision: ClassVar[str]
    button: ClassVar[str]

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, *args: Any, proposal: Proposal, by: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.proposal, self.by = proposal, by
        self.initial.setdefault("version", proposal.version)

    def clean_by_model(self, model: type[Model], names: Iterable[str]) -> None:
        """Validate the named answers with the fields of this model."""
        for name in names:
            if name in self.cleaned_data:
                field: Any = model._meta.get_field(name)
                try:
                    self.cleaned_data[name] = field.clean(self.cleaned_data[name], None)
                except ValidationError as error:
                    self.add_error(name, error)

    @abstractmethod
    def act(self, by: Any) -> str:
        """Decide, and return a sentence on what was done."""

    @property
    def decision_kwargs(self) -> dict[str, Any]:
        return {"version": self.cleaned_data["version"]}


class AnswerForm(ProposalDecisionForm):
    answer = forms.CharField(label="Message to the sender", widget=forms.Textarea(attrs={"rows": 3}), max_length=2_000)
    done: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"id_{self.decision}_%s")
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.clean_by_model(Proposal, ["answer"])
        return cleaned

    @property
    def decision_kwargs(self) -> dict[str, Any]:
        return super().decision_kwargs | {"answer": self.cleaned_data["answer"]}

    def result_text(self) -> str:
        answer = self.cleaned_data["answer"]
        return f"{self.done}: {answer}" if answer else f"{self.done}."


class AskBackForm(AnswerForm):
    decision, button, done = "ask", "Ask back", "Asked back"

    def act(self, by: Any) -> str:
        ask_back(self.proposal, by=by, **self.decision_kwargs)
        return self.result_text()


class DeclineForm(AnswerForm):
    decision, button, done = "decline", "Decline", "Declined"

    def act(self, by: Any) -> str:
        decline(self.proposal, by=by, **self.decision_kwargs)
        return self.result_text()


class DealWithForm(AnswerForm):
    decision, button, done = "done", "Dealt with", "Dealt with"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["answer"].required = False

    def act(self, by: Any) -> str:
        deal_with(self.proposal, by=by, **self.decision_kwargs)
        return self.result_text()


class MergeForm(AnswerForm):
    decision, button, done = "merge", "Merge", "Merged"

    event = forms.ModelChoiceField(Event.objects.none(), label="A social in the programme", required=False)
    other = forms.ModelChoiceField(Proposal.objects.none(), label="Another proposal", required=False)
    field_order = ["event", "other", "answer"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = {"event": socials_to_merge_into(self.proposal), "other": proposals_to_merge_into(self.proposal)}
        for name, targets in choices.items():
            field: Any = self.fields[name]
            field.queryset, field.label_from_instance = targets, label_of
            field.error_messages["invalid_choice"] = "That one is no longer available: choose another."
        self.fields["answer"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and bool(cleaned.get("event")) == bool(cleaned.get("other")):
            raise ValidationError("Choose one: a social in the programme, or another proposal.")
        return cleaned

    def act(self, by: Any) -> str:
        event, other = self.cleaned_data["event"], self.cleaned_data["other"]
        if event:
            merge_into_event(self.proposal, event, by=by, **self.decision_kwargs)
        else:
            merge_into(self.proposal, other, by=by, **self.decision_kwargs)
        answer = self.cleaned_data["answer"]
        return f"Merged into “{event or other}”" + (f": {answer}" if answer else ".")


PUBLISHED_EVENT_FIELDS = (
    *("title", "place", "at_venue", "official", "abstract", "audience"),
    *("signup_url", "cost", "capacity", "access_notes"),
)
PUBLISH_FIELD_ORDER = (
    *("take", "type", "title", "date", "start", "end", "room", "place", "at_venue", "official", "hosts", "abstract", "audience"),
    *("signup_url", "signup_until", "cost", "capacity", "access_notes", "reason"),
)
ONE_LINE_FIELDS = ("title", "place", "audience", "cost", "hosts", "reason")
EVENT_FIELD_LABELS = {
    "abstract": "About",
    "audience": "Who can come",
    "signup_url": "Sign-up page",
    "access_notes": "Accessibility",
}


class PublishForm(ProposalDecisionForm):
    decision = "publish"

    type = forms.ModelChoiceField(EventType.objects.none(), empty_label=None)
    date = forms.DateField(label="Day", required=False, widget=DateInput, help_text="Leave empty if to be announced.")
    start = WallTimeField(label="Starts")
    end = WallTimeField(label="Ends")
    room = forms.ModelChoiceField(Room.objects.none(), required=False, empty_label="None (see place)")
    hosts = forms.CharField(
        label="Host", max_length=5_000, required=False, help_text="Separate several with a semicolon.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )  # fmt: skip
    signup_until = forms.SplitDateTimeField(label="Sign-up until", required=False, widget=InstantInput)
    reason = ReasonField()
    take = forms.MultipleChoiceField(label="Accept from the sender", required=False, widget=forms.CheckboxSelectMultiple)
    opens_list = forms.BooleanField(
        required=False, help_text="Attendees sign up on this site. With another number of places below, the list has that number."
    )

    def __init__(self, *args: Any, proposal: Proposal, **kwargs: Any) -> None:
        super().__init__(*args, proposal=proposal, **kwargs)
        self.conference, self.sent_plan = proposal.conference, plan_of(proposal)
        model_fields = fields_for_model(
            Event, fields=PUBLISHED_EVENT_FIELDS, labels=EVENT_FIELD_LABELS, help_texts={"abstract": "Markdown."}
        )
        self.fields.update(model_fields)
        for name, field in model_fields.items():
            if isinstance(field.widget, forms.TextInput) and name != "capacity":
                field.widget.attrs["class"] = "vTextField"
            elif isinstance(field.widget, forms.Textarea):
                field.widget.attrs |= {"class": "vLargeTextField", "rows": 6 if name == "abstract" else 3}
        self._set_choices()
        self._set_initial()
        self.order_fields(PUBLISH_FIELD_ORDER)

    def _set_choices(self) -> None:
        types = EventType.objects.filter(conference=self.conference, kind=Kind.SOCIAL)
        fields: Any = self.fields
        fields["type"].queryset, fields["room"].queryset = types, Room.objects.filter(conference=self.conference)
        if len(types) < 2:
            del self.fields["type"]
        clashing = [row for row in proposal_rows(self.proposal) if row.verdict == DiffState.CONFLICT]
        fields["take"].choices = [(row.part, row.choice) for row in clashing]
        fields["take"].help_text = "Organisers changed this too, after the sender saw it. Their version stays unless you tick it."
        if not clashing:
            del self.fields["take"]
        if self.proposal.event_id is None:
            del self.fields["reason"]
        self._offer_list()

    def _offer_list(self) -> None:
        """Ticked for a new social that names no sign-up page: nobody could sign up otherwise."""
        places, event = self.sent_plan.capacity, self.proposal.event
        may_open = self.by is None or self.by.has_perm("events.add_signup")
        if not places or not may_open or (event and SignUp.objects.filter(event=event).exists()):
            del self.fields["opens_list"]
            return
        self.fields["opens_list"].label = f"Open a sign-up list with {places:,} place{'' if places == 1 else 's'}"
        self.fields["opens_list"].initial = event is None and not self.sent_plan.signup_url

    @property
    def folded_fields(self) -> list[BoundField]:
        """Those that are shown to who edits first."""
        return [field for field in self.visible_fields() if field.name not in {"take", "opens_list"}]

    def _set_initial(self) -> None:
        plan, zone = self.sent_plan, self.conference.zone
        walls = wall_times(plan.start, plan.end, plan.date, zone)
        same = (*PUBLISHED_EVENT_FIELDS, "type", "date", "room", "signup_until")
        values = {name: getattr(plan, name) for name in same} | {"hosts": HOST_SEPARATOR.join(plan.hosts)}
        self.initial = {**self.initial, **values, "start": walls[0], "end": walls[1]}
        # Django does not escape help texts, and the name of a city is free text.
        for name in ("start", "end", "signup_until"):
            self.fields[name].help_text = format_html("{} ({}).", self.conference.zone_name, self.conference.timezone)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # Line breaks of pasted texts become spaces.
        cleaned |= {name: " ".join(cleaned[name].split()) for name in ONE_LINE_FIELDS if name in cleaned}
        self.clean_by_model(Event, PUBLISHED_EVENT_FIELDS)
        for name in split_hosts(cleaned.get("hosts", "")):
            try:
                Person._meta.get_field("name").clean(name, None)
            except ValidationError as error:
                self.add_error("hosts", error)
        if not {"date", "start", "end"} & set(self.errors):
            self._read_times(cleaned)
        if cleaned.get("opens_list") and "capacity" not in self.errors and not cleaned.get("capacity"):
            self.add_error("capacity", "Write how many places the sign-up list has, or open none.")
        return cleaned

    def _read_times(self, cleaned: dict[str, Any]) -> None:
        sent = self.sent_plan
        if not {"date", "start", "end"} & set(self.changed_data):
            # Seconds, and the second of two equal hours, are not shown and must not be lost.
            cleaned |= {"date": sent.date, "start": sent.start, "end": sent.end}
            return
        walls: tuple[WallTime | None, WallTime | None] = (cleaned.get("start"), cleaned.get("end"))
        kind = cleaned.get("type") or sent.type
        zone = self.conference.zone
        try:
            times = parse_event_times(cleaned.get("date"), *walls, zone=zone, minutes=kind.default_minutes or 60)
        except TimeError as error:
            self.add_error("date" if error.field == "day" else error.field, str(error))
            return
        date = programme_date(times.start, zone) if times.start else cleaned.get("date")
        cleaned |= {"date": date, "start": times.start, "end": times.end}

    def plan(self) -> SocialPlan:
        """What to publish: the answers of the form, and the parts of the proposal that were ticked."""
        cleaned, sent = self.cleaned_data, self.sent_plan
        names = ("date", "start", "end", "room", "signup_until", *PUBLISHED_EVENT_FIELDS)
        # Unedited hosts are not split again: a name may contain the separator.
        hosts = split_hosts(cleaned["hosts"]) if "hosts" in self.changed_data else sent.hosts
        values = {name: cleaned[name] for name in names} | {"hosts": hosts}
        plan = replace(sent, type=cleaned.get("type", sent.type), **values)
        for part in cleaned.get("take", ()):
            plan = replace(plan, **part_values(self.proposal, part))
        return plan

    def unsaved_answers(self) -> list[tuple[str, str]]:
        """Labels and texts of answers that differ from the initial ones, to show them after a conflict."""
        self.is_valid()
        answers = []
        for name in [it for it in self.fields if it in {*self.changed_data, "reason"} - {"version", "take", "opens_list"}]:
            typed: Any = self.cleaned_data.get(name) if name in {"room", "type"} else self[name].value()
            text = " ".join(map(str, filter(None, typed))) if isinstance(typed, list) else str(typed or "")
            answers.append((str(self[name].label), text or "empty"))
        return [it for it in answers if it != ("Reason for attendees", "empty")]

    def act(self, by: Any) -> str:
        is_new = self.proposal.event_id is None
        event = publish(
            self.proposal, by=by, plan=self.plan(), reason=self.cleaned_data.get("reason", ""), **self.decision_kwargs
        )
        done = f"Published as “{event}”." if is_new else f"Approved: “{event}” is changed."
        return f"{done} {self._open_list(event)}".strip()

    def _open_list(self, event: Event) -> str:
        places = event.capacity
        if not places or not self.cleaned_data.get("opens_list"):
            return ""
        SignUp.objects.create(event=event, places=places)
        event.conference.bump_revision()
        return f"Its sign-up list is open, with {places:,} place{'' if places == 1 else 's'}."
