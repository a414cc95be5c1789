"""Questions to an event as attendees meet them."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.http import VISITOR_COOKIE
from events.models import Account, Agenda, Event, Question, QuestionVote
from events.models.claiming import claim
from events.pages.shared import OWN_SHELF, SHELF
from events.schedule.names import is_given
from events.views import questions as views
from tests.factories import SINGAPORE, make_agenda, make_appearance, make_conference, make_event, make_person
from tests.questions import DURING, WHY, ask, ask_url, list_url, make_panel, make_question, vote, vote_url
from tests.security.strings import CHARACTERS, MARKUP
from tests.views.visitors import HTMX, browser

pytestmark = pytest.mark.django_db

LATER = dt.datetime(2025, 4, 24, 11, 0, tzinfo=SINGAPORE)
LONG_AFTER = dt.datetime(2025, 5, 6, 0, 1, tzinfo=SINGAPORE)


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def panel() -> Event:
    return make_panel()


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def rows(page: str) -> list[str]:
    """What stands in each question's row, in words alone."""
    return [words(it) for it in re.findall(r'<li class="question".*?</li>', page, re.DOTALL)]


def pressed(page: str) -> dict[str, bool]:
    """By its guid, whether each question's button is pressed."""
    found = re.findall(r'<button class="vote" id="vote-([0-9a-f-]{36})"[^>]* aria-pressed="(true|false)"', page)
    return {guid: it == "true" for guid, it in found}


def signed_in(panel: Event, name: str = "Mary Jackson") -> tuple[Client, str]:
    _, token = make_agenda(panel.conference)
    token = claim("mary@example.org", token)
    account = Account.objects.of(token)
    assert account is not None
    account.show_as(name)
    return browser(token=token), token


def test_page_lists_what_waits_by_votes_and_then_what_was_decided(panel: Event) -> None:
    low, top = make_question(panel, "Low?"), make_question(panel, "Top?", votes=2)
    make_question(panel, "Done?", state="answered")
    make_question(panel, "Passed over?", state="skipped", reason="Off the subject")

    page = Client().get(list_url(panel)).text

    assert rows(page) == [
        f"2 Top? {top.name} · Thu 09:30",
        f"0 Low? {low.name} · Thu 09:30",
        f"0 votes Done? Answered {Question.objects.get(text='Done?').name} · Thu 09:30",
        f"0 votes Passed over? Skipped Off the subject {Question.objects.get(text='Passed over?').name} · Thu 09:30",
    ]
    assert "Open until Thursday 24 April, 11:00" in words(page)


def test_what_was_taken_off_says_why_and_neither_what_nor_who(panel: Event) -> None:
    question = make_question(panel, "Something awful", state="hidden", reason="Insults a speaker")

    page = Client().get(list_url(panel)).text

    assert rows(page) == ["Taken off the page by the moderators Insults a speaker"]
    assert ("awful" in page, question.name in page) == (False, False)
    assert browser().get(vote_url(question)).status_code == 404
    assert vote(browser(), question).status_code == 404


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_fragment_is_the_list_alone(panel: Event, headers: dict[str, str]) -> None:
    make_question(panel)

    text = Client().get(list_url(panel), headers=headers).text

    assert (len(rows(text)), "<html" in text) == (1, not headers)


def test_page_that_did_not_change_is_not_sent_again(panel: Event) -> None:
    SHELF.budget = OWN_SHELF.budget = 2**20
    make_question(panel)
    token = make_agenda(panel.conference)[1]
    for client in (Client(), browser(token=token)):
        first = client.get(list_url(panel), headers=HTMX)

        again = client.get(list_url(panel), headers=HTMX | {"if-none-match": first["ETag"]})

        assert (again.status_code, again.content) == (304, b"")


def test_kept_page_shows_each_their_own_vote_and_question(panel: Event) -> None:
    SHELF.budget = OWN_SHELF.budget = 2**20
    (voter, voters_token), (asker, askers_token) = make_agenda(panel.conference), make_agenda(panel.conference)
    mine, other = Question.ask(asker, panel, "Mine?"), make_question(panel, "Other?")
    nobody = Client().get(list_url(panel)).text
    mine.vote(voter, on=True)

    pages = [browser(token=token).get(list_url(panel)).text for token in (voters_token, askers_token, "")]

    assert pages[2] == nobody
    assert [pressed(page) for page in pages] == [
        {str(mine.guid): True, str(other.guid): False},
        {str(other.guid): False},
        {str(mine.guid): False, str(other.guid): False},
    ]
    # Who voted sees the vote counted at once, everybody else within the minute; and nobody else sees whose it is.
    assert [next(it for it in rows(page) if "Mine?" in it)[:7] for page in pages] == ["1 Mine?", "1 yours", "0 Mine?"]
    assert ["What you asked" in page for page in pages] == [False, True, False]


