"""Requests with a token that a merge, a sign-out or a deletion ended while they were on their way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from events.agenda.devices import forget_visitor, redeem_handover, sign_out, sign_out_elsewhere
from events.agenda.models.visitors import ENDED_TOKEN_TTL
from events.agenda.visitor import VISITOR_COOKIE
from events.models import AccessToken, Agenda, Event, Handover, Visitor
from tests.agenda.bookmarking import make_talk, post, url_of
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def merge(token: str) -> None:
    _, there = make_agenda(Agenda.objects.get().conference)
    redeem_handover(Handover.begin(visitor_of(there)), token)


ENDS: dict[str, Callable[[str], Any]] = {
    "merge": merge,
    "sign-out": sign_out,
    "sign-out-elsewhere": sign_out_elsewhere,
    "deletion": forget_visitor,
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_bookmark_with_a_token_that_just_ended_begins_nothing(
    talk: Event, end: Callable[[str], Any], headers: dict[str, str]
) -> None:
    _, token = make_agenda(talk.conference, make_event(talk.conference))
    end(token)
    before = [Visitor.objects.count(), Agenda.objects.count()]

    client = browser(token=token)
    response = client.post(url_of(talk), {"on": "1"}, headers=headers)

    assert [Visitor.objects.count(), Agenda.objects.count()] == before
    assert not talk.bookmarks.exists()
    # No cookie: it would replace the new token, which may have arrived before.
    assert VISITOR_COOKIE not in response.cookies
    assert "Nothing was changed" in client.get("/demo/").text


def test_bookmark_after_the_end_was_forgotten_begins_an_agenda_with_a_new_token(talk: Event) -> None:
    _, token = make_agenda(talk.conference)
    forget_visitor(token)

    with time_machine.travel(timezone.now() + ENDED_TOKEN_TTL):
        response = post(browser(token=token), talk)

    issued = response.cookies[VISITOR_COOKIE].value
    assert issued != token
    assert Agenda.objects.for_token(issued, talk.conference) == Agenda.objects.get()


def test_agenda_that_a_merge_moved_takes_the_bookmark_and_the_dead_token_is_not_sent(
    talk: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    agenda, token = make_agenda(talk.conference)
    _, there = make_agenda(make_conference())
    monkeypatch.setattr("events.pages.views.event.get_or_begin_agenda", lambda request, conference: (agenda, token))
    redeem_handover(Handover.begin(visitor_of(there)), token)

    response = post(browser(token=token), talk)

    moved = Agenda.objects.for_token(there, talk.conference)
    assert moved is not None
    assert list(moved.bookmarked_ids()) == [talk.pk]
    assert VISITOR_COOKIE not in response.cookies


def test_cookie_of_a_token_that_ended_is_not_renewed(talk: Event) -> None:
    _, token = make_agenda(talk.conference)
    agenda = Agenda.objects.for_token(token, talk.conference)
    assert agenda is not None
    _, there = make_agenda(make_conference())
    redeem_handover(Handover.begin(visitor_of(there)), token)

    with time_machine.travel(timezone.now() + dt.timedelta(days=40)), pytest.MonkeyPatch.context() as patch:
        patch.setattr("events.agenda.models.agenda.AgendaManager.for_token", lambda *known: agenda)
        response = post(browser(token=token), talk)

    assert VISITOR_COOKIE not in response.cookies


def test_ended_tokens_are_deleted_by_the_next_end(talk: Event) -> None:
    _, first = make_agenda(talk.conference)
    _, second = make_agenda(talk.conference)
    forget_visitor(first)

    with time_machine.travel(timezone.now() + dt.timedelta(minutes=6)):
        forget_visitor(second)

    assert [it.visitor_id for it in AccessToken.objects.all()] == [None]
    assert AccessToken.objects.remembers(first) is False
