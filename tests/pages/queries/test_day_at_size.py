"""A day whose sessions hold hundreds of posters, and one whose posters no session holds."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Conference, Event
from events.pages.queries.agenda import agenda_page
from events.pages.queries.day_pages import DAY_EVENTS_PER_PAGE
from events.pages.queries.grid import MAX_GRID_LINES, MAX_POSTER_LINES
from events.pages.queries.schedule import DayPage, schedule_of_day
from tests.factories import at, make_agenda, make_conference, make_day, make_event, make_room, make_type
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def parts(conference: Conference, kind: str, count: int, **fields: object) -> list[Event]:
    values = {"conference": conference, "day": make_day(conference), "type": make_type(conference, kind), "status": "confirmed"}
    values |= {"start": at("10:00"), "end": at("12:00")} | fields
    return Event.objects.bulk_create([Event(title=f"{kind} {it:03}", board=f"#{it}", **values) for it in range(count)])


def day_of(conference: Conference, *, as_grid: bool = False, now: str = "08:00", **asked: str) -> DayPage:
    return schedule_of_day(make_day(conference), clock=clock(now), query=query(**asked), as_grid=as_grid)


def shown(page: DayPage) -> list[str]:
    return [card.title for group in page.groups for item in group.items for card in item.cards]


def test_many_posters_are_counted_on_the_card_of_their_session_and_not_read() -> None:
    conference = make_conference()
    session = make_event(conference, title="Posters", start="10:00", end="12:00")
    parts(conference, "poster", 40, session=session)

    page = day_of(conference)

    (card,) = page.groups[0].cards
    assert (card.posters_count, card.inside_count, card.talks_count, shown(page), page.count) == (40, 40, 0, ["Posters"], 41)


def test_few_posters_of_a_session_are_rows_under_it() -> None:
    conference = make_conference()
    session = make_event(conference, title="Posters", start="10:00", end="12:00")
    parts(conference, "poster", 3, session=session)

    assert shown(day_of(conference)) == ["Posters", "poster 000", "poster 001", "poster 002"]


def test_all_talks_of_a_session_are_listed_a_page_at_a_time() -> None:
    conference = make_conference()
    session = make_event(conference, title="Orals", start="10:00", end="12:00")
    parts(conference, "talk", DAY_EVENTS_PER_PAGE + 5, session=session)

    pages = [day_of(conference, page=str(number)) for number in (1, 2)]

    assert [len(shown(it)) for it in pages] == [DAY_EVENTS_PER_PAGE, 6]
    assert [it.label for it in pages[0].listing.pages] == ["10 (1)", "10 (2)"]


def test_grid_has_a_line_for_each_talk_of_a_session() -> None:
    conference = make_conference()
    session = make_event(conference, title="Orals", start="10:00", end="12:00", room=make_room(conference))
    parts(conference, "talk", MAX_POSTER_LINES + 5, session=session)

    grid = day_of(conference, as_grid=True).grid

    assert grid is not None
    session_line, *lines = grid.rows[0].cells[0].lines
    assert (session_line.title, lines[0].title, len(lines)) == ("Orals", "talk 000", MAX_POSTER_LINES + 5)
    assert all(line.is_inside for line in lines)


def test_grid_says_how_many_have_no_time() -> None:
    conference = make_conference()
    make_event(conference, title="Keynote", start="10:00", end="11:00")
    make_event(conference, title="Some time")

    assert [day_of(conference, as_grid=as_grid).undated for as_grid in (True, False)] == [1, 0]


def test_filter_finds_the_posters_inside_sessions_a_page_at_a_time() -> None:
    conference = make_conference()
    session = make_event(conference, title="Posters", start="10:00", end="12:00")
    parts(conference, "poster", DAY_EVENTS_PER_PAGE + 10, session=session)

    first, second = day_of(conference, type="poster"), day_of(conference, type="poster", page="2")

    assert (len(shown(first)), len(shown(second)), first.count) == (DAY_EVENTS_PER_PAGE, 10, DAY_EVENTS_PER_PAGE + 10)


def test_posters_that_no_session_holds_stand_as_one_line() -> None:
    conference = make_conference(slug="demo")
    parts(conference, "poster", 30)
    make_event(conference, title="Keynote", start="09:00", end="10:00")

    page = day_of(conference)
    (bundle,) = page.groups[1].bundles

    assert (shown(page), bundle.words, bundle.start, bundle.end) == (["Keynote"], "30 posters", at("10:00"), at("12:00"))
    assert bundle.url == "/demo/schedule/2025-04-24/?type=poster&start=2025-04-24T10:00"


def test_few_posters_that_no_session_holds_stand_alone() -> None:
    conference = make_conference()
    parts(conference, "poster", 3)

    assert shown(day_of(conference)) == ["poster 000", "poster 001", "poster 002"]


def test_line_of_posters_leads_to_those_of_its_hour() -> None:
    conference = make_conference()
    parts(conference, "poster", 30)
    parts(conference, "poster", 20, start=at("15:00"), end=at("17:00"))

    page = day_of(conference, type="poster", start="2025-04-24T15:00")

    assert (page.count, [it.label for it in page.filters.hours], page.filters.any) == (20, ["At 15:00"], True)


@pytest.mark.parametrize("start", ["", "\x00", "15:00", "tomorrow", "9999-12-31T23:59"])
def test_hour_that_is_none_narrows_nothing(start: str) -> None:
    conference = make_conference()
    make_event(conference, start="10:00", end="11:00")

    assert day_of(conference, start=start).count == 1


def test_day_of_many_events_opens_at_the_page_of_now() -> None:
    conference = make_conference()
    parts(conference, "talk", DAY_EVENTS_PER_PAGE + 20, start=at("09:00"), end=at("10:00"))
    make_event(conference, title="Later", start="14:00", end="15:00")

    pages = [day_of(conference, now="11:00"), day_of(conference, now="08:00"), day_of(conference, now="11:00", page="1")]

    assert [page.listing.page_number for page in pages] == [2, 1, 1]
    assert shown(pages[0])[-1] == "Later"


def hours_of(conference: Conference, **counts: int) -> None:
    for name, count in counts.items():
        hour = int(name.removeprefix("h"))
        parts(conference, "talk", count, start=at(f"{hour:02}:00"), end=at(f"{hour:02}:45"))


def test_pages_of_a_day_are_whole_hours() -> None:
    conference = make_conference()
    hours_of(conference, h8=40, h9=40, h10=40, h12=70, h13=20)
    make_event(conference, title="Dinner")

    page = day_of(conference, now="10:10")

    assert [(it.label, it.url, it.is_current) for it in page.listing.pages] == [
        ("08–10", "?page=1", False),
        ("10–12", "?page=2", True),
        ("12–14", "?page=3", False),
    ]
    assert [it.label for it in page.listing.earlier_pages] == ["08–10"]
    assert page.listing.earlier_count == 80
    assert {it.label: it.url for it in page.listing.hours} == {
        "08": "?page=1#h08",
        "09": "?page=1#h09",
        "10": "#now",
        "12": "?page=3#h12",
        "13": "?page=3#h13",
    }


def test_what_began_on_an_earlier_page_and_is_still_on_is_on_the_page_of_now() -> None:
    conference = make_conference()
    make_event(conference, title="Workshop", start="08:30", end="17:00")
    hours_of(conference, h8=60, h9=60, h10=60)

    page = day_of(conference, now="10:50")

    assert [titles(group.cards) for group in page.listing.running] == [["Workshop"]]


def test_page_of_another_hour_today_leads_back_to_now() -> None:
    conference = make_conference()
    hours_of(conference, h8=60, h9=60, h10=60)

    listing = day_of(conference, now="10:10", page="1").listing

    assert (listing.has_now, listing.now_url, listing.earlier, len(listing.groups)) == (False, "?#now", [], 1)


def test_day_with_too_much_for_a_grid_stays_a_list() -> None:
    conference = make_conference()
    parts(conference, "talk", MAX_GRID_LINES + 1)

    page = day_of(conference, as_grid=True)

    assert (page.grid, page.too_many, len(shown(page))) == (None, True, DAY_EVENTS_PER_PAGE)


def test_agenda_of_sixty_posters_takes_as_many_queries_as_of_three() -> None:
    conference = make_conference()
    session = make_event(conference, title="Posters", start="10:00", end="12:00")
    posters = parts(conference, "poster", 60, session=session)
    counts = []

    for picks in (posters[:3], posters):
        agenda, _ = make_agenda(conference, *picks)
        with CaptureQueriesContext(connection) as queries:
            page = agenda_page(agenda, clock())
        counts.append((len(queries), page.clashes))

    assert counts[0] == counts[1]
    assert counts[1][1] == 0
