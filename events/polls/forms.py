"""The form of a vote."""

from __future__ import annotations

from typing import Any

from django import forms

from events.polls.queries import PollCard


class PollVoteForm(forms.Form):
    """``answer`` is the number of one of the poll's answers."""

    answer = forms.TypedChoiceField(coerce=int)

    def __init__(self, data: Any, card: PollCard) -> None:
        super().__init__(data)
        numbers = [(str(line.number), line.text) for line in card.answers]
        self.fields["answer"] = forms.TypedChoiceField(choices=numbers, coerce=int)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('answer', ''))[:40]}” is none of the answers. Please use the buttons below."
