from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client

from events.models import Conference, Room
from tests.factories import at, make_conference, make_room
from tests.security.world import World

pytestmark = pytest.mark.django_db

ROOMS = "/organise/events/room/"


@pytest.mark.parametrize("state", ["open", "filling", "full"])
def test_action_reports_how_full_the_chosen_rooms_are_now(state: str) -> None:
    world = World()
    before = Conference.objects.get(pk=world.conference.pk).revision

    with time_machine.travel(at("09:30"), tick=False):
        world.client("organiser").post(ROOMS, {"action": f"report_{state}", "_selected_action": [world.hall_room.pk]})

    reported = dict(Room.objects.values_list("name", "state"))
    assert reported == {"Hall 1": state, "Garnet 212": ""}
    assert Room.objects.get(name="Hall 1").state_at == at("09:30")
    assert Conference.objects.get(pk=world.conference.pk).revision > before


def test_report_moves_no_calendar() -> None:
    world = World()
    world.keynote.refresh_from_db()
    before = (world.keynote.sequence, world.keynote.revised_at)

    world.hall_room.report("full")

    world.keynote.refresh_from_db()
    assert (world.keynote.sequence, world.keynote.revised_at) == before


def test_form_notes_when_a_report_was_made_and_forgets_it_with_the_report(client: Client) -> None:
    world = World()
    organiser = world.client("organiser")
    form = {"zone": world.hall.pk, "name": "Hall 1", "position": 0, "capacity": "3000", "description": "The big one."}
    version = organiser.get(f"{ROOMS}{world.hall_room.pk}/change/").context["adminform"].form["version"].value()

    with time_machine.travel(at("09:30"), tick=False):
        organiser.post(f"{ROOMS}{world.hall_room.pk}/change/", {**form, "state": "full", "version": version})
    world.hall_room.refresh_from_db()

    assert (world.hall_room.state, world.hall_room.state_at) == ("full", at("09:30"))
    world.hall_room.report("")
    assert (world.hall_room.state, world.hall_room.state_at) == ("", None)


def test_social_chair_reports_nothing() -> None:
    world = World()

    world.client("social chair").post(ROOMS, {"action": "report_full", "_selected_action": [world.hall_room.pk]})

    assert set(Room.objects.values_list("state", flat=True)) == {""}


def test_report_is_believed_for_fifteen_minutes() -> None:
    room = make_room(make_conference())
    with time_machine.travel(at("09:30"), tick=False):
        room.report("full")

    said = [room.reported(at("09:30") + dt.timedelta(minutes=minutes)) for minutes in (-1, 0, 14, 15)]

    assert said == ["", "Full, 01:30", "Full, 01:30", ""]
