from __future__ import annotations

import datetime as dt

import pytest

from events.core.clock import Clock
from events.models import Conference
from events.pages.queries.overview import conference_links, overview
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_paper, make_person
from tests.pages.queries.reading import clock, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

LAST = dt.date(2025, 4, 28)


def day_before(days: int = 1) -> dt.date:
    return THURSDAY - dt.timedelta(days=days)


def busy_morning(conference: Conference) -> None:
    session = make_event(conference, title="Oral 1A", start="10:00", end="11:00")
    make_event(conference, kind="talk", title="Talk inside", start="10:00", end="10:30", session=session)
    make_event(conference, kind="talk", title="Talk alone", start="10:00", end="10:30")
    make_event(conference, kind="service", title="Desk", start="07:30", end="19:00")
    make_event(conference, kind="break", title="Coffee", start="11:00", end="11:30")
    make_event(conference, kind="invited-talk", title="Keynote", start="09:00", end="10:00")
    make_event(conference, title="Cancelled", start="10:00", end="11:00", status="cancelled")
    make_event(conference, title="Draft", start="10:00", end="11:00", status="draft")
    make_event(conference, title="TBA")


@pytest.mark.parametrize(
    ("now", "on", "coming"),
    [
        pytest.param(clock("08:00"), [], ["Keynote", "Oral 1A", "Talk alone"], id="before"),
        pytest.param(clock("09:30"), ["Keynote"], ["Oral 1A", "Talk alone"], id="during-the-keynote"),
        pytest.param(clock("10:00"), ["Oral 1A", "Talk alone"], [], id="as-it-ends"),
        pytest.param(clock("11:30"), [], [], id="after"),
    ],
)
def test_overview_says_what_is_on_and_what_is_next(now: Clock, on: list[str], coming: list[str]) -> None:
    conference = make_conference()
    busy_morning(conference)

    page = overview(conference, now)

    assert ([it.card.title for it in page.now], titles(page.next)) == (on, coming)


@pytest.mark.parametrize(
    ("now", "on", "coming"),
    [
        pytest.param("08:00", [], ["First", "Second"], id="before"),
        pytest.param("09:30", ["First"], ["Second"], id="during-the-first"),
        pytest.param("10:05", [], ["Second"], id="between-the-talks"),
    ],
)
def test_talks_of_a_cancelled_session_stand_for_themselves(now: str, on: list[str], coming: list[str]) -> None:
    conference = make_conference()
    session = make_event(conference, title="Workshop", start="09:00", end="17:00", status="cancelled")
    for title, start, end, kind in [
        ("First", "09:00", "10:00", "talk"),
        ("Coffee", "10:00", "10:15", "break"),
        ("Second", "10:15", "11:00", "talk"),
        ("Poster", "09:00", "17:00", "poster"),
    ]:
        make_event(conference, kind=kind, title=title, start=start, end=end, session=session)
    make_event(conference, kind="talk", title="Gone", start="11:00", end="12:00", session=session, status="cancelled")

    page = overview(conference, clock(now))

    assert ([it.card.title for it in page.now], titles(page.next)) == (on, coming)


def test_overview_shows_six_of_what_is_next() -> None:
    conference = make_conference()
    for hour in range(9, 17):
        make_event(conference, title=str(hour), start=f"{hour:02}:00", end=f"{hour:02}:30")

    assert titles(overview(conference, clock()).next) == ["9", "10", "11", "12", "13", "14"]


@pytest.mark.parametrize(
    ("now", "phase", "status"),
    [
        pytest.param(clock("08:00", day_before(12)), "before", "Starts in 12 days", id="long-before"),
        pytest.param(clock("23:59", day_before()), "before", "Starts tomorrow", id="the-evening-before"),
        pytest.param(clock("03:59", THURSDAY), "before", "Starts tomorrow", id="the-night-before"),
        pytest.param(clock("04:00", THURSDAY), "during", "On now", id="first-morning"),
        pytest.param(clock("23:59", LAST), "during", "On now", id="last-evening"),
        pytest.param(clock("03:00", LAST + dt.timedelta(days=1)), "during", "On now", id="last-night"),
        pytest.param(clock("08:00", LAST + dt.timedelta(days=1)), "after", "Over", id="the-day-after"),
    ],
)
def test_overview_knows_its_phase(now: Clock, phase: str, status: str) -> None:
    page = overview(make_conference(), now)

    assert (page.phase, page.status) == (phase, status)


@pytest.mark.parametrize(
    ("now", "status"),
    [
        pytest.param(clock("08:00", day_before(8)), ("Starts tomorrow", "before"), id="before-the-events"),
        pytest.param(clock("08:00", day_before(7)), ("On now", "during"), id="on-their-day"),
        pytest.param(clock("08:00"), ("Over", "after"), id="on-the-new-date"),
    ],
)
def test_postponed_conference_goes_by_its_events_until_they_are_moved(now: Clock, status: tuple[str, str]) -> None:
    conference, before = make_conference(), day_before(7)
    make_event(conference, day=make_day(conference, before), start=at("19:00", before), end=at("21:00", before))

    page, link = overview(conference, now), conference_links(now.made_at)[0]

    assert (page.dates, page.status, page.phase) == ("17 April 2025", *status)
    assert (link.dates, link.status, link.phase) == ("17 April 2025", *status)


