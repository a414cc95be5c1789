from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from events.core.clock import Clock
from events.models import Event, Service
from events.programme.display import PersonTag, RoomSign
from tests.factories import (
    SINGAPORE,
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_zone,
)
from tests.pages.queries.reading import card_of, clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

WEDNESDAY = THURSDAY - dt.timedelta(days=1)


@pytest.mark.parametrize(
    ("now", "state", "starts_in"),
    [
        pytest.param(clock("06:59"), "later", None, id="more-than-three-hours-before"),
        pytest.param(clock("07:00"), "soon", 180, id="three-hours-before"),
        pytest.param(clock("09:59"), "soon", 1, id="a-minute-before"),
        pytest.param(clock("10:00"), "now", None, id="as-it-starts"),
        pytest.param(clock("10:59"), "now", None, id="a-minute-before-the-end"),
        pytest.param(clock("11:00"), "past", None, id="as-it-ends"),
    ],
)
def test_card_stands_against_the_clock(now: Clock, state: str, starts_in: int | None) -> None:
    event = make_event(make_conference(), start="10:00", end="11:00")

    card = card_of(event, now)

    assert (card.state, card.starts_in) == (state, starts_in)


@pytest.mark.parametrize(
    ("now", "state"),
    [
        pytest.param(clock("23:00"), "", id="on-its-day"),
        pytest.param(clock("03:00", THURSDAY + dt.timedelta(days=1)), "", id="in-its-night"),
        pytest.param(clock("04:00", THURSDAY + dt.timedelta(days=1)), "past", id="on-the-next-day"),
    ],
)
def test_card_without_a_time_is_over_after_its_day(now: Clock, state: str) -> None:
    assert card_of(make_event(make_conference()), now).state == state


def test_card_without_a_day_is_never_over() -> None:
    event = make_event(make_conference())
    Event.objects.filter(pk=event.pk).update(day=None)

    card = card_of(event, clock("09:00", dt.date(2030, 1, 1)))

    assert (card.state, card.day, card.start) == ("", None, None)


def test_card_shows_its_event() -> None:
    conference = make_conference(slug="demo")
    event = make_event(conference, title="Adam", start="10:00", end="10:15", kind="talk", board="#7", place="Lobby")

    card = card_of(event)

    assert (card.title, card.minutes, card.board, card.place, card.day) == ("Adam", 15, "#7", "Lobby", THURSDAY)
    assert (card.type_name, card.type_slug, card.kind, card.line) == ("Talk", "talk", "talk", "session")
    assert card.url == event.get_absolute_url()
    assert card.bookmark_url == f"/demo/events/{event.guid}/bookmark/"
    assert card.ics_url == f"/demo/events/{event.guid}.ics"
    assert (card.element_id, card.plate, card.session, card.bookmarked) == (f"e-{event.guid}", None, None, False)


def test_card_carries_a_pinned_moment_to_its_page() -> None:
    event = make_event(make_conference(slug="demo"))

    card = card_of(event, clock("09:30", pinned=True))

    assert card.url == f"{event.get_absolute_url()}?at=2025-04-24T09:30"


def test_card_shows_its_room_as_a_plate() -> None:
    conference = make_conference(slug="demo")
    room = make_room(conference, "Garnet 212", make_zone(conference, "Hall G", letter="G"), floor="2")

    assert card_of(make_event(conference, room=room)).plate == RoomSign(
        "Garnet 212", "G", "2", f"/demo/venue/#room-{room.pk}", room.pk
    )


def test_card_names_its_session() -> None:
    conference = make_conference(slug="demo")
    session = make_event(conference, title="Oral 1A")
    talk = make_event(conference, kind="talk", session=session)

    assert card_of(talk).session == ("Oral 1A", session.get_absolute_url(), "")
    assert card_of(session).talks_count == 1


def test_card_counts_public_talks_only() -> None:
    conference = make_conference()
    session = make_event(conference)
    for status in ["confirmed", "tentative", "cancelled", "draft"]:
        make_event(conference, kind="talk", session=session, status=status)

    assert card_of(session).talks_count == 3


def test_card_shows_five_people_and_counts_the_rest() -> None:
    conference = make_conference()
    event = make_event(conference)
    for number in range(7):
        make_appearance(event, make_person(conference, f"Person {number}"), position=number)

    card = card_of(event)

    assert [person.name for person in card.people] == [f"Person {number}" for number in range(5)]
    assert card.people_more == 2


