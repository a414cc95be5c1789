"""Questions that find more than is counted: what is listed first, page by page, and what the page says."""

from __future__ import annotations

import itertools

import pytest
from django.db import connection

from events.models import Conference, SearchEntry
from events.search.queries import fulltext, page
from tests.factories import make_appearance, make_conference, make_day, make_event, make_person
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]
MAX_COUNTED = 12


@pytest.fixture(autouse=True)
def _count_little(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fulltext, page):
        monkeypatch.setattr(module, "MAX_LISTED_MATCHES", MAX_COUNTED)


@pytest.fixture
def programme() -> Conference:
    """Everything has the words somewhere; most in their abstracts alone."""
    conference = make_conference(slug="demo")
    about = "About graphs, and networks of neurons."
    for number in range(20):
        make_event(conference, title=f"Talk {number}", kind="talk", abstract=f"{about} {'More. ' * (20 - number)}")
    for title in ("Ways to graph networks", "All graph networks", "Graph networks now", "Networks to graph", "Graph networks"):
        make_event(conference, title=title, kind="social", abstract=about)
    keynote = make_event(conference, title="Keynote", kind="break", abstract=about)
    make_appearance(keynote, make_person(conference, "Graph Networks"))
    SearchEntry.objects.all().delete()
    reindex(conference)
    return conference


def test_titles_that_are_or_begin_with_the_question_come_first(programme: Conference) -> None:
    titles = result_titles(programme, "graph networks")

    # Then those with the words side by side: titles, names, texts.
    assert titles[0] in {"Graph networks", "Graph Networks"}
    assert set(titles[:3]) == {"Graph networks", "Graph Networks", "Graph networks now"}
    assert set(titles[3:5]) == {"All graph networks", "Ways to graph networks"}
    assert titles[5:7] == ["Keynote", "Networks to graph"]


def test_of_the_others_short_texts_come_first(programme: Conference) -> None:
    entries = list(SearchEntry.objects.order_by("pk"))

    titles = [title.lower() for title in result_titles(programme, "neurons")]

    lengths = [len(it.title + it.people + it.rest) for it in entries]
    assert lengths == sorted(lengths)
    assert titles == [it.title for it in entries if "neurons" in it.rest][:10]


def test_a_changed_entry_keeps_its_place(programme: Conference) -> None:
    before = result_titles(programme, "neurons")
    event = programme.events.get(title="Networks to graph")

    event.abstract += " And much, much more of it."
    event.revise()
    reindex(programme)

    assert SearchEntry.objects.filter(rest__contains="much much more").count() == 1
    # PostgreSQL lists them in the order of the table, where a changed one comes last (decision 041).
    if connection.vendor == "sqlite":
        assert sorted(result_titles(programme, "neurons")) == sorted(before)


def test_pages_list_each_result_once_and_no_more_than_are_counted(programme: Conference) -> None:
    pages = [ask(programme, "neurons", page=str(number)) for number in range(1, 4)]

    first, last, beyond = ([(result.thing, result.url) for result in it.results] for it in pages)
    assert (len(first), len(last), beyond) == (page.RESULTS_PER_PAGE, MAX_COUNTED - page.RESULTS_PER_PAGE, last)
    assert len({*first, *last}) == MAX_COUNTED


def test_the_page_says_that_there_are_more(programme: Conference) -> None:
    whole = " ".join(browser().get("/demo/search/?q=neurons").text.split())
    panel = " ".join(browser().get("/demo/search/?q=neurons&part=panel").text.split())

    assert "<strong>12+ found</strong> · the first 12 are listed" in whole
    assert ">All 12+ results</a>" in panel
    assert ">12+ found</p>" in panel


def test_choices_are_all_there_is_and_have_no_numbers(programme: Conference) -> None:
    found = ask(programme, "neurons")

    assert {(it.value, it.count) for it in found.kinds} == {("talk", None), ("social", None), ("break", None), ("person", None)}
    assert [(it.value, it.count) for it in found.days] == [(make_day(programme).date.isoformat(), None)]
    assert not any("<small>" in line for line in browser().get("/demo/search/?q=neurons&part=results").text.split("chip"))


def test_a_filter_with_few_is_counted(programme: Conference) -> None:
    few, many = ask(programme, "neurons", kind="social"), ask(programme, "neurons", kind="talk")

    assert (few.count_text, few.has_more, len(few.results)) == ("5", False, 5)
    assert (many.count_text, many.has_more) == ("12+", True)
    assert {result.times[0].type_name for result in many.results} == {"Talk"}


def test_an_initial_is_the_beginning_of_a_name_here_too(programme: Conference) -> None:
    author = make_person(programme, "Yoshua Neurons")
    for number in range(MAX_COUNTED + 3):
        make_appearance(make_event(programme, title=f"Session {number}"), author)
    reindex(programme)

    found = ask(programme, "neurons y")

    assert found.count_text == "12+"
    assert all("Yoshua" in str(it.title) or "Yoshua" in str(it.people) for it in found.results)


def test_every_beginning_of_two_words_is_answered(programme: Conference) -> None:
    question = "graph networks"
    for end, kind in itertools.product(range(1, len(question) + 1), ("", "talk")):
        found = ask(programme, question[:end], kind=kind)
        assert found.count <= MAX_COUNTED
        assert bool(found.results) == bool(found.count)
