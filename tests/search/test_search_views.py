"""The search page, as a form without JavaScript and as fragments."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client

from events.models import Agenda, Event, Paper, Service
from tests.factories import make_agenda, make_conference, make_event, make_paper, make_room
from tests.search.searching import reindex
from tests.security.markup import elements
from tests.security.strings import QUERY_VALUES
from tests.security.world import World
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db

SEARCH = "/iclr-2025/search/"
HOSTILE = [
    *QUERY_VALUES,
    *['"', '"""', "“", "a%22", "NEAR", "NEAR(a b, 5)", "a NEAR/5 b", "*", "a*b*", "-", "-a", "+a", "^a", "title:a", "{title}:a"],
    *[
        "a AND",
        "OR",
        "NOT",
        "a OR b NOT",
        "a'b",
        "a\\",
        "a:*",
        "!a",
        "a & b | c",
        "a <-> b",
        "(a",
        "%25",
        "_",
        ";",
        "--",
        "/*",
        "?",
    ],
    *["٣", "é" * 4000, "a " * 5000, '"a ' * 3000, "\u202e", "\ufeff", "\u200d", "\U0001f468", "ﷺ" * 300, "İ", "ß" * 500, "𝔘"],
]


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    return module_rows(World)


@pytest.fixture
def world(db: None, module_world: World) -> World:
    return deepcopy(module_world)


def page(query: str = "", **headers: str) -> Any:
    return Client().get(f"{SEARCH}{query}", headers=headers)


def test_page_without_a_question_has_suggestions(world: World) -> None:
    response = page()

    assert response.status_code == 200
    assert "Optimisation › Convexity" in response.text
    assert "/iclr-2025/schedule/2025-04-24/" in response.text
    assert response.context["search_page"].results == []


@pytest.mark.parametrize(("typed", "sentence"), [("☃", "“☃” has no letters or digits to search for."), ("", ""), ("open", "")])
def test_question_of_symbols_alone_is_answered_in_a_sentence(world: World, typed: str, sentence: str) -> None:
    text = page(f"?q={typed}").text

    assert (sentence in text, "has no letters" in text) == (True, bool(sentence))


def test_results_are_marked_counted_and_kept_out_of_search_engines(world: World) -> None:
    text = page("?q=Gradients desc").text

    assert "<mark>Gradients</mark> without <mark>descent</mark>" in text
    assert "<strong>1 found</strong>" in text
    assert '<meta name="robots" content="noindex">' in text
    assert 'value="Gradients desc"' in text


def test_result_that_is_tentative_says_so(world: World) -> None:
    make_event(world.conference, title="Open kayaks", status="tentative", start="09:00", end="10:00")
    reindex()

    page = Client().get(SEARCH, {"q": "kayaks"}).text

    assert '<span class="flag" data-flag="tentative">Tentative</span>' in page
    assert "Cancelled" not in page


def test_fragment_is_what_the_page_holds(world: World) -> None:
    whole, fragment = page("?q=open"), page("?q=open&part=results")

    assert "<html" not in fragment.text
    assert '<p id="announcer" hx-swap-oob="innerHTML">2 found</p>' in fragment.text
    assert "<title>“open” · Search · ICLR 2025</title>" in fragment.text
    results = fragment.text.partition("<title>")[0].strip()
    assert results.split() == whole.text[whole.text.index('<div class="found"') :].partition("</main>")[0].strip().split()


def test_panel_is_a_few_results_in_groups_and_the_way_to_all(world: World) -> None:
    text = page("?q=o&part=panel&at=2025-04-24T09:30").text
    found = elements(page("?q=open&part=panel&at=2025-04-24T09:30").text)

    links = [it.attributes["href"] for it in found if it.tag == "a"]
    assert links[-1] == f"{SEARCH}?at=2025-04-24T09%3A30&q=open"
    assert len(links) == 3
    assert all("at=2025-04-24T09" in link for link in links)
    assert [it for it in found if it.tag in {"main", "button", "form"}] == []
    assert '<p id="announcer" hx-swap-oob="innerHTML">0 found</p>' in text
    assert "No results for “o”" in text


def test_panel_of_no_question_is_empty(world: World) -> None:
    assert "search-panel" not in page("?q=&part=panel").text


def test_misspelled_question_says_what_is_shown_instead(world: World) -> None:
    whole = page("?q=gradeints").text
    fragment = page("?q=gradeints&part=results").text

    assert "Showing results for <strong>Gradients</strong>. Nothing matches “gradeints”." in whole
    assert 'value="gradeints"' in whole
    assert "1 found for Gradients</p>" in " ".join(fragment.split())