def test_card_shows_who_joins_remotely() -> None:
    conference = make_conference(slug="demo")
    event = make_event(conference)
    durk = make_person(conference, "Durk Kingma", affiliation="Anthropic")
    ba = make_person(conference, "Jimmy Ba")
    make_appearance(event, durk)
    make_appearance(event, ba, role="host", remote=True, position=1)

    assert card_of(event).people == [
        PersonTag("Durk Kingma", f"/demo/people/{durk.guid}/", "speaker", affiliation="Anthropic"),
        PersonTag("Jimmy Ba", f"/demo/people/{ba.guid}/", "host", remote=True),
    ]


def test_card_shows_a_papers_authors_where_nobody_else_is_named() -> None:
    conference = make_conference()
    author, speaker = make_person(conference, "Author"), make_person(conference, "Speaker")
    paper = make_paper(conference, author, tldr="One sentence.")
    poster, talk = make_event(conference, kind="poster", paper=paper), make_event(conference, kind="talk", paper=paper)
    make_appearance(talk, speaker)

    shown = [[(person.name, person.role) for person in card_of(it).people] for it in (poster, talk)]

    assert shown == [[("Author", "author")], [("Speaker", "speaker")]]
    assert card_of(poster).tldr == "One sentence."


def test_card_tells_nothing_of_a_hidden_paper() -> None:
    conference = make_conference()
    paper = make_paper(conference, make_person(conference), tldr="Secret", is_public=False)

    card = card_of(make_event(conference, kind="poster", paper=paper))

    assert (card.people, card.tldr) == ([], "")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param({}, "", id="no-sign-up"),
        pytest.param({"signup_url": "https://example.org/"}, "Sign-up needed", id="address-only"),
        pytest.param({"signup_state": "full"}, "No recent report of places", id="nobody-looked"),
        pytest.param(
            {"signup_state": "filling", "signup_checked_at": at("07:05")},
            "Filling up, checked Thu 24 Apr, 07:05",
            id="state-and-time",
        ),
    ],
)
def test_card_says_how_full_it_was_and_when_somebody_looked(fields: dict[str, Any], text: str) -> None:
    assert card_of(make_event(make_conference(), kind="social", **fields)).signup_text == text


@pytest.mark.parametrize(
    ("official", "at_venue", "asterisk"),
    [(True, True, True), (True, False, False), (True, None, False), (False, True, False)],
)
def test_card_has_an_asterisk_for_official_and_at_the_venue(official: bool, at_venue: bool | None, asterisk: bool) -> None:
    event = make_event(make_conference(), kind="social", official=official, at_venue=at_venue)

    assert card_of(event).asterisk is asterisk


@pytest.mark.parametrize(
    ("zone", "next_day"),
    [
        pytest.param("Asia/Singapore", False, id="at-the-venue"),
        pytest.param("Europe/Vienna", False, id="the-same-day-there"),
        pytest.param("America/New_York", False, id="the-evening-before"),
        pytest.param("Pacific/Auckland", True, id="over-midnight-there"),
    ],
)
def test_card_marks_an_end_on_the_next_day_of_the_zone_that_is_on(zone: str, next_day: bool) -> None:
    event = make_event(make_conference(), start="19:00", end="22:00")

    with timezone.override(ZoneInfo(zone)):
        assert card_of(event, clock(own=zone)).ends_next_day is next_day


def test_card_past_midnight_belongs_to_the_evening_before() -> None:
    event = make_event(make_conference(), start=at("22:00"), end=at("01:00", THURSDAY + dt.timedelta(days=1)))

    card = card_of(event, clock("00:30", THURSDAY + dt.timedelta(days=1)))

    assert (card.day, card.ends_next_day, card.state) == (THURSDAY, True, "now")
    assert card.start is not None
    assert card.start.astimezone(SINGAPORE).date() == THURSDAY


def test_opening_hours_are_where_their_service_is() -> None:
    conference = make_conference()
    desk = Service.objects.create(conference=conference, name="Desk", place="Hall 1 lobby")

    cards = [card_of(make_event(conference, kind="service", service=desk, **it)) for it in ({}, {"place": "Hall 6"})]

    assert [card.place for card in cards] == ["Hall 1 lobby", "Hall 6"]
