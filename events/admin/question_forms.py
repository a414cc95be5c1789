"""What who runs the stage says about a question."""

from __future__ import annotations

from django import forms

from events.models import QuestionState
from events.models.validators import plain_text


class DecisionForm(forms.Form):
    """The wanted state, and the one that was on the page when it was wanted."""

    told = ""

    state = forms.ChoiceField(choices=QuestionState.choices)
    seen = forms.ChoiceField(choices=QuestionState.choices)
    reason = forms.CharField(
        max_length=200,
        required=False,
        validators=[plain_text],
        error_messages={"max_length": "A reason has at most 200 characters: say it shorter."},
    )

    def clean_reason(self) -> str:
        return " ".join(self.cleaned_data["reason"].split())

    def explain(self) -> None:
        """Ask for the reason; who was asked already and gave none is told."""
        self.told = "Say why, in a few words: everybody reads it." if "explain" in self.data else ""

    @property
    def wanted(self) -> str:
        """What a reason is asked for; nothing for what needs none, or is no state."""
        state = str(self.data.get("state", ""))
        return state if state in {QuestionState.SKIPPED, QuestionState.HIDDEN} and "seen" not in self.errors else ""

    @property
    def problem(self) -> str:
        if {"state", "seen"} & set(self.errors):
            return "That is nothing a question can become: use the buttons of the stage."
        return self.told or str(next(iter(self.errors.get("reason", [])), ""))