def test_history_restore_is_the_whole_page(world: World) -> None:
    assert "<html" in page("?q=open", **HTMX, **{"HX-History-Restore-Request": "true"}).text


def test_filters_are_sent_along_with_the_form(world: World) -> None:
    found = elements(page("?q=open&kind=invited-talk&day=2025-04-24&topic=convexity&at=2025-04-24T09:30").text)

    sent = {it.attributes["name"]: it.attributes["value"] for it in found if it.attributes.get("form") == "search-form"}
    inside = [it.attributes["value"] for it in found if it.attributes.get("name") == "at"]
    assert sent == {"kind": "invited-talk", "day": "2025-04-24", "topic": "convexity"}
    assert inside == ["2025-04-24T09:30"]


def test_pinned_time_is_in_links(world: World) -> None:
    text = page("?q=open&at=2025-04-24T09:30").text

    assert f"{world.keynote.get_absolute_url()}?at=2025-04-24T09:30" in text


def test_results_have_bookmark_buttons(world: World) -> None:
    agenda, token = make_agenda(world.conference, world.keynote)

    text = browser(token=token).get(f"{SEARCH}?q=open science").text

    button = next(it for it in elements(text) if it.attributes.get("id") == f"e-{world.keynote.guid}")
    assert (button.attributes["aria-pressed"], button.attributes["value"]) == ("true", "0")
    assert button.attributes["form"] == "bookmark-form"
    assert agenda.events.count() == 1


def test_search_writes_nothing_and_remembers_nobody(world: World) -> None:
    before = Agenda.objects.count()

    response = page("?q=open")

    assert (Agenda.objects.count(), dict(response.cookies)) == (before, {})


def test_page_number_is_whatever_was_typed(world: World) -> None:
    numbers = ["", "0", "-1", "x", "٣", "1e3", "99999999999999999999", "9" * 5000, "%00"]

    answers = {number: page(f"?q=open&page={number}") for number in numbers}

    assert {number: (it.status_code, len(it.context["search_page"].results)) for number, it in answers.items()} == dict.fromkeys(
        numbers, (200, 2)
    )


def test_last_of_two_questions_is_answered(world: World) -> None:
    assert page("?q=coffee&q=open").context["search_page"].question == "open"


@pytest.mark.parametrize("part", ["", "&part=results"], ids=["page", "fragment"])
def test_hostile_question_gets_an_answer(world: World, part: str) -> None:
    answers = {}
    for question in HOSTILE:
        value = question if question in QUERY_VALUES else quote(question)
        response = page(f"?q={value}&kind={value}&day={value}&topic={value}&page={value}&at={value}{part}")
        answers[question] = (response.status_code, "planted=1" in str(response.headers))

    assert {question: it for question, it in answers.items() if it != (200, False)} == {}


@pytest.mark.parametrize("question", ["%ED%A0%80", "%FF%FE", "a%00b"])
def test_unprintable_characters_are_removed_from_the_question(world: World, question: str) -> None:
    response = page(f"?q={question}")

    assert response.status_code == 200
    assert "\x00" not in response.text


def test_title_with_markup_is_marked_and_stays_text(world: World) -> None:
    Event.objects.filter(pk=world.keynote.pk).update(title='<b>Bold</b> <script>alert("x")</script> & more')
    reindex(world.conference)

    text = page("?q=bold").text

    assert "&lt;b&gt;<mark>Bold</mark>&lt;/b&gt; &lt;script&gt;" in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param("?q=coffee gradients", ["Try one of them", "?q=gradients"], id="words of different things"),
        pytest.param(
            "?q=Zyx-wvu coffee", ["Showing results without “zyx wvu”.", "1 found", ">Coffee<"], id="word that nothing has"
        ),
        pytest.param("?q=zyx coffee&part=results", ["1 found without zyx</p>"], id="word that nothing has, spoken"),
        pytest.param("?q=coffee&kind=poster", ["Search everything", 'href="?q=coffee"'], id="narrowed"),
        pytest.param("?q=nothing", ["No results for “nothing”", "See the schedule"], id="one word"),
        pytest.param("?q=((((", ["Talks, posters, people"], id="no word"),
    ],
)
def test_nothing_found_says_what_to_do(world: World, query: str, words: list[str]) -> None:
    text = " ".join(page(query).text.split())

    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize("word", ["wheelchair", "step-free", "accessible", "emergency", "first aid"])
