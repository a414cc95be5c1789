"""Decisions of moderators, and the reasons they need."""

from __future__ import annotations

import pytest

from events.models import Question
from events.questions.models import ReasonRequiredError
from tests.questions.asking import make_panel, make_question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_skipping_what_more_people_want_needs_a_reason() -> None:
    panel = make_panel()
    top, low = make_question(panel, "Top?", votes=2), make_question(panel, "Low?", votes=1)

    with pytest.raises(ReasonRequiredError):
        top.decide("skipped", seen="open")
    low.decide("skipped", seen="open")
    top.decide("skipped", seen="open", reason="Answered in the talk.")

    assert [(it.state, it.reason) for it in (again(top), again(low))] == [("skipped", "Answered in the talk."), ("skipped", "")]


def test_answering_the_lower_one_first_is_no_way_around_the_reason() -> None:
    panel = make_panel()
    top, low = make_question(panel, "Top?", votes=2), make_question(panel, "Low?", votes=1)
    low.decide("answered", seen="open")

    with pytest.raises(ReasonRequiredError):
        top.decide("skipped", seen="open")

    assert again(top).state == "open"


def test_equal_votes_need_no_reason_and_other_events_do_not_count() -> None:
    panel = make_panel()
    question = make_question(panel, votes=1)
    make_question(panel, "As many?", votes=1)
    make_question(make_panel(panel.conference), "Elsewhere?")

    assert question.decide("skipped", seen="open")


def test_taking_off_the_page_always_needs_a_reason() -> None:
    question = make_question(make_panel())

    with pytest.raises(ReasonRequiredError):
        question.decide("hidden", seen="open")

    assert question.decide("hidden", seen="open", reason="Insults")


def test_decision_on_what_somebody_else_decided_changes_nothing() -> None:
    question = make_question(make_panel())

    done = [
        question.decide("answered", seen="open"),
        question.decide("skipped", seen="open"),
        question.decide("answered", seen="open"),
    ]

    assert (done, again(question).state) == ([True, False, False], "answered")


def test_back_to_waiting_takes_the_reason_along() -> None:
    question = make_question(make_panel())
    question.decide("hidden", seen="open", reason="Insults")

    assert question.decide("open", seen="hidden")
    assert (again(question).state, again(question).reason) == ("open", "")


def again(question: Question) -> Question:
    return Question.objects.get(pk=question.pk)
