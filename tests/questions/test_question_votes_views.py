"""Votes for others' questions."""

from __future__ import annotations

import pytest
from django.test import Client

from events.core import limits
from events.core.limits import Limit
from events.models import Agenda, Event, Question
from tests.factories import make_agenda
from tests.questions.asking import ask, list_url, make_panel, make_question, pressed, vote, vote_url, words
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_question_of_another_event_is_not_found_here(panel: Event) -> None:
    question, other = make_question(panel), make_panel(panel.conference)
    url = vote_url(question).replace(str(panel.guid), str(other.guid))

    assert [Client().get(url).status_code, Client().post(url, {"on": "1"}).status_code] == [404, 404]


def test_vote_without_script_leads_back_to_the_question(panel: Event) -> None:
    question, client = make_question(panel), Client()

    codes = [vote(client, question, on) for on in ["1", "1"]]
    counted = question.votes.count()
    vote(client, question, "0")

    assert [(it.status_code, it["Location"]) for it in codes] == [(302, f"{list_url(panel)}#q-{question.guid}")] * 2
    assert (counted, question.votes.count()) == (1, 0)


def test_vote_by_htmx_answers_with_the_button(panel: Event) -> None:
    question, client = make_question(panel, votes=2), Client()

    answers = [vote(client, question, on, headers=HTMX).text for on in ["1", "0"]]

    assert [pressed(it) for it in answers] == [{str(question.guid): True}, {str(question.guid): False}]
    assert [words(it) for it in answers] == ["3 You voted: 3 votes.", "2 No vote from you: 2 votes."]


def test_vote_for_an_own_question_is_refused_with_a_message(panel: Event) -> None:
    client = Client()
    ask(client, panel)
    question = Question.objects.get()

    by_page, by_htmx = vote(client, question), vote(client, question, headers=HTMX)

    sentence = "This is your own question. You can vote for the questions of others."
    assert (by_page.status_code, by_htmx.status_code) == (422, 200)
    assert (sentence in by_page.text, sentence in by_htmx.text, question.votes.count()) == (True, True, 0)


@pytest.mark.parametrize("on", ["", "2", "true", "<b>"])
def test_wrong_vote_is_refused_with_a_message(panel: Event, on: str) -> None:
    question = make_question(panel)

    response = vote(Client(), question, on)

    assert (response.status_code, "is neither yes nor no" in response.text) == (422, True)
    assert Agenda.objects.count() == 1


@pytest.mark.parametrize("who", ["visitor", "network", "newcomers"])
def test_too_many_votes_are_told_when_to_come_back(panel: Event, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    monkeypatch.setattr(limits, "VOTES", Limit("vote", **{"visitor": 99, "network": 99, "newcomers": 99} | {who: 2}))
    question, (_, token) = make_question(panel), make_agenda(panel.conference)

    answers = [vote(browser(token=token) if who == "visitor" else Client(), question, on) for on in "101"]

    assert [it.status_code for it in answers] == [302, 302, 429]
    assert (answers[2]["Retry-After"], question.votes.count()) == ("3600", {"visitor": 0}.get(who, 1))


def test_hall_behind_one_address_may_vote(panel: Event) -> None:
    question = make_question(panel)

    assert {vote(Client(), question).status_code for _ in range(60)} == {302}
    assert question.votes.count() == 60


def test_question_that_is_taken_back_under_the_vote_is_not_there(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    question = make_question(panel)
    monkeypatch.setattr("events.questions.queries.visible_question", lambda *about: question)
    Question.objects.all().delete()

    assert [vote(Client(), question, headers=headers).status_code for headers in ({}, HTMX)] == [404, 404]


def test_vote_from_our_own_page_needs_no_token(panel: Event) -> None:
    question, client = make_question(panel), Client(enforce_csrf_checks=True)

    assert vote(client, question, headers={"origin": "http://testserver"}).status_code == 302
    assert question.votes.count() == 1
