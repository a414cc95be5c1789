"""Votes: one for each agenda, for questions that wait."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from events.models import Conference, Question, QuestionVote
from events.questions.models import QuestionRefusedError
from tests.factories import make_agenda
from tests.questions.asking import DURING, WHY, make_panel, make_question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_vote_is_a_state_and_one_for_each() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]

    changed = [question.vote(agenda, on=on) for on in [True, True, False, False, True]]

    assert changed == [True, False, True, False, True]
    assert question.votes.count() == 1


def test_database_takes_no_second_vote() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]
    question.vote(agenda, on=True)

    with pytest.raises(IntegrityError):
        QuestionVote.objects.create(question=question, agenda=agenda)


def test_nobody_votes_for_their_own_or_for_what_is_decided() -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]
    own, decided = Question.ask(agenda, panel, WHY), make_question(panel, "Answered?")
    decided.decide("answered", seen="open")

    with pytest.raises(QuestionRefusedError, match="your own question"):
        own.vote(agenda, on=True)
    with pytest.raises(QuestionRefusedError, match="not waiting any more"):
        decided.vote(agenda, on=True)

    assert QuestionVote.objects.count() == 0


def test_vote_leaves_calendars_and_the_conference_as_they_were() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]
    agenda.fetches.create(client="x", at=DURING, agenda_revision=0, conference_revision=0)
    before = Conference.objects.get().revision

    question.vote(agenda, on=True)

    agenda.refresh_from_db()
    assert [it.agenda_revision for it in agenda.fetches.all()] == [agenda.revision]
    assert Conference.objects.get().revision == before


def test_most_votes_come_first_and_of_as_many_the_first_that_was_asked() -> None:
    panel = make_panel()
    for text, votes in [("first", 1), ("second", 2), ("third", 1)]:
        make_question(panel, text, votes=votes)

    assert [(it.text, it.count) for it in Question.objects.counted()] == [("second", 2), ("first", 1), ("third", 1)]
