"""Where else one can catch what one would have to miss, as rows have it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.agenda.queries.conflicts import AgendaConflicts
from events.agenda.queries.other_times import OtherTimes, other_times_of_event
from events.core.clock import Clock
from events.models import Agenda, Conference, Event, Paper
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_walk,
    make_zone,
)
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = THURSDAY + dt.timedelta(days=1)


class Programme:
    """Two orals at the same time, in a hall and in a room five minutes away."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference(slug="demo")
        hall, garnet = make_zone(self.conference, "Hall 1"), make_zone(self.conference, "Garnet")
        make_walk(self.conference, hall, garnet, 5)
        self.hall, self.garnet = make_room(self.conference, "Hall 1", hall), make_room(self.conference, "Garnet 212", garnet)
        self.paper: Paper = make_paper(self.conference)
        self.friday = make_day(self.conference, FRIDAY)
        self.oral = self.talk("Adam", "10:00", "10:30", paper=self.paper)
        self.other = self.talk("Eve", "10:15", "10:45", room=self.garnet)

    def talk(self, title: str, start: str | None, end: str | None, **fields: Any) -> Event:
        return make_event(self.conference, **{"kind": "talk", "title": title, "start": start, "end": end} | fields)

    def poster(self, start: str = "14:00", end: str = "16:00", **fields: Any) -> Event:
        values = {"kind": "poster", "paper": self.paper, "room": self.hall, "board": "12", "day": self.friday}
        return self.talk("Adam, poster", start, end, **values | fields)

    def agenda(self, *more: Event) -> Agenda:
        return make_agenda(self.conference, self.oral, self.other, *more)[0]

    def ways(self, *more: Event, now: Clock | None = None) -> list[OtherTimes]:
        """What the event page of Eve's talk tells somebody who picked both."""
        own = AgendaConflicts(self.agenda(*more), self.conference, now or clock())
        return other_times_of_event(self.other, own.conflicts_of(self.other), own)


@pytest.fixture
def programme() -> Programme:
    return Programme()


def shown_times(ways: list[OtherTimes]) -> list[tuple[str, list[str]]]:
    return [(way.event.title, [it.event.title for it in way.times]) for way in ways]


def test_poster_of_an_oral_is_the_way_out_of_a_clash_with_its_board(programme: Programme) -> None:
    poster = programme.poster()

    (way,) = programme.ways()

    (time,) = way.times
    assert (way.event, time.event, time.bookmarked_event) == (programme.oral, poster, programme.oral)
    assert (time.event.board, time.event.start, time.event.type.name) == ("12", poster.start, "Poster")
    assert time.plate is not None
    assert time.plate.name == "Hall 1"
    assert time.exchange_url == f"/demo/events/{poster.guid}/instead-of/{programme.oral.guid}/"
    assert time.url == poster.get_absolute_url()


def test_moment_looked_at_goes_along(programme: Programme) -> None:
    poster = programme.poster()

    (way,) = programme.ways(now=clock("08:00", pinned=True))

    assert way.times[0].url == f"{poster.get_absolute_url()}?at=2025-04-24T08:00"


def test_both_sides_of_a_conflict_are_told_own_first(programme: Programme) -> None:
    programme.poster()
    Event.objects.filter(pk=programme.other.pk).update(paper=make_paper(programme.conference))
    programme.other.refresh_from_db()
    programme.talk("Eve, in a workshop", "12:00", "12:20", paper=programme.other.paper)

    assert shown_times(programme.ways()) == [("Eve", ["Eve, in a workshop"]), ("Adam", ["Adam, poster"])]


def test_way_out_never_clashes_with_another_pick(programme: Programme) -> None:
    programme.talk("Adam, again", "14:00", "14:30", paper=programme.paper)
    busy = programme.talk("Busy", "14:15", "15:00")

    assert programme.ways(busy) == []


def test_way_out_never_clashes_with_a_private_entry(programme: Programme) -> None:
    programme.talk("Adam, again", "14:00", "14:30", paper=programme.paper)
    agenda = programme.agenda()
    agenda.private_entries.create(title="Flight", start=at("14:15"), end=at("18:00"))

    own = AgendaConflicts(agenda, programme.conference, clock())
    lines = own.conflicts_of(programme.other)

    assert other_times_of_event(programme.other, lines, own) == []


def test_way_out_is_never_too_far_from_another_pick(programme: Programme) -> None:
    programme.talk("Adam, again", "14:00", "14:30", paper=programme.paper, room=programme.hall)
    near = programme.talk("Right after, five minutes away", "14:30", "15:00", room=programme.garnet)

    assert programme.ways(near) == []


