"""The pressure on rooms that organisers see."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.crowd.queries.pressure import PressureDay, day_to_show, pressure_days, pressure_of
from events.models import Event, Room
from tests.factories import THURSDAY, make_agenda, make_conference, make_day, make_event, make_report, make_room, make_walk
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


class Programme:
    def __init__(self) -> None:
        self.conference = make_conference()
        self.small = make_room(self.conference, "Small", capacity=5)
        self.big = make_room(self.conference, "Big", capacity=50)

    def event(self, title: str, room: Room, bookmarks: int, start: str = "10:00", end: str = "11:00", **fields: Any) -> Event:
        event = make_event(self.conference, title=title, start=start, end=end, room=room, **fields)
        for _ in range(bookmarks):
            make_agenda(self.conference, event)
        return event

    def pressure(self, time: str = "09:00") -> PressureDay:
        return pressure_of(pressure_days(self.conference)[0], clock(time))


@pytest.fixture
def programme() -> Programme:
    return Programme()


def rows(found: PressureDay) -> list[tuple[str, str, int]]:
    return [(row.event.title, row.wanted.organiser_text, row.over) for row in found.rows]


def test_rows_are_by_time_and_room_with_what_is_over(programme: Programme) -> None:
    programme.event("Late", programme.small, 5, "12:00", "13:00")
    programme.event("Over", programme.small, 8)
    programme.event("Fine", programme.big, 6)

    found = programme.pressure()

    assert rows(found) == [("Fine", "6", 0), ("Over", "8", 3), ("Late", "5", 0)]
    assert found.over == 1


@pytest.mark.parametrize(("bookmarks", "shown", "over"), [(0, "0", 0), (1, "<5", 0), (4, "<5", 0), (5, "5", 4)])
def test_fewer_than_five_people_show_no_number(programme: Programme, bookmarks: int, shown: str, over: int) -> None:
    Room.objects.filter(pk=programme.small.pk).update(capacity=1)
    programme.event("Few", programme.small, bookmarks)

    assert rows(programme.pressure()) == [("Few", shown, over)]


def test_swap_and_free_rooms_are_proposed(programme: Programme) -> None:
    middle = make_room(programme.conference, "Middle", capacity=7)
    make_room(programme.conference, "Unknown")
    make_walk(programme.conference, programme.small.zone, middle.zone, 4)
    over, fine = programme.event("Over", programme.small, 8), programme.event("Fine", programme.big, 5)

    found = programme.pressure()

    assert [(it.a, it.b, it.gain) for it in found.swaps] in ([(fine, over, 3)], [(over, fine, 3)])
    by_title = {row.event.title: [(it.name, it.seats, it.walk_minutes) for it in row.freer] for row in found.rows}
    assert by_title == {"Over": [("Middle", 7, 4)], "Fine": []}


def test_keynote_and_what_has_begun_stay_where_they_are(programme: Programme) -> None:
    programme.event("Over", programme.small, 8)
    programme.event("Keynote", programme.big, 0, kind="invited-talk")
    programme.event("Late", programme.small, 8, "12:00", "13:00")
    programme.event("Talk", programme.big, 0, "12:00", "13:00")
    make_room(programme.conference, "Middle", capacity=7)

    found = [programme.pressure(time) for time in ("09:00", "12:00", "13:00")]

    assert [[{it.a.title, it.b.title} for it in day.swaps] for day in found] == [[{"Late", "Talk"}], [], []]
    assert [[row.event.title for row in day.rows if row.freer] for day in found] == [["Over", "Late"], ["Late"], []]


def test_what_shares_or_is_inside_takes_no_room(programme: Programme) -> None:
    session = programme.event("Session", programme.small, 0)
    programme.event("Talk", programme.small, 8, kind="talk", session=session)
    programme.event("Elsewhere", programme.big, 0, kind="talk", session=session)
    programme.event("Poster", programme.big, 9, kind="poster")
    programme.event("Coffee", programme.big, 9, kind="break")
    programme.event("Cancelled", programme.big, 9, status="cancelled")

    assert rows(programme.pressure()) == [("Elsewhere", "0", 0), ("Session", "8", 3)]


def test_room_of_unknown_size_is_named_and_never_too_small(programme: Programme) -> None:
    programme.event("Somewhere", make_room(programme.conference, "Yard"), 9)

    found = programme.pressure()

    assert [(row.seats, row.over, row.freer) for row in found.rows] == [(None, 0, [])]


def test_row_has_the_live_state(programme: Programme) -> None:
    event = programme.event("Now", programme.small, 0)
    make_report(event, "full", "10:10")

    assert [(row.crowd.state, row.is_on) for row in programme.pressure("10:12").rows] == [("full", True)]
    assert [(row.crowd.state, row.is_on) for row in programme.pressure("11:12").rows] == [("", False)]


@pytest.mark.parametrize("size", [1, 3])
def test_day_takes_as_many_queries_for_three_as_for_one(programme: Programme, size: int, django_assert_num_queries: Any) -> None:
    for number in range(size):
        programme.event(f"Event {number}", make_room(programme.conference, f"Room {number}", capacity=5), 6)
    day = pressure_days(programme.conference)[0]

    with django_assert_num_queries(5):
        found = pressure_of(day, clock("10:12"))

    assert len(found.rows) == size


WEDNESDAY, FRIDAY = THURSDAY - dt.timedelta(days=1), THURSDAY + dt.timedelta(days=1)


@pytest.mark.parametrize(
    ("asked", "today", "shown"),
    [
        pytest.param("2025-04-25", THURSDAY, FRIDAY, id="asked-for"),
        pytest.param("", FRIDAY, FRIDAY, id="today"),
        pytest.param("nonsense", WEDNESDAY, THURSDAY, id="the-next"),
        pytest.param("2025-04-23", FRIDAY + dt.timedelta(days=9), THURSDAY, id="all-over"),
    ],
)
def test_day_that_is_shown(asked: str, today: dt.date, shown: dt.date) -> None:
    conference = make_conference()
    days = [make_day(conference, date) for date in (THURSDAY, FRIDAY)]

    found = day_to_show(days, asked, today)

    assert found
    assert found.date == shown
    assert day_to_show([], asked, today) is None
