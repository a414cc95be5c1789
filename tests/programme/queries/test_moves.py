from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from events.models import Change, Event
from events.programme.queries.changes import moved_from
from tests.factories import SINGAPORE, THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = THURSDAY + dt.timedelta(days=1)
LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def moved(event: Event, since: dt.datetime = LONG_AGO) -> str | None:
    return moved_from([Event.objects.get(pk=event.pk)], since, SINGAPORE).get(event.pk)


def move(event: Event, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(event, name, value)
    event.revise()


def make_talk() -> Event:
    conference = make_conference()
    return make_event(conference, start="09:00", end="10:00", room=make_room(conference, "Hall 1"))


def test_event_that_never_moved_says_nothing() -> None:
    assert moved(make_talk()) is None


def test_move_on_its_day_says_the_hour() -> None:
    talk = make_talk()

    move(talk, start=at("09:30"))

    assert moved(talk) == "09:00"


def test_move_to_another_day_says_day_and_hour_once() -> None:
    talk = make_talk()

    move(talk, day=make_day(talk.conference, FRIDAY), start=at("09:00", FRIDAY), end=at("10:00", FRIDAY))

    assert moved(talk) == "Thu 24 April, 09:00"


def test_move_of_the_day_alone_says_the_day() -> None:
    event = make_event(make_conference())

    move(event, day=make_day(event.conference, FRIDAY))

    assert moved(event) == "Thu 24 April"


def test_move_of_room_and_hour_says_both() -> None:
    talk = make_talk()

    move(talk, start=at("09:30"), room=make_room(talk.conference, "Hall 2"))

    assert moved(talk) == "09:00, Hall 1"


def test_two_moves_read_as_one() -> None:
    talk = make_talk()

    for name in ["Hall 2", "Hall 3"]:
        move(talk, room=make_room(talk.conference, name))

    assert moved(talk) == "Hall 1"


def test_move_and_its_way_back_read_as_none() -> None:
    talk = make_talk()
    first = talk.room

    move(talk, room=make_room(talk.conference, "Hall 2"), start=at("09:30"))
    move(talk, room=first, start=at("09:00"))

    assert moved(talk) is None
    assert Change.objects.count() == 4


def test_way_back_of_the_room_leaves_the_hour() -> None:
    talk = make_talk()
    first = talk.room

    move(talk, room=make_room(talk.conference, "Hall 2"), start=at("09:30"))
    move(talk, room=first)

    assert moved(talk) == "09:00"


@pytest.mark.parametrize(
    "fields",
    [{"title": "New"}, {"end": at("11:00")}, {"board": "#3"}, {"status": "cancelled"}],
    ids=["title", "end", "board", "off"],
)
def test_other_changes_are_no_move(fields: dict[str, Any]) -> None:
    talk = make_talk()

    move(talk, **fields)

    assert moved(talk) is None


def test_first_time_is_no_move() -> None:
    event = make_event(make_conference())

    move(event, start=at("09:00"), end=at("10:00"), place="Lobby")

    assert moved(event) is None


def test_room_taken_away_is_a_move() -> None:
    talk = make_talk()

    move(talk, room=None)

    assert moved(talk) == "Hall 1"


def test_move_before_the_given_moment_is_known_already() -> None:
    talk = make_talk()
    move(talk, room=make_room(talk.conference, "Hall 2"))
    since = timezone.now()
    move(talk, room=make_room(talk.conference, "Hall 3"))

    assert moved(talk, since) == "Hall 2"
    assert moved(talk, timezone.now()) is None


def test_each_event_counts_from_its_given_time() -> None:
    first, second = make_talk(), make_talk()
    early = timezone.now()
    for talk in (first, second):
        move(talk, start=at("09:30"))

    events = [Event.objects.get(pk=it.pk) for it in (first, second)]
    assert moved_from(events, {first.pk: early, second.pk: timezone.now()}, SINGAPORE) == {first.pk: "09:00"}
    assert moved_from(events, {}, SINGAPORE) == {}


def test_hour_is_in_the_visitors_zone() -> None:
    talk = make_talk()
    move(talk, start=at("09:30"))

    moves = moved_from([Event.objects.get(pk=talk.pk)], LONG_AGO, timezone.get_fixed_timezone(60))  # type: ignore[arg-type]

    assert moves == {talk.pk: "02:00"}
