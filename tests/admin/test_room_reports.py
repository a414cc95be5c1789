from __future__ import annotations

import pytest
import time_machine
from django.test import Client

from events.models import Conference, CrowdReport, Event, Service
from tests.factories import at, make_agenda, make_event, make_report
from tests.security.world import World

pytestmark = pytest.mark.django_db

ROOMS = "/organise/events/room/"
DESKS = "/organise/events/service/"


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

    CrowdReport.record_as_staff(world.hall_room, "full")

    world.keynote.refresh_from_db()
    after = (world.keynote.sequence, world.keynote.revised_at, Conference.objects.get(pk=world.conference.pk).revision)
    assert after == before


def test_social_chair_reports_nothing() -> None:
    world = World()

    world.client("social chair").post(ROOMS, {"action": "report_full", "_selected_action": [world.hall_room.pk]})

    assert CrowdReport.objects.count() == 0


def desk_of(world: World) -> tuple[Service, Event]:
    desk = Service.objects.create(conference=world.conference, name="Badges", room=world.hall_room)
    return desk, make_event(world.conference, kind="service", start="08:00", end="11:00", service=desk, room=world.hall_room)


@pytest.mark.parametrize(("state", "words"), [("full", "Long line"), ("filling", "Short line"), ("open", "No line")])
def test_action_reports_how_long_a_line_is_now(state: str, words: str) -> None:
    world = World()
    desk, hours = desk_of(world)
    closed = Service.objects.create(conference=world.conference, name="Luggage")

    with time_machine.travel(at("09:30"), tick=False):
        response = world.client("organiser").post(
            DESKS, {"action": f"report_{state}", "_selected_action": [desk.pk, closed.pk]}, follow=True
        )

    said = CrowdReport.objects.values_list("room", "service", "event", "state", "at", "by_staff")
    assert list(said) == [(None, desk.pk, hours.pk, state, at("09:30"), True)]
    assert [str(it) for it in response.context["messages"]] == [
        f"{words}, for the next 15 minutes: Badges.",
        "No report for Luggage: not open now. Check the opening hours.",
    ]


def test_staff_report_on_a_line_overrides_until_it_is_withdrawn() -> None:
    world = World()
    desk, hours = desk_of(world)
    for _ in range(2):
        make_report(hours, "full", "09:29", make_agenda(world.conference)[0], room=None, service=desk, weight=2)
    words = []
    with time_machine.travel(at("09:30"), tick=False):
        for action in ("report_open", "take_back"):
            world.client("organiser").post(DESKS, {"action": action, "_selected_action": [desk.pk]})
            words.append(Client().get(f"/{world.conference.slug}/events/{hours.guid}/crowd/").text)

    assert ["No line, 09:30" in page for page in words] == [True, False]
    assert ["Long line, 09:29" in page for page in words] == [False, True]


def test_room_is_not_as_full_as_the_line_at_its_desk_is_long() -> None:
    world = World()
    desk_of(world)

    with time_machine.travel(at("09:30"), tick=False):
        report = CrowdReport.record_as_staff(world.hall_room, "full")

    assert report.event == world.keynote
