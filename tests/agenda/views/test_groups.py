"""Several agendas side by side, by their links alone."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client

from events.models import Agenda, Conference, Event, ReadLink, Track
from tests.factories import at, make_agenda, make_conference, make_day, make_event
from tests.security.strings import TEXTS

pytestmark = pytest.mark.django_db

PAGE = "/demo/together/"
FRIDAY = dt.date(2025, 4, 25)


@pytest.fixture
def conference() -> Conference:
    found = make_conference(slug="demo")
    make_day(found)
    return found


def share(conference: Conference, *events: Event) -> tuple[Agenda, str]:
    """Somebody's agenda and the token of a link to it."""
    agenda, _ = make_agenda(conference, *events)
    link = ReadLink.begin(agenda)
    assert link is not None
    return agenda, link.token


def open_page(links: list[str], names: list[str] | None = None, **query: str) -> Any:
    response = Client().get(PAGE, {"a": links, "n": names or [], **query})
    assert response.status_code == 200
    return response.context["together"]


def lines(page: Any) -> list[tuple[str, list[bool]]]:
    return [(line.row.title, [own is not None for own in line.own]) for line in page.lines]


def test_page_says_who_covers_what_in_the_order_of_the_links(conference: Conference) -> None:
    late = make_event(conference, title="late", start="11:00", end="12:00")
    early = make_event(conference, title="early", start="09:00", end="10:00")
    ada, one = share(conference, late, early)
    _, two = share(conference, late)
    ada.private_entries.create(title="Secret", start=at("10:00"), end=at("10:30"))

    page = open_page([f"https://hallway.example/demo/shared/{two}/", one], ["Bob", ""])

    assert [it.name for it in page.members] == ["Bob", "Link 2"]
    assert lines(page) == [("early", [False, True]), ("Busy", [False, True]), ("late", [True, True])]
    assert "Secret" not in Client().get(PAGE, {"a": [one, two]}).text


def test_free_time_is_where_nobody_is(conference: Conference) -> None:
    morning = make_event(conference, start="08:00", end="12:00")
    lunch = make_event(conference, kind="break", start="12:00", end="13:00")
    off = make_event(conference, start="12:00", end="13:00", status="cancelled")
    afternoon = make_event(conference, start="12:40", end="22:00")
    _, one = share(conference, morning, lunch, off)
    _, two = share(conference, afternoon)

    page = open_page([one, two], at="2025-04-24")

    assert [(it.start, it.end) for it in page.free] == [(at("12:00"), at("12:40"))]
    assert open_page([one], at="2025-04-24").free is None


@pytest.mark.parametrize(
    ("now", "free"),
    [
        pytest.param("2025-04-23T15:00", ["08:00–10:00", "11:00–22:00"], id="the day before"),
        pytest.param("2025-04-24T09:20:40", ["09:20–10:00", "11:00–22:00"], id="before a talk"),
        pytest.param("2025-04-24T09:31", ["11:00–22:00"], id="less than half an hour before"),
        pytest.param("2025-04-24T14:53", ["14:53–22:00"], id="after it"),
        pytest.param("2025-04-24T21:45", [], id="with less than half an hour left"),
        pytest.param("2025-04-24T22:00", None, id="in the night"),
        pytest.param("2025-04-26", None, id="on another day"),
    ],
)
def test_free_time_is_to_come(conference: Conference, now: str, free: list[str] | None) -> None:
    links = [share(conference, make_event(conference, start="10:00", end="11:00"))[1] for _ in range(2)]

    page = Client().get(PAGE, {"a": links, "day": "2025-04-24", "at": now}).text.partition("Common free time")[2]

    shown = re.sub(r"<[^>]*>", "", page.partition("</ul>")[0])
    assert (shown_hours(shown) if page else None) == free
    assert ("No common half hour is left" in page) == (free == [])


def test_nobody_covers_what_is_in_no_agenda(conference: Conference) -> None:
    theory = Track.objects.create(conference=conference, name="Theory", slug="theory")
    covered = make_event(conference, title="covered", start="09:00", end="10:00")
    make_event(conference, title="left", start="09:00", end="10:00")
    make_event(conference, title="left of theory", start="10:00", end="11:00", track=theory)
    make_event(conference, title="draft", start="10:00", end="11:00", status="draft")
    make_event(conference, title="off", start="10:00", end="11:00", status="cancelled")
    make_event(conference, title="poster", kind="poster", start="10:00", end="11:00")
    _, link = share(conference, covered)

    assert [it.title for it in open_page([link]).left] == ["left", "left of theory"]
    assert [it.title for it in open_page([link], track="theory").left] == ["left of theory"]
    assert open_page([]).left == []


def test_what_has_no_time_yet_is_to_be_covered_too(conference: Conference) -> None:
    make_event(conference, title="a talk whose time is open")

    page = Client().get(PAGE, {"a": [share(conference)[1]], "day": "2025-04-24"})

    assert [it.title for it in page.context["together"].left] == ["a talk whose time is open"]
    assert "Everything is covered" not in page.text


def test_day_without_anything_to_cover_says_so(conference: Conference) -> None:
    event = make_event(conference, title="Adam", start="09:00", end="10:00")
    make_day(conference, date=dt.date(2025, 4, 25))
    _, link = share(conference, event)

    empty, full = (Client().get(PAGE, {"a": [link], "day": f"2025-04-{day}"}).text for day in (25, 24))

    assert ("Nothing to cover on this day." in empty, "Everything is covered." in empty) == (True, False)
    assert ("Nothing to cover on this day." in full, "Everything is covered." in full) == (False, True)


