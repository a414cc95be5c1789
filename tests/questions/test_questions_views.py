"""The public page of the questions to an event."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Event, Question, QuestionVote
from tests.factories import make_agenda, make_event
from tests.questions.asking import (
    LONG_AFTER,
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
from tests.security.strings import CHARACTERS, MARKUP
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


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

    assert rows(page) == ["Removed from the page by the moderators Insults a speaker"]
    assert ("awful" in page, question.name in page) == (False, False)
    assert browser().get(vote_url(question)).status_code == 404
    assert vote(browser(), question).status_code == 404


@pytest.mark.parametrize("query", ["", "?part=list"], ids=["page", "part"])
def test_part_is_the_list_alone(panel: Event, query: str) -> None:
    make_question(panel)

    text = Client().get(list_url(panel) + query).text

    assert (len(rows(text)), "<html" in text) == (1, not query)


def test_page_that_did_not_change_is_not_sent_again(panel: Event) -> None:
    PROCESS_CACHE.max_bytes = 2**20
    make_question(panel)
    token = make_agenda(panel.conference)[1]
    for client in (Client(), browser(token=token)):
        first = client.get(f"{list_url(panel)}?part=list")

        again = client.get(f"{list_url(panel)}?part=list", headers={"if-none-match": first["ETag"]})

        assert (again.status_code, again.content) == (304, b"")


def test_cached_page_shows_each_visitor_their_vote_and_question(panel: Event) -> None:
    PROCESS_CACHE.max_bytes = 2**20
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
    assert ["Your questions" in page for page in pages] == [False, True, False]


def test_looking_makes_nothing(panel: Event) -> None:
    client, question = Client(), make_question(panel)
    before = Agenda.objects.count()

    for url in (list_url(panel), ask_url(panel), vote_url(question)):
        assert client.get(url).status_code == 200

    assert (Agenda.objects.count(), QuestionVote.objects.count(), VISITOR_COOKIE in client.cookies) == (before, 0, False)


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


def test_event_leads_to_its_questions_and_says_how_many(panel: Event) -> None:
    before = words(Client().get(panel.get_absolute_url()).text)
    for state in ("open", "answered", "hidden"):
        make_question(panel, f"The {state} question", state=state)

    after = Client().get(panel.get_absolute_url()).text

    assert ("Ask a question" in before, "2 questions: read, ask, vote" in words(after)) == (True, True)
    assert f'href="{list_url(panel)}"' in after
    panel.status = "cancelled"
    panel.revise()
    cancelled = words(Client().get(panel.get_absolute_url()).text)
    assert ("2 questions: read" in cancelled, "vote" in cancelled, "Ask a question" in cancelled) == (True, False, False)
    assert "questions/" not in Client().get(make_event(panel.conference).get_absolute_url()).text


def test_questions_are_in_no_search_calendar_or_file(panel: Event) -> None:
    make_question(panel, "Xylophone orchestra tomorrow?")
    panel.revise()

    urls = ["/demo/search/?q=xylophone", "/demo/schedule.ics", "/demo/schedule.json", "/demo/schedule.xml", "/demo/schedule.csv"]

    assert ["ylophone orchestra" in Client().get(url).content.decode() for url in [*urls, "/demo/changes.atom"]] == [False] * 6


def test_hundreds_are_paged_and_the_newest_are_a_tap_away(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.questions.queries.QUESTIONS_PER_PAGE", 2)
    make_question(panel, "Answered 0", votes=4, state="answered")
    for number in range(3):
        make_question(panel, f"Question {number}", votes=3 - number)
    newest = f"{list_url(panel)}?sort=new"
    urls = [list_url(panel), f"{list_url(panel)}?page=2", newest, f"{newest}&page=2"]

    pages = [Client().get(url).text for url in urls]

    assert [[re.sub(r"^\d+( votes?)? ", "", row)[:10] for row in rows(page)] for page in pages] == [
        ["Question 0", "Question 1"],
        ["Question 2", "Answered 0"],
        ["Question 2", "Question 1"],
        ["Question 0", "Answered 0"],
    ]
    # Each page asks for itself again, and leads to the next.
    asked = [f"{url}{'&' if '?' in url else '?'}part=list" for url in urls]
    assert [f'hx-get="{url.replace("&", "&amp;")}"' in page for url, page in zip(asked, pages, strict=True)] == [True] * 4
    assert [f'href="{newest}"' in page for page in pages] == [True] * 4
    assert ["?page=2#questions" in pages[0], "?sort=new&amp;page=2#questions" in pages[2]] == [True, True]
    assert [re.findall(r'<h2 id="waiting">(.*?)</h2>', page) for page in pages] == [['Waiting <span class="meta">3</span>']] * 4


@pytest.mark.parametrize("page", ["0", "-1", "99999999999999999999", "x", "1%00"])
def test_page_that_is_none_is_one(panel: Event, page: str) -> None:
    make_question(panel)

    assert len(rows(Client().get(f"{list_url(panel)}?page={page}").text)) == 1


def test_thousand_questions_are_a_page_of_fifty(panel: Event, django_assert_num_queries: Any) -> None:
    Question.objects.bulk_create(Question(event=panel, text=f"Question {number}", name="Amber Lynx 12") for number in range(1000))

    first = Client().get(list_url(panel)).text
    with django_assert_num_queries(6):
        last = Client().get(f"{list_url(panel)}?page=20").text

    assert [len(rows(it)) for it in (first, last)] == [50, 50]
    assert ["Page 1 of 20" in words(first), "Page 20 of 20" in words(last)] == [True, True]


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("page", "nobody", "somebody"), [("list", 6, 13), ("ask", 4, 8), ("vote", 6, 12)])
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
