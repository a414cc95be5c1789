"""Questions that found nothing, counted once five different people asked the same."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from events.models import Conference, MissedSearch
from events.search import missed
from events.search.missed import DAYS_QUESTIONS, MAX_MISSED_ROWS, MAX_REMEMBERED_QUESTIONS, record_missed
from tests.factories import make_agenda, make_conference, make_event
from tests.search.searching import reindex
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached_at_half_past_nine")]
TODAY = dt.date(2025, 4, 24)


@pytest.fixture
def conference(db: None) -> Conference:
    conference = make_conference(slug="demo")
    make_event(conference, title="Adam")
    reindex(conference)
    return conference


def ask(query: str, *networks: int) -> None:
    for number in networks:
        Client(REMOTE_ADDR=f"192.0.2.{number}").get(f"/demo/search/?q={query}")


def counted() -> dict[str, int]:
    return dict(MissedSearch.objects.values_list("words", "askers"))


def test_words_are_stored_once_five_networks_asked(conference: Conference) -> None:
    ask("Wifi+Pässword", 1, 2, 3, 4)
    before = counted()
    ask("wifi+password", 5)

    assert (before, counted()) == ({}, {"wifi password": 5})


def test_one_network_that_asks_often_is_one(conference: Conference) -> None:
    ask("sauna", *[1] * 20)

    assert counted() == {}


def test_another_five_count_together(conference: Conference) -> None:
    ask("sauna", *range(1, 10))
    before = counted()
    ask("sauna", 10, 11)

    assert (before, counted()) == ({"sauna": 5}, {"sauna": 10})


def test_question_whose_other_words_find_something_is_counted(conference: Conference) -> None:
    ask("adam sauna", 1, 2, 3, 4, 5)

    assert counted() == {"adam sauna": 5}


def test_agendas_behind_one_network_are_people(conference: Conference) -> None:
    for _ in range(5):
        browser(token=make_agenda(conference)[1]).get("/demo/search/?q=sauna")

    assert counted() == {"sauna": 5}


def test_invented_tokens_are_one_network(conference: Conference) -> None:
    for number in range(5):
        browser(token=str(number) * 43).get("/demo/search/?q=sauna")

    assert counted() == {}


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("adam", id="found"),
        pytest.param("sauna&kind=paper", id="filtered"),
        pytest.param("sauna&part=panel", id="being typed"),
        pytest.param("", id="empty"),
        pytest.param("zz", id="too short"),
        pytest.param("sauna+" * 20, id="too long"),
        pytest.param("adan", id="spelling corrected"),
    ],
)
def test_other_questions_are_not_counted(conference: Conference, query: str) -> None:
    ask(query, *range(1, 7))

    assert counted() == {}


def test_yesterdays_are_forgotten(conference: Conference) -> None:
    ask("sauna", 1, 2, 3, 4)
    with time_machine.travel("2025-04-25T09:30+08:00", tick=False):
        ask("sauna", 5)

    assert counted() == {}


def test_memory_is_bounded(conference: Conference) -> None:
    for number in range(MAX_REMEMBERED_QUESTIONS + 5):
        DAYS_QUESTIONS.add(conference.pk, f"word {number}", "somebody", TODAY)

    assert len(DAYS_QUESTIONS._askers) == MAX_REMEMBERED_QUESTIONS
    assert not any(b"somebody" in it for askers in DAYS_QUESTIONS._askers.values() for it in askers)


def test_rows_are_bounded_and_the_least_asked_give_way(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missed, "MAX_MISSED_ROWS", 2)
    assert MAX_MISSED_ROWS > 2

    for words in ["sauna", "sauna", "pool", "hotel"]:
        record_missed(conference.pk, words, TODAY)

    assert counted() == {"sauna": 10, "hotel": 5}


def test_page_is_shown_while_the_database_is_locked(conference: Conference, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def refuse() -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr(missed, "impatient_write", refuse)

    ask("sauna", 1, 2, 3, 4)
    response = Client(REMOTE_ADDR="192.0.2.5").get("/demo/search/?q=sauna")

    assert (response.status_code, counted()) == (200, {})
    assert "was not counted" in caplog.text


def test_beginnings_of_words_are_left_out(conference: Conference) -> None:
    for words, askers in [("park", 20), ("parki", 10), ("parking", 10)]:
        MissedSearch.objects.create(conference=conference, words=words, askers=askers, last_on=TODAY)

    assert [row.words for row in MissedSearch.objects.most_asked(conference)] == ["park", "parking"]
