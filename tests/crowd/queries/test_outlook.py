"""The outlook before an event begins."""

from __future__ import annotations

from typing import Any

import pytest

from events.crowd.queries.outlook import Demand, demand_by_event, outlooks
from events.crowd.rules import Outlook
from events.models import Event
from events.pages.cards import add_outlooks
from tests.factories import make_agenda, make_conference, make_event, make_known_agenda, make_room
from tests.pages.queries.reading import card_of, clock, flags

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def bookmarked(event: Event, must: int = 0, maybe: int = 0, later: int = 0) -> Event:
    for level, number in {"must": must, "maybe": maybe, "later": later}.items():
        for _ in range(number):
            make_known_agenda(event.conference)[0].bookmark(event, on=True, level=level)
    return event


def talk(seats: int | None = 4, **fields: Any) -> Event:
    conference = fields.pop("conference", None) or make_conference()
    room = make_room(conference, f"Room {Event.objects.count()}", capacity=seats)
    return make_event(conference, **{"kind": "session", "start": "10:00", "end": "11:00", "room": room} | fields)


def test_who_means_to_come_is_counted_by_how_surely() -> None:
    event = bookmarked(talk(), must=2, maybe=3, later=4)
    gone = make_agenda(event.conference, event)[0]
    gone.bookmark(event, on=False)

    assert demand_by_event([event.pk]) == {event.pk: Demand(2, 3)}
    assert Demand(2, 3).expected == 4


def test_session_is_as_full_as_its_fullest_talk_in_its_room() -> None:
    session = bookmarked(talk(), must=1)
    inside = {"conference": session.conference, "session": session}
    bookmarked(talk(kind="talk", **inside, room=session.room), must=2)
    fullest = bookmarked(talk(kind="talk", **inside, room=session.room), must=3)
    bookmarked(talk(kind="talk", **inside), must=4)
    bookmarked(talk(kind="poster", **inside, room=session.room), must=5)
    bookmarked(talk(kind="talk", **inside, room=session.room, status="draft"), must=6)

    assert demand_by_event([session.pk]) == {session.pk: Demand(3, 0)}
    assert demand_by_event([fullest.pk]) == {fullest.pk: Demand(3, 0)}


def test_no_events_have_no_demand_and_no_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert demand_by_event([]) == {}


@pytest.mark.parametrize(
    ("seats", "fields", "likely"),
    [
        pytest.param(4, {}, Outlook.FULLER, id="fuller"),
        pytest.param(None, {}, None, id="seats-unknown"),
        pytest.param(4, {"capacity": 40}, Outlook.QUIET, id="its-own-places"),
        pytest.param(4, {"status": "cancelled"}, None, id="cancelled"),
        pytest.param(4, {"start": "08:00", "end": "09:00"}, None, id="over"),
        pytest.param(4, {"start": "08:00", "end": "09:01"}, Outlook.FULLER, id="still-on"),
        pytest.param(4, {"kind": "poster"}, None, id="a-poster"),
        pytest.param(4, {"kind": "break"}, None, id="coffee"),
        pytest.param(4, {"kind": "service"}, None, id="a-desk"),
        pytest.param(40, {"kind": "invited-talk"}, None, id="few-pick-what-is-for-all"),
        pytest.param(4, {"status": "draft"}, None, id="draft"),
    ],
)
def test_outlook_of_an_event_that_five_picked(seats: int | None, fields: dict[str, Any], likely: Outlook | None) -> None:
    event = bookmarked(talk(seats, **fields), must=5)

    assert outlooks([event], clock("09:00")) == ({event.pk: likely} if likely else {})


def test_four_people_have_no_outlook() -> None:
    assert outlooks([bookmarked(talk(1), must=4)], clock("09:00")) == {}


def test_cards_of_today_say_it_without_numbers(django_assert_num_queries: Any) -> None:
    conference = make_conference()
    events = [bookmarked(talk(seats, conference=conference), must=5) for seats in (4, 5, 100)]
    cards = [card_of(event, clock("09:00")) for event in events]
    places = card_of(bookmarked(talk(None, conference=conference, capacity=4, room=None), must=5), clock("09:00"))

    with django_assert_num_queries(1):
        add_outlooks([*cards, places], clock("09:00"))

    assert [flags(card) for card in [*cards, places]] == [
        [("likely-fuller", "Likely fuller than the room")],
        [("likely-busy", "Likely busy")],
        [("likely-quiet", "Likely quiet")],
        [("likely-fuller", "Likely more people than places")],
    ]


def test_cards_of_another_day_say_nothing() -> None:
    card = card_of(bookmarked(talk(), must=5), clock("09:00"))

    add_outlooks([card], clock("09:00", card.day.replace(day=23) if card.day else clock().today))

    assert flags(card) == []
