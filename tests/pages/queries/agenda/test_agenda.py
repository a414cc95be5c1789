from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.agenda.queries.conflicts import conflicts_with_bookmarks
from events.models import Agenda, Day, Event
from events.pages.queries.agenda import agenda_page, agenda_rows_of_day, suggestions
from events.pages.queries.agenda_rows import PosterStop
from events.pages.queries.gaps import Transition
from events.programme.display import EventLine
from tests.factories import THURSDAY, at, make_agenda, make_day, make_event
from tests.pages.queries.agenda.agendas import Venue, gaps_of, page_of
from tests.pages.queries.reading import clock, flags, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = THURSDAY + dt.timedelta(days=1)


def test_agenda_is_by_day_and_what_has_no_day_comes_last(venue: Venue) -> None:
    friday = make_day(venue.conference, FRIDAY)
    someday = venue.talk("Someday", None, None)
    Event.objects.filter(pk=someday.pk).update(day=None)
    picks = [
        venue.talk("Friday", None, None, day=friday),
        someday,
        venue.talk("Second", "10:00", "11:00"),
        venue.talk("First", "09:00", "10:00"),
        venue.talk("TBA", None, None),
    ]

    page = page_of(*picks)

    assert [(day.day, titles(row.card for row in day.rows), day.count) for day in page.days] == [
        (THURSDAY, ["First", "Second", "TBA"], 3),
        (FRIDAY, ["Friday"], 1),
        (None, ["Someday"], 1),
    ]
    assert (page.count, page.undated, page.clashes) == (5, 1, 0)
    assert {row.card.bookmarked for day in page.days for row in day.rows} == {True}


def test_agenda_leaves_out_what_was_taken_back_or_withdrawn(venue: Venue) -> None:
    kept, taken, withdrawn = (venue.talk(title, None, None) for title in ("Kept", "Taken", "Withdrawn"))
    agenda, _ = make_agenda(venue.conference, kept, taken, withdrawn)
    agenda.bookmark(taken, on=False)
    withdrawn.status = "draft"
    withdrawn.revise()

    page = agenda_page(agenda, clock())

    assert [titles(row.card for row in day.rows) for day in page.days] == [["Kept"]]


def test_agenda_marks_what_was_cancelled_or_moved_since_it_was_picked(venue: Venue) -> None:
    off, moved = venue.talk("Off", "09:00", "10:00"), venue.talk("Moved", "11:00", "12:00")
    moved.start = at("10:30")
    moved.revise()
    agenda, _ = make_agenda(venue.conference, off, moved)
    off.status, moved.start = "cancelled", at("10:00")
    off.revise()
    moved.revise()

    (day,) = agenda_page(agenda, clock()).days

    assert [(row.card.title, flags(row.card)) for row in day.rows] == [
        ("Off", [("cancelled", "Cancelled")]),
        ("Moved", [("moved", "Moved from 10:30")]),
    ]


@pytest.mark.parametrize(
    ("start", "room", "gap"),
    [
        pytest.param("13:30", "hall", ("fine", "2 h 30 min free"), id="same-hall"),
        pytest.param("11:00", "hall", ("fine", "Starts right after"), id="straight-on"),
        pytest.param("11:20", "garnet", ("fine", "20 min · 5 min walk to Garnet 212, covered"), id="time-to-walk"),
        pytest.param("11:05", "garnet", ("fine", "5 min · 5 min walk to Garnet 212, covered"), id="just-in-time"),
        pytest.param("11:00", "garnet", ("tight", "5 min walk: you arrive 11:05, 5 min late"), id="late"),
        pytest.param("11:03", "garnet", ("tight", "5 min walk: you arrive 11:05, 2 min late"), id="a-little-late"),
        pytest.param("11:00", "annex", ("", "No break · walk not known"), id="way-unknown"),
        pytest.param("11:20", "annex", ("", "20 min free"), id="way-unknown-with-time"),
        pytest.param("10:30", "hall", ("clash", "Clash: 30 min overlap"), id="clash"),
    ],
)
def test_gap_says_how_long_it_is_and_what_the_walk_costs(venue: Venue, start: str, room: str, gap: tuple[str, str]) -> None:
    first = venue.talk("First", "10:00", "11:00", room=venue.hall)
    second = venue.talk("Second", start, "15:00", room=getattr(venue, room))

    assert gaps_of(first, second) == [None, gap]


