"""The visitor's cookie on https, where a sub-domain of another owner can set cookies for the whole domain."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from events.core.tokens import hash_token, new_token
from events.models import AccessToken, Agenda, Event
from events.web.secret_cookies import OLD_NAMES_UNTIL
from tests.agenda.bookmarking import make_talk, post
from tests.factories import make_agenda, make_event, visitor_of
from tests.visitors import own_context

pytestmark = pytest.mark.django_db

OLD, NEW = "hallway", "__Host-hallway"


@pytest.fixture
def talk(settings: Settings) -> Event:
    settings.SECURE = True
    return make_talk()


@pytest.fixture(autouse=True)
def before_old_names_end() -> object:
    with time_machine.travel(OLD_NAMES_UNTIL - dt.timedelta(days=1)) as now:
        yield now


def https_browser(**cookies: str) -> Client:
    client = Client()
    for name, value in cookies.items():
        client.cookies[{"old": OLD, "new": NEW}[name]] = value
    return client


def old_token(token: str) -> str:
    """A token in the form of earlier versions, for the same visitor."""
    old = new_token()
    AccessToken.objects.create(visitor=visitor_of(token), token_hash=hash_token(old))
    return old


def count_shown(client: Client, talk: Event) -> int:
    count: int = own_context(client.get(f"/{talk.conference.slug}/agenda/"), "count")
    return count


def test_first_bookmark_sets_the_cookie_that_only_this_host_can_set(talk: Event) -> None:
    client = https_browser()

    response = post(client, talk)

    cookie = response.cookies[NEW]
    assert (cookie["secure"], cookie["path"], cookie["domain"], cookie["httponly"]) == (True, "/", "", True)
    assert OLD not in response.cookies
    assert count_shown(client, talk) == 1


def test_cookie_from_before_the_prefix_keeps_its_agenda_and_gets_the_prefix(talk: Event) -> None:
    agenda, token = make_agenda(talk.conference, make_event(talk.conference))
    client = https_browser(old=old_token(token))

    shown = count_shown(client, talk)
    response = post(client, talk)

    assert shown == 1
    assert list(Agenda.objects.all()) == [agenda]
    assert (response.cookies[OLD].value, response.cookies[OLD]["max-age"]) == ("", 0)
    assert visitor_of(response.cookies[NEW].value) == agenda.visitor
    assert count_shown(https_browser(new=response.cookies[NEW].value), talk) == 2


def test_planted_token_of_now_is_no_cookie(talk: Event) -> None:
    theirs, planted = make_agenda(talk.conference, make_event(talk.conference))
    victim = https_browser(old=planted)

    shown = count_shown(victim, talk)
    post(victim, talk)

    assert shown == 0
    assert theirs.bookmarks.count() == 1
    assert visitor_of(victim.cookies[NEW].value) != theirs.visitor


def test_planted_cookie_is_ignored_beside_the_own_one(talk: Event) -> None:
    theirs, token = make_agenda(talk.conference)
    mine, own = make_agenda(talk.conference)

    post(https_browser(old=old_token(token), new=own), talk)

    assert (theirs.bookmarks.count(), mine.bookmarks.count()) == (0, 1)


def test_old_cookie_that_a_merge_ended_meanwhile_gets_no_prefix(talk: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    agenda, token = make_agenda(talk.conference)
    old = old_token(token)
    monkeypatch.setattr("events.pages.views.event.get_or_begin_agenda", lambda request, conference: (agenda, old))
    agenda.visitor.tokens.all().end()

    response = post(https_browser(old=old), talk)

    assert agenda.bookmarks.count() == 1
    assert NEW not in response.cookies


def test_old_name_ends(talk: Event) -> None:
    theirs, token = make_agenda(talk.conference)
    victim = https_browser(old=old_token(token))

    with time_machine.travel(OLD_NAMES_UNTIL):
        post(victim, talk)

    assert theirs.bookmarks.count() == 0
    assert visitor_of(victim.cookies[NEW].value) != theirs.visitor


def test_forgetting_takes_both_cookies(talk: Event) -> None:
    _, token = make_agenda(talk.conference)
    client = https_browser(new=token, old="anything")

    done = client.post(f"/{talk.conference.slug}/agenda/forget-me/")

    gone = [done.cookies[name] for name in (NEW, OLD)]
    assert [(it.value, it["max-age"], it["path"]) for it in gone] == [("", 0, "/")] * 2
    # Browsers refuse a cookie with the prefix without it, and so would keep the old one.
    assert gone[0]["secure"]
