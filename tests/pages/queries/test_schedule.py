from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from events.core.clock import Clock
from events.models import Conference, Day, Event
from events.pages.queries.grid import MAX_POSTER_LINES
from events.pages.queries.schedule import DayPage, StartGroup, schedule_of_day
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room
from tests.pages.queries.reading import clock, flags, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = THURSDAY + dt.timedelta(days=1)


def day_page(conference: Conference, now: Clock | None = None, *, as_grid: bool = False, **asked: str) -> DayPage:
    day = make_day(conference)
    return schedule_of_day(day, clock=now or clock(), query=query(**asked), as_grid=as_grid)


def shape(groups: list[StartGroup]) -> list[tuple[str, list[str]]]:
    return [(f"{timezone.localtime(it.start):%H:%M}" if it.start else "TBA", titles(it.cards)) for it in groups]


def test_day_is_grouped_by_start_and_what_has_no_hour_comes_last() -> None:
    conference = make_conference()
    for title, start, end in [("C", "10:00", "11:00"), ("TBA", None, None), ("B", "09:00", "12:00"), ("A", "09:00", "10:00")]:
        make_event(conference, title=title, start=start, end=end)
    make_event(conference, title="Friday", day=make_day(conference, FRIDAY))
    make_event(conference, title="Draft", status="draft")

    page = day_page(conference)

    assert shape(page.groups) == [("09:00", ["A", "B"]), ("10:00", ["C"]), ("TBA", ["TBA"])]
    assert page.count == 4
    assert page.grid is None


@pytest.mark.both_databases
def test_list_of_today_shows_what_is_still_on_of_earlier_days() -> None:
    conference = make_conference()
    thursday, friday = make_day(conference), make_day(conference, FRIDAY)
    make_event(conference, title="Hackathon", kind="social", day=thursday, start=at("18:00"), end=at("16:00", FRIDAY))
    make_event(conference, title="Off", day=thursday, start=at("18:00"), end=at("16:00", FRIDAY), status="cancelled")
    make_event(conference, title="Party", day=thursday, start=at("23:00"), end=at("08:00", FRIDAY))
    make_event(conference, title="Talk", kind="talk", day=friday, start=at("11:00", FRIDAY), end=at("12:00", FRIDAY))

    def running(time: str, earlier: list[Day], **asked: str) -> list[tuple[str, list[str]]]:
        now = clock(time, FRIDAY)
        return shape(schedule_of_day(friday, earlier, clock=now, query=query(**asked), as_grid=False).listing.running)

    assert running("10:00", [thursday]) == [("10:00", ["Hackathon"])]
    assert running("11:30", [thursday]) == [("11:30", ["Talk", "Hackathon"])]
    assert running("10:00", [thursday], type="social") == [("10:00", ["Hackathon"])]
    assert running("10:00", [thursday], type="talk") == []
    assert running("10:00", []) == running("16:00", [thursday]) == []


def test_what_is_still_on_of_earlier_days_takes_no_further_query() -> None:
    conference = make_conference()
    thursday, friday = make_day(conference), make_day(conference, FRIDAY)
    make_event(conference, title="Hackathon", day=thursday, start=at("18:00"), end=at("16:00", FRIDAY))
    make_event(conference, title="Talk", day=friday, start=at("11:00", FRIDAY), end=at("12:00", FRIDAY))
    taken = []
    for earlier in ([], [thursday]):
        with CaptureQueriesContext(connection) as queries:
            schedule_of_day(friday, earlier, clock=clock("10:00", FRIDAY), query=query(), as_grid=False)
        taken.append(len(queries))

    assert taken[0] == taken[1]


def test_order_within_a_start_is_the_organisers() -> None:
    conference = make_conference()
    make_event(conference, title="A", start="09:00", end="10:00", position=2)
    make_event(conference, title="B", start="09:00", end="10:00", position=1)

    assert shape(day_page(conference).groups) == [("09:00", ["B", "A"])]


def test_day_without_events_is_empty() -> None:
    page = day_page(make_conference())

    assert (page.groups, page.count, page.changed_at) == ([], 0, None)


def test_event_past_midnight_stands_on_the_evening_before() -> None:
    conference = make_conference()
    make_event(conference, title="Party", start=at("23:00"), end=at("02:00", FRIDAY))
    make_event(conference, title="Late", day=make_day(conference), start=at("01:00", FRIDAY), end=at("02:00", FRIDAY))

    assert shape(day_page(conference).groups) == [("23:00", ["Party"]), ("01:00", ["Late"])]