def test_gap_has_figures(venue: Venue) -> None:
    first = venue.talk("First", "10:00", "11:00", room=venue.hall)
    second = venue.talk("Second", "11:08", "12:00", room=venue.garnet)

    (day,) = page_of(first, second).days

    assert day.rows[1].gap == Transition(
        minutes=8,
        walk_minutes=5,
        walk_covered=True,
        walk_to="Garnet 212",
        verdict="fine",
        sentence="8 min · 5 min walk to Garnet 212, covered",
    )


def friday_talk(venue: Venue, friday: Day, title: str = "Friday") -> Event:
    return make_event(venue.conference, kind="talk", title=title, start=at("09:00", FRIDAY), end=at("10:00", FRIDAY), day=friday)


def test_clash_over_the_change_of_days_is_told_once(venue: Venue) -> None:
    friday = make_day(venue.conference, FRIDAY)
    night = make_event(venue.conference, kind="talk", title="Night", start=at("22:00"), end=at("09:30", FRIDAY))
    morning = friday_talk(venue, friday, "Morning")

    days = page_of(night, morning).days

    assert [[(it.other.title, it.is_neighbour) for row in day.rows for it in row.conflicts] for day in days] == [
        [],
        [("Night", False)],
    ]


def test_earlier_day_stays_open_while_something_of_it_is_on(venue: Venue) -> None:
    talk = venue.talk("Talk", "10:00", "11:00")
    night = make_event(venue.conference, title="Hackathon", start=at("18:00"), end=at("16:00", FRIDAY))
    evening = venue.talk("Dinner", at("19:00", FRIDAY), at("21:00", FRIDAY), day=make_day(venue.conference, FRIDAY))
    agenda, _ = make_agenda(venue.conference, talk, night, evening)

    page, later = (agenda_page(agenda, clock(time, FRIDAY)) for time in ("10:00", "16:00"))

    assert [titles(row.card for row in day.coming) for day in page.days] == [["Hackathon"], ["Dinner"]]
    assert [titles(row.card for row in day.earlier) for day in page.days] == [["Talk"], []]
    assert flags(page.days[0].coming[0].card) == [("now", "On now")]
    assert ([day.day for day in page.past_days], [day.day for day in later.past_days]) == ([], [THURSDAY])


def test_posters_of_a_session_are_one_stop(venue: Venue) -> None:
    session = venue.talk("Poster Session 1", "10:00", "12:00", kind="session")
    posters = [
        venue.talk(f"Poster {board}", "10:00", "12:00", kind="poster", session=session, board=board, announce=False)
        for board in ("#36", "#9", "#12")
    ]
    talk = venue.talk("Talk", "11:00", "11:30")
    agenda, _ = make_agenda(venue.conference, *posters, talk)

    page = agenda_page(agenda, clock())

    stop, last = page.days[0].rows
    assert isinstance(stop.card, PosterStop)
    assert (stop.card.title, stop.card.boards, titles(stop.card.posters)) == (
        "Poster Session 1",
        "#9, #12, #36",
        ["Poster #9", "Poster #12", "Poster #36"],
    )
    assert stop.card.round_url.endswith(f"/events/{session.guid}/round/")
    assert (page.count, page.clashes, page.partial, [it.other.title for it in last.conflicts]) == (4, 0, 1, ["Poster Session 1"])
    assert [(type(row.card), row.picks) for row in agenda_rows_of_day(agenda, clock(), THURSDAY)] == [
        (PosterStop, 3),
        (EventLine, 1),
    ]


