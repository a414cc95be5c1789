"""The service worker sends a bookmark that was chosen without network, and is answered with what became of it."""

from __future__ import annotations

import pytest
import time_machine
from django.test import Client

from events.agenda.visitor import agenda_mark
from events.models import Agenda, Event
from tests.agenda.bookmarking import make_conflicts, make_talk, post, url_of
from tests.factories import at, make_agenda
from tests.visitors import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def test_late_bookmark_is_answered_with_its_sentence(talk: Event) -> None:
    response = post(Client(), talk, seconds_ago="600")

    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")
    assert response.json() == {"sentence": "In your agenda: Adam.", "level": "must"}
    assert response["Hallway-Whose"] == agenda_mark(Agenda.objects.get())
    assert [event.title for event in Agenda.objects.get().events] == ["Adam"]


def test_late_bookmark_names_what_it_overlaps(talk: Event) -> None:
    response = post(browser(token=make_conflicts(talk)), talk, seconds_ago="600")

    assert "Same time" in response.json()["sentence"]


def test_late_bookmark_that_lost_says_so(talk: Event) -> None:
    with time_machine.travel(at("09:00"), tick=False):
        agenda, token = make_agenda(talk.conference, talk)
    with time_machine.travel(at("10:20"), tick=False):
        agenda.bookmark(talk, on=False)

    with time_machine.travel(at("10:30"), tick=False):
        response = post(browser(token=token), talk, seconds_ago="1200")

    assert response.json() == {"sentence": "Changed on another device since: Adam stays out of your agenda.", "level": ""}
    assert list(agenda.events) == []


@pytest.mark.parametrize("ago", ["-1", "604801", "soon", "1e3", "9" * 40])
def test_late_bookmark_of_no_known_age_is_refused(talk: Event, ago: str) -> None:
    response = post(Client(), talk, seconds_ago=ago)

    assert response.status_code == 422
    assert "This was chosen too long ago to be sent now" in response.text
    assert not Agenda.objects.exists()


def test_late_bookmark_for_another_agenda_is_forbidden(talk: Event) -> None:
    agenda, token = make_agenda(talk.conference)
    other, _ = make_agenda(talk.conference)
    marks = [agenda_mark(agenda), agenda_mark(other), ""]

    answers = [
        browser(token=token).post(url_of(talk), {"on": on, "seconds_ago": "5", "whose": mark}).status_code
        for on, mark in zip("101", marks, strict=True)
    ]
    without = Client().post(url_of(talk), {"on": "1", "seconds_ago": "5", "whose": agenda_mark(agenda)})

    assert answers == [200, 403, 200]
    assert (without.status_code, Agenda.objects.count()) == (403, 2)
    assert list(agenda.events) == [talk]


def test_mark_of_an_agenda_opens_nothing(talk: Event) -> None:
    agenda, token = make_agenda(talk.conference, talk)
    mark = agenda_mark(agenda)

    assert mark not in token
    assert browser(token=mark).get("/demo/offline.json").json()["whose"] == ""
