"""The page about room pressure, and staff's word on it."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.models import CrowdReport
from tests.factories import at, make_agenda, make_report
from tests.security.world import World

pytestmark = pytest.mark.django_db

PAGE = "/organise/events/room/pressure/"


@pytest.fixture
def world() -> World:
    world = World()
    world.hall_room.capacity = 4
    world.hall_room.save()
    for _ in range(5):
        make_agenda(world.conference, world.keynote)
    return world


def table(page: str) -> list[list[str]]:
    rows = re.findall(r"<tr( data-over)?>\s*<td>(.*?)</tr>", page, re.DOTALL)
    return [[" ".join(re.sub(r"<[^>]*>", " ", it).split()) for it in re.split(r"</t[dh]>", row)] for _, row in rows]


def post(world: World, role: str, state: str, **more: str) -> int:
    url = reverse("admin:events_room_report", args=[world.hall_room.pk])
    return world.client(role).post(url, {"state": state, **more}).status_code


def test_page_tells_counts_and_what_would_help(world: World) -> None:
    response = world.client("organiser").get(PAGE, {"conference": world.conference.pk, "day": "2025-04-24"})

    rows = table(response.text)
    assert [row[:6] for row in rows] == [
        ["09:00–10:15", "Open science for all", "Hall 1", "4", "6", "2"],
        ["09:30–10:30", "Oral session", "Garnet 212", "?", "&lt;5", ""],
        ["10:30–11:30", "Open weights", "Hall 1", "4", "0", ""],
    ]
    assert "1 room too small" in response.text


def test_change_of_room_leads_to_the_page_that_says_what_it_does(world: World) -> None:
    page = world.client("organiser").get(PAGE, {"conference": world.conference.pk, "day": "2025-04-24"}).text
    form = re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', page, re.DOTALL)
    assert form
    sent = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', form[2]))

    response = world.client("organiser").post(form[1], sent)

    assert response.status_code == 200
    assert response.context["heading"] == "Change room"


def test_staff_say_how_full_it_is_and_take_it_back(world: World) -> None:
    with time_machine.travel(at("09:30"), tick=False):
        page = world.client("organiser").get(PAGE, {"conference": world.conference.pk}).text
        codes = [post(world, "organiser", "full")]
        said = list(CrowdReport.objects.values_list("room", "event", "state", "by_staff"))
        after = world.client("organiser").get(PAGE, {"conference": world.conference.pk}).text
        codes.append(post(world, "organiser", "nothing"))

    assert codes == [302, 302]
    assert said == [(world.hall_room.pk, world.keynote.pk, "full", True)]
    assert ("Full, 09:30" in page, "Full, 09:30" in after) == (False, True)
    assert CrowdReport.objects.count() == 0


def test_reports_of_attendees_stay_when_staff_withdraw_theirs(world: World) -> None:
    make_report(world.keynote, "full", "09:10", world.agenda)

    post(world, "organiser", "nothing")

    assert CrowdReport.objects.count() == 1


@pytest.mark.parametrize(
    ("role", "code"), [("anonymous", 302), ("agenda holder", 302), ("social chair", 403), ("organiser", 302)]
)
def test_only_who_may_change_rooms_says_anything(world: World, role: str, code: int) -> None:
    assert post(world, role, "full") == code
    assert CrowdReport.objects.count() == (role == "organiser")


def test_social_chair_reads_no_counts(world: World) -> None:
    response = world.client("social chair").get(PAGE)

    assert response.status_code == 403
    assert PAGE not in world.client("social chair").get("/organise/").text
    assert PAGE in world.client("organiser").get("/organise/").text


@pytest.mark.parametrize("state", ["", "FULL", "<b>", "\x00", "x" * 10_000])
def test_unknown_state_is_refused_with_a_message(world: World, state: str) -> None:
    client = world.client("organiser")

    response = client.post(reverse("admin:events_room_report", args=[world.hall_room.pk]), {"state": state}, follow=True)

    assert [str(it) for it in response.context["messages"]] == ["Nothing was reported on Hall 1: please use the buttons."]
    assert CrowdReport.objects.count() == 0


@pytest.mark.parametrize(
    ("sent", "led"),
    [
        (f"{PAGE}?day=2025-04-24", f"{PAGE}?day=2025-04-24"),
        ("https://elsewhere.example", PAGE),
        ("//elsewhere.example", PAGE),
        ("/iclr-2025/", PAGE),
    ],
)
def test_report_redirects_to_the_page(world: World, sent: str, led: str) -> None:
    url = reverse("admin:events_room_report", args=[world.hall_room.pk])

    assert world.client("organiser").post(url, {"state": "full", "next": sent})["Location"] == led


def test_room_that_is_not_there_is_not_found(world: World) -> None:
    assert world.client("organiser").post(reverse("admin:events_room_report", args=[10**9]), {"state": "full"}).status_code == 404


def test_report_needs_a_token(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.staff("organiser"))

    response = client.post(reverse("admin:events_room_report", args=[world.hall_room.pk]), {"state": "full"})

    assert (response.status_code, CrowdReport.objects.count()) == (403, 0)