def test_poster_that_one_presents_stands_alone(venue: Venue) -> None:
    session = venue.talk("Poster Session 1", "10:00", "12:00", kind="session")
    mine, *others = [venue.talk(f"Poster {n}", "10:00", "12:00", kind="poster", session=session) for n in range(3)]
    agenda, _ = make_agenda(venue.conference, mine, *others)
    agenda.present(mine, on=True)

    (day,) = agenda_page(agenda, clock()).days

    assert sorted((row.card.title, row.picks) for row in day.rows) == [("Poster 0", 1), ("Poster Session 1", 2)]


def test_pick_that_was_cancelled_is_not_counted(venue: Venue) -> None:
    off, kept = venue.talk("Off", "09:00", "10:00", status="cancelled"), venue.talk("Kept", "09:00", "10:00")
    agenda, _ = make_agenda(venue.conference, off, kept)

    page = agenda_page(agenda, clock())

    assert (page.count, len(page.days[0].rows), agenda.count) == (1, 2, 1)


@pytest.mark.parametrize(
    ("now", "past_days", "earlier", "marked"),
    [
        pytest.param("08:00", [], [], "First", id="before"),
        pytest.param("10:30", [], ["First"], "Third", id="second is on"),
        pytest.param("23:00", [], ["First", "Second", "Third"], "Friday", id="the evening"),
    ],
)
def test_what_is_over_is_folded_and_the_next_stop_is_marked(
    venue: Venue, now: str, past_days: list[dt.date], earlier: list[str], marked: str
) -> None:
    friday = make_day(venue.conference, FRIDAY)
    picks = [
        venue.talk(title, start, end)
        for title, start, end in [("First", "09:00", "10:00"), ("Second", "10:00", "11:00"), ("Third", "11:30", "12:00")]
    ]
    picks.append(
        make_event(venue.conference, kind="talk", title="Friday", start=at("09:00", FRIDAY), end=at("10:00", FRIDAY), day=friday)
    )
    agenda, _ = make_agenda(venue.conference, *picks)

    page = agenda_page(agenda, clock(now))

    assert [day.day for day in page.past_days] == past_days
    assert titles(row.card for row in page.days[0].earlier) == earlier
    assert [row.card.title for day in page.days for row in day.rows if row.is_next] == [marked]


def test_days_that_are_over_are_folded_until_all_are(venue: Venue) -> None:
    friday = make_day(venue.conference, FRIDAY)
    thursday = venue.talk("Thursday", "09:00", "10:00")
    later = make_event(
        venue.conference, kind="talk", title="Friday", start=at("09:00", FRIDAY), end=at("10:00", FRIDAY), day=friday
    )
    agenda, _ = make_agenda(venue.conference, thursday, later)

    days = [[day.day for day in agenda_page(agenda, clock(now, FRIDAY)).past_days] for now in ("08:00", "12:00")]

    assert days == [[THURSDAY], []]


def test_walk_out_of_doors_and_of_unknown_cover_is_said_so(venue: Venue) -> None:
    for covered, word in [(False, ", outdoors"), (None, "")]:
        venue.conference.walks.update(covered=covered)
        first = venue.talk("First", "10:00", "11:00", room=venue.hall)
        second = venue.talk("Second", "11:10", "12:00", room=venue.garnet)
        assert gaps_of(first, second)[1] == ("fine", f"10 min · 5 min walk to Garnet 212{word}")


def test_way_back_may_take_another_time(venue: Venue) -> None:
    venue.conference.walks.update(minutes_back=8)
    first = venue.talk("First", "10:00", "11:00", room=venue.garnet)
    second = venue.talk("Second", "11:00", "12:00", room=venue.hall)

    assert gaps_of(first, second)[1] == ("tight", "8 min walk: you arrive 11:08, 8 min late")


