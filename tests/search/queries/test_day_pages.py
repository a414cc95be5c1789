"""A question that names a day leads to its page, or to what is found on it."""

from __future__ import annotations

import datetime as dt
import html

import pytest
from django.test import Client

from events.models import Conference, Day
from events.search.rules import may_name_days, named_days, named_hour
from tests.factories import make_conference, make_event
from tests.search.queries.asking import ask
from tests.search.searching import reindex

DATES = [dt.date(2025, 4, 24) + dt.timedelta(days=number) for number in range(11)]
SUNDAYS = [dt.date(2025, 4, 27), dt.date(2025, 5, 4)]


@pytest.mark.parametrize(
    ("question", "dates", "others"),
    [
        ("sunday", SUNDAYS, ""),
        ("Sunday,", SUNDAYS, ""),
        ("sun", SUNDAYS, ""),
        ("sun 27", SUNDAYS[:1], ""),
        ("27 april", SUNDAYS[:1], ""),
        ("April 27th", SUNDAYS[:1], ""),
        ("Sun. 4. May", SUNDAYS[1:], ""),
        ("social sunday", SUNDAYS, "social"),
        ("sunday 4 may party", SUNDAYS[1:], "party"),
        ("Saturday 27", [dt.date(2025, 4, 26), dt.date(2025, 5, 3)], "27"),
        ("sat solvers", [], "sat solvers"),
        ("2025-04-27", SUNDAYS[:1], ""),
        ("27.04.", SUNDAYS[:1], ""),
        ("party 27.4.2025", SUNDAYS[:1], "party"),
        ("27.4.2024", [], "27.4.2024"),
        ("today", DATES[1:2], ""),
        ("Party tomorrow", DATES[2:3], "Party"),
        ("27", [], "27"),
        ("april", [], "april"),
        ("march 27", [], "march 27"),
        ("27 papers", [], "27 papers"),
        ("sunlight", [], "sunlight"),
        ("may", [], "may"),
        ("", [], ""),
    ],
)
def test_words_name_days(question: str, dates: list[dt.date], others: str) -> None:
    assert named_days(question, DATES, DATES[1]) == (dates, others)
    assert may_name_days(question) or not dates


@pytest.mark.parametrize(("question", "may"), [("monday", True), ("3 may", True), ("may", False), ("3", False), ("kites", False)])
def test_other_questions_read_no_days(question: str, may: bool) -> None:
    assert may_name_days(question) is may


@pytest.mark.parametrize(
    ("question", "hour", "others"),
    [
        ("sunday 9:30", 9, "sunday"),
        ("9am sunday", 9, "sunday"),
        ("12am", 0, ""),
        ("12:15pm party", 12, "party"),
        ("party 23:00", 23, "party"),
        ("25:00", None, "25:00"),
        ("9", None, "9"),
        ("27.04", None, "27.04"),
    ],
)
def test_words_name_an_hour(question: str, hour: int | None, others: str) -> None:
    assert named_hour(question) == (hour, others)


@pytest.fixture
def conference(at_the_venue: None) -> Conference:
    conference = make_conference(slug="demo")
    Day.objects.get_or_create(conference=conference, date=dt.date(2025, 4, 27))
    make_event(conference, title="Boat party")
    reindex()
    return conference


@pytest.mark.django_db
@pytest.mark.both_databases
def test_day_is_offered_on_the_page_and_under_the_field(conference: Conference) -> None:
    day = "/demo/schedule/2025-04-27/"

    found = [(it.label, it.url) for question in ("sunday", "party sunday") for it in ask(conference, question).day_pages]

    assert found == [("Sunday 27 April", day), ("“party” on Sunday 27 April", "/demo/search/?q=party&day=2025-04-27")]
    assert ask(conference, "sunday").corrected == ""
    assert ask(conference, "party sunday", day="2025-04-27").day_pages == []
    for part, words in (("", "The programme of a day is on its page, named above."), ("&part=panel", "<h2>Days</h2>")):
        page = html.unescape(Client().get(f"/demo/search/?q=sunday{part}").text)
        assert words in page
        assert f'href="{day}"' in page
        assert page.count("No results") == (not part)


@pytest.mark.django_db
def test_hour_leads_to_its_place_in_the_day(conference: Conference) -> None:
    questions = ["sun 9:30", "on Sunday at 9am", "party sunday 21:00", "today", "9:30"]

    found = [[(it.label, it.url) for it in ask(conference, question).day_pages] for question in questions]

    assert found == [
        [("Sunday 27 April", "/demo/schedule/2025-04-27/#h09")],
        [("Sunday 27 April", "/demo/schedule/2025-04-27/#h09")],
        [("“party” on Sunday 27 April", "/demo/search/?q=party&day=2025-04-27")],
        [("Thursday 24 April", "/demo/schedule/2025-04-24/")],
        [],
    ]


@pytest.mark.django_db
def test_day_keeps_the_moment_that_is_looked_at(conference: Conference) -> None:
    page = html.unescape(Client().get("/demo/search/?q=sunday&at=2025-04-24T10:00").text)

    assert 'href="/demo/schedule/2025-04-27/?at=2025-04-24T10:00"' in page
