"""What may be sent about questions: one to ask and a vote."""

from __future__ import annotations

import unicodedata

from django import forms

from events.models.validators import plain_text

SHORTEST = 10
LONGEST = 500


def one_line(text: str) -> str:
    return " ".join(text.split())


def weight_of(text: str) -> int:
    """Its letters; one of Chinese, Japanese or Korean says as much as two."""
    letters = [it for it in text if unicodedata.category(it)[0] in "LN"]
    return len(letters) + sum(unicodedata.east_asian_width(it) in "WF" for it in letters)


class QuestionForm(forms.Form):
    """``guid`` names the question it makes, so that a form sent twice makes one."""

    guid = forms.UUIDField(required=False)
    text = forms.CharField(
        max_length=LONGEST,
        validators=[plain_text],
        error_messages={
            "required": "Write your question.",
            "max_length": f"A question has at most {LONGEST} characters, and this one %(show_value)d: say it shorter.",
        },
    )

    def clean_text(self) -> str:
        text = one_line(self.cleaned_data["text"])
        if weight_of(text) < SHORTEST:
            raise forms.ValidationError(f"A question needs at least {SHORTEST} letters: say a little more.")
        return text

    @property
    def problems(self) -> list[str]:
        return [str(message) for messages in self.errors.values() for message in messages]


class VoteForm(forms.Form):
    """Whether one wants it answered: the wanted state, never a toggle."""

    on = forms.TypedChoiceField(choices=[("1", "for it"), ("0", "not")], coerce=lambda value: value == "1")

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('on', ''))[:40]}” is neither a vote nor one taken back: use the button below."
