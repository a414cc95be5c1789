"""Which plans cannot happen."""

from __future__ import annotations

from typing import Any

import pytest

from events.programme.queries.clashes import clashes_of, new_clashes
from tests.factories import at, make_appearance, make_conference, make_event, make_person, make_room

pytestmark = pytest.mark.django_db


def test_room_with_two_events_clashes() -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    first = make_event(conference, title="First", room=room, start="09:00", end="10:00")
    second = make_event(conference, title="Second", room=room, start="09:45", end="11:00", status="draft")

    found = clashes_of(conference)

    assert [(clash.kind, clash.what, clash.a.pk, clash.b.pk, clash.start, clash.end) for clash in found] == [
        ("room", "Garnet", first.pk, second.pk, at("09:45"), at("10:00"))
    ]
    assert found[0].sentence == (
        "Thu 24 April, 09:45–10:00: Garnet holds two events for 15 min: “First” (09:00–10:00) and “Second” (09:45–11:00). "
        "Move one, or give it another room."
    )


def test_person_in_two_events_clashes() -> None:
    conference = make_conference()
    person = make_person(conference)
    for title in ("First", "Second"):
        make_appearance(make_event(conference, title=title, start="09:00", end="10:00"), person)

    assert [clash.sentence for clash in clashes_of(conference)] == [
        (
            "Thu 24 April, 09:00–10:00: Ada Lovelace is in two events for 60 min: “First” (09:00–10:00) and "
            "“Second” (09:00–10:00). Move one, or ask somebody else."
        )
    ]


def test_namesakes_do_not_clash() -> None:
    conference = make_conference()
    for _ in range(2):
        make_appearance(make_event(conference, start="09:00", end="10:00"), make_person(conference, "Wei Wang"))

    assert clashes_of(conference) == []


@pytest.mark.parametrize("kind", ["poster", "break", "service"])
def test_what_shares_its_room_does_not_clash(kind: str) -> None:
    conference = make_conference()
    room = make_room(conference)
    make_event(conference, room=room, start="09:00", end="10:00")
    make_event(conference, kind=kind, room=room, start="09:00", end="10:00")

    assert clashes_of(conference) == []


def test_talk_does_not_clash_with_its_session_but_with_the_next_talk() -> None:
    conference = make_conference()
    room = make_room(conference)
    session = make_event(conference, room=room, start="09:00", end="10:00")
    inside = {"kind": "talk", "session": session, "room": room, "end": "09:30"}
    talks = [make_event(conference, start=start, **inside) for start in ("09:00", "09:15")]

    assert [(clash.a.pk, clash.b.pk) for clash in clashes_of(conference)] == [(talks[0].pk, talks[1].pk)]


def test_cancelled_and_timeless_events_do_not_clash() -> None:
    conference = make_conference()
    room = make_room(conference)
    make_event(conference, room=room, start="09:00", end="10:00")
    make_event(conference, room=room, start="09:00", end="10:00", status="cancelled")
    make_event(conference, room=room)

    assert clashes_of(conference) == []


@pytest.mark.parametrize("count", [2, 6])
def test_clashes_take_two_queries(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    room, person = make_room(conference), make_person(conference)
    for _ in range(count):
        make_appearance(make_event(conference, room=room, start="09:00", end="10:00"), person)

    with django_assert_num_queries(2):
        found = clashes_of(conference)

    assert len(found) == count * (count - 1)


def test_new_clashes_are_those_a_plan_adds() -> None:
    conference = make_conference()
    room = make_room(conference)
    old, also_old, event = (make_event(conference, room=where, start="09:00", end="10:00") for where in (room, room, None))
    event.room = room

    found = new_clashes([conference], {event.pk: event})

    assert sorted({clash.a.pk, clash.b.pk} for clash in found) == [{old.pk, event.pk}, {also_old.pk, event.pk}]
