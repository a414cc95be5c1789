"""The crowds of events, apart from what is on in the same place before and after."""

from __future__ import annotations

from typing import Any

import pytest

from events.crowd.queries.reports import Crowds, crowd_text, recent_reports, room_states
from events.crowd.rules import Crowd, crowd_of
from events.models import Conference, Event, Room, Service
from tests.factories import at, make_agenda, make_conference, make_event, make_report, make_room
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

NOTHING, OLD = Crowd(), Crowd(stale=True)


class Programme:
    def __init__(self) -> None:
        self.conference: Conference = make_conference()
        self.room: Room = make_room(self.conference)
        self.first = self.event("10:00", "11:00")
        self.second = self.event("11:00", "12:00")

    def event(self, start: str, end: str, **fields: Any) -> Event:
        return make_event(self.conference, start=start, end=end, **{"room": self.room} | fields)

    def crowd(self, event: Event, time: str) -> Crowd:
        return Crowds(clock(time)).for_event(Event.objects.get(pk=event.pk))


@pytest.fixture
def programme() -> Programme:
    return Programme()


def full(time: str) -> Crowd:
    return Crowd("full", at(time), sure=True)


def test_report_about_an_event_does_not_count_for_the_next(programme: Programme) -> None:
    make_report(programme.first, "full", "10:58")

    found = [
        (programme.crowd(programme.first, time), programme.crowd(programme.second, time)) for time in ("10:59", "11:00", "11:05")
    ]

    assert found == [(full("10:58"), NOTHING), (NOTHING, NOTHING), (NOTHING, NOTHING)]


def test_report_about_the_next_event_does_not_count_for_the_current(programme: Programme) -> None:
    make_report(programme.second, "full", "10:50")

    found = [
        (programme.crowd(programme.first, time), programme.crowd(programme.second, time)) for time in ("10:50", "11:00", "11:05")
    ]

    assert found == [(NOTHING, full("10:50")), (NOTHING, full("10:50")), (NOTHING, OLD)]


def test_what_is_on_in_one_room_at_once_is_as_full(programme: Programme) -> None:
    inside = programme.event("10:15", "10:30", kind="talk", session=programme.first)
    beside = programme.event("09:30", "12:00", kind="poster")
    elsewhere = programme.event("10:00", "11:00", room=make_room(programme.conference, "Hall 2"))
    make_report(programme.first, "full", "10:20")

    found = [programme.crowd(it, "10:20") for it in (inside, beside, elsewhere)]

    assert found == [full("10:20"), full("10:20"), NOTHING]


@pytest.mark.parametrize(
    ("start", "end", "fields"),
    [
        pytest.param("10:00", "11:00", {"status": "cancelled"}, id="cancelled"),
        pytest.param("10:00", "11:00", {"room": None}, id="no-room"),
        pytest.param(None, None, {}, id="to-be-announced"),
        pytest.param("10:36", "11:00", {}, id="not-on-yet"),
    ],
)
def test_nothing_is_known_of_what_is_not_on(programme: Programme, start: Any, end: Any, fields: dict[str, Any]) -> None:
    event = programme.event(start, end, **fields)
    make_report(programme.first, "full", "10:20", event=None)

    assert programme.crowd(event, "10:20") == NOTHING


def test_other_conference_says_nothing_here(programme: Programme) -> None:
    other = Programme()
    make_report(other.first, "full", "10:20")

    assert programme.crowd(programme.first, "10:20") == NOTHING
    assert room_states(programme.conference, clock("10:20")) == {}


@pytest.mark.parametrize(
    ("time", "state"),
    [("10:20", full("10:10")), ("10:25", OLD), ("11:00", None), ("11:04", None)],
    ids=["fresh", "old", "over", "next-one-is-on"],
)
def test_states_of_rooms(programme: Programme, time: str, state: Crowd | None) -> None:
    make_report(programme.first, "full", "10:10")

    assert room_states(programme.conference, clock(time)) == ({programme.room.pk: state} if state else {})


def test_event_takes_no_report_along_and_leaves_none(programme: Programme) -> None:
    make_report(programme.first, "full", "10:10", event=None)
    make_report(programme.first, "filling", "10:11")
    other = make_room(programme.conference, "Hall 2")

    Event.objects.filter(pk=programme.first.pk).update(room=other)

    assert room_states(programme.conference, clock("10:20")) == {programme.room.pk: full("10:10")}
    assert programme.crowd(programme.first, "10:20") == NOTHING


