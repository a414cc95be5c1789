"""Many votes and questions at once, each in a separate thread and connection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from events.models import Agenda, Event, Question, QuestionVote
from events.questions.models import QuestionRefusedError
from tests.factories import make_agenda
from tests.questions.asking import DURING, ask, make_panel, make_question, vote_url
from tests.threads import at_once
from tests.visitors import browser

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 16


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING):
        yield


def test_vote_sent_many_times_at_once_counts_once() -> None:
    question = make_question(make_panel())
    url, (_, token) = vote_url(question), make_agenda(question.event.conference)

    codes = at_once(*[lambda: browser(token=token).post(url, {"on": "1"}).status_code] * AT_ONCE)

    assert codes == [302] * AT_ONCE
    assert QuestionVote.objects.count() == 1


def test_votes_of_many_at_once_all_count() -> None:
    question = make_question(make_panel())
    url = vote_url(question)

    codes = at_once(*[lambda: Client().post(url, {"on": "1"}).status_code] * AT_ONCE)

    assert codes == [302] * AT_ONCE
    assert Question.objects.counted().get().count == AT_ONCE


def test_mixed_states_at_once_are_one_vote_or_none() -> None:
    question = make_question(make_panel())
    url, (agenda, token) = vote_url(question), make_agenda(question.event.conference)
    before = agenda.revision

    at_once(*[lambda on=on: browser(token=token).post(url, {"on": on}).status_code for on in "10" * (AT_ONCE // 2)])  # type: ignore[misc]

    # Each change flips the state and counts once: none was lost, none was written twice.
    flips = Agenda.objects.get(pk=agenda.pk).revision - before
    assert QuestionVote.objects.count() == flips % 2


def test_question_sent_many_times_at_once_is_one() -> None:
    panel = make_panel()
    _, token = make_agenda(panel.conference)

    codes = at_once(*[lambda: ask(browser(token=token), panel).status_code] * AT_ONCE)

    assert codes == [302] * AT_ONCE
    assert Question.objects.count() == 1


def test_many_who_ask_at_once_have_as_many_names(monkeypatch: pytest.MonkeyPatch) -> None:
    # As if the words ran out: everybody would get the same ones, in the same order.
    monkeypatch.setattr("events.questions.models.pseudonym", lambda *about: f"Amber Heron {10 + int(about[-1])}")
    panel = make_panel()
    agendas = [make_agenda(panel.conference)[0] for _ in range(AT_ONCE)]

    at_once(*[lambda it=it: Question.ask(it, panel, "Why is that so?") for it in agendas])  # type: ignore[misc]

    assert len(set(Question.objects.values_list("name", flat=True))) == AT_ONCE


def test_sixth_question_is_refused_also_when_all_come_at_once() -> None:
    panel = make_panel()
    agenda, _ = make_agenda(panel.conference)

    def one(number: int) -> bool:
        try:
            Question.ask(agenda, panel, f"Question {number}?")
        except QuestionRefusedError:
            return False
        return True

    done = at_once(*[lambda number=number: one(number) for number in range(AT_ONCE)])  # type: ignore[misc]

    assert (sum(done), Question.objects.count()) == (5, 5)


def test_of_many_decisions_at_once_one_is_made() -> None:
    question = make_question(make_panel())
    states = ["answered", "skipped"] * (AT_ONCE // 2)

    done = at_once(*[lambda state=state: question.decide(state, seen="open") for state in states])  # type: ignore[misc]

    assert sum(done) == 1
    assert Question.objects.get().state == states[done.index(True)]


def test_votes_for_what_is_taken_back_meanwhile_leave_nothing_behind() -> None:
    panel = make_panel()
    agenda, token = make_agenda(panel.conference)
    question = Question.ask(agenda, panel, "Why is that so?")
    url = vote_url(question)
    back = url.replace("/vote/", "/withdraw/")
    votes = [lambda: Client().post(url, {"on": "1"}).status_code] * 3

    codes = at_once(*votes, *[lambda: browser(token=token).post(back).status_code] * 2, *votes)

    # It counted, or the question was gone.
    assert set(codes) <= {302, 404}
    assert (Question.objects.count(), QuestionVote.objects.count()) == (0, 0)


def test_question_is_taken_back_or_decided_never_both() -> None:
    agenda = make_agenda(make_panel().conference)[0]
    question = Question.ask(agenda, Event.objects.get(), "Why is that so?")

    def decided() -> bool:
        try:
            return question.decide("answered", seen="open")
        except Question.DoesNotExist:
            return False

    def withdrawn() -> bool:
        try:
            return question.withdraw(agenda)
        except QuestionRefusedError:
            return False

    done = at_once(*[decided, withdrawn] * (AT_ONCE // 2))

    assert sum(done) == 1
    assert list(Question.objects.values_list("state", flat=True)) == (["answered"] if any(done[::2]) else [])