def lines(groups: list[StartGroup]) -> list[tuple[str, str, list[str]]]:
    """The hour, the session (in brackets where its card is elsewhere) and the rows under it."""
    named = [(f"{timezone.localtime(it.start):%H:%M}" if it.start else "TBA", item) for it in groups for item in it.items]
    return [
        (hour, item.card.title if item.card else f"({item.session and item.session.title})", titles(item.rows))
        for hour, item in named
    ]


def workshop(conference: Conference, **fields: object) -> Event:
    """From 9 to 17, with talks at 9:10, 10:00, 10:40 and 14:15."""
    session = make_event(conference, title="Workshop", start="09:00", end="17:00", **fields)
    for start, end in [("10:40", "11:30"), ("09:10", "10:00"), ("14:15", "15:00"), ("10:00", "10:40")]:
        make_event(conference, kind="talk", title=f"Talk {start}", start=start, end=end, session=session)
    return session


def test_what_is_inside_a_session_is_listed_at_its_own_hour() -> None:
    conference = make_conference()
    workshop(conference)
    make_event(conference, title="Lunch", start="14:00", end="14:30")

    page = day_page(conference, clock("08:00", FRIDAY))

    assert lines(page.groups) == [
        ("09:00", "Workshop", ["Talk 09:10"]),
        ("10:00", "(Workshop)", ["Talk 10:00", "Talk 10:40"]),
        ("14:00", "Lunch", []),
        ("14:00", "(Workshop)", ["Talk 14:15"]),
    ]
    assert page.count == 6


def test_start_between_two_rows_divides_them() -> None:
    conference = make_conference()
    workshop(conference)
    make_event(conference, title="Tour", start="10:30", end="12:00")

    assert lines(day_page(conference, clock("08:00")).groups)[1:4] == [
        ("10:00", "(Workshop)", ["Talk 10:00"]),
        ("10:30", "Tour", []),
        ("10:30", "(Workshop)", ["Talk 10:40"]),
    ]


def test_row_without_an_hour_is_listed_with_its_session() -> None:
    conference = make_conference()
    session = make_event(conference, title="Workshop", start="09:00", end="17:00")
    make_event(conference, kind="talk", title="Talk", session=session)

    assert lines(day_page(conference).groups) == [("09:00", "Workshop", ["Talk"])]


def test_today_is_divided_into_what_is_over_on_and_to_come() -> None:
    conference = make_conference()
    workshop(conference)
    make_event(conference, title="Breakfast", start="08:00", end="09:00")

    listing = day_page(conference, clock("10:10")).listing

    assert lines(listing.earlier) == [("08:00", "Breakfast", []), ("09:10", "(Workshop)", ["Talk 09:10"])]
    assert lines(listing.running) == [("10:10", "Workshop", ["Talk 10:00"])]
    assert lines(listing.groups) == [("10:40", "(Workshop)", ["Talk 10:40"]), ("14:15", "(Workshop)", ["Talk 14:15"])]
    assert (listing.has_now, listing.earlier_count, listing.is_earlier_open) == (True, 2, False)


def test_what_is_inside_a_session_that_is_over_is_folded() -> None:
    conference = make_conference()
    workshop(conference)

    folded = {
        time: [item.is_folded for group in day_page(conference, clock(time)).listing.earlier for item in group.items]
        for time in ("16:00", "18:00")
    }

    assert folded == {"16:00": [False, False, False], "18:00": [True, True, True]}


def test_other_days_have_no_now_and_fold_nothing() -> None:
    conference = make_conference()
    workshop(conference)

    listing = day_page(conference, clock("10:10", FRIDAY)).listing

    assert (listing.has_now, listing.now_url, listing.earlier, listing.running) == (False, "", [], [])
    assert [item.is_folded for group in listing.groups for item in group.items] == [False] * 3


@pytest.mark.parametrize(
    ("asked", "opened"),
    [({}, False), ({"page": "1"}, True), ({"type": "talk"}, True)],
    ids=["plain", "by-number", "few-filtered"],
)
def test_what_is_over_opens_for_who_looks_for_it(asked: dict[str, str], opened: bool) -> None:
    conference = make_conference()
    workshop(conference)

    assert day_page(conference, clock("12:00"), **asked).listing.is_earlier_open is opened