def test_words_for_a_place_that_is_not_listed_lead_to_services_and_venue(word: str) -> None:
    conference = make_conference(slug="small")
    address = f"/small/search/?q={word}"
    without = browser().get(address).text
    make_event(conference, title="Talks", room=make_room(conference, "Hall 1"), start="09:00", end="10:00")
    Service.objects.create(conference=conference, name="Luggage")
    conference.bump_revision()

    found = browser().get(address).text.partition('<div class="empty">')[2].partition("</div>")[0]

    assert "Nothing of that name is listed." in found
    assert ('href="/small/services/"' in found, 'href="/small/venue/"' in found) == (True, True)
    assert "Nothing of that name is listed." not in without
    assert "See the schedule" in without


@pytest.mark.parametrize(
    ("word", "service"),
    [
        ("emergency", "First aid"),
        ("wheelchair", "Accessible toilet"),
        ("step-free", "Lifts"),
        ("accessible", "Accessibility desk"),
    ],
)
def test_words_for_a_place_lead_to_the_service_of_another_name(word: str, service: str) -> None:
    conference = make_conference(slug="small")
    Service.objects.create(conference=conference, name=service)
    reindex(conference)

    assert service in re.sub("<.*?>", "", browser().get(f"/small/search/?q={word}").text)


def test_cancelled_is_found_and_says_so(world: World) -> None:
    text = page("?q=karaoke").text

    assert 'data-status="cancelled"' in text
    assert '<span class="flag" data-flag="cancelled">Cancelled</span>' in text


@pytest.mark.parametrize("address", ["/iclr-2025/", "/iclr-2025/papers/", "/iclr-2025/agenda/"])
def test_every_page_has_a_way_to_search(world: World, address: str) -> None:
    text = Client().get(f"{address}?at=2025-04-24T09:30").text

    assert f'<form class="sign-search" role="search" action="{SEARCH}"' in text
    assert '<input type="hidden" name="at" value="2025-04-24T09:30">' in text
    assert f'href="{SEARCH}?at=2025-04-24T09:30"' in text


@pytest.mark.parametrize("size", [1, 3, 30])
@pytest.mark.parametrize(("part", "without", "with_agenda"), [("", 12, 17), ("&part=results", 9, 12)], ids=["page", "fragment"])
def test_search_takes_as_many_queries_for_thirty_as_for_one(
    world: World, size: int, part: str, without: int, with_agenda: int, django_assert_num_queries: Any
) -> None:
    for number in range(size):
        paper = make_paper(world.conference, world.person, title=f"Same {number}", topic=world.topic)
        for kind in ("talk", "poster"):
            make_event(world.conference, kind=kind, start="09:00", end="10:00", room=world.hall_room, paper=paper)
        make_event(world.conference, kind="social", title=f"Same {number}", start="19:00", end="20:00")
    Paper.objects.filter(pk=world.paper.pk).update(title="Same")
    reindex(world.conference)

    # Whether the index is compared. SQLite also asks first whether the question is broad, and whether enough have the word whole.
    asked = 3 if connection.vendor == "sqlite" else 1
    with django_assert_num_queries(without + asked):
        browser().get(f"{SEARCH}?q=same{part}")
    with django_assert_num_queries(with_agenda + asked):
        browser(token=world.token).get(f"{SEARCH}?q=same{part}")


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("query", ["?q=marzipna&part=results", "?q=marzipna&part=panel"], ids=["results", "panel"])
def test_misspelled_question_takes_as_many_queries_for_three_as_for_one(
    world: World, size: int, query: str, django_assert_num_queries: Any
) -> None:
    for number in range(size):
        make_paper(world.conference, world.person, title=f"Marzipan {number}", topic=world.topic)
    reindex(world.conference)

    # SQLite asks of either spelling first whether it is broad.
    with django_assert_num_queries(14 if connection.vendor == "sqlite" else 12):
        found = browser().get(f"{SEARCH}{query}").context["search_page"]

    assert (found.corrected, found.count) == ("Marzipan", size)


def test_paper_says_what_was_searched_and_where(world: World) -> None:
    page = browser().get(SEARCH, {"q": "open", "kind": "invited-talk"}).text

    (line,) = re.findall(r'<p class="on-paper">(.*?)</p>', page, re.DOTALL)

    assert " ".join(line.split()) == f"“open” · Invited talks · 2 found · {world.conference.name}"