def test_first_question_makes_an_agenda_and_a_name(panel: Event) -> None:
    client = Client()

    response = ask(client, panel)

    question = Question.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{list_url(panel)}#q-{question.guid}")
    assert Agenda.objects.of(client.cookies[VISITOR_COOKIE].value, panel.conference) == question.agenda
    assert is_given(question.name)
    assert f"Asked, as {question.name}." in client.get(response["Location"]).text


def test_asking_again_tells_the_name_one_is_known_by(panel: Event) -> None:
    client = Client()
    assert "such as Amber Heron 42" in words(client.get(ask_url(panel)).text)
    ask(client, panel)

    assert f"{Question.objects.get().name} , as before." in words(client.get(ask_url(panel)).text)


def test_looking_makes_nothing(panel: Event) -> None:
    client, question = Client(), make_question(panel)
    before = Agenda.objects.count()

    for url in (list_url(panel), ask_url(panel), vote_url(question)):
        assert client.get(url).status_code == 200

    assert (Agenda.objects.count(), QuestionVote.objects.count(), VISITOR_COOKIE in client.cookies) == (before, 0, False)


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
        ("Why?", "A question needs at least 10 letters: say a little more."),
        ("?!?!?!?!?!?!?!", "A question needs at least 10 letters: say a little more."),
        ("a" * 501, "A question has at most 500 characters, and this one 501: say it shorter."),
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


def test_web_address_in_a_question_is_no_link(panel: Event) -> None:
    ask(Client(), panel, "See https://evil.example/ and www.evil.example and [this](https://evil.example)?")

    page = Client().get(list_url(panel)).text

    assert ("https://evil.example/" in page, re.findall(r'href="[^"]*evil', page)) == (True, [])


@pytest.mark.parametrize("text", [*MARKUP.values(), *CHARACTERS.values()])
def test_hostile_question_and_reason_are_text(panel: Event, text: str) -> None:
    usual = tags(make_question(panel, state="skipped", reason="Because"))
    Question.objects.all().delete()
    question = make_question(panel)
    Question.objects.update(text=f"{text} so, why?"[:500], state="skipped", reason=text[:200])
    question.refresh_from_db()

    assert tags(question) == usual


def tags(question: Question) -> list[str]:
    page = Client().get(list_url(question.event)).text
    return re.findall(r"<(\w+)", page)


def test_sixth_question_waits_for_an_answer_and_stays_in_the_form(panel: Event) -> None:
    client = Client()
    for number in range(5):
        ask(client, panel, f"Question number {number}")

    response = ask(client, panel, "And a sixth question")

    assert response.status_code == 422
    assert "You have 5 questions waiting here: ask again when one of them was answered." in response.text
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


def test_week_after_the_conference_no_name_is_shown_though_nothing_erased_it(panel: Event) -> None:
    question = make_question(panel, votes=3)

    with time_machine.travel(LONG_AFTER, tick=False):
        page = Client().get(list_url(panel)).text

    assert rows(page) == [f"{WHY} Thu 09:30"]
    assert (question.name in page, "Names and votes were erased" in page) == (False, True)


@pytest.mark.parametrize("fields", [{"takes_questions": False}, {"status": "draft"}], ids=["takes none", "draft"])
def test_event_without_questions_has_no_page(panel: Event, fields: dict[str, Any]) -> None:
    question = make_question(panel)
    Event.objects.filter(pk=panel.pk).update(**fields)

    urls = [list_url(panel), ask_url(panel), vote_url(question)]

    assert [Client().get(url).status_code for url in urls] == [404] * 3
    assert [Client().post(url, {"on": "1", "text": WHY}).status_code for url in urls[1:]] == [404] * 2


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
    assert [words(it) for it in answers] == ["3 Your vote counts: 3 votes.", "2 Not voted: 2 votes."]


def test_vote_for_ones_own_is_told(panel: Event) -> None:
    client = Client()
    ask(client, panel)
    question = Question.objects.get()

    by_page, by_htmx = vote(client, question), vote(client, question, headers=HTMX)

    sentence = "This is your own question: votes are for others&#x27; questions."
    assert (by_page.status_code, by_htmx.status_code) == (422, 200)
    assert (sentence in by_page.text, sentence in by_htmx.text, question.votes.count()) == (True, True, 0)


