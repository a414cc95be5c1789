"""``?at=``, the visitor's zone, and the labels that name it."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine

from events.models import Conference
from tests.factories import THURSDAY, at, make_conference, make_day, make_event
from tests.visitors import context

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2025, 4, 24, 2, 0, tzinfo=dt.UTC)


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    make_event(conference, start="09:00", end="10:00")
    return conference


@pytest.mark.parametrize(
    ("text", "now"),
    [
        pytest.param("2025-04-24T09:30", at("09:30"), id="minute"),
        pytest.param("2025-04-24", at("08:00"), id="day"),
        pytest.param("2025-04-24T01:30Z", at("09:30"), id="utc"),
        pytest.param("2025-04-24T09:30%2B08:00", at("09:30"), id="offset"),
        pytest.param("2025-04-24T09:30+08:00", at("09:30"), id="offset-as-typed"),
    ],
)
def test_page_looks_as_it_would_at_that_moment(conference: Conference, text: str, now: dt.datetime) -> None:
    page = context(f"/demo/?at={text}")

    assert (page["clock"].now, page["clock"].pinned, page["at_problem"]) == (now, True, "")
    assert {door.url.partition("?")[2].removesuffix("#now") for door in page["days"]()} == {f"at=2025-04-24T{now:%H:%M}"}


@pytest.mark.parametrize(
    "text", ["noon", "2025-04-31", "2025-04-24T25:00", "0001-01-01", "9999-12-31", "x" * 5000, "2025-04-24T09:30<b>"]
)
def test_moment_that_is_none_shows_now_and_says_so(conference: Conference, text: str) -> None:
    with time_machine.travel(NOW, tick=False):
        page = context(f"/demo/?at={text}")

    assert (page["clock"].now, page["clock"].pinned) == (NOW, False)
    assert page["at_problem"] == (
        f"“{text[:40]}” is not a valid time. Write it as 2025-04-24T09:30. This page shows the current time."
    )


def test_without_a_moment_it_is_now(conference: Conference) -> None:
    with time_machine.travel(NOW, tick=False):
        page = context("/demo/?at=")

    assert (page["clock"].now, page["clock"].today, page["clock"].pinned, page["at_problem"]) == (NOW, THURSDAY, False, "")


@pytest.mark.parametrize(
    ("zone", "label", "own"),
    [
        pytest.param("", "Singapore time (UTC+8)", False, id="none"),
        pytest.param("Asia/Singapore", "Singapore time (UTC+8)", False, id="the-venues"),
        pytest.param("Europe/Vienna", "Vienna time (UTC+2)", True, id="summer"),
        pytest.param("America/New_York", "New York time (UTC−4)", True, id="west"),
        pytest.param("Asia/Kathmandu", "Kathmandu time (UTC+5:45)", True, id="quarter-hour"),
        pytest.param("America/St_Johns", "St Johns time (UTC−2:30)", True, id="half-an-hour-west"),
        pytest.param("Mars/Olympus", "Singapore time (UTC+8)", False, id="unknown"),
        pytest.param("../../etc/passwd", "Singapore time (UTC+8)", False, id="path"),
        pytest.param("UTC", "UTC time (UTC+0)", True, id="of-a-browser-that-says-utc"),
    ],
)
def test_page_names_the_zone_it_is_in(conference: Conference, zone: str, label: str, own: bool) -> None:
    page = context("/demo/?at=2025-04-24T09:30", zone=zone)

    assert (page["zone_label"], page["clock"].is_visitor_zone) == (label, own)
    assert page["venue_zone_label"] == "Singapore time (UTC+8)"


def test_offset_is_that_of_the_day_on_the_page() -> None:
    conference = make_conference(
        slug="demo", city="Vienna", timezone="Europe/Vienna", start=dt.date(2025, 10, 25), end=dt.date(2025, 10, 27)
    )
    for day in (25, 27):
        make_day(conference, dt.date(2025, 10, day))
    addresses = ["schedule/2025-10-25/", "schedule/2025-10-27/", "?at=2025-10-27", "?at=2025-01-15", "?at=2026-02-01"]

    labels = [context(f"/demo/{address}")["zone_label"] for address in addresses]

    assert labels == [f"Vienna time (UTC+{hours})" for hours in (2, 1, 1, 2, 2)]


def test_conference_without_a_city_is_named_by_its_zone() -> None:
    make_conference(slug="demo", city="", timezone="America/New_York")

    assert context("/demo/?at=2025-04-24")["zone_label"] == "New York time (UTC−4)"
