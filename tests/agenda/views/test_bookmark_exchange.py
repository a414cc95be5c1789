"""Taking another time of a work in the place of the one that was picked."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from events.models import Agenda, Bookmark, Event
from tests.factories import make_agenda, make_conference, make_event, make_paper
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


class Pair:
    """An oral, its poster, and the agenda of somebody who picked the oral and what stands in its way."""

    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        paper = make_paper(self.conference)
        times = {"start": "10:00", "end": "11:00"}
        self.oral = make_event(self.conference, kind="talk", title="Adam", paper=paper, **times)
        self.poster = make_event(self.conference, kind="poster", title="Adam, poster", paper=paper, start="14:00", end="16:00")
        self.other = make_event(self.conference, kind="talk", title="Eve", **times)
        self.agenda, self.token = make_agenda(self.conference, self.oral, self.other)
        self.url = url_of(self.poster, self.oral)

    @property
    def bookmarked_titles(self) -> list[str]:
        return sorted(event.title for event in self.agenda.events)


@pytest.fixture
def pair() -> Pair:
    return Pair()


def url_of(event: Event, of: Event) -> str:
    return reverse("events:bookmark-exchange", args=[event.conference.slug, event.guid, of.guid])


def revision(agenda: Agenda) -> int:
    return Agenda.objects.get(pk=agenda.pk).revision


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_exchange_picks_one_and_takes_the_other_back_in_one_change(pair: Pair, headers: dict[str, str]) -> None:
    before = revision(pair.agenda)

    response = browser(token=pair.token).post(pair.url, {"next": "/demo/agenda/"}, headers=headers)

    assert (response.status_code, response["Location"]) == (302, f"/demo/agenda/#e-{pair.poster.guid}")
    assert [str(it) for it in get_messages(response.wsgi_request)] == ["In your agenda: Adam, poster, in place of Adam."]
    assert pair.bookmarked_titles == ["Adam, poster", "Eve"]
    assert revision(pair.agenda) == before + 1


def test_exchange_sent_twice_does_the_same(pair: Pair) -> None:
    client = browser(token=pair.token)
    client.post(pair.url)
    after = revision(pair.agenda)

    client.post(pair.url)

    assert pair.bookmarked_titles == ["Adam, poster", "Eve"]
    assert revision(pair.agenda) == after
    assert Bookmark.objects.filter(agenda=pair.agenda).count() == 3


def test_exchange_keeps_how_much_it_was_wanted(pair: Pair) -> None:
    Bookmark.objects.filter(event=pair.oral).update(level="maybe")

    browser(token=pair.token).post(pair.url)

    assert Bookmark.objects.get(agenda=pair.agenda, event=pair.poster).level == "maybe"


def test_exchange_tells_what_is_in_the_way_now(pair: Pair) -> None:
    response = browser(token=pair.token).post(url_of(pair.oral, pair.poster))

    assert [str(it) for it in get_messages(response.wsgi_request)] == [
        "In your agenda: Adam, in place of Adam, poster. It clashes with Eve: 1 h overlap."
    ]


def test_two_of_one_title_are_told_apart_by_their_type(pair: Pair) -> None:
    Event.objects.filter(pk=pair.poster.pk).update(title=pair.oral.title)

    response = browser(token=pair.token).post(pair.url)

    assert [str(it) for it in get_messages(response.wsgi_request)] == ["In your agenda: Adam (Poster), in place of Talk."]


def test_first_visit_begins_an_agenda(pair: Pair) -> None:
    client = Client()

    client.post(pair.url)

    assert [event.title for event in Agenda.objects.exclude(pk=pair.agenda.pk).get().events] == ["Adam, poster"]
    assert pair.bookmarked_titles == ["Adam", "Eve"]


def test_looking_at_it_asks_and_changes_nothing(pair: Pair) -> None:
    response = browser(token=pair.token).get(pair.url, {"next": "/demo/schedule/"})

    assert (response.context["taken"].title, response.context["given_up"].title) == ("Adam, poster", "Adam")
    assert response.context["next"] == "/demo/schedule/"
    assert pair.bookmarked_titles == ["Adam", "Eve"]


def test_what_is_not_there_cannot_be_exchanged(pair: Pair) -> None:
    draft = make_event(pair.conference, status="draft")
    foreign = make_event(make_conference(), kind="talk")
    client, slug = browser(token=pair.token), pair.conference.slug
    wrong = [(pair.poster.guid, pair.poster.guid), (draft.guid, pair.oral.guid), (pair.poster.guid, draft.guid)]
    wrong += [(foreign.guid, pair.oral.guid), (pair.poster.guid, uuid.uuid4())]

    urls = [reverse("events:bookmark-exchange", args=[slug, *guids]) for guids in wrong]

    assert [(client.get(url).status_code, client.post(url).status_code) for url in urls] == [(404, 404)] * 5
    assert pair.bookmarked_titles == ["Adam", "Eve"]


def test_way_out_stands_where_the_conflict_is_told(pair: Pair) -> None:
    client = browser(token=pair.token)
    bookmark = reverse("events:bookmark-set", args=["demo", pair.other.guid])

    pages = [
        client.get(pair.other.get_absolute_url()).text,
        client.post(bookmark, {"on": "1"}, headers=HTMX).text,
        client.get("/demo/agenda/").text,
    ]

    # All of it is long over: nothing is proposed.
    assert [page.count("instead-of") for page in pages] == [0, 0, 0]
    at = "?at=2025-04-24T08:00"
    pages = [
        client.get(f"{pair.other.get_absolute_url()}{at}").text,
        client.post(f"{bookmark}{at}", {"on": "1"}, headers=HTMX).text,
        client.get(f"/demo/agenda/{at}").text,
    ]
    assert [page.count(f'formaction="{pair.url}"') for page in pages] == [1, 1, 1]
