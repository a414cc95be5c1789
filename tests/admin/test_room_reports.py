from __future__ import annotations

import pytest
import time_machine

from events.models import Conference, CrowdReport
from tests.factories import at
from tests.security.world import World

pytestmark = pytest.mark.django_db

ROOMS = "/organise/events/room/"


@pytest.mark.parametrize("state", ["open", "filling", "full"])
def test_action_reports_how_full_the_chosen_rooms_are_now(state: str) -> None:
    world = World()

    with time_machine.travel(at("09:30"), tick=False):
        world.client("organiser").post(ROOMS, {"action": f"report_{state}", "_selected_action": [world.hall_room.pk]})

    said = CrowdReport.objects.values_list("room", "event", "state", "at", "by_staff", "agenda")
    assert list(said) == [(world.hall_room.pk, world.keynote.pk, state, at("09:30"), True, None)]


def test_report_moves_no_calendar_and_no_cache() -> None:
    world = World()
    world.keynote.refresh_from_db()
    before = (world.keynote.sequence, world.keynote.revised_at, Conference.objects.get(pk=world.conference.pk).revision)

    CrowdReport.say_as_staff(world.hall_room, "full")

    world.keynote.refresh_from_db()
    after = (world.keynote.sequence, world.keynote.revised_at, Conference.objects.get(pk=world.conference.pk).revision)
    assert after == before


def test_social_chair_reports_nothing() -> None:
    world = World()

    world.client("social chair").post(ROOMS, {"action": "report_full", "_selected_action": [world.hall_room.pk]})

    assert CrowdReport.objects.count() == 0
