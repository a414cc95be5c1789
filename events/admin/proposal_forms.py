"""What chairs may do with a proposal besides publishing it: each is a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model

from events.admin.scope import label_of
from events.models import Event, Proposal
from events.models.deciding import ask_back, deal_with, decline, merge_into, merge_into_event
from events.queries.proposals import proposals_to_merge_into, socials_to_merge_into


class DecisionForm(forms.Form):
    """A decision about one version of a proposal."""

    decision: ClassVar[str]
    button: ClassVar[str]

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, *args: Any, proposal: Proposal, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.proposal = proposal
        self.initial.setdefault("version", proposal.version)

    def clean_by_model(self, model: type[Model], names: Iterable[str]) -> None:
        """What a field of the model would say to these."""
        for name in names:
            if name in self.cleaned_data:
                field: Any = model._meta.get_field(name)
                try:
                    self.cleaned_data[name] = field.clean(self.cleaned_data[name], None)
                except ValidationError as error:
                    self.add_error(name, error)

    def act(self, by: Any) -> str:
        """Decide, and say what was done."""
        raise TypeError

    @property
    def how(self) -> dict[str, Any]:
        return {"version": self.cleaned_data["version"]}


class WordsForm(DecisionForm):
    answer = forms.CharField(label="Words to the sender", widget=forms.Textarea(attrs={"rows": 3}), max_length=2_000)
    done: ClassVar[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"id_{self.decision}_%s")
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.clean_by_model(Proposal, ["answer"])
        return cleaned

    @property
    def how(self) -> dict[str, Any]:
        return super().how | {"words": self.cleaned_data["answer"]}

    def said(self) -> str:
        words = self.cleaned_data["answer"]
        return f"{self.done}: {words}" if words else f"{self.done}."


class AskForm(WordsForm):
    decision, button, done = "ask", "Ask back", "Asked back"

    def act(self, by: Any) -> str:
        ask_back(self.proposal, by=by, **self.how)
        return self.said()


class DeclineForm(WordsForm):
    decision, button, done = "decline", "Decline", "Declined"

    def act(self, by: Any) -> str:
        decline(self.proposal, by=by, **self.how)
        return self.said()


class DoneForm(WordsForm):
    decision, button, done = "done", "Dealt with", "Dealt with"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["answer"].required = False

    def act(self, by: Any) -> str:
        deal_with(self.proposal, by=by, **self.how)
        return self.said()


class MergeForm(WordsForm):
    decision, button, done = "merge", "Merge", "Merged"

    event = forms.ModelChoiceField(Event.objects.none(), label="A social of the programme", required=False)
    other = forms.ModelChoiceField(Proposal.objects.none(), label="Another proposal", required=False)
    field_order = ["event", "other", "answer"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = {"event": socials_to_merge_into(self.proposal), "other": proposals_to_merge_into(self.proposal)}
        for name, rows in choices.items():
            field: Any = self.fields[name]
            field.queryset, field.label_from_instance = rows, label_of
            field.error_messages["invalid_choice"] = "That one is no longer there: choose another."
        self.fields["answer"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and bool(cleaned.get("event")) == bool(cleaned.get("other")):
            raise ValidationError("Choose one: a social of the programme, or another proposal.")
        return cleaned

    def act(self, by: Any) -> str:
        event, other = self.cleaned_data["event"], self.cleaned_data["other"]
        if event:
            merge_into_event(self.proposal, event, by=by, **self.how)
        else:
            merge_into(self.proposal, other, by=by, **self.how)
        words = self.cleaned_data["answer"]
        return f"Merged into “{event or other}”" + (f": {words}" if words else ".")
