from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from events.models import Change, Event, Track
from events.programme.queries.changes import change_lines, event_change_lines, public_changes
from tests.factories import THURSDAY, at, make_appearance, make_conference, make_day, make_event, make_person, make_room
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def lines_after(event: Event, **fields: Any) -> list[tuple[str, str, str]]:
    """What, old and new of every line that an edit brings."""
    for name, value in fields.items():
        setattr(event, name, value)
    return [(line.what, line.old, line.new) for line in change_lines(event.revise(), clock())]


EDITS: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "start": ({"start": at("09:30")}, ("Moved", "Thu 24 Apr, 09:00", "09:30")),
    "end": ({"end": at("11:00")}, ("New end", "Thu 24 Apr, 10:00", "11:00")),
    "title": ({"title": "New"}, ("New title", "Old", "New")),
    "board": ({"board": "#3"}, ("Board", "", "#3")),
    "state": ({"signup_state": "full"}, ("Places", "", "Full")),
    "sign-up": ({"signup_url": "https://example.org/"}, ("Sign-up page", "", "https://example.org/")),
    "official": ({"official": True}, ("Official", "", "yes")),
    "recording": ({"recording_from": dt.date(2025, 5, 28)}, ("Recording from", "", "Wed 28 May")),
    "cost": ({"cost": "10 SGD"}, ("Cost", "", "10 SGD")),
    "capacity": ({"capacity": 80}, ("Places in all", "", "80")),
    "place": ({"place": "Lobby"}, ("New room", "to be announced", "Lobby")),
    "off": ({"status": "cancelled"}, ("Cancelled", "", "")),
    "perhaps": ({"status": "tentative"}, ("Tentative", "", "")),
}


@pytest.mark.parametrize("what", EDITS)
def test_change_in_words(what: str) -> None:
    fields, line = EDITS[what]
    event = make_event(make_conference(), title="Old", start="09:00", end="10:00")

    assert lines_after(event, **fields) == [line]


EMPTIED: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "board": ({"board": "#3"}, ("Board", "#3", "none")),
    "state": ({"signup_state": "full"}, ("Places", "Full", "not known")),
    "until": ({"signup_until": at("08:00")}, ("Sign-up until", "Thu 24 Apr, 08:00", "none")),
    "official": ({"official": True}, ("Official", "yes", "no")),
    "recording": ({"recording_from": dt.date(2025, 5, 28)}, ("Recording from", "Wed 28 May", "none")),
    "cost": ({"cost": "10 SGD"}, ("Cost", "10 SGD", "none")),
    "place": ({"place": "Lobby"}, ("New room", "Lobby", "to be announced")),
}


@pytest.mark.parametrize("what", EMPTIED)
def test_value_that_is_taken_away_is_said_to_be_gone(what: str) -> None:
    fields, line = EMPTIED[what]
    event = make_event(make_conference(), title="Old", start="09:00", end="10:00", **fields)
    defaults = {name: Event._meta.get_field(name).get_default() for name in fields}

    assert lines_after(event, **defaults) == [line]


def test_change_of_what_refers_to_rows_in_words() -> None:
    conference = make_conference()
    event = make_event(conference)
    make_appearance(event, make_person(conference))

    assert lines_after(
        event,
        day=make_day(conference, THURSDAY + dt.timedelta(days=1)),
        room=make_room(conference, "Hall 2"),
        session=make_event(conference, title="Oral 1A"),
        track=Track.objects.create(conference=conference, name="Theory"),
    ) == [
        ("New day", "Thu 24 April", "Fri 25 April"),
        ("New room", "to be announced", "Hall 2"),
        ("People", "", "Ada Lovelace"),
        ("Part of", "", "Oral 1A"),
        ("Track", "", "Theory"),
    ]


@pytest.mark.parametrize(
    ("way", "words"),
    [
        pytest.param(["draft", "confirmed"], ["New"], id="published"),
        pytest.param(["cancelled", "confirmed"], ["Cancelled", "Takes place after all"], id="off-and-on"),
        pytest.param(["tentative", "confirmed"], ["Tentative", "Confirmed"], id="perhaps-then-sure"),
        pytest.param(["cancelled", "tentative"], ["Cancelled", "Takes place after all"], id="off-then-perhaps"),
    ],
)
def test_change_of_status_in_words(way: list[str], words: list[str]) -> None:
    event = make_event(make_conference())

    said = [line for status in way for line in lines_after(event, status=status)]

    # A new event says when it is.
    assert said == [(what, "", "Thu 24 April" if what == "New" else "") for what in words]