@pytest.mark.parametrize("day", ["", "2099-01-01", "nonsense"])
def test_first_day_with_picks_is_opened(conference: Conference, day: str) -> None:
    make_day(conference, date=dt.date(2025, 4, 22))
    _, link = share(conference, make_event(conference, start="09:00", end="10:00"))

    assert open_page([link], day=day).date == dt.date(2025, 4, 24)


def test_night_lasts_into_the_next_day(conference: Conference) -> None:
    make_day(conference, date=dt.date(2025, 4, 25))
    ada, one = share(conference)
    _, two = share(conference)
    ada.private_entries.create(title="Flight", start=at("22:00"), end=at("11:00", dt.date(2025, 4, 25)))

    page = open_page([one, two], day="2025-04-25", at="2025-04-25")

    assert lines(page) == [("Busy", [True, False])]
    assert [(it.start, it.end) for it in page.free] == [(at("11:00", dt.date(2025, 4, 25)), at("22:00", dt.date(2025, 4, 25)))]
    assert lines(open_page([one, two], day="2025-04-24")) == [("Busy", [True, False])]


def test_hours_name_another_date_than_that_of_the_page(conference: Conference) -> None:
    night = make_event(conference, title="Hackathon", start=at("18:00"), end=at("16:00", FRIDAY))
    quiz = make_event(conference, title="Quiz", start=at("01:00", FRIDAY), end=at("02:00", FRIDAY))
    make_event(conference, kind="talk", title="Left", start=at("02:00", FRIDAY), end=at("03:00", FRIDAY))
    make_day(conference, date=FRIDAY)
    _, link = share(conference, night, quiz)

    thursday, friday = (Client().get(PAGE, {"a": [link], "day": f"2025-04-{day}"}).text for day in (24, 25))

    assert shown_hours(thursday) == ["18:00–16:00 next day", "Fri 25 Apr, 01:00–02:00", "Fri 25 Apr, 02:00–03:00"]
    assert shown_hours(friday) == ["from Thu 18:00 until 16:00"]


def shown_hours(page: str) -> list[str]:
    text = re.sub(r"<[^>]*>", "", page)
    return re.findall(r"(?:from )?(?:[A-Z][a-z]{2} (?:\d+ [A-Z][a-z]{2}, )?)?\d\d:\d\d(?:–| until )\d\d:\d\d(?: next day)?", text)


def test_maybe_is_named(conference: Conference) -> None:
    event = make_event(conference, start="09:00", end="10:00")
    agenda, link = share(conference, event)
    agenda.bookmarks.update(level="maybe")

    page = Client().get(PAGE, {"a": [link]})

    assert [[own.maybe for own in line.own] for line in page.context["together"].lines] == [[True]]
    assert "Maybe" in page.text
    assert "attending" not in page.text


def test_session_and_its_talks_cover_each_other(conference: Conference) -> None:
    one, two = (make_event(conference, title=title, start="09:00", end="12:00") for title in ("one", "two"))
    talk = make_event(conference, kind="talk", title="a talk", start="09:00", end="10:00", session=one)
    make_event(conference, kind="talk", start="09:00", end="10:00", session=two)

    assert [it.title for it in open_page([share(conference, talk, two)[1]]).left] == []
    assert [it.title for it in open_page([share(conference, two)[1]]).left] == ["a talk", "one"]


def test_much_that_nobody_covers_is_counted(conference: Conference) -> None:
    for _ in range(53):
        make_event(conference, start="09:00", end="10:00", announce=False)

    page = open_page([share(conference)[1]])

    assert (len(page.left), page.left_more) == (50, 3)


def test_link_taken_back_disappears_at_once_and_is_said_so(conference: Conference) -> None:
    event = make_event(conference, title="Adam", start="09:00", end="10:00")
    agenda, one = share(conference, event)
    _, two = share(conference)
    assert lines(open_page([one, two])) == [("Adam", [True, False])]

    agenda.read_links.all().revoke()  # type: ignore[attr-defined]

    assert lines(open_page([one, two])) == []
    page = Client().get(PAGE, {"a": [one, two], "n": ["Ada", "Bob"]})
    assert "Ada shows nothing: the link was withdrawn, or belongs to another conference." in page.text


def test_link_of_another_conference_shows_nothing(conference: Conference) -> None:
    _, elsewhere = share(make_conference())

    assert [it.rows for it in open_page([elsewhere, "nonsense", ""]).members] == [None, None]


def test_feed_and_cookie_are_no_links(conference: Conference) -> None:
    agenda, secret = make_agenda(conference)

    assert [it.rows for it in open_page([secret, agenda.feed_token]).members] == [None, None]


def test_at_most_eight_are_shown(conference: Conference) -> None:
    links = [share(conference)[1] for _ in range(9)]

    assert len(open_page(links).members) == 8


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_whatever_is_pasted_is_shown_as_text(conference: Conference, text: str) -> None:
    _, link = share(conference)

    page = Client().get(PAGE, {"a": [text, link], "n": [text, text], "day": text, "track": text}).text

    assert "<script>alert" not in page
    assert not re.search(r"<(img|svg)[^>]+on\w+=", page)


@pytest.mark.parametrize("size", [1, 8])
def test_page_takes_as_many_queries_for_eight_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    links = [share(conference, *[make_event(conference, start="09:00", end="10:00") for _ in range(2)])[1] for _ in range(size)]

    with django_assert_num_queries(9):
        open_page(links)
