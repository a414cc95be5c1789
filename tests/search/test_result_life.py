"""Kept results: they last until what they show changes, or a text with the words of their question."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference, Event, RevisionScope, SearchIndex
from events.search import views
from events.search.queries.index import is_compared
from tests.factories import at, forms_url, make_appearance, make_conference, make_event, make_paper, make_person, make_room
from tests.search.searching import reindex
from tests.visitors import browser

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 4, 24, 4, 0, 10, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**24
    with time_machine.travel(NOON, tick=False):
        yield
    PROCESS_CACHE.clear()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions for which a page was made, and not taken from the cache."""
    questions: list[str] = []
    make = views.search_page

    def noted(conference: Conference, clock: Any, query: Any) -> Any:
        questions.append(query["q"])
        return make(conference, clock, query)

    monkeypatch.setattr(views, "search_page", noted)
    return questions


class Programme:
    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        speaker, author = (make_person(self.conference, name) for name in ("Ada Lovelace", "Song Han"))
        self.paper = make_paper(self.conference, author, title="Sparse attention")
        self.session = make_event(self.conference, title="Afternoon", kind="session", start="13:00", end="15:00")
        self.talk = make_event(self.conference, title="Sparse attention", kind="talk", paper=self.paper, session=self.session)
        self.other = make_event(
            self.conference, title="Opening", start="09:00", end="10:00", room=make_room(self.conference, "Opal")
        )
        # So many that no other spellings are offered, which depend on all words.
        for number in range(3):
            make_event(self.conference, title=f"Sparse attention {number}", kind="social", start="20:00", end="21:00")
        self.third = make_event(self.conference, title="Deep graphs", start="10:00", end="11:00")
        make_appearance(self.other, speaker)
        Event.objects.filter(conference=self.conference).record_changes(quiet=True)
        # There are changes already, so that no menu is new.
        revised(self.third, board="7")
        reindex(self.conference)


def revised(event: Event, **values: Any) -> None:
    event = Event.objects.get(pk=event.pk)
    for name, value in values.items():
        setattr(event, name, value)
    event.revise()


def found(question: str, part: str = "results") -> str:
    return browser().get("/demo/search/", {"q": question, "part": part}).text


def test_results_last_while_other_texts_change(made: list[str]) -> None:
    programme = Programme()
    before = found("sparse att")

    revised(programme.other, title="Welcome", abstract="Of graphs")
    revised(programme.third, start=at("10:15"))
    again = found("sparse att")

    assert (again, made) == (before, ["sparse att"])
    assert "mark>Sparse</mark>" in again


def test_results_are_made_anew_when_an_event_on_them_moves(made: list[str]) -> None:
    programme = Programme()
    found("sparse")

    revised(programme.talk, start=at("18:05"), end=at("19:00"))

    assert "18:05" in found("sparse")
    assert made == ["sparse"] * 2


def test_results_name_the_session_as_it_is_called_now() -> None:
    programme = Programme()
    assert "in Afternoon" in found("sparse")

    revised(programme.session, title="Evening")

    assert "in Evening" in found("sparse")


@pytest.mark.parametrize("question", ["attention", "atten", "at", "deep attention", '"deep attention"'])
def test_an_event_whose_new_title_has_the_words_is_found(question: str) -> None:
    programme = Programme()
    found(question)

    revised(programme.other, title="Deep attention")

    assert forms_url(programme.other) in found(question)


def test_an_event_whose_words_come_together_is_found_for_the_phrase() -> None:
    programme = Programme()
    revised(programme.other, title="Graphs that are deep, and broad")
    assert "<mark>deep graphs and</mark>" not in found('"deep graphs and"')

    revised(programme.other, title="That are deep graphs and broad")

    assert "<mark>deep graphs and</mark>" in found('"deep graphs and"')


def test_an_event_without_the_word_any_more_is_not_found() -> None:
    programme = Programme()
    revised(programme.other, abstract="Of garnets")
    assert forms_url(programme.other) in found("garnet")

    revised(programme.other, abstract="")

    assert forms_url(programme.other) not in found("garnet")
    assert "0 found" in found("garnet")


def test_a_hidden_event_is_on_no_kept_results() -> None:
    programme = Programme()
    assert forms_url(programme.other) in found("opening")
    assert "Lovelace</mark>" in found("lovelace")

    revised(programme.other, status="draft")

    assert forms_url(programme.other) not in found("opening")
    assert "Lovelace</mark>" not in found("lovelace")


def test_a_misspelled_question_gets_new_words(made: list[str]) -> None:
    programme = Programme()
    assert "Showing results" not in found("marzipn")

    revised(programme.other, title="Marzipan")

    assert forms_url(programme.other) in found("marzipn")


def test_a_room_that_becomes_public_is_found_by_its_description() -> None:
    programme = Programme()
    room = make_room(programme.conference, "Beryl", description="Beside the fountain")
    assert "Beryl" not in found("fountain")

    revised(programme.third, room=room)

    assert "Beryl" in found("fountain")


def test_a_long_new_abstract_changes_all_results(made: list[str]) -> None:
    programme = Programme()
    found("sparse")

    revised(programme.other, abstract=" ".join(f"word{number}" for number in range(100)))
    found("sparse")

    assert made == ["sparse"] * 2
    assert {"text", "texts"} <= set(RevisionScope.objects.order_by("-revision")[0].subjects)


def test_results_end_with_the_minute_until_the_index_is_compared(made: list[str]) -> None:
    programme = Programme()
    SearchIndex.objects.all().delete()
    with time_machine.travel(NOON, tick=False) as clock:
        found("sparse")
        clock.shift(40)
        found("sparse")
        clock.shift(20)
        found("sparse")
        assert made == ["sparse"] * 2

        reindex(programme.conference)
        # The revision is the same, so whether it was compared is asked again.
        clock.shift(60)
        found("sparse")
        clock.shift(120)
        found("sparse")
        assert made == ["sparse"] * 3


def test_a_process_asks_once_a_second_whether_the_index_is_compared(django_assert_num_queries: Any) -> None:
    conference = Programme().conference
    SearchIndex.objects.all().delete()
    with time_machine.travel(NOON, tick=False) as clock:
        with django_assert_num_queries(1):
            assert [is_compared(conference) for _ in range(3)] == [False] * 3
        reindex(conference)
        clock.shift(0.9)
        with django_assert_num_queries(0):
            assert not is_compared(conference)
        clock.shift(0.2)
        with django_assert_num_queries(1):
            assert [is_compared(conference) for _ in range(3)] == [True] * 3


def test_results_end_when_an_event_on_them_ends(made: list[str]) -> None:
    Programme()
    with time_machine.travel(dt.datetime(2025, 4, 24, 1, 58, tzinfo=dt.UTC), tick=False) as clock:
        assert "data-past" not in found("opening")
        clock.shift(121)
        assert "data-past" in found("opening")