@pytest.mark.parametrize(
    "fields",
    [{"status": "draft"}, {"status": "cancelled"}, {"start": None, "end": None}],
    ids=["draft", "cancelled", "no-time"],
)
def test_what_nobody_can_attend_is_no_way_out(programme: Programme, fields: dict[str, Any]) -> None:
    programme.poster(**fields)

    assert programme.ways() == []


def test_what_is_over_is_no_way_out(programme: Programme) -> None:
    programme.poster()

    assert programme.ways(now=clock("17:00", FRIDAY)) == []


def test_hidden_paper_gives_nothing_away(programme: Programme) -> None:
    programme.poster()
    Paper.objects.update(is_public=False)

    assert programme.ways() == []


def test_without_another_time_the_recording_is_told_with_its_date(programme: Programme) -> None:
    Event.objects.filter(pk=programme.oral.pk).update(recording_from=dt.date(2025, 5, 28), recording_url="https://example.org/v")

    before, after = programme.ways(), programme.ways(now=clock("08:00", dt.date(2025, 5, 28)))

    assert [(way.times, way.recording_url, way.recording_from) for way in before] == [([], "", dt.date(2025, 5, 28))]
    assert [(way.times, way.recording_url, way.recording_from) for way in after] == [([], "https://example.org/v", None)]


def test_recording_that_never_came_makes_no_promise(programme: Programme) -> None:
    Event.objects.filter(pk=programme.oral.pk).update(recording_from=dt.date(2025, 4, 1))

    assert programme.ways() == []


def test_repeat_has_the_title_and_the_people(programme: Programme) -> None:
    ada, eve = make_person(programme.conference), make_person(programme.conference, "Eve")
    tutorial = programme.talk("Tutorial", "10:20", "10:40")
    again, other = programme.talk("Tutorial", "12:00", "12:20"), programme.talk("Tutorial", "13:00", "13:20")
    for event, person in [(tutorial, ada), (again, ada), (other, eve)]:
        make_appearance(event, person)

    ways = programme.ways(tutorial)

    assert [(way.event, [it.event for it in way.times]) for way in ways] == [(tutorial, [again])]


def test_title_alone_makes_no_repeat(programme: Programme) -> None:
    opening = programme.talk("Opening", "10:20", "10:40")
    programme.talk("Opening", "12:00", "12:20")

    assert programme.ways(opening) == []


def test_title_and_text_make_a_repeat_of_what_names_nobody(programme: Programme) -> None:
    session = programme.talk("Town hall", "10:20", "10:40", abstract="Ask the board.")
    again = programme.talk("Town hall", "12:00", "12:20", abstract="Ask the board.")

    (way,) = programme.ways(session)

    assert [it.event for it in way.times] == [again]


def test_repeat_of_another_conference_is_none_of_this(programme: Programme) -> None:
    elsewhere = make_conference()
    make_event(elsewhere, kind="poster", paper=programme.paper, start="14:00", end="16:00")

    assert programme.ways() == []


def test_no_conflict_has_no_way_out(programme: Programme, django_assert_num_queries: Any) -> None:
    agenda = programme.agenda()

    with django_assert_num_queries(0):
        assert other_times_of_event(programme.other, [], AgendaConflicts(agenda, programme.conference, clock())) == []
        assert other_times_of_event(programme.other, [], AgendaConflicts(None, programme.conference, clock())) == []


@pytest.mark.parametrize("size", [1, 3, 60])
def test_ways_out_take_as_many_queries_for_sixty_picks_as_for_one(
    programme: Programme, size: int, django_assert_num_queries: Any
) -> None:
    programme.poster()
    talks = [programme.talk(f"Talk {number}", "10:20", "10:40") for number in range(size)]
    for talk in talks:
        programme.talk(talk.title, "12:00", "12:20")
    agenda = programme.agenda(*talks)
    own = AgendaConflicts(agenda, programme.conference, clock())
    lines = own.conflicts_of(programme.other)

    with django_assert_num_queries(4):
        (way,) = other_times_of_event(programme.other, lines, own)

    assert [it.event.title for it in way.times] == ["Adam, poster"]


def test_nobody_s_picks_are_looked_at_for_what_has_no_other_time(programme: Programme, django_assert_num_queries: Any) -> None:
    agenda = programme.agenda(programme.talk("Workshop", "09:00", "17:00", kind="session"))
    own = AgendaConflicts(agenda, programme.conference, clock())
    lines = own.conflicts_of(programme.other)

    with django_assert_num_queries(2):
        assert other_times_of_event(programme.other, lines, own) == []
