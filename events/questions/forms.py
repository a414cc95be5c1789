"""Forms to ask a question and to vote."""

from __future__ import annotations

from django import forms

from events.core.db.fields import plain_text
from events.questions.rules import letter_count

MIN_QUESTION_LETTERS = 10
MAX_QUESTION_CHARS = 500


class QuestionForm(forms.Form):
    """``guid`` identifies the form, so that sending it twice asks one question."""

    guid = forms.UUIDField(required=False)
    text = forms.CharField(
        max_length=MAX_QUESTION_CHARS,
        validators=[plain_text],
        error_messages={
            "required": "Write your question.",
            "max_length": f"A question has at most {MAX_QUESTION_CHARS} characters; yours has %(show_value)d.",
        },
    )

    def clean_text(self) -> str:
        text = " ".join(self.cleaned_data["text"].split())
        if letter_count(text) < MIN_QUESTION_LETTERS:
            raise forms.ValidationError(f"A question needs at least {MIN_QUESTION_LETTERS} letters.")
        return text


class VoteForm(forms.Form):
    on = forms.TypedChoiceField(choices=[("1", "for it"), ("0", "not")], coerce=lambda value: value == "1")

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('on', ''))[:40]}” is neither yes nor no. Please use the button below."
