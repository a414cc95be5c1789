"""Must, maybe and watch later: each one tap, with JavaScript and without."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from events.models import Agenda, Bookmark, Event
from tests.agenda.bookmarking import CONFLICTS, make_conflicts, make_talk, url_of
from tests.factories import make_agenda, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def shown_messages(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def level() -> str:
    return Bookmark.objects.filter(removed_at=None).get().level


def pressed(html: str, spot: str) -> list[str]:
    return re.findall(rf'id="(must|maybe|later)-{spot}[0-9a-f-]+"[^>]*aria-pressed="true"', html)


@pytest.mark.parametrize(
    ("values", "wanted", "words"),
    [
        pytest.param({"on": "1"}, "must", "In your agenda: Adam.", id="none is a must"),
        pytest.param({"on": "1", "level": "maybe"}, "maybe", "Marked as maybe: Adam.", id="maybe"),
        pytest.param({"level": "must"}, "must", "Marked as must: Adam.", id="a level alone picks"),
        pytest.param({"level": "later"}, "later", "Saved for later: Adam.", id="later"),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX | {"HX-Target": "status"}], ids=["form", "htmx"])
def test_level_is_set_in_one_request(
    talk: Event, values: dict[str, str], wanted: str, words: str, headers: dict[str, str]
) -> None:
    response = Client().post(url_of(talk), values, headers=headers)

    assert level() == wanted
    assert ([response.context["sentence"]] if headers else shown_messages(response)) == [words]
    assert response.status_code == (200 if headers else 302)


def test_star_pressed_again_leaves_the_level_as_it_was(talk: Event) -> None:
    client = Client()

    for values in ({"level": "maybe"}, {"on": "1"}):
        client.post(url_of(talk), values)

    assert (level(), Agenda.objects.get().revision) == ("maybe", 1)


@pytest.mark.parametrize("values", [{"on": "1"}, {"level": "maybe"}, {"level": "maybe", "on": "1"}, {"on": "0"}])
def test_bookmark_that_is_so_already_writes_nothing(talk: Event, values: dict[str, str]) -> None:
    """A transaction without a change would be rolled back, and psycopg then forgets the plans of its connection."""
    _, token = make_agenda(talk.conference)
    client = browser(token=token)
    client.post(url_of(talk), {"level": "maybe"} if values != {"on": "0"} else {"on": "0"})

    with CaptureQueriesContext(connection) as queries:
        client.post(url_of(talk), values)

    assert [it["sql"] for it in queries if not it["sql"].startswith(("SELECT", "SAVEPOINT", "RELEASE"))] == []


def test_level_sent_twice_does_the_same(talk: Event) -> None:
    client = Client()

    for wanted in ["later", "later", "must", "must", "maybe"]:
        client.post(url_of(talk), {"level": wanted})
        assert level() == wanted

    assert Agenda.objects.get().revision == 3


def test_pick_that_was_taken_back_is_a_must_again(talk: Event) -> None:
    client = Client()

    for values in ({"level": "maybe"}, {"on": "0"}, {"on": "1"}):
        client.post(url_of(talk), values)

    assert level() == "must"


def test_taking_back_minds_no_level(talk: Event) -> None:
    client = Client()
    client.post(url_of(talk), {"on": "1"})

    client.post(url_of(talk), {"on": "0", "level": "maybe"})

    assert [(it.removed_at is None, it.level) for it in Bookmark.objects.all()] == [(False, "must")]


@pytest.mark.parametrize("sent", ["perhaps", "MUST", "\x00", "<script>", "x" * 10_000])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_level_that_is_none_is_refused_in_a_sentence(talk: Event, sent: str, headers: dict[str, str]) -> None:
    response = Client().post(url_of(talk), {"on": "1", "level": sent}, headers=headers)

    assert response.status_code == 422
    assert response.context["problem"] == (f"“{sent[:40]}” is not Must, Maybe or Watch later: use the buttons below.")
    assert "<script>" not in response.text.partition("<main")[2]
    assert Agenda.objects.count() == 0


def test_maybe_tells_its_conflicts_quietly(talk: Event) -> None:
    response = browser(token=make_conflicts(talk)).post(url_of(talk), {"level": "maybe"}, headers=HTMX | {"HX-Target": "status"})

    told = [(it.other.title, it.verdict, it.sentence.replace("Maybe", "Clash"), it.quiet) for it in response.context["conflicts"]]
    assert told == [(*line, True) for line in CONFLICTS]
    assert set(re.findall(r'class="verdict" data-verdict="(\w+)"', response.text)) == {"quiet"}
    told = " ".join(strip_tags(response.text).split())
    assert "Marked as maybe: Adam. It overlaps Same time by 30 min." in told


def test_what_is_watched_later_is_in_nobodys_way(talk: Event) -> None:
    client = browser(token=make_conflicts(talk))

    response = client.post(url_of(talk), {"level": "later"}, headers=HTMX | {"HX-Target": "status"})

    assert response.context["conflicts"] == []
    assert Agenda.objects.get().count == 5
    assert 'id="agenda-count-rail" class="count" hx-swap-oob="true">5<' in response.text


def test_buttons_in_the_message_answer_with_the_message(talk: Event) -> None:
    response = Client().post(url_of(talk), {"level": "maybe"}, headers=HTMX | {"HX-Target": "status"})

    assert response.context["pressed"] == "message"
    assert pressed(response.text, "message-") == ["maybe"]
    assert 'id="status"' not in response.text


def test_buttons_on_the_events_page_answer_with_themselves_and_a_message(talk: Event) -> None:
    response = Client().post(url_of(talk), {"level": "later"}, headers=HTMX | {"HX-Target": f"levels-{talk.guid}"})

    assert (pressed(response.text, ""), pressed(response.text, "message-")) == (["later"], [])
    assert response.text.count('<div id="status" hx-swap-oob="innerHTML">') == 1


def test_agenda_is_made_anew_when_a_level_is_set_there(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)

    response = browser(token=token).post(
        url_of(talk), {"level": "later", "next": "/demo/agenda/"}, headers=HTMX | {"HX-Target": "main"}
    )

    assert (response.status_code, response.url) == (302, f"/demo/agenda/#e-{talk.guid}")


def test_events_page_shows_the_level_of_a_pick_and_nothing_else(talk: Event) -> None:
    other = make_event(talk.conference, kind="talk", title="Other")
    agenda, token = make_agenda(talk.conference, talk, other)
    agenda.bookmark(talk, on=True, level="maybe")
    client = browser(token=token)

    pages = [client.get(url).text for url in (talk.get_absolute_url(), other.get_absolute_url())]
    agenda.bookmark(other, on=False)
    pages.append(client.get(other.get_absolute_url()).text)

    assert [pressed(page, "") for page in pages] == [["maybe"], ["must"], []]
    assert pressed(Client().get(talk.get_absolute_url()).text, "") == []


def test_wide_star_brings_the_buttons_along_and_takes_them_away(talk: Event) -> None:
    client, headers = Client(), HTMX | {"HX-Trigger": f"wide-e-{talk.guid}"}

    page = {"shown_event": str(talk.guid)}
    on = client.post(url_of(talk), {"on": "1", **page}, headers=headers).text
    off = client.post(url_of(talk), {"on": "0", **page}, headers=headers).text

    assert (pressed(on, ""), pressed(off, "")) == (["must"], [])
    assert '<div id="my-level" hx-swap-oob="innerHTML"></div>' in off


def test_page_that_asks_offers_the_levels_of_a_pick(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)

    picked = browser(token=token).get(url_of(talk)).text.partition("<main")[2]

    assert re.findall(r'name="level" value="(\w+)"', picked) == ["must", "maybe", "later"]
