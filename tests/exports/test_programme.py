from __future__ import annotations

import datetime as dt

import pytest

from events.exports.programme import part_of_programme, programme_data
from events.models import Event, Topic, Track
from tests.exports.reading import TODAY, as_json, as_xml, data_of, from_json, from_xml, problems
from tests.factories import make_conference, make_event, make_room, make_type, make_zone
from tests.security.hidden import CANARY, Hidden
from tests.security.world import World

pytestmark = pytest.mark.django_db


def test_nothing_hidden_is_read() -> None:
    world = World()
    Hidden(world)

    assert CANARY.findall(str(data_of(world.conference))) == []


def test_labels_that_only_hidden_events_carry_are_not_read() -> None:
    conference = make_conference()
    track = Track.objects.create(conference=conference, name="Secret track", slug="secret")
    topic = Topic.objects.create(conference=conference, area="Secret area", slug="secret")
    make_event(
        conference,
        status="draft",
        track=track,
        topic=topic,
        type=make_type(conference, "talk", name="Secret type"),
        announce=False,
    )

    assert "Secret" not in str(data_of(conference))


def test_part_refers_to_nothing_outside_it() -> None:
    world = World()
    posters = Event.objects.public().filter(conference=world.conference, type__kind="poster")

    data = programme_data(part_of_programme(world.conference, posters, TODAY))

    assert [it.title for it in data.events] == ["Gradients, poster"]
    assert [it.title for it in data.papers] == ["Gradients without descent"]
    assert [it.name for it in data.people] == ["Song Han", "Ada Lovelace"]
    assert from_json(as_json(data), "iclr-2025") == data


@pytest.mark.parametrize(("date", "expected"), [(dt.date(2025, 5, 27), ""), (dt.date(2025, 5, 28), "https://elsewhere.example")])
def test_recording_has_a_link_from_its_date_on(date: dt.date, expected: str) -> None:
    world = World()

    keynote = next(it for it in data_of(world.conference, date).events if it.guid == str(world.keynote.guid))

    assert (keynote.recording_url, keynote.recording_from) == (expected, dt.date(2025, 5, 28))


def test_rooms_of_one_name_have_keys_and_guids_of_their_own() -> None:
    conference = make_conference()
    for number, hall in enumerate(["North", "South"]):
        room = make_room(conference, "Room 1", make_zone(conference, hall, position=number))
        make_event(conference, title=hall, start="09:00", end="10:00", room=room)

    data = data_of(conference)

    assert [it.key for it in data.rooms] == ["room-1", "room-1-2"]
    assert {it.title: it.room for it in from_xml(as_xml(data), conference.slug).events} == {
        "North": "room-1",
        "South": "room-1-2",
    }
    assert from_json(as_json(data), conference.slug) == data


@pytest.mark.parametrize("slug", ["a", "ICLR-2025", "x_y", "conference-with-a-long-name"])
@pytest.mark.parametrize("zone", ["Asia/Singapore", "America/Argentina/Buenos_Aires", "Etc/GMT+3", "UTC", "US/Eastern"])
def test_any_slug_and_zone_is_valid(slug: str, zone: str) -> None:
    conference = make_conference(slug=slug, timezone=zone, url="https://[::1]:8000/x")
    make_event(conference, start="09:00", end="10:00")

    data = data_of(conference)

    assert problems(as_xml(data), "schedule.xml") + problems(as_json(data), "schedule.json") == []
    assert from_json(as_json(data), slug) == data
    assert from_xml(as_xml(data), slug).conference.timezone == zone


def test_conference_without_anything_is_valid() -> None:
    data = data_of(make_conference())

    assert problems(as_xml(data), "schedule.xml") + problems(as_json(data), "schedule.json") == []