FRIDAY = THURSDAY + dt.timedelta(days=1)
MOVES: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "on-the-day": ({"start": at("13:45"), "end": at("14:30")}, ("Moved", "Thu 24 Apr, 13:00–13:45", "13:45–14:30")),
    "longer": ({"start": at("12:00")}, ("Moved", "Thu 24 Apr, 13:00", "12:00")),
    "to-another-day": (
        {"start": at("09:00", FRIDAY), "end": at("09:45", FRIDAY)},
        ("Moved", "Thu 24 Apr, 13:00–13:45", "Fri 25 Apr, 09:00–09:45"),
    ),
    "nowhere-yet": ({"start": None, "end": None}, ("Moved", "Thu 24 Apr, 13:00–13:45", "to be announced")),
}


@pytest.mark.parametrize("move", MOVES)
def test_move_of_start_and_end_is_one_line_on_every_page(move: str) -> None:
    fields, line = MOVES[move]
    conference = make_conference()
    event = make_event(conference, start="13:00", end="13:45")
    for name, value in fields.items():
        setattr(event, name, value)
    if "to-another" in move:
        event.day = make_day(conference, FRIDAY)

    event.revise(reason="The speaker’s train")

    public, own = change_lines(list(public_changes(conference)), clock()), event_change_lines(event, clock())
    assert [(it.what, it.old, it.new) for it in public if it.what != "New"] == [line]
    assert [(it.what, it.old, it.new) for it in own] == [line]


def test_later_change_of_the_end_alone_is_a_line_of_its_own() -> None:
    conference = make_conference()
    event = make_event(conference, start="13:00", end="13:45")
    event.start, event.end = at("13:45"), at("14:30")
    event.revise()
    event.end = at("14:45")
    event.revise()

    lines = [(it.what, it.old, it.new) for it in change_lines(list(public_changes(conference)), clock()) if it.what != "New"]

    assert lines == [("New end", "Thu 24 Apr, 14:30", "14:45"), ("Moved", "Thu 24 Apr, 13:00–13:45", "13:45–14:30")]


def test_times_are_in_the_active_zone() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    with timezone.override(ZoneInfo("America/New_York")):
        assert lines_after(event, start=at("09:30")) == [("Moved", "Wed 23 Apr, 21:00", "21:30")]


def test_line_says_of_what_and_why() -> None:
    event = make_event(make_conference(slug="demo"), kind="talk", title="Keynote")
    event.place = "Lobby"

    line = change_lines(event.revise(reason="The hall is full"), clock("09:30", pinned=True))[0]

    assert (line.title, line.type_name, line.line, line.reason) == ("Keynote", "Talk", "session", "The hall is full")
    assert line.url == f"{event.get_absolute_url()}?at=2025-04-24T09:30"
    assert line.at == event.revised_at


def test_public_changes_are_the_conferences_own_newest_first() -> None:
    event, other = make_event(make_conference(), title="A"), make_event(make_conference())
    lines_after(event, title="B")
    lines_after(other, title="B")
    lines_after(event, title="C")

    changes = public_changes(event.conference)

    assert [(it.old, it.new) for it in changes] == [("B", "C"), ("A", "B")]


def test_changes_of_a_withdrawn_event_are_hidden_with_it() -> None:
    event = make_event(make_conference(), title="A")
    lines_after(event, title="B")

    lines_after(event, status="draft")

    assert list(public_changes(event.conference)) == []
    assert Change.objects.count() == 1


def test_events_own_lines_leave_out_that_it_is_new() -> None:
    event = make_event(make_conference(), status="draft")
    lines_after(event, status="confirmed")
    lines_after(event, place="Lobby")

    assert [line.what for line in event_change_lines(event, clock())] == ["New room"]


def test_first_hour_of_an_event_is_no_move() -> None:
    event = make_event(make_conference())
    event.start, event.end = at("10:00"), at("11:00")

    event.revise()

    assert [line.what for line in event_change_lines(event, clock()) if line.what != "New end"] == ["Hour announced"]