@pytest.mark.parametrize("on", ["", "2", "true", "<b>"])
def test_vote_that_says_neither_is_asked_again(panel: Event, on: str) -> None:
    question = make_question(panel)

    response = vote(Client(), question, on)

    assert (response.status_code, "neither a vote nor one taken back" in response.text) == (422, True)
    assert Agenda.objects.count() == 1


@pytest.mark.parametrize(
    ("number", "limit"),
    [pytest.param("MOST_ASKED", "visitor", id="visitor"), pytest.param("MOST_ASKED_FROM", "address", id="address")],
)
def test_too_many_questions_are_told_when_to_come_back(
    panel: Event, monkeypatch: pytest.MonkeyPatch, number: str, limit: str
) -> None:
    monkeypatch.setattr(views, number, 2)
    client = Client()
    ask(client, panel, "A question to begin with")

    answers = [ask(client if limit == "visitor" else Client(), panel, f"Question number {it}") for it in range(3)]

    allowed = 2 if limit == "visitor" else 1
    assert [it.status_code for it in answers] == [302] * allowed + [429] * (3 - allowed)
    assert (answers[-1]["Retry-After"], "Question number 2</textarea>" in answers[-1].text) == ("3600", True)


def test_too_many_votes_are_told_when_to_come_back(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_VOTES_FROM", 2)
    question = make_question(panel)

    answers = [vote(Client(), question) for _ in range(3)]

    assert [it.status_code for it in answers] == [302, 302, 429]
    assert (answers[2]["Retry-After"], question.votes.count()) == ("3600", 2)


def test_hall_behind_one_address_may_vote(panel: Event) -> None:
    question = make_question(panel)

    assert {vote(Client(), question).status_code for _ in range(60)} == {302}
    assert (views.MOST_VOTES_FROM, question.votes.count()) == (40_000, 60)


def test_account_may_be_shown_by_its_name(panel: Event) -> None:
    client, _ = signed_in(panel)

    form = client.get(ask_url(panel)).text
    ask(client, panel, named="1")
    ask(client, panel, "And under the other name?")

    assert "Mary Jackson , from your account" in words(form)
    assert [is_given(it.name) or it.name for it in Question.objects.all()] == ["Mary Jackson", True]
    assert "Mary Jackson (a name of their own, checked by nobody)" in words(Client().get(list_url(panel)).text)


def test_name_of_somebody_who_joined_the_stage_meanwhile_is_not_shown(panel: Event) -> None:
    client, _ = signed_in(panel)
    make_appearance(panel, make_person(panel.conference, "Mary Jackson"))

    form, response = client.get(ask_url(panel)).text, ask(client, panel, named="1")

    assert 'name="named"' not in form
    assert (response.status_code, "ask under the name that is given" in response.text) == (422, True)
    assert Question.objects.count() == 0


def test_nobody_types_a_name(panel: Event) -> None:
    ask(Client(), panel, name="Yoshua Bengio", named="")
    refused = ask(Client(), panel, named="1")

    assert is_given(Question.objects.get().name)
    assert refused.status_code == 422


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Y0shua Bengio", "is too close to the name of somebody in a programme here"),
        ("Moderator", "speaks for the conference"),
        ("a" * 61, "A name has at most 60 characters"),
        ("123", "has no letter in it"),
        ("Ma\x00ry", "Character 3 (U+0000) cannot be shown"),
    ],
)
def test_account_keeps_no_name_that_is_somebodys(panel: Event, name: str, problem: str) -> None:
    client, token = signed_in(panel, "Mary")
    make_appearance(make_event(make_conference()), make_person(make_conference(), "Nobody"))
    make_appearance(panel, make_person(panel.conference, "Yoshua Bengio"))

    response = client.post("/account/name/", {"name": name})

    account = Account.objects.of(token)
    assert (response.status_code, problem in response.text) == (422, True)
    assert account is not None
    assert account.display_name == "Mary"


def test_account_keeps_a_name_without_what_cannot_be_seen_and_gives_it_up(panel: Event) -> None:
    client, token = signed_in(panel, "")
    kept = []

    for name in ["  Mary\u202e \u200bJack\u3164son ", ""]:
        response = client.post("/account/name/", {"name": name})
        account = Account.objects.of(token)
        kept.append((response.status_code, account.display_name if account else None))

    assert kept == [(302, "Mary Jackson"), (302, "")]


