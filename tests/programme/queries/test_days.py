from __future__ import annotations

import datetime as dt

import pytest

from events.core.clock import Clock
from events.models import Conference
from events.programme.queries.days import DayLink, adjacent_days, day_links, day_to_open
from tests.factories import THURSDAY, make_conference, make_day, make_event
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

TUESDAY, FRIDAY, SATURDAY = (THURSDAY + dt.timedelta(days=days) for days in (-2, 1, 2))


@pytest.fixture
def conference() -> Conference:
    """Tuesday has a social, Thursday nothing yet, Friday two events."""
    conference = make_conference(slug="demo")
    make_day(conference)
    make_event(conference, kind="social", day=make_day(conference, TUESDAY))
    for _ in range(2):
        make_event(conference, day=make_day(conference, FRIDAY, title="Workshops"))
    return conference


def opened(conference: Conference, now: Clock) -> dt.date | None:
    door = day_to_open(day_links(conference, now), now)
    return door.date if door else None


def test_day_links_are_all_days_in_order_with_their_public_events(conference: Conference) -> None:
    session = make_event(conference, day=make_day(conference, FRIDAY), status="draft")
    make_event(conference, day=make_day(conference, FRIDAY), session=session)

    doors = day_links(conference, clock("09:30", FRIDAY, pinned=True))

    assert [(it.date, it.title, it.count, it.is_today) for it in doors] == [
        (TUESDAY, "", 1, False),
        (THURSDAY, "", 0, False),
        (FRIDAY, "Workshops", 2, True),
    ]
    assert doors[0].url == "/demo/schedule/2025-04-22/?at=2025-04-25T09:30"


@pytest.mark.parametrize(
    ("now", "date"),
    [
        pytest.param(clock("09:00", dt.date(2025, 1, 1)), TUESDAY, id="before"),
        pytest.param(clock("09:00"), THURSDAY, id="today-even-if-empty"),
        pytest.param(clock("02:00", SATURDAY), FRIDAY, id="in-the-night-after"),
        pytest.param(clock("09:00", SATURDAY), TUESDAY, id="after"),
    ],
)
def test_day_to_open(conference: Conference, now: Clock, date: dt.date) -> None:
    assert opened(conference, now) == date


def test_day_to_open_of_a_conference_without_events_is_its_first() -> None:
    conference = make_conference()
    for date in (FRIDAY, THURSDAY):
        make_day(conference, date)

    assert opened(conference, clock("09:00", SATURDAY)) == THURSDAY


def test_no_day_to_open() -> None:
    assert opened(make_conference(), clock()) is None


def test_neighbours(conference: Conference) -> None:
    doors = day_links(conference, clock())

    def dates(pair: tuple[DayLink | None, DayLink | None]) -> list[dt.date | None]:
        return [door and door.date for door in pair]

    assert [dates(adjacent_days(doors, door.date)) for door in doors] == [[None, THURSDAY], [TUESDAY, FRIDAY], [THURSDAY, None]]
