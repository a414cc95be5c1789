"""The agenda in another time zone than that of the venue."""

from __future__ import annotations

import datetime as dt

import pytest

from events.models import PrivateEntry
from tests.factories import at, make_agenda, make_conference, make_day, make_event
from tests.visitors import browser

pytestmark = pytest.mark.django_db

SUNDAY = dt.date(2025, 4, 27)


@pytest.mark.parametrize(("zone", "dates"), [("America/New_York", 3), ("Asia/Singapore", 0), ("Asia/Kolkata", 0)])
def test_what_is_on_another_date_there_says_so(zone: str, dates: int) -> None:
    conference = make_conference(slug="demo")
    day = make_day(conference, SUNDAY)
    talk = make_event(conference, kind="talk", day=day, start=at("08:00", SUNDAY), end=at("09:00", SUNDAY))
    agenda, token = make_agenda(conference, talk)
    PrivateEntry.add(agenda, title="Call", start=at("09:00", SUNDAY), end=at("09:30", SUNDAY))
    client = browser(token=token, zone=zone)

    pages = [client.get(f"/demo/{path}").text for path in ("agenda/?at=2025-04-24", "schedule/2025-04-27/?at=2025-04-24")]

    assert sum(page.partition("<main")[2].partition("</main")[0].count("Sat 26 Apr, ") for page in pages) == dates


def test_what_is_after_midnight_names_its_date() -> None:
    conference = make_conference(slug="demo")
    day = make_day(conference, SUNDAY - dt.timedelta(days=1))
    late = make_event(conference, kind="social", day=day, start=at("01:00", SUNDAY), end=at("02:00", SUNDAY))
    _, token = make_agenda(conference, late)

    page = browser(token=token).get("/demo/agenda/?at=2025-04-24").text

    assert "Sun 27 Apr, " in page


def test_ways_on_from_an_agenda_keep_the_moment_that_is_looked_at() -> None:
    conference = make_conference(slug="demo")
    _, token = make_agenda(conference, make_event(conference, start="09:00", end="10:00"))

    page = browser(token=token).get("/demo/agenda/?at=2025-04-24T08:00").text

    for path in ("calendar", "devices", "sharing"):
        assert f'class="button" href="/demo/agenda/{path}/?at=2025-04-24T08:00"' in page.replace('data-tone="signal" ', "")
