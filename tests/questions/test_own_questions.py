"""A visitor's questions: withdrawn, merged, and anonymous once the visitor is deleted."""

from __future__ import annotations

import pytest
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event, Question, QuestionVote
from tests.factories import make_agenda
from tests.questions.asking import WHY, ask, list_url, make_question, rows, withdraw_url, words
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_own_data_has_ones_questions_and_votes(panel: Event) -> None:
    agenda, token = make_agenda(panel.conference)
    mine, other = Question.ask(agenda, panel, WHY), make_question(panel, "Somebody else's?")
    other.vote(agenda, on=True)

    data = browser(token=token).get("/demo/agenda/data.json").json()["agendas"][0]

    assert [(it["guid"], it["text"], it["name"]) for it in data["questions"]] == [(str(mine.guid), WHY, mine.name)]
    assert [it["question_guid"] for it in data["question_votes"]] == [str(other.guid)]


def test_forgetting_says_so_and_takes_the_name_off(panel: Event) -> None:
    client = Client()
    ask(client, panel)
    name = Question.objects.get().name

    asked = words(client.get("/demo/agenda/forget-me/").text)
    client.post("/demo/agenda/forget-me/")

    assert "your name on 1 question" in asked
    assert rows(Client().get(list_url(panel)).text) == [f"0 {WHY} Thu 09:30"]
    assert not Question.objects.filter(name=name).exists()


def test_question_that_waits_is_taken_back_with_its_votes(panel: Event) -> None:
    client = Client()
    ask(client, panel)
    question = Question.objects.get()
    question.vote(make_agenda(panel.conference)[0], on=True)
    assert f'href="{withdraw_url(question)}"' in client.get(list_url(panel)).text

    asked, done = client.get(withdraw_url(question)), client.post(withdraw_url(question))

    assert (asked.status_code, "Withdraw this question?" in asked.text, WHY in asked.text) == (200, True, True)
    assert (done.status_code, done["Location"]) == (302, list_url(panel))
    assert (Question.objects.count(), QuestionVote.objects.count()) == (0, 0)
    page = client.get(list_url(panel)).text
    assert ("Withdrawn." in page, WHY in page) == (True, False)


def test_question_taken_back_twice_is_gone_once(panel: Event) -> None:
    client = Client()
    ask(client, panel)
    url = withdraw_url(Question.objects.get())

    answers = [client.post(url), client.post(url), client.get(url)]

    assert [it.status_code for it in answers] == [302, 302, 404]


@pytest.mark.parametrize("who", ["somebody else", "nobody"])
def test_nobody_takes_back_or_looks_at_what_another_asked(panel: Event, who: str) -> None:
    question = make_question(panel)
    token = make_agenda(panel.conference)[1] if who == "somebody else" else ""

    answers = [browser(token=token).get(withdraw_url(question)), browser(token=token).post(withdraw_url(question))]

    assert [it.status_code for it in answers] == [404, 302]
    assert Question.objects.get() == question


@pytest.mark.parametrize("state", ["answered", "skipped", "hidden"])
def test_question_that_was_decided_stays(panel: Event, state: str) -> None:
    client = Client()
    ask(client, panel)
    question = Question.objects.get()
    Question.objects.update(state=state)

    form, refused = client.get(withdraw_url(question)), client.post(withdraw_url(question))

    assert (refused.status_code, "This question was decided already, so it stays on the page." in refused.text) == (422, True)
    assert ['data-tone="signal"' in it.text for it in (form, refused)] == [False, False]
    assert withdraw_url(question) not in client.get(list_url(panel)).text
    assert Question.objects.get().state == state


def test_room_for_one_more_when_one_is_taken_back(panel: Event) -> None:
    client = Client()
    codes = [ask(client, panel, f"Question number {number}").status_code for number in range(6)]
    name = Question.objects.filter(text="Question number 0").values_list("name", flat=True)[0]

    client.post(withdraw_url(Question.objects.get(text="Question number 0")))
    codes.append(ask(client, panel, "Question number 6").status_code)

    assert codes == [302] * 5 + [422, 302]
    assert set(Question.objects.values_list("name", flat=True)) == {name}


def test_form_of_another_site_takes_nothing_back(panel: Event) -> None:
    agenda, token = make_agenda(panel.conference)
    question, client = Question.ask(agenda, panel, WHY), Client(enforce_csrf_checks=True)
    client.cookies[VISITOR_COOKIE] = token

    assert client.post(withdraw_url(question), headers={"origin": "https://evil.example"}).status_code == 403
    assert Question.objects.count() == 1
