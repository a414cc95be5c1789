"""Saying that one presents something: by plain form and by htmx, set and not toggled."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from events.models import Agenda, Event
from tests.factories import make_agenda, make_conference, make_event
from tests.security import strings
from tests.security.markup import active
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


def make_poster(**fields: Any) -> Event:
    return make_event(
        make_conference(slug="demo"), **{"kind": "poster", "title": "Mine", "start": "11:00", "end": "13:00"} | fields
    )


def url_of(event: Event) -> str:
    return reverse("events:present-set", args=["demo", event.guid])


def pressed(page: str) -> list[bool]:
    return [it == "true" for it in re.findall(r'class="presents"[^>]* aria-pressed="(true|false)"', page)]


def messages_of(response: Any) -> list[str]:
    return [str(it) for it in get_messages(response.wsgi_request)]


def test_presenting_by_plain_form_says_what_gets_in_the_way() -> None:
    poster = make_poster()
    dinner = make_event(poster.conference, kind="social", title="Dinner", start="12:50", end="14:00")
    agenda, token = make_agenda(poster.conference, dinner)

    response = browser(token=token).post(url_of(poster), {"on": "1", "next": "/demo/agenda/"})

    assert (response.status_code, response["Location"]) == (302, f"/demo/agenda/#e-{poster.guid}")
    late = "You present until 13:00, so you reach Dinner at 13:00 at the earliest, 10 min late."
    assert messages_of(response) == [f"You present this: Mine. {late}"]
    assert [(it.event_id, it.level) for it in agenda.bookmarks.filter(presents=True)] == [(poster.pk, "must")]


def test_page_shows_it_pressed_and_the_agenda_says_so() -> None:
    poster = make_poster()
    _, token = make_agenda(poster.conference, poster)
    client = browser(token=token)

    shown = []
    for on in ("0", "1", "0"):
        client.post(url_of(poster), {"on": on})
        page, agenda = (client.get(url).text for url in (poster.get_absolute_url(), "/demo/agenda/"))
        shown.append((pressed(page), "You present this" in agenda, 'class="levels"' in agenda))

    assert shown == [([False], False, True), ([True], True, False), ([False], False, True)]


def test_control_stands_at_picks_only() -> None:
    poster = make_poster()
    other, stranger = make_event(poster.conference, kind="talk"), Client()
    _, token = make_agenda(poster.conference, other)

    assert pressed(browser(token=token).get(poster.get_absolute_url()).text) == []
    assert pressed(stranger.get(poster.get_absolute_url()).text) == []


def test_sent_twice_is_once_and_by_htmx_the_page_is_made_anew() -> None:
    poster = make_poster()
    agenda, token = make_agenda(poster.conference, poster)

    for _ in range(2):
        response = browser(token=token).post(url_of(poster), {"on": "1"}, headers=HTMX)

    assert (response.status_code, response["Location"]) == (302, f"{poster.get_absolute_url()}#e-{poster.guid}")
    assert Agenda.objects.get(pk=agenda.pk).revision == agenda.revision + 1


def test_first_visitor_begins_an_agenda_by_it() -> None:
    poster = make_poster()
    client = Client()

    client.post(url_of(poster), {"on": "1"})

    assert pressed(client.get(poster.get_absolute_url()).text) == [True]


def test_taking_the_pick_back_ends_it() -> None:
    poster = make_poster()
    agenda, _ = make_agenda(poster.conference)
    agenda.present(poster, on=True)

    agenda.bookmark(poster, on=False)
    agenda.bookmark(poster, on=True)

    assert agenda.bookmarks.get().presents is False


def test_its_own_page_asks_for_the_other_state() -> None:
    poster = make_poster()
    agenda, token = make_agenda(poster.conference)

    assert 'name="on" value="1"' in Client().get(url_of(poster)).text
    agenda.present(poster, on=True)
    assert 'name="on" value="0"' in browser(token=token).get(url_of(poster)).text


def test_another_moment_is_only_looked_at() -> None:
    poster = make_poster()
    agenda, token = make_agenda(poster.conference)
    agenda.present(poster, on=True)

    page = browser(token=token).get("/demo/agenda/?at=2025-04-24T10:00").text

    assert "You present this" in page
    assert pressed(page) == []


@pytest.mark.parametrize("kind", strings.TEXTS)
def test_what_says_neither_is_refused_in_words(kind: str) -> None:
    poster = make_poster()
    agenda, token = make_agenda(poster.conference, poster)
    before = active(browser(token=token).post(url_of(poster), {"on": "x"}).text)

    response = browser(token=token).post(url_of(poster), {"on": strings.TEXTS[kind]})

    assert response.status_code == 422
    assert [*(active(response.text) - before)] == []
    assert agenda.bookmarks.filter(presents=True).count() == 0


def test_hidden_event_cannot_be_presented() -> None:
    poster = make_poster(status="draft", announce=False)
    _, token = make_agenda(poster.conference)

    client = browser(token=token)

    assert [client.get(url_of(poster)).status_code, client.post(url_of(poster), {"on": "1"}).status_code] == [404, 404]


@pytest.mark.parametrize("size", [1, 3])
def test_presenting_takes_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    poster = make_poster()
    bookmarks = [make_event(poster.conference, kind="talk", start="12:00", end="14:00") for _ in range(size)]
    _, token = make_agenda(poster.conference, poster, *bookmarks)

    with django_assert_num_queries(14):
        browser(token=token).post(url_of(poster), {"on": "1"})


@pytest.mark.parametrize("kind", ["break", "service"])
def test_nobody_presents_coffee(kind: str) -> None:
    coffee = make_poster(kind=kind)
    _, token = make_agenda(coffee.conference, coffee)

    assert pressed(browser(token=token).get("/demo/agenda/").text) == []
