"""Conflicts of an agenda: between neighbours, and of what is about to be bookmarked."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from events.agenda.queries.conflicts import conflicts_with_bookmarks
from events.models import Event
from events.pages.cards import Card
from events.pages.queries.agenda import agenda_page, agenda_rows_of_day
from tests.factories import THURSDAY, at, make_agenda, make_room, make_walk, make_zone
from tests.pages.queries.agenda.agendas import Venue, gaps_of, page_of
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def told_of(*events: Event) -> list[list[str]]:
    """For each row the whole sentences about its conflicts."""
    (day,) = page_of(*events).days
    return [
        [f"{it.words.lead}{it.named.title if it.named else ''}{it.words.rest}. {it.words.remedy}".strip() for it in row.conflicts]
        for row in day.rows
    ]


@pytest.mark.parametrize(
    ("start", "end", "room", "told"),
    [
        pytest.param(
            "10:30", "13:00", "hall", "These two clash: 30 min overlap. Choose one, or leave the first at 10:30.", id="clash"
        ),
        pytest.param("10:00", "13:00", "hall", "These two clash: 1 h overlap. They start together: keep one.", id="together"),
        pytest.param(
            "11:02",
            "12:00",
            "garnet",
            "5 min walk between these two: you arrive 11:05, 3 min late. Leave at 10:57 to be there in time.",
            id="tight",
        ),
    ],
)
def test_conflict_between_neighbours_has_a_remedy(venue: Venue, start: str, end: str, room: str, told: str) -> None:
    first = venue.talk("First", "10:00", "11:00", room=venue.hall)

    assert told_of(first, venue.talk("Second", start, end, room=getattr(venue, room))) == [[], [told]]


def test_minutes_without_breaks_are_called_so(venue: Venue) -> None:
    first = venue.talk("First", "10:00", "12:00", kind="session")
    venue.talk("Coffee", "11:00", "11:30", kind="break", session=first)

    assert told_of(first, venue.talk("Second", "10:30", "13:00", kind="session")) == [
        [],
        ["These two clash: 1 h overlap without breaks. Choose one, or leave the first at 10:30."],
    ]


def test_remedy_is_not_in_the_past(venue: Venue) -> None:
    first, second = venue.talk("First", "10:00", "12:00"), venue.talk("Second", "10:30", "13:00")
    agenda, _ = make_agenda(first.conference, first, second)

    told = {
        time: [it.words.remedy for day in agenda_page(agenda, clock(time)).days for row in day.rows for it in row.conflicts]
        for time in ("10:29", "10:30")
    }

    assert told == {"10:29": ["Choose one, or leave the first at 10:30."], "10:30": ["Choose one."]}


def test_what_is_left_for_a_while_is_named(venue: Venue) -> None:
    workshop = venue.talk("Workshop", "09:00", "17:00", kind="session")
    others = venue.talk("Early", "08:30", "09:30"), venue.talk("Within", "10:00", "10:30"), venue.talk("Late", "16:30", "18:00")

    assert told_of(workshop, *others) == [
        [],
        ["These two overlap: you would miss 30 of 480 min of Workshop. You can come at 09:30."],
        ["These two overlap: you would miss 30 of 480 min of Workshop. You can step out and come back."],
        ["You would miss 30 of 480 min of Workshop. You can leave at 16:30."],
    ]


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        pytest.param("09:00", "09:30", "you would miss 37 of 540 min of Workshop. You can come at 09:37.", id="begins"),
        pytest.param("12:00", "12:30", "you would miss 41 of 540 min of Workshop. You can step out and come back.", id="within"),
        pytest.param("09:03", "09:30", "you would miss 37 of 540 min of Workshop. You can come at 09:37.", id="no-time-before"),
        pytest.param("17:00", "17:55", "you would miss 64 of 540 min of Workshop. You can leave at 16:56.", id="no-time-after"),
        pytest.param("09:03", "17:55", "you would miss 540 of 540 min of Workshop.", id="no-time-at-all"),
    ],
)
def test_what_is_left_for_a_while_is_missed_for_the_ways_too(venue: Venue, start: str, end: str, told: str) -> None:
    zone = make_zone(venue.conference, "Topaz")
    make_walk(venue.conference, venue.garnet.zone, zone, 4, minutes_back=7)
    workshop = venue.talk("Workshop", "09:00", "18:00", kind="session", room=venue.garnet)
    talk = venue.talk("Talk", start, end, room=make_room(venue.conference, "Topaz", zone))

    assert [line for lines in told_of(workshop, talk) for line in lines] == [f"These two overlap: {told}"]


@pytest.mark.parametrize(
    ("start", "told"),
    [
        pytest.param("09:30", "Choose one, or leave the first at 09:25.", id="time-to-walk"),
        pytest.param("09:20", "Choose one.", id="no-time-to-walk"),
    ],
)
def test_first_of_a_clash_is_left_in_time_for_the_walk(venue: Venue, start: str, told: str) -> None:
    first = venue.talk("First", "09:15", "09:35", room=venue.hall)
    agenda, _ = make_agenda(venue.conference, first, venue.talk("Second", start, "10:00", room=venue.garnet))

    remedies = {
        time: [it.words.remedy for day in agenda_page(agenda, clock(time)).days for row in day.rows for it in row.conflicts]
        for time in ("09:14", "09:25")
    }

    assert remedies == {"09:14": [told], "09:25": ["Choose one."]}


def test_picks_that_start_together_are_drawn_as_they_are_judged(venue: Venue) -> None:
    early = venue.talk("Early", "09:30", "10:00")
    long, short = venue.talk("A long one", "13:00", "13:45"), venue.talk("B short one", "13:00", "13:30")
    agenda, _ = make_agenda(venue.conference, early, long, short)

    (day,) = agenda_page(agenda, clock()).days
    column = agenda_rows_of_day(agenda, clock(), THURSDAY)

    # The column has no free time.
    for rows, free in ((day.rows, "3 h free"), (column, None)):
        assert [(row.card.title, row.gap and row.gap.sentence, [it.other.title for it in row.between]) for row in rows] == [
            ("Early", None, []),
            ("B short one", free, []),
            ("A long one", None, ["B short one"]),
        ]


def test_private_lunch_and_keynote_name_each_other_past_the_break_between(venue: Venue) -> None:
    keynote = venue.talk("Keynote", "13:00", "14:00", kind="invited-talk")
    lunch = venue.talk("Lunch break", "12:05", "13:00", kind="break")
    agenda, _ = make_agenda(venue.conference, lunch, keynote)
    entry = agenda.private_entries.create(title="Lunch with Ada", start=at("12:00"), end=at("13:30"))

    page = agenda_page(agenda, clock())

    (day,) = page.days
    last = day.rows[2]
    (found,) = last.below
    assert isinstance(last.card, Card)
    assert ([row.card.title for row in day.rows], page.clashes) == (["Lunch with Ada", "Lunch break", "Keynote"], 1)
    assert [list(row.conflicts) for row in day.rows[:2]] == [[], []]
    assert f"{found.words.lead}{found.other.title}{found.words.rest}" == "Clash with Lunch with Ada: 30 min overlap"
    agenda_url = f"/{venue.conference.slug}/agenda/"
    assert [(it.label, it.removed, it.url, it.next_url) for it in found.choices] == [
        ("Change Lunch with Ada", "Lunch with Ada", f"{agenda_url}private/{entry.guid}/", ""),
        ("Keep Lunch with Ada", "Keynote", last.card.bookmark_url, f"{agenda_url}#private-{entry.guid}"),
    ]


def test_short_talk_inside_a_long_session_is_partial(venue: Venue) -> None:
    workshop = venue.talk("Workshop", "09:00", "17:00", kind="session", room=venue.hall)
    keynote = venue.talk("Keynote", "10:00", "10:30", kind="invited-talk", room=venue.hall)

    assert gaps_of(workshop, keynote)[1] == ("partial", "You would miss 30 of 480 min")


def test_talk_in_a_break_of_the_workshop_misses_nothing(venue: Venue) -> None:
    workshop = venue.talk("Workshop", "09:00", "17:00", kind="session")
    venue.talk("Keynotes elsewhere", "10:00", "11:00", kind="break", session=workshop)
    keynote = venue.talk("Keynote", "10:00", "11:00", kind="invited-talk")
    late = venue.talk("Late", "10:30", "11:30", kind="invited-talk")

    assert conflicts_of(workshop, keynote) == []
    assert conflicts_of(workshop, late) == [("Workshop", "partial", "You would miss 30 of 420 min")]


def test_talk_and_its_own_session_are_no_conflict(venue: Venue) -> None:
    session = venue.talk("Oral 1A", "10:00", "11:00", kind="session")
    talk = venue.talk("Talk", "10:15", "10:30", session=session)

    page = page_of(session, talk)

    assert (page.clashes, [(row.gap, row.conflicts) for row in page.days[0].rows]) == (0, [(None, []), (None, [])])


def test_page_counts_conflicts(venue: Venue) -> None:
    talks = [venue.talk(title, "10:00", "11:00") for title in "ABC"]

    assert page_of(*talks).clashes == 3


def conflicts_of(picked: Event, *others: Event) -> list[tuple[str, str, str]]:
    """What the last of the others is told when one picks it, with the rest picked already."""
    agenda, _ = make_agenda(picked.conference, picked, *others[:-1])
    return [(it.other.title, it.verdict, it.sentence) for it in conflicts_with_bookmarks(others[-1], agenda, clock())]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        pytest.param({"start": "10:30", "end": "11:30"}, [("A", "clash", "Clash: 30 min overlap")], id="overlap"),
        pytest.param({"start": "10:00", "end": "11:00"}, [("A", "clash", "Clash: 1 h overlap")], id="all-of-it"),
        pytest.param({"start": "11:00", "end": "12:00"}, [], id="back-to-back"),
        pytest.param({"start": None, "end": None}, [], id="hour-unknown"),
        pytest.param({"start": "10:30", "end": "11:30", "kind": "break"}, [], id="a-break"),
        pytest.param({"start": "07:30", "end": "19:00", "kind": "service"}, [], id="opening-hours"),
        pytest.param({"start": "10:30", "end": "11:30", "status": "cancelled"}, [], id="cancelled"),
    ],
)
def test_pick_is_told_what_it_overlaps(venue: Venue, other: dict[str, Any], told: list[tuple[str, str, str]]) -> None:
    assert conflicts_of(venue.talk("A", "10:00", "11:00"), venue.talk("B", **other)) == told


@pytest.mark.parametrize(
    "fields", [{"kind": "break"}, {"status": "cancelled"}, {"start": None, "end": None}], ids=["break", "off", "tba"]
)
def test_picks_that_cannot_be_missed_are_in_nobodys_way(venue: Venue, fields: dict[str, Any]) -> None:
    picked = venue.talk("A", **{"start": "10:00", "end": "11:00"} | fields)

    assert conflicts_of(picked, venue.talk("B", "10:00", "11:00")) == []


def test_pick_is_told_of_every_conflict_the_worst_first(venue: Venue) -> None:
    workshop = venue.talk("Workshop", "09:00", "17:00", kind="session")
    before = venue.talk("Before", "09:00", "10:00", room=venue.hall)
    same = venue.talk("Same", "10:15", "11:00")
    pick = venue.talk("Pick", "10:00", "11:00", room=venue.garnet)

    assert conflicts_of(workshop, before, same, pick) == [
        ("Same", "clash", "Clash: 45 min overlap"),
        ("Workshop", "partial", "You would miss 60 of 480 min"),
        ("Before", "tight", "5 min walk: you arrive 10:05, 5 min late"),
    ]


def test_walk_to_the_next_pick_is_told_too(venue: Venue) -> None:
    later = venue.talk("Later", "11:00", "12:00", room=venue.garnet)

    assert conflicts_of(later, venue.talk("Pick", "10:00", "11:00", room=venue.hall)) == [
        ("Later", "tight", "5 min walk: you arrive 11:05, 5 min late")
    ]


def test_times_in_sentences_are_the_visitors(venue: Venue) -> None:
    first = venue.talk("First", "10:00", "11:00", room=venue.hall)
    second = venue.talk("Second", "11:00", "12:00", room=venue.garnet)

    with timezone.override(ZoneInfo("Europe/Vienna")):
        assert conflicts_of(first, second) == [("First", "tight", "5 min walk: you arrive 05:05, 5 min late")]
