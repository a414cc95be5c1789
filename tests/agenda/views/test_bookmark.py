from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Event
from tests.agenda.bookmarking import CONFLICT_MESSAGES, CONFLICTS, make_conflicts, make_talk, post, url_of
from tests.factories import make_agenda, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def shown_messages(response: HttpResponse) -> list[str]:
    """The messages that the next page will show."""
    return [str(message) for message in get_messages(response.wsgi_request)]  # type: ignore[attr-defined]


def titles_in_agenda() -> list[str]:
    return [event.title for agenda in Agenda.objects.all() for event in agenda.events]


def test_bookmark_by_plain_form_returns_to_the_card_and_says_so(talk: Event) -> None:
    response = post(Client(), talk, next="/demo/schedule/2025-04-24/")

    assert (response.status_code, response.url) == (302, f"/demo/schedule/2025-04-24/#e-{talk.guid}")
    assert shown_messages(response) == ["In your agenda: Adam."]
    assert titles_in_agenda() == ["Adam"]


def test_message_without_a_script_isolates_titles_of_another_direction(talk: Event) -> None:
    """Or the minutes of the overlap stand inside the title."""
    Event.objects.filter(pk=talk.pk).update(title="ראשונה")
    other = make_event(talk.conference, title="עברית", start=talk.start, end=talk.end)
    _, token = make_agenda(talk.conference, talk)
    client = Client()
    client.cookies[VISITOR_COOKIE] = token

    (message,) = shown_messages(post(client, other))

    assert message.startswith("In your agenda: \u2068עברית\u2069. It clashes with \u2068ראשונה\u2069: ")


def test_bookmark_by_htmx_answers_with_the_button_alone(talk: Event) -> None:
    response = Client().post(url_of(talk), {"on": "1"}, headers=HTMX | {"HX-Trigger": f"e-{talk.guid}"})

    assert response.status_code == 200
    assert response.templates[0].name == "events/agenda/_bookmark_answer.html"
    assert (response.context["sentence"], response.context["button_id"]) == ("In your agenda: Adam.", f"e-{talk.guid}")
    assert (response.context["card"].bookmarked, response.context["conflicts"]) == (True, [])
    # The star, and that it is a must.
    assert response.content.count(b'aria-pressed="true"') == 2
    assert b"<html" not in response.content
    assert titles_in_agenda() == ["Adam"]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_bookmark_sent_twice_does_the_same(talk: Event, headers: dict[str, str]) -> None:
    client = Client()

    for on, titles in [("1", ["Adam"]), ("1", ["Adam"]), ("0", []), ("0", []), ("1", ["Adam"])]:
        response = client.post(url_of(talk), {"on": on}, headers=headers)
        assert response.status_code == (200 if headers else 302)
        assert titles_in_agenda() == titles

    assert Bookmark.objects.count() == 1
    assert Agenda.objects.get().revision == 3


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_taking_a_pick_back_says_so(talk: Event, headers: dict[str, str]) -> None:
    _, token = make_agenda(talk.conference, talk)

    response = browser(token=token).post(url_of(talk), {"on": "0"}, headers=headers)

    sentence = [response.context["sentence"]] if headers else shown_messages(response)
    assert sentence == ["Removed: Adam."]
    assert titles_in_agenda() == []


def test_htmx_answer_tells_every_overlap_with_its_minutes_and_the_walk(talk: Event) -> None:
    token = make_conflicts(talk)

    response = browser(token=token).post(url_of(talk), {"on": "1"}, headers=HTMX)

    assert [(it.other.title, it.verdict, it.sentence) for it in response.context["conflicts"]] == CONFLICTS
    told = " ".join(strip_tags(response.text).split())
    assert [told.count(sentence) for sentence in CONFLICT_MESSAGES] == [1, 1, 1]


def test_plain_answer_tells_the_same_in_a_message(talk: Event) -> None:
    response = post(browser(token=make_conflicts(talk)), talk)

    assert shown_messages(response) == [" ".join(["In your agenda: Adam.", *CONFLICT_MESSAGES])]


def test_taking_back_tells_no_conflicts(talk: Event) -> None:
    token = make_conflicts(talk)
    client = browser(token=token)
    post(client, talk)

    response = client.post(url_of(talk), {"on": "0"}, headers=HTMX)

    assert response.context["conflicts"] == []


def test_conflicts_are_nobody_elses(talk: Event) -> None:
    make_conflicts(talk)

    response = Client().post(url_of(talk), {"on": "1"}, headers=HTMX)

    assert response.context["conflicts"] == []
    assert 'id="agenda-count-rail" class="count" hx-swap-oob="true">1<' in response.text


@pytest.mark.parametrize("on", ["2", "", "true", "\x00", "x" * 10_000], ids=["two", "empty", "true", "nul", "long"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_state_that_is_none_is_refused_in_a_sentence(talk: Event, on: str, headers: dict[str, str]) -> None:
    response = Client().post(url_of(talk), {"on": on}, headers=headers)

    assert response.status_code == 422
    assert response.context["problem"] == "Something went wrong. Please use the button below."
    assert VISITOR_COOKIE not in response.cookies
    assert Agenda.objects.count() == 0


def test_state_that_is_missing_is_refused(talk: Event) -> None:
    response = Client().post(url_of(talk))

    assert response.status_code == 422
    assert response.context["problem"] == "Something went wrong. Please use the button below."
