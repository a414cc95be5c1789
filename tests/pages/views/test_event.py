from __future__ import annotations

import html
import uuid

import pytest
import time_machine
from django.test import Client
from django.utils.html import strip_tags

from events.models import Agenda, Bookmark, Event
from tests.agenda.bookmarking import CONFLICTS, make_conflicts, make_talk, url_of
from tests.factories import at, forms_url, make_agenda, make_appearance, make_conference, make_event, make_person
from tests.visitors import browser, context, presses

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def test_event_page_shows_the_event(talk: Event) -> None:
    shown = context(f"{talk.get_absolute_url()}?at=2025-04-24T10:30")

    assert (shown["event"], shown["card"].state, shown["card"].bookmarked) == (talk, "now", False)
    assert shown["talks"] == shown["changes"] == []


def test_event_without_a_day_offers_no_calendar_file() -> None:
    conference = make_conference()
    dated, open_ = make_event(conference), make_event(conference, day=None)

    shown = [str(event.guid) + ".ics" in browser().get(event.get_absolute_url()).text for event in (dated, open_)]

    assert shown == [True, False]


@pytest.mark.parametrize("status", ["confirmed", "cancelled"])
def test_talk_says_that_its_session_is_cancelled(talk: Event, status: str) -> None:
    part = make_event(talk.conference, session=make_event(talk.conference, title="Orals", status=status))

    page = browser().get(part.get_absolute_url()).text

    assert "Part of" in page
    assert page.count('data-flag="cancelled"') == (status == "cancelled")


def test_reason_of_a_cancellation_stands_beside_its_flag(talk: Event) -> None:
    talk.status = "cancelled"
    talk.revise(reason="The speaker is ill")

    head = browser().get(talk.get_absolute_url()).text.partition('class="event-hour"')[0]

    assert head.partition('data-flag="cancelled"')[2].count("The speaker is ill") == 1


def test_event_page_knows_the_visitors_pick(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)

    assert presses(browser(token=token).get(talk.get_absolute_url()).text)[str(talk.guid)] is True
    assert presses(browser().get(talk.get_absolute_url()).text)[str(talk.guid)] is False


@pytest.mark.parametrize("hidden", ["draft", "elsewhere", "unknown", "in-a-draft"])
@pytest.mark.parametrize("path", ["", "bookmark/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_event_that_is_not_public_is_not_found(talk: Event, hidden: str, path: str, method: str) -> None:
    conference = talk.conference
    guid = {
        "draft": lambda: make_event(conference, status="draft").guid,
        "elsewhere": lambda: make_event(make_conference()).guid,
        "unknown": uuid.uuid4,
        "in-a-draft": lambda: make_event(conference, session=make_event(conference, status="draft")).guid,
    }[hidden]()

    response = getattr(browser(), method)(f"/demo/events/{guid}/{path}", {"on": "1"})

    assert response.status_code == (405 if (path, method) == ("", "post") else 404)
    assert Bookmark.objects.count() == 0


@time_machine.travel(at("07:00"), tick=False)
def test_event_and_confirm_pages_warn_before_it_is_picked(talk: Event) -> None:
    token = make_conflicts(talk)

    pages = [browser(token=token).get(url).text for url in (talk.get_absolute_url(), url_of(talk))]

    assert [[sentence in html.unescape(page) for _, _, sentence in CONFLICTS] for page in pages] == [[True] * len(CONFLICTS)] * 2
    assert CONFLICTS[0][2] not in html.unescape(browser().get(talk.get_absolute_url()).text)


def test_confirm_page_asks_for_the_other_state(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)

    asked = [context(f"{url_of(talk)}?next=/demo/talks/", **it) for it in ({}, {"token": token})]  # type: ignore[arg-type]

    assert [(it["on"], it["problem"], it["next"]) for it in asked] == [(True, "", "/demo/talks/"), (False, "", "/demo/talks/")]


@pytest.mark.parametrize("path", ["", "bookmark/"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_reading_sets_no_cookie_and_writes_nothing(talk: Event, path: str, method: str) -> None:
    response = getattr(Client(), method)(f"{forms_url(talk)}{path}" if path else talk.get_absolute_url())

    assert response.status_code == 200
    assert set(response.cookies) - {"csrftoken"} == set()
    assert Agenda.objects.count() == 0


def test_talk_says_who_chairs_its_session() -> None:
    conference = make_conference(slug="demo")
    session = make_event(conference, title="Oral 1A")
    chairs = [make_person(conference, name) for name in ("Ada Example", "Grace Example")]
    for position, person in enumerate(chairs):
        make_appearance(session, person, role="moderator", position=position)
    talk = make_event(conference, kind="talk", session=session)

    shown = " ".join(strip_tags(Client().get(talk.get_absolute_url()).text).split())

    assert "Part of Oral 1A, chaired by Ada Example, Grace Example" in shown