def test_travel_to_a_place_elsewhere_counts(venue: Venue) -> None:
    last_talk = venue.talk("Last talk", "17:00", "18:00", room=venue.hall)
    party = venue.talk("Party", "18:15", "22:00", kind="social", place="A bar", travel_minutes=25)

    assert gaps_of(last_talk, party)[1] == ("tight", "25 min walk: you arrive 18:25, 10 min late")


def test_nobody_without_an_agenda_is_told_anything(venue: Venue) -> None:
    assert conflicts_with_bookmarks(venue.talk("A", "10:00", "11:00"), None, clock()) == []


def test_picks_of_another_day_are_not_my_day(venue: Venue) -> None:
    friday = make_day(venue.conference, FRIDAY)
    agenda, _ = make_agenda(venue.conference, venue.talk("Thu", None, None), venue.talk("Fri", None, None, day=friday))

    shown = {date: titles(row.card for row in agenda_rows_of_day(agenda, clock(), date)) for date in (THURSDAY, FRIDAY)}

    assert shown == {THURSDAY: ["Thu"], FRIDAY: ["Fri"]}


def test_what_lasts_into_a_day_is_in_my_day_too(venue: Venue) -> None:
    make_day(venue.conference, FRIDAY)
    night = make_event(venue.conference, title="Hackathon", start=at("18:00"), end=at("16:00", FRIDAY))
    party = make_event(venue.conference, title="Party", start=at("22:00"), end=at("04:00", FRIDAY))
    agenda, _ = make_agenda(venue.conference, night, party)

    shown = {date: titles(row.card for row in agenda_rows_of_day(agenda, clock(), date)) for date in (THURSDAY, FRIDAY)}

    assert shown == {THURSDAY: ["Hackathon", "Party"], FRIDAY: ["Hackathon"]}


@pytest.mark.parametrize(
    ("now", "shown"),
    [("08:00", ["One", "Two", "Three"]), ("10:30", ["Two", "Three", "Four"]), ("23:00", ["One", "Two", "Three"])],
)
def test_suggestions_are_the_next_invited_talks(venue: Venue, now: str, shown: list[str]) -> None:
    for hour, title in [(9, "One"), (11, "Two"), (14, "Three"), (16, "Four")]:
        venue.talk(title, f"{hour:02}:00", f"{hour + 1:02}:00", kind="invited-talk")
    venue.talk("Off", "08:30", "09:00", kind="invited-talk", status="cancelled")

    assert titles(suggestions(venue.conference, clock(now))) == shown


def test_without_invited_talks_to_come_suggestions_are_what_begins_next(venue: Venue) -> None:
    venue.talk("Invited", "09:00", "10:00", kind="invited-talk")
    wednesday = make_day(venue.conference, THURSDAY - dt.timedelta(days=1))
    venue.talk("Without an hour", None, None, day=wednesday, kind="invited-talk")
    session = venue.talk("Session", "11:00", "12:00", kind="session")
    venue.talk("Inside", "11:00", "11:30", session=session)
    venue.talk("Lunch", "12:00", "13:00", kind="break")
    venue.talk("Off", "13:00", "14:00", status="cancelled")
    venue.talk("Party", "19:00", "22:00", kind="social")

    assert titles(suggestions(venue.conference, clock("10:30"))) == ["Session", "Party"]
    assert titles(suggestions(venue.conference, clock("11:00"))) == ["Party"]
    assert titles(suggestions(venue.conference, clock("19:00"))) == ["Without an hour", "Invited"]
    venue.talk("Hour to be announced", None, None, kind="invited-talk")
    assert titles(suggestions(venue.conference, clock("10:30"))) == ["Hour to be announced"]


def test_sixty_picks_take_as_many_queries_as_two(venue: Venue, django_assert_num_queries: Any) -> None:
    agenda, _ = make_agenda(venue.conference)
    for number in range(60):
        agenda.bookmark(venue.talk(f"{number}", "10:00", "11:00", room=venue.hall), on=True)
        if number in {1, 59}:
            with django_assert_num_queries(9):
                agenda_page(Agenda.objects.select_related("conference").get(), clock())