def test_what_was_hidden_since_says_nothing_of_its_room(programme: Programme) -> None:
    make_report(programme.first, "full", "10:10")
    Event.objects.filter(pk=programme.first.pk).update(status="draft")
    beside = programme.event("10:00", "11:00")

    assert room_states(programme.conference, clock("10:12")) == {}
    assert programme.crowd(beside, "10:12") == NOTHING


def test_room_is_as_full_as_what_is_on_in_it_else_as_what_comes(programme: Programme) -> None:
    make_report(programme.first, "open", "10:50")
    make_report(programme.second, "full", "10:51")
    other = make_room(programme.conference, "Hall 2")
    make_report(programme.event("11:00", "12:00", room=other), "filling", "10:52")

    found = room_states(programme.conference, clock("10:55"))

    assert {pk: it.state for pk, it in found.items()} == {programme.room.pk: "open", other.pk: "filling"}


def test_report_of_staff_without_an_event_is_about_the_room(programme: Programme) -> None:
    make_report(programme.room, "full", "13:00")

    assert room_states(programme.conference, clock("13:10")) == {programme.room.pk: full("13:00")}


def test_lines_are_by_service_and_no_rooms(programme: Programme) -> None:
    desk = Service.objects.create(conference=programme.conference, name="Registration", room=programme.room)
    hours = programme.event("08:00", "18:00", kind="service", service=desk)
    make_report(hours, "full", "10:10", room=None, service=desk)

    assert Crowds(clock("10:12")).by_service(programme.conference) == {desk.pk: full("10:10")}
    assert room_states(programme.conference, clock("10:12")) == {}
    assert [programme.crowd(it, "10:12") for it in (hours, programme.first)] == [full("10:10"), NOTHING]


def test_one_old_report_is_read_for_each_place(programme: Programme) -> None:
    for minute in range(10):
        make_report(programme.first, "full", f"10:{minute:02}", make_agenda(programme.conference)[0])
    make_report(programme.first, "open", "10:16", make_agenda(programme.conference)[0])

    read = recent_reports(programme.conference.pk, at("10:26"))

    assert sorted((it.report.at, it.report.state) for it in read) == [(at("10:09"), ""), (at("10:16"), "open")]
    assert programme.crowd(programme.first, "10:26") == Crowd("open", at("10:16"))
    assert programme.crowd(programme.first, "10:40") == OLD


def test_all_rooms_take_one_query(programme: Programme, django_assert_num_queries: Any) -> None:
    rooms = [make_room(programme.conference, f"Room {number}") for number in range(3)]
    events = [programme.event("10:00", "11:00", room=room) for room in rooms]
    for event in events:
        make_report(event, "full", "10:10", make_agenda(programme.conference)[0])

    with django_assert_num_queries(1):
        crowds = Crowds(clock("10:12"))
        found = [crowds.for_event(it).state for it in events], len(crowds.by_room(programme.conference))

    assert found == (["full"] * 3, 3)


def test_what_is_known_of_a_hall_is_worked_out_once_for_all_that_hangs_in_it(
    programme: Programme, monkeypatch: pytest.MonkeyPatch
) -> None:
    posters = [programme.event("10:00", "11:00", kind="poster", session=programme.first) for _ in range(4)]
    worked_out = []
    monkeypatch.setattr("events.crowd.queries.reports.crowd_of", lambda *given: worked_out.append(given) or crowd_of(*given))
    make_report(programme.first, "full", "10:10")
    make_report(posters[3], "open", "10:11")

    crowds = Crowds(clock("10:12"))
    found = [crowds.for_event(it).state for it in [programme.first, *posters]]

    assert (found, len(worked_out)) == (["open"] * 5, 2)


def test_nothing_that_is_on_takes_no_query(programme: Programme, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert Crowds(clock("09:44")).for_event(programme.first) == NOTHING


@pytest.mark.parametrize(
    ("crowd", "line", "words"),
    [
        pytest.param(NOTHING, False, "", id="nothing"),
        pytest.param(OLD, False, "no recent report", id="old"),
        pytest.param(full("10:10"), False, "full, 10:10", id="full"),
        pytest.param(full("10:10"), True, "long line, 10:10", id="line"),
        pytest.param(Crowd("full", at("10:10")), False, "reported full at 10:10, not confirmed", id="not-sure"),
        pytest.param(Crowd("open", at("10:10"), sure=True), False, "seats left, 10:10", id="open"),
    ],
)
def test_words(crowd: Crowd, line: bool, words: str) -> None:
    assert crowd_text(crowd, line=line) == words
