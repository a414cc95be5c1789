from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from events.core.clock import Clock
from events.models import Conference, Event
from events.pages.queries.schedule import DayPage, StartGroup, schedule_of_day
from events.pages.queries.session_contents import MAX_CHILDREN_PER_CARD
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


def test_order_within_a_start_is_the_organisers() -> None:
    conference = make_conference()
    make_event(conference, title="A", start="09:00", end="10:00", position=2)
    make_event(conference, title="B", start="09:00", end="10:00", position=1)

    assert shape(day_page(conference).groups) == [("09:00", ["B", "A"])]


def test_day_without_events_is_empty() -> None:
    page = day_page(make_conference())

    assert (page.groups, page.count, page.changed_at, page.now_at_end) == ([], 0, None, False)


def test_event_past_midnight_stands_on_the_evening_before() -> None:
    conference = make_conference()
    make_event(conference, title="Party", start=at("23:00"), end=at("02:00", FRIDAY))
    make_event(conference, title="Late", day=make_day(conference), start=at("01:00", FRIDAY), end=at("02:00", FRIDAY))

    assert shape(day_page(conference).groups) == [("23:00", ["Party"]), ("01:00", ["Late"])]


def test_what_is_inside_a_session_of_the_day_stands_inside_its_card() -> None:
    conference = make_conference()
    session = make_event(conference, title="Oral 1A", start="10:00", end="11:00")
    for title, start, end in [("Second", "10:15", "10:30"), ("First", "10:00", "10:15")]:
        make_event(conference, kind="talk", title=title, start=start, end=end, session=session)

    page = day_page(conference)

    assert shape(page.groups) == [("10:00", ["Oral 1A"])]
    assert titles(page.groups[0].cards[0].inside) == ["First", "Second"]
    assert page.count == 3


def test_talk_stands_alone_when_its_session_is_not_in_the_list() -> None:
    conference = make_conference()
    session = make_event(conference, title="Oral 1A", start="10:00", end="11:00")
    make_event(conference, kind="talk", title="Talk", start="10:15", end="10:30", session=session)

    assert shape(day_page(conference, type="talk").groups) == [("10:15", ["Talk"])]


@pytest.mark.parametrize(
    ("now", "rule", "at_end"),
    [
        pytest.param(clock("08:00"), "09:00", False, id="before-the-first"),
        pytest.param(clock("09:00"), "10:00", False, id="as-the-first-starts"),
        pytest.param(clock("09:30"), "10:00", False, id="between-two"),
        pytest.param(clock("10:30"), None, True, id="after-the-last-started"),
        pytest.param(clock("02:00", FRIDAY), None, True, id="in-the-night-after"),
        pytest.param(clock("08:00", FRIDAY), None, False, id="on-another-day"),
    ],
)
def test_now_rule_stands_before_what_starts_next(now: Clock, rule: str | None, at_end: bool) -> None:
    conference = make_conference()
    for start, end in [("09:00", "10:00"), ("10:00", "11:00")]:
        make_event(conference, title=start, start=start, end=end)

    page = day_page(conference, now)

    assert [group.cards[0].title for group in page.groups if group.now_rule] == ([rule] if rule else [])
    assert page.now_at_end is at_end


def test_now_rule_stands_before_what_is_to_be_announced() -> None:
    conference = make_conference()
    make_event(conference, title="A", start="09:00", end="10:00")
    make_event(conference, title="TBA")

    page = day_page(conference, clock("12:00"))

    assert [(group.cards[0].title, group.now_rule) for group in page.groups] == [("A", False), ("TBA", True)]
    assert page.now_at_end is False


def test_groups_know_whether_they_are_over_or_on() -> None:
    conference = make_conference()
    for title, start, end in [("A", "09:00", "10:00"), ("B", "09:00", "11:00"), ("C", "10:30", "11:00")]:
        make_event(conference, title=title, start=start, end=end)

    seen = {
        time: [(it.is_past, it.is_now) for it in day_page(conference, clock(time)).groups] for time in ("09:30", "10:00", "11:00")
    }

    assert seen == {
        "09:30": [(False, True), (False, False)],
        "10:00": [(False, True), (False, False)],
        "11:00": [(True, False), (True, False)],
    }


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
    for _ in range(MAX_CHILDREN_PER_CARD + 1):
        make_event(conference, kind="poster", session=session, start="10:00", end="12:00")

    grid = day_page(conference, as_grid=True).grid

    assert grid is not None
    ((line,),) = [row.band for row in grid.rows]
    assert (line.title, line.posters, line.plate and line.plate.name) == ("Posters", MAX_CHILDREN_PER_CARD + 1, "Hall 3")


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
