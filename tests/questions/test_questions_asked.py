"""Asking a question."""

from __future__ import annotations

import re
import uuid

import pytest
import time_machine
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.core import limits
from events.core.limits import Limit
from events.models import Agenda, Event, Question, QuestionVote
from events.questions.rules import is_pseudonym
from tests.questions.asking import (
    LATER,
    WHY,
    ask,
    ask_url,
    list_url,
    make_question,
    pressed,
    rows,
    vote,
    vote_url,
    words,
)
from tests.visitors import browser, known_browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_first_question_makes_an_agenda_and_a_name(panel: Event) -> None:
    client = Client()

    response = ask(client, panel)

    question = Question.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{list_url(panel)}#mine")
    assert Agenda.objects.for_token(client.cookies[VISITOR_COOKIE].value, panel.conference) == question.agenda
    assert is_pseudonym(question.name)
    assert f"Asked as {question.name}." in client.get(response["Location"]).text


def test_asking_again_tells_the_name_one_is_known_by(panel: Event) -> None:
    client = Client()
    assert "such as Amber Heron 42" in words(client.get(ask_url(panel)).text)
    ask(client, panel)

    assert f"{Question.objects.get().name} , as before." in words(client.get(ask_url(panel)).text)


def test_nobody_types_a_name(panel: Event) -> None:
    ask(Client(), panel, name="Yoshua Bengio", named="1")

    assert is_pseudonym(Question.objects.get().name)


def test_name_that_was_once_typed_is_still_shown_as_unchecked(panel: Event) -> None:
    make_question(panel, name="Mary Jackson")

    assert "Mary Jackson (a name they chose, not verified)" in rows(Client().get(list_url(panel)).text)[0]


def test_form_sent_twice_asks_once(panel: Event) -> None:
    client = Client()
    guid = re.findall(r'name="guid" value="([^"]+)"', client.get(ask_url(panel)).text)[0]

    codes = [ask(it, panel, guid=guid).status_code for it in (client, client, Client())]

    assert (codes, Question.objects.count()) == ([302] * 3, 1)


def test_each_form_is_a_new_one(panel: Event) -> None:
    forms = {re.findall(r'name="guid" value="([^"]+)"', Client().get(ask_url(panel)).text)[0] for _ in range(2)}

    assert len(forms) == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Write your question."),
        ("   \n ", "Write your question."),
        ("Why?", "A question needs at least 10 letters."),
        ("?!?!?!?!?!?!?!", "A question needs at least 10 letters."),
        ("a" * 501, "A question has at most 500 characters; yours has 501."),
        ("Why is\x07 this so?", "Character 7 (U+0007) cannot be shown: delete it and type the text again."),
    ],
)
def test_question_that_is_none_is_told_why_and_kept_in_the_form(panel: Event, text: str, problem: str) -> None:
    response = ask(Client(), panel, text)

    assert response.status_code == 422
    assert problem in response.text
    assert text.strip() in response.text
    assert (Question.objects.count(), Agenda.objects.count()) == (0, 0)


def test_ten_letters_of_an_alphabet_are_five_of_chinese(panel: Event) -> None:
    assert [ask(Client(), panel, text).status_code for text in ["为什么这样", "为什么呢", "Whyisthis0"]] == [302, 422, 302]


def test_question_is_one_line(panel: Event) -> None:
    ask(Client(), panel, "  Why is\r\nthis   so,\tplease? ")

    assert Question.objects.get().text == "Why is this so, please?"


def test_sixth_question_waits_for_an_answer_and_stays_in_the_form(panel: Event) -> None:
    client = Client()
    for number in range(5):
        ask(client, panel, f"Question number {number}")

    response = ask(client, panel, "And a sixth question")

    assert response.status_code == 422
    assert "You have 5 questions waiting here. You can ask again when one of them is answered." in response.text
    assert "And a sixth question</textarea>" in response.text
    assert Question.objects.count() == 5


def test_after_closing_questions_are_read_and_not_asked(panel: Event) -> None:
    question = make_question(panel, votes=1)

    with time_machine.travel(LATER, tick=False):
        page, form = Client().get(list_url(panel)).text, Client().get(ask_url(panel)).text
        refused = [ask(Client(), panel), vote(Client(), question)]

    assert "Closed since Thursday 24 April, 11:00" in words(page)
    assert (rows(page)[0], pressed(page), ask_url(panel) in page) == (f"1 vote {WHY} {question.name} · Thu 09:30", {}, False)
    assert "<textarea" not in form
    assert [it.status_code for it in refused] == [422, 422]
    assert all("closed" in it.text for it in refused)
    assert (Question.objects.count(), QuestionVote.objects.count()) == (1, 1)


def test_moment_that_is_looked_at_opens_nothing(panel: Event) -> None:
    with time_machine.travel(LATER, tick=False):
        response = Client().post(f"{ask_url(panel)}?at=2025-04-24T09:30", {"text": WHY})

    assert (response.status_code, Question.objects.count()) == (422, 0)


@pytest.mark.parametrize("who", ["visitor", "network", "newcomers"])
def test_too_many_questions_are_told_when_to_come_back(panel: Event, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    most = {"visitor": 99, "network": 99, "newcomers": 99} | {who: 2 if who == "visitor" else 3}
    monkeypatch.setattr(limits, "QUESTIONS", Limit("question", **most))
    client = Client()
    ask(client, panel, "A question to begin with")

    answers = [ask(Client() if who == "newcomers" else client, panel, f"Question number {it}") for it in range(3)]

    assert [it.status_code for it in answers] == [302, 302, 429]
    assert (answers[-1]["Retry-After"], "Question number 2</textarea>" in answers[-1].text) == ("3600", True)


def test_newcomers_who_are_too_many_keep_nobody_out_who_was_here(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUESTIONS", Limit("question", visitor=9, network=99, newcomers=1))
    known = known_browser(panel)
    ask(Client(), panel)

    codes = [ask(it, panel, "And one more question").status_code for it in (Client(), browser(token="A" * 32), known)]

    # A cookie that somebody made up makes nobody known.
    assert codes == [429, 429, 302]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("open", "Asked as"),
        ("answered", "You asked this before, and it was answered."),
        ("skipped", "You asked this before, and it was skipped."),
        ("hidden", "You asked this before, and it was removed from the page."),
    ],
)
def test_repeated_question_shows_its_decision(panel: Event, state: str, told: str) -> None:
    client = Client()
    client.get(ask(client, panel)["Location"])
    Question.objects.update(state=state)

    response = ask(client, panel)

    assert told in client.get(response["Location"]).text
    assert Question.objects.count() == 1


@pytest.mark.parametrize("guid", ["", "x", "-1", str(uuid.UUID(int=0)), "0" * 100])
def test_form_with_a_strange_name_is_answered(panel: Event, guid: str) -> None:
    assert ask(Client(), panel, guid=guid).status_code in {302, 422}


@pytest.mark.parametrize("name", ["question-ask", "question-vote"])
def test_form_of_another_site_asks_and_votes_nothing(panel: Event, name: str) -> None:
    question = make_question(panel)
    url = {"question-ask": ask_url(panel), "question-vote": vote_url(question)}[name]
    client = Client(enforce_csrf_checks=True)

    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(url, {"text": "A question from elsewhere", "on": "1"}, headers=headers).status_code == 403

    assert (Question.objects.count(), QuestionVote.objects.count()) == (1, 0)
