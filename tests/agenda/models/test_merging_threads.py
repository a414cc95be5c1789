"""Merges in the middle of everything else, each in a thread and a connection of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from events.agenda.devices import redeem_handover
from events.agenda.merging import merge_visitors
from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Event, Handover, ReadLink
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.threads import at_once
from tests.visitors import HTMX

pytestmark = pytest.mark.django_db(transaction=True)

CLIENTS = 64


def poster(event: Event, token: str, states: str) -> Callable[[], object]:
    """Sends these states one after the other, each when the one before was acknowledged."""
    url = reverse("events:bookmark-set", args=[event.conference.slug, event.guid])

    def post_all() -> set[int]:
        client = Client()
        client.cookies[VISITOR_COOKIE] = token
        return {client.post(url, {"on": state}).status_code for state in states}

    return post_all


def merger(old: str, new: str) -> Callable[[], object]:
    visitors = visitor_of(old), visitor_of(new)
    return lambda: merge_visitors(*visitors)


class Browser:
    """Sends one bookmark with this token by htmx, which is answered 200 with the bookmark and 204 without."""

    def __init__(self, token: str) -> None:
        self.client = Client()
        self.client.cookies[VISITOR_COOKIE] = token
        self.is_acknowledged = False
        self.cookies_set: list[str] = []

    def bookmarker(self, event: Event) -> Callable[[], object]:
        url = reverse("events:bookmark-set", args=[event.conference.slug, event.guid])

        def post() -> None:
            response = self.client.post(url, {"on": "1"}, headers=HTMX)
            self.is_acknowledged = response.status_code == 200
            self.cookies_set = list(response.cookies)

        return post


def taker(code: str, token: str) -> Callable[[], object]:
    """Uses the code in the browser with this token, which merges its visitor away."""
    return lambda: redeem_handover(code, token)


def test_merges_among_64_clients_lose_nothing_that_was_acknowledged() -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference, announce=False) for _ in range(CLIENTS + 4)]
    agenda, token = make_agenda(conference)
    others = [make_agenda(conference, event)[1] for event in events[CLIENTS:]]
    states = ["10" if number % 2 else "101" for number in range(CLIENTS)]
    posts = [poster(event, token, sent) for event, sent in zip(events, states, strict=False)]

    codes = at_once(*posts, *(merger(old, token) for old in others))

    assert codes[:CLIENTS] == [{302}] * CLIENTS
    picked = set(agenda.bookmarked_ids())
    assert picked == {it.pk for it in events[0:CLIENTS:2]} | {it.pk for it in events[CLIENTS:]}
    assert [Agenda.objects.count(), Bookmark.objects.count()] == [1, CLIENTS + 4]


def test_bookmarks_with_a_secret_that_is_merged_away_meanwhile_are_no_error() -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference, announce=False) for _ in range(16)]
    _, new = make_agenda(conference)
    _, old = make_agenda(conference, events[0])

    codes = at_once(*(poster(event, old, "1") for event in events), merger(old, new))

    assert codes[:16] == [{302}] * 16
    survivor = Agenda.objects.get(visitor=visitor_of(new))
    assert events[0].pk in set(survivor.bookmarked_ids())


def test_two_who_merge_with_each_other_do_not_wait_for_ever() -> None:
    conference = make_conference()
    tokens = [make_agenda(conference, make_event(conference))[1] for _ in range(2)]
    codes = [Handover.begin(visitor_of(token)) for token in tokens]

    taken = at_once(lambda: redeem_handover(codes[0], tokens[1]), lambda: redeem_handover(codes[1], tokens[0]))

    # One went first, and what it merged away opens nothing any more.
    assert sorted(bool(it) for it in taken) == [False, True]
    assert [agenda.count for agenda in Agenda.objects.all()] == [2]


def test_code_taken_by_many_at_once_is_taken_by_one() -> None:
    _, token = make_agenda(make_conference())
    code = Handover.begin(visitor_of(token))

    taken = at_once(*[lambda: redeem_handover(code, "")] * 8)

    assert [visitor_of(str(it)) for it in taken if it] == [visitor_of(token)]


def test_links_made_at_once_have_serials_of_their_own() -> None:
    agenda, _ = make_agenda(make_conference())

    at_once(*[lambda: ReadLink.begin(agenda)] * 8)

    assert list(ReadLink.objects.values_list("serial", flat=True)) == list(range(1, 9))


@pytest.mark.slow
@pytest.mark.both_databases
def test_bookmarks_during_a_merge_begin_no_agenda_and_send_no_dead_token() -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference, announce=False) for _ in range(30)]
    stray, lost, dead = 0, 0, 0

    for _ in range(12):
        _, there = make_agenda(conference)
        _, here = make_agenda(conference)
        code = Handover.begin(visitor_of(there))
        browsers = [Browser(here) for _ in events]
        at_once(*(it.bookmarker(event) for it, event in zip(browsers, events, strict=True)), taker(code, here))
        survivor = Agenda.objects.get(visitor=visitor_of(there))
        acknowledged = {event.pk for it, event in zip(browsers, events, strict=True) if it.is_acknowledged}
        stray += Agenda.objects.exclude(pk=survivor.pk).count()
        lost += len(acknowledged - set(survivor.bookmarked_ids()))
        dead += sum(VISITOR_COOKIE in it.cookies_set for it in browsers)
        Agenda.objects.all().delete()

    assert [stray, lost, dead] == [0, 0, 0]
