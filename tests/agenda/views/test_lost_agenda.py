"""A browser whose agenda the database does not know, as after the restore of an older backup, reads so and begins anew."""

from __future__ import annotations

import pytest
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.core.byte_cache import PROCESS_CACHE
from events.core.tokens import new_token
from events.models import Agenda, Event
from tests.agenda.bookmarking import make_talk, post
from tests.factories import make_agenda, make_conference
from tests.visitors import browser

pytestmark = pytest.mark.django_db
SENTENCE = "This browser had an agenda that this site no longer has"


@pytest.fixture
def talk() -> Event:
    return make_talk()


def page_of(talk: Event) -> str:
    return f"/{talk.conference.slug}/agenda/"


def is_told(client: Client, talk: Event) -> bool:
    response = client.get(page_of(talk))
    assert response.status_code == 200
    return SENTENCE in response.text


@pytest.mark.parametrize("cached_bytes", [0, 2**24], ids=["rendered", "cached"])
def test_only_the_browser_with_the_unknown_token_is_told(talk: Event, cached_bytes: int) -> None:
    PROCESS_CACHE.max_bytes = cached_bytes
    lost = browser(token=f"s{new_token()}")
    _, known = make_agenda(talk.conference, talk)
    _, elsewhere = make_agenda(make_conference(slug="other"))
    others = [Client(), browser(token=known), browser(token=elsewhere), browser(token="malformed")]

    # It asks first: the page that is cached for all must not have it.
    told = [is_told(client, talk) for client in (lost, *others, lost)]

    assert told == [True, False, False, False, False, True]


def test_pages_other_than_the_agenda_are_the_same_bytes(talk: Event) -> None:
    PROCESS_CACHE.max_bytes = 2**24

    pages = [client.get(talk.get_absolute_url()).content for client in (Client(), browser(token=f"s{new_token()}"))]

    assert pages[0] == pages[1]


def test_next_pick_begins_a_new_agenda_and_ends_the_message(talk: Event) -> None:
    lost = browser(token=f"s{new_token()}")
    old = lost.cookies[VISITOR_COOKIE].value

    post(lost, talk)

    new = lost.cookies[VISITOR_COOKIE].value
    assert new != old
    assert Agenda.objects.for_token(new, talk.conference) == Agenda.objects.get()
    assert not is_told(lost, talk)
