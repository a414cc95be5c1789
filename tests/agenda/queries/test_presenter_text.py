"""What somebody is told who presents at one of two things."""

from __future__ import annotations

from typing import Any

import pytest

from events.agenda.queries.conflicts import conflicts_with_bookmarks
from events.models import Event
from events.pages.queries.agenda import agenda_page
from tests.factories import make_agenda, make_conference, make_event, make_room, make_walk, make_zone
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


class Venue:
    def __init__(self) -> None:
        self.conference = make_conference()
        hall, garnet = make_zone(self.conference, "Hall 1"), make_zone(self.conference, "Garnet")
        make_walk(self.conference, hall, garnet, 5)
        self.hall, self.garnet = make_room(self.conference, "Hall 1", hall), make_room(self.conference, "Garnet", garnet)

    def event(self, start: str, end: str, **fields: Any) -> Event:
        return make_event(self.conference, **{"kind": "talk", "start": start, "end": end, "room": self.hall} | fields)

    def presenter_lines(self, mine: Event, *others: Event) -> list[tuple[str, str]]:
        """Of the event that is presented, what gets in its way."""
        agenda, _ = make_agenda(self.conference, *others)
        agenda.present(mine, on=True)
        agenda.conference = self.conference
        self.agenda = agenda
        return [(it.verdict, it.sentence) for it in conflicts_with_bookmarks(mine, agenda, clock())]


@pytest.fixture
def venue() -> Venue:
    return Venue()


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param("12:50", "14:00", ("clash", "You present until 13:00, so you arrive 13:05, 15 min late"), id="R21"),
        pytest.param("13:00", "14:00", ("tight", "You present until 13:00, so you arrive 13:05, 5 min late"), id="back to back"),
        pytest.param("12:00", "13:05", ("clash", "You present until 13:00, so you would miss all of it"), id="over by then"),
        pytest.param("10:00", "11:30", ("clash", "You present from 11:00, so leave at 10:55"), id="begun before"),
        pytest.param("10:00", "11:00", ("tight", "You present from 11:00, so leave at 10:55"), id="ends as it begins"),
        pytest.param("10:56", "11:30", ("clash", "You present from 11:00, so you would miss all of it"), id="just begun"),
    ],
)
def test_end_and_walk_make_the_arrival(venue: Venue, start: str, end: str, expected: tuple[str, str]) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")

    assert venue.presenter_lines(poster, venue.event(start, end, room=venue.garnet)) == [expected]


def test_dinner_elsewhere_is_reached_late(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")
    dinner = venue.event("13:00", "15:00", kind="social", room=None, place="Marina", travel_minutes=15)

    assert venue.presenter_lines(poster, dinner) == [("tight", "You present until 13:00, so you arrive 13:15, 15 min late")]


def test_unknown_way_makes_no_claim(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")

    lines = venue.presenter_lines(poster, venue.event("12:50", "14:00", room=None))

    assert lines == [("clash", "You present until 13:00, so you arrive 13:00 at the earliest, 10 min late")]


def test_workshop_around_it_is_left_for_it(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")

    lines = venue.presenter_lines(poster, venue.event("09:00", "17:00", kind="session"))

    assert lines == [("partial", "You present 11:00–13:00, so you would miss 120 of 480 min")]


def test_own_poster_is_not_left_for_a_talk(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")
    talk = venue.event("11:30", "12:00")

    assert venue.presenter_lines(poster, talk) == [("clash", "You present until 13:00, so you would miss all of it")]
    venue.agenda.present(poster, on=False)
    assert [it.verdict for it in conflicts_with_bookmarks(poster, venue.agenda, clock())] == ["partial"]


def test_two_that_one_presents_are_told_as_such(venue: Venue) -> None:
    first, second = venue.event("10:00", "11:00"), venue.event("10:30", "11:30")
    agenda, _ = make_agenda(venue.conference)
    for event in (first, second):
        agenda.present(event, on=True)

    assert [it.sentence for it in conflicts_with_bookmarks(first, agenda, clock())] == ["You present at both: 30 min overlap"]


def test_message_names_the_other_of_the_two(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster", title="Poster")
    talk = venue.event("12:50", "14:00", room=venue.garnet, title="Talk")
    venue.presenter_lines(poster, talk)

    lines = [conflicts_with_bookmarks(it, venue.agenda, clock())[0].message for it in (poster, talk)]

    assert lines == [
        "You present until 13:00, so you reach Talk at 13:05, 15 min late.",
        "You present Poster until 13:00, so you reach it at 13:05, 15 min late.",
    ]


def test_what_one_presents_is_told_first(venue: Venue) -> None:
    worse, mine = venue.event("10:00", "11:00"), venue.event("11:00", "12:00", room=venue.garnet)
    agenda, _ = make_agenda(venue.conference, worse)
    agenda.present(mine, on=True)

    found = conflicts_with_bookmarks(venue.event("10:00", "11:00"), agenda, clock())

    assert [(it.other.title, it.verdict) for it in found] == [(mine.title, "tight"), (worse.title, "clash")]


def test_agenda_says_it_between_the_two(venue: Venue) -> None:
    poster = venue.event("11:00", "13:00", kind="poster")
    venue.presenter_lines(poster, venue.event("12:50", "14:00", room=venue.garnet))

    [day] = agenda_page(venue.agenda, clock()).days

    (told,) = day.rows[1].between
    words = told.words
    assert f"{words.lead}Dinner{words.rest}" == "You present until 13:00, so you reach Dinner at 13:05, 15 min late"
    assert told.named is day.rows[1].card
    assert (words.remedy, [it.removed for it in told.choices]) == ("", [day.rows[1].card.title])
    assert [getattr(row.card, "event").presents for row in day.rows] == [True, False]  # noqa: B009
