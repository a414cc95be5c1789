"""Which announcements a page shows, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from events.announcements.queries import ShownAnnouncement, banner, current_announcements, full_announcement_list
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.models import Announcement, Conference
from tests.factories import SINGAPORE, at, make_conference

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]
CLOCK = Clock(at("09:30"), SINGAPORE)


@pytest.fixture(autouse=True)
def _morning() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def announce(conference: Conference, title: str, begins: str = "08:00", ends: str = "", **known: Any) -> Announcement:
    until = at(ends) if ends else None
    return Announcement.objects.create(conference=conference, title=title, starts_at=at(begins), until=until, **known)


def for_each(conference: Conference) -> None:
    announce(conference, "All")
    announce(conference, "There", audience="in-person")
    announce(conference, "Afar", audience="virtual")


@pytest.mark.parametrize(
    ("attendance", "expected"),
    [("", {"All", "There", "Afar"}), ("in-person", {"All", "There"}), ("virtual", {"All", "Afar"})],
    ids=["who has not said", "who is there", "who is not"],
)
def test_everybody_sees_what_concerns_them(conference: Conference, attendance: str, expected: set[str]) -> None:
    for_each(conference)

    board = banner(conference, CLOCK, attendance)

    assert {it.announcement.title for it in board.notices} == expected
    assert (board.asks, board.attendance) == (True, attendance)


def test_each_is_marked_for_whom_it_is(conference: Conference) -> None:
    for_each(conference)

    assert {it.announcement.title: it.audience for it in banner(conference, CLOCK, "").notices} == {
        "All": "",
        "There": "For people on site",
        "Afar": "For people online",
    }


def test_nobody_is_asked_while_everything_is_for_everybody(conference: Conference) -> None:
    announce(conference, "All")

    assert not banner(conference, CLOCK, "virtual").asks
    assert not full_announcement_list(conference, CLOCK, "").asks
    assert full_announcement_list(conference, CLOCK, "virtual").asks


def test_urgent_first_then_the_latest(conference: Conference) -> None:
    announce(conference, "Old and urgent", "07:00", urgent=True)
    announce(conference, "Old", "07:30")
    announce(conference, "New", "09:00")

    assert [it.title for it in current_announcements(conference, CLOCK)] == ["Old and urgent", "New", "Old"]


@pytest.mark.parametrize(
    ("now", "expected"),
    [("08:59:59", []), ("09:00", ["Lunch"]), ("09:29:59", ["Lunch"]), ("09:30", [])],
    ids=["a second before", "from the minute", "a second before its end", "no longer at its end"],
)
def test_announcement_lasts_to_the_minute(conference: Conference, now: str, expected: list[str]) -> None:
    announce(conference, "Lunch", "09:00", "09:30")

    assert [it.title for it in current_announcements(conference, Clock(at(now), SINGAPORE, pinned=True))] == expected


def test_looking_back_shows_what_was_announced_then(conference: Conference) -> None:
    announce(conference, "Over", "08:00", "09:00")

    assert [it.title for it in current_announcements(conference, Clock(at("08:30"), SINGAPORE, pinned=True))] == ["Over"]


def test_looking_ahead_tells_nothing_early(conference: Conference) -> None:
    announce(conference, "Winner", "11:00")
    ahead = Clock(at("12:00"), SINGAPORE, pinned=True)

    assert (current_announcements(conference, ahead), full_announcement_list(conference, ahead, "").notices) == ([], [])


def test_whole_board_has_what_is_over_too(conference: Conference) -> None:
    announce(conference, "Over", "08:00", "09:00")
    announce(conference, "On", "07:00")

    assert [(it.announcement.title, it.is_over) for it in full_announcement_list(conference, CLOCK, "").notices] == [
        ("Over", True),
        ("On", False),
    ]


def test_rows_are_read_once_for_each_revision(conference: Conference, django_assert_num_queries: Any) -> None:
    PROCESS_CACHE.max_bytes = 2**20
    row = announce(conference, "Lunch")
    banner(conference, CLOCK, "")

    with django_assert_num_queries(0):
        assert len(banner(conference, CLOCK, "virtual").notices) == 1
    row.title = "Dinner"
    row.revise()
    conference.refresh_from_db()
    assert [it.announcement.title for it in banner(conference, CLOCK, "").notices] == ["Dinner"]


def test_times_are_dates_where_whole_days_are_meant(conference: Conference) -> None:
    days = Announcement(conference=conference, starts_at=at("00:00"), until=at("00:00").replace(day=26))
    hours = Announcement(conference=conference, starts_at=at("08:30"), until=at("18:00"))

    with timezone.override(SINGAPORE):
        assert [(it.since, it.until) for it in (ShownAnnouncement(days), ShownAnnouncement(hours))] == [
            ("Thu 24 Apr", "Fri 25 Apr"),
            ("Thu 24 Apr, 08:30", "18:00"),
        ]


@pytest.mark.parametrize(
    ("ends", "expected"),
    [("18:00", "18:00"), ("25 00:00", "midnight"), ("25 01:30", "Fri 25 Apr, 01:30"), ("26 00:00", "Fri 25 Apr")],
    ids=["the same day", "with its day", "in the night", "with another day"],
)
def test_day_that_was_named_is_not_named_again(conference: Conference, ends: str, expected: str) -> None:
    day, _, clock = ends.rpartition(" ")
    row = Announcement(conference=conference, starts_at=at("08:30"), until=at(clock).replace(day=int(day or 24)))

    with timezone.override(SINGAPORE):
        assert ShownAnnouncement(row).until == expected


@pytest.mark.parametrize(
    ("urgent", "calm", "expected"),
    [(0, 3, (3, 0)), (0, 12, (10, 2)), (1, 12, (10, 3)), (12, 2, (12, 2))],
    ids=["few", "many", "one urgent", "many urgent"],
)
def test_few_stand_above_a_page_but_all_that_is_urgent(
    conference: Conference, urgent: int, calm: int, expected: tuple[int, int]
) -> None:
    for number in range(urgent + calm):
        announce(conference, f"News {number}", urgent=number < urgent)

    board = banner(conference, CLOCK, "")

    assert (len(board.notices), board.more) == expected
    assert sum(it.announcement.urgent for it in board.notices) == urgent


def test_identity_is_that_of_the_row_and_tells_no_number(conference: Conference) -> None:
    one, other = announce(conference, "A"), announce(conference, "B")

    assert one.identity == Announcement.objects.get(pk=one.pk).identity
    assert len({one.identity, other.identity}) == 2