def test_name_is_only_for_who_is_signed_in(panel: Event) -> None:
    response = Client().post("/account/name/", {"name": "Mary"})

    assert (response.status_code, response["Location"]) == (302, "/account/sign-in/")


def test_too_many_names_are_told_when_to_come_back(panel: Event) -> None:
    client, _ = signed_in(panel)

    answers = [
        client.post("/account/name/", {"name": f"Mary {'abcdefghijklmnopqrstuvwxyzabcdefgh'[it] * 9}"}) for it in range(31)
    ]

    assert [it.status_code for it in answers] == [302] * 30 + [429]
    assert answers[30]["Retry-After"] == "3600"


def test_event_leads_to_its_questions_and_says_how_many(panel: Event) -> None:
    before = words(Client().get(panel.get_absolute_url()).text)
    for state in ("open", "answered", "hidden"):
        make_question(panel, f"The {state} question", state=state)

    after = Client().get(panel.get_absolute_url()).text

    assert ("Ask a question" in before, "2 questions: read, ask, vote" in words(after)) == (True, True)
    assert f'href="{list_url(panel)}"' in after
    assert "questions/" not in Client().get(make_event(panel.conference).get_absolute_url()).text


def test_questions_are_in_no_search_calendar_or_file(panel: Event) -> None:
    make_question(panel, "Xylophone orchestra tomorrow?")
    panel.revise()

    urls = ["/demo/search/?q=xylophone", "/demo/schedule.ics", "/demo/schedule.json", "/demo/schedule.xml", "/demo/schedule.csv"]

    assert ["ylophone orchestra" in Client().get(url).content.decode() for url in [*urls, "/demo/changes.atom"]] == [False] * 6


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


@pytest.mark.parametrize("name", ["question-ask", "question-vote"])
def test_form_of_another_site_asks_and_votes_nothing(panel: Event, name: str) -> None:
    question = make_question(panel)
    url = {"question-ask": ask_url(panel), "question-vote": vote_url(question)}[name]
    client = Client(enforce_csrf_checks=True)

    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(url, {"text": "A question from elsewhere", "on": "1"}, headers=headers).status_code == 403

    assert (Question.objects.count(), QuestionVote.objects.count()) == (1, 0)


def test_vote_from_our_own_page_needs_no_token(panel: Event) -> None:
    question, client = make_question(panel), Client(enforce_csrf_checks=True)

    assert vote(client, question, headers={"origin": "http://testserver"}).status_code == 302
    assert question.votes.count() == 1


@pytest.mark.parametrize("guid", ["", "x", "-1", str(uuid.UUID(int=0)), "0" * 100])
def test_form_with_a_strange_name_is_answered(panel: Event, guid: str) -> None:
    assert ask(Client(), panel, guid=guid).status_code in {302, 422}


def test_newest_are_a_tap_away_and_hundreds_are_cut(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.queries.questions.MOST_SHOWN", 2)
    for number in range(3):
        make_question(panel, f"Question {number}?", votes=3 - number)
    newest = f"{list_url(panel)}?sort=new"

    pages = [Client().get(url).text for url in (list_url(panel), newest)]

    assert [[row[:13] for row in rows(page)] for page in pages] == [
        ["3 Question 0?", "2 Question 1?"],
        ["1 Question 2?", "2 Question 1?"],
    ]
    assert ["The first 2 of 3: the most wanted." in pages[0], "The first 2 of 3: the newest." in pages[1]] == [True, True]
    assert f'href="{newest}"' in pages[0]
    assert [f'hx-get="{url}"' in page for url, page in zip((list_url(panel), newest), pages, strict=True)] == [True, True]


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("page", "nobody", "somebody"), [("list", 5, 15), ("ask", 3, 9), ("vote", 5, 12)])
def test_page_takes_as_many_queries_for_three_questions_as_for_one(
    panel: Event, size: int, page: str, nobody: int, somebody: int, django_assert_num_queries: Any
) -> None:
    agenda, token = make_agenda(panel.conference)
    for number in range(size):
        question = make_question(panel, f"Question {number}?", votes=size)
        question.vote(agenda, on=True)
        make_question(panel, f"Answered {number}?", state="answered")
        Question.ask(agenda, panel, f"My question {number}?")
    url = {"list": list_url(panel), "ask": ask_url(panel), "vote": vote_url(question)}[page]

    with django_assert_num_queries(nobody):
        Client().get(url)
    with django_assert_num_queries(somebody):
        browser(token=token).get(url)