def test_hours_lead_into_the_page_or_to_one_that_opens_what_is_folded() -> None:
    conference = make_conference()
    workshop(conference)

    folded, opened = (day_page(conference, clock("12:00"), **asked).listing.hours for asked in ({}, {"page": "1"}))

    assert [(it.label, it.url, it.is_current) for it in folded] == [
        ("09", "?page=1#h09", False),
        ("10", "#now", True),
        ("14", "#h14", False),
    ]
    assert [it.url for it in opened] == ["#h09", "#now", "#h14"]


def test_talk_stands_alone_when_its_session_is_not_in_the_list() -> None:
    conference = make_conference()
    session = make_event(conference, title="Oral 1A", start="10:00", end="11:00")
    make_event(conference, kind="talk", title="Talk", start="10:15", end="10:30", session=session)

    assert shape(day_page(conference, type="talk").groups) == [("10:15", ["Talk"])]


@pytest.mark.parametrize(
    ("now", "earlier", "running", "later"),
    [
        pytest.param(clock("08:00"), [], [], ["09:00", "10:00"], id="before-the-first"),
        pytest.param(clock("09:00"), [], ["09:00"], ["10:00"], id="as-the-first-starts"),
        pytest.param(clock("10:00"), ["09:00"], ["10:00"], [], id="as-one-ends-and-one-starts"),
        pytest.param(clock("02:00", FRIDAY), ["09:00", "10:00"], [], [], id="in-the-night-after"),
        pytest.param(clock("08:00", FRIDAY), [], [], ["09:00", "10:00"], id="on-another-day"),
    ],
)
def test_now_divides_the_day(now: Clock, earlier: list[str], running: list[str], later: list[str]) -> None:
    conference = make_conference()
    for start, end in [("09:00", "10:00"), ("10:00", "11:00")]:
        make_event(conference, title=start, start=start, end=end)

    listing = day_page(conference, now).listing

    found = [[card.title for it in some for card in it.cards] for some in (listing.earlier, listing.running, listing.groups)]
    assert found == [earlier, running, later]


def test_what_is_to_be_announced_is_still_to_come() -> None:
    conference = make_conference()
    make_event(conference, title="A", start="09:00", end="10:00")
    make_event(conference, title="TBA")

    listing = day_page(conference, clock("12:00")).listing

    assert (shape(listing.earlier), shape(listing.groups)) == ([("09:00", ["A"])], [("TBA", ["TBA"])])


def test_what_began_last_is_the_first_that_is_on() -> None:
    conference = make_conference()
    for title, start in [("Registration", "08:00"), ("Talk", "09:45"), ("Workshop", "09:00")]:
        make_event(conference, title=title, start=start, end="17:00")

    assert titles(day_page(conference, clock("10:00")).listing.running[0].cards) == ["Talk", "Workshop", "Registration"]


def test_day_marks_moves() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    event.start = at("09:30")
    event.revise()
    now = Clock(dt.datetime.now(dt.UTC), conference.zone)

    page = schedule_of_day(make_day(conference), clock=now, query=query(), as_grid=False)

    card = page.groups[0].cards[0]
    assert flags(card) == [("moved", "Moved from 09:00")]
    assert page.changed_at == event.revised_at


def test_move_is_news_for_two_days() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    event.start = at("09:30")
    event.revise()

    for days, shown in [(1, ["Moved from 09:00"]), (3, [])]:
        now = Clock(dt.datetime.now(dt.UTC) + dt.timedelta(days=days), conference.zone)
        page = schedule_of_day(make_day(conference), clock=now, query=query(), as_grid=False)
        assert [flag.text for flag in page.groups[0].cards[0].flags] == shown


def test_filters_narrow_the_list_and_keep_their_choices() -> None:
    conference = make_conference()
    make_event(conference, title="A", kind="talk")
    make_event(conference, title="B", kind="social")

    page = day_page(conference, type="talk")

    assert (shape(page.groups), page.count) == ([("TBA", ["A"])], 1)
    assert page.filters.total == 2
    assert {(it.label, it.count, it.active) for it in page.filters.kinds} == {("Talk", 1, True), ("Social", 1, False)}