LAST_EVENT, NOTHING_LEFT = "That was the last event.", "Nothing that has a time is left."


@pytest.mark.parametrize(
    ("now", "ending"),
    [
        pytest.param(clock("08:00", LAST), "", id="before-the-first"),
        pytest.param(clock("10:30", LAST), "", id="during-the-last"),
        pytest.param(clock("23:50", LAST), LAST_EVENT, id="after-the-last"),
        pytest.param(clock("08:00", LAST + dt.timedelta(days=1)), "", id="when-it-is-over"),
    ],
)
def test_overview_says_that_the_last_event_is_over(now: Clock, ending: str) -> None:
    conference = make_conference()
    make_event(conference, day=make_day(conference, LAST), start="10:00", end="11:00")

    assert overview(conference, now).ending == ending


@pytest.mark.parametrize("is_day_known", [True, False])
def test_event_whose_time_is_open_may_come_after_the_last(is_day_known: bool) -> None:
    conference = make_conference()
    last = make_day(conference, LAST)
    make_event(conference, day=last, start="10:00", end="11:00")
    make_event(conference, title="Later", day=last if is_day_known else None)

    assert overview(conference, clock("23:50", LAST)).ending == NOTHING_LEFT


def test_days_without_events_may_still_get_some() -> None:
    conference = make_conference()
    make_event(conference, start="10:00", end="11:00")

    assert overview(conference, clock("23:50")).ending == NOTHING_LEFT


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        pytest.param(clock("08:00"), ["One", "Two", "Three"], id="first-three"),
        pytest.param(clock("10:30"), ["Two", "Three", "Someday"], id="next-three"),
        pytest.param(clock("08:00", LAST), [], id="last-day-when-all-are-over"),
        pytest.param(clock("08:00", LAST + dt.timedelta(days=1)), ["One", "Two", "Three"], id="first-three-after-the-conference"),
    ],
)
def test_overview_shows_three_invited_talks(now: Clock, shown: list[str]) -> None:
    conference = make_conference()
    for hour, title in [(9, "One"), (11, "Two"), (14, "Three")]:
        make_event(conference, kind="invited-talk", title=title, start=f"{hour:02}:00", end=f"{hour + 1:02}:00")
    make_event(conference, kind="invited-talk", title="Someday")
    make_event(conference, kind="invited-talk", title="Off", start="08:00", end="09:00", status="cancelled")

    assert titles(overview(conference, now).invited) == shown


def test_overview_counts_what_there_is_and_leaves_out_what_there_is_none_of() -> None:
    conference = make_conference(slug="demo")
    make_event(conference, kind="social")
    make_event(conference, kind="social", status="draft")
    make_paper(conference, make_person(conference))
    make_paper(conference, make_person(conference))
    make_paper(conference, make_person(conference), is_public=False)

    highlights = overview(conference, clock("09:30", pinned=True)).highlights

    assert highlights == [
        ("Social", 1, "/demo/socials/?at=2025-04-24T09:30"),
        ("Papers", 2, "/demo/papers/?at=2025-04-24T09:30"),
        ("People", 2, "/demo/people/?at=2025-04-24T09:30"),
    ]


def test_front_page_puts_what_is_on_first_and_what_is_over_last() -> None:
    for name, days in [("Over", -30), ("On", 0), ("Next month", 30)]:
        start = THURSDAY + dt.timedelta(days=days)
        make_conference(name=name, start=start, end=start + dt.timedelta(days=3))
    make_conference(name="Draft", status="draft")

    doors = conference_links(at("12:00"))

    assert [(it.conference.name, it.status, it.phase) for it in doors] == [
        ("On", "On now", "during"),
        ("Next month", "Starts in 30 days", "before"),
        ("Over", "Over", "after"),
    ]


def test_front_page_counts_public_events() -> None:
    conference = make_conference(slug="demo")
    session = make_event(conference, status="draft")
    make_event(conference, session=session)
    make_event(conference, status="cancelled")
    make_event(conference)

    assert [(it.count, it.url) for it in conference_links(at("12:00"))] == [(2, "/demo/")]


def test_front_page_goes_by_the_calendar_of_each_conference() -> None:
    make_conference(name="Singapore", start=THURSDAY, end=THURSDAY)
    make_conference(name="Honolulu", timezone="Pacific/Honolulu", start=THURSDAY, end=THURSDAY)

    at_nine_in_singapore = {it.conference.name: it.status for it in conference_links(at("09:00"))}

    assert at_nine_in_singapore == {"Singapore": "On now", "Honolulu": "Starts tomorrow"}


def test_event_before_the_first_day_is_on_while_the_conference_is_not() -> None:
    conference, tuesday = make_conference(), day_before(2)
    day = make_day(conference, tuesday)
    make_event(conference, title="Early", kind="social", day=day, start=at("19:00", tuesday), end=at("21:00", tuesday))
    make_event(conference, start="09:00", end="10:00")

    page = overview(conference, clock("19:30", tuesday))

    assert ([it.card.title for it in page.now], page.status) == (["Early"], "Starts in 2 days")