def test_grid_has_the_rooms_in_use_and_a_row_for_each_hour() -> None:
    conference = make_conference()
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet", position=1)
    make_room(conference, "Never used")
    make_event(conference, title="Long", start="09:00", end="11:00", room=hall)
    make_event(conference, title="Short", start="09:00", end="09:30", room=garnet)
    make_event(conference, title="Shorter", start="09:30", end="09:40", room=garnet)
    make_event(conference, title="Later", start="10:00", end="11:00", room=garnet)

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    assert [plate.name for plate in grid.rooms] == ["Hall 1", "Garnet"]
    assert [[titles(cell.lines) for cell in row.cells] for row in grid.rows] == [
        [["Long"], ["Short", "Shorter"]],
        [[], ["Later"]],
    ]
    assert [line.title for row in grid.rows for cell in row.cells if (line := cell.continued)] == ["Long"]
    assert [row.start for row in grid.rows] == [at("09:00"), at("10:00")]


def test_grid_has_every_talk_of_a_session_below_it_at_its_own_hour() -> None:
    conference = make_conference()
    session = make_event(conference, title="Workshop", start="09:00", end="12:00", room=make_room(conference))
    for title, start in [("Opening", "09:00"), ("Talk", "10:15")]:
        make_event(conference, kind="talk", title=title, start=start, end="11:00", session=session)
    make_event(conference, kind="break", title="Their coffee", start="11:00", end="11:30", session=session)

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    lines = [[(line.title, line.is_inside) for line in cell.lines] for row in grid.rows for cell in row.cells]
    assert lines == [[("Workshop", False), ("Opening", True)], [("Talk", True)], [("Their coffee", True)]]


def test_grid_shows_a_session_of_many_posters_as_a_band_with_its_room() -> None:
    conference = make_conference()
    session = make_event(conference, title="Posters", start="10:00", end="12:00", room=make_room(conference, "Hall 3"))
    for _ in range(MAX_POSTER_LINES + 1):
        make_event(conference, kind="poster", session=session, start="10:00", end="12:00")

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    ((line,),) = [row.band for row in grid.rows]
    assert (line.title, line.posters, line.plate and line.plate.name) == ("Posters", MAX_POSTER_LINES + 1, "Hall 3")


def test_grid_marks_the_row_of_now_on_that_day_alone() -> None:
    conference = make_conference()
    hall = make_room(conference)
    for start in ("09:30", "10:30", "12:30"):
        make_event(conference, start=start, end="13:00", room=hall)

    today = day_page(conference, clock("11:45"), as_grid=True).grid
    other = day_page(conference, clock("11:45", FRIDAY), as_grid=True).grid

    assert today
    assert other
    assert [row.is_now for row in today.rows] == [False, True, False]
    assert not any(row.is_now for row in other.rows)


def test_grid_shows_breaks_as_bands() -> None:
    conference = make_conference()
    make_event(conference, title="Talk", start="09:00", end="10:00", room=make_room(conference))
    make_event(conference, kind="break", title="Coffee", start="10:00", end="10:30")

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    assert [titles(row.band) for row in grid.rows] == [[], ["Coffee"]]


def test_grid_shows_parallel_events_of_one_room_together() -> None:
    conference = make_conference()
    hall = make_room(conference)
    for title in ["A", "B"]:
        make_event(conference, title=title, start="09:00", end="10:00", room=hall)

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    assert [[titles(cell.lines) for cell in row.cells] for row in grid.rows] == [[["A", "B"]]]


def test_grid_leaves_out_what_has_no_hour() -> None:
    conference = make_conference()
    make_event(conference, title="TBA", room=make_room(conference))

    page = day_page(conference, as_grid=True)

    assert page.grid is not None
    assert (page.grid.rows, page.count) == ([], 1)
    assert shape(day_page(conference).groups) == [("TBA", ["TBA"])]


def test_drafts_are_counted_nowhere() -> None:
    conference = make_conference()
    session = make_event(conference, status="draft")
    make_event(conference, kind="talk", session=session, start="09:00", end="10:00")

    page = day_page(conference, as_grid=True)

    assert (page.count, page.filters.kinds, page.changed_at) == (0, [], None)
    assert Event.objects.count() == 2


def test_two_sessions_inside_each_other_both_stay_in_sight() -> None:
    conference = make_conference()
    first = make_event(conference, title="First", start="09:00", end="10:00")
    second = make_event(conference, title="Second", start="09:00", end="10:00", session=first)
    Event.objects.filter(pk=first.pk).update(session=second)

    page = day_page(conference)

    assert titles(page.groups[0].cards) == ["First", "Second"]
