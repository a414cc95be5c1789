from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Agenda
from tests.calendars.reading import read
from tests.calendars.world import CALENDARS, World
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", CALENDARS)
def test_calendar_has_the_picked_event(world: World, name: str) -> None:
    response = world.visitor().get(world.urls[name])

    assert [entry.uid for entry in read(response.content)] == [str(world.event.guid)]


def test_feed_of_a_conference_taken_back_is_gone(world: World) -> None:
    world.conference.status = "draft"
    world.conference.revise()

    assert {name: world.visitor().get(url).status_code for name, url in world.urls.items()} == dict.fromkeys(CALENDARS, 404)


def test_draft_event_has_no_calendar(world: World) -> None:
    world.event.status = "draft"
    world.event.revise()

    client = world.visitor()

    assert client.get(world.urls["event"]).status_code == 404
    assert [read(client.get(world.urls[name]).content) for name in ["feed", "download", "schedule"]] == [[], [], []]


def test_event_of_another_conference_has_no_calendar_here(world: World) -> None:
    elsewhere = make_event(make_conference(), start="09:00", end="10:00")

    assert Client().get(f"/iclr-2025/events/{elsewhere.guid}.ics").status_code == 404


def test_event_without_a_day_has_no_calendar(world: World) -> None:
    world.event.day = world.event.start = world.event.end = None
    world.event.revise()

    assert Client().get(world.urls["event"]).status_code == 404


def test_download_without_an_agenda_is_empty_and_not_everything(world: World) -> None:
    response = Client().get("/iclr-2025/agenda.ics")

    assert (response.status_code, read(response.content)) == (200, [])


def test_reading_a_feed_writes_nothing(world: World) -> None:
    before = Agenda.objects.values().get(pk=world.agenda.pk)

    Client().get(world.feed)

    assert Agenda.objects.values().get(pk=world.agenda.pk) == before


def test_cancelled_and_back_in_the_subscribed_feed(world: World) -> None:
    etags, statuses = [], []
    for status in ["confirmed", "cancelled", "confirmed"]:
        world.event.status = status
        world.event.revise(reason="The speaker is ill.")
        response = Client().get(world.feed)
        etags.append(response["ETag"])
        statuses += [(entry.uid, entry.status) for entry in read(response.content)]

    guid = str(world.event.guid)
    # Long past by the real clock, so what is cancelled is out of the feed.
    assert statuses == [(guid, "CONFIRMED"), (guid, "CONFIRMED")]
    assert len(set(etags)) == 3


def test_feed_drops_the_cancelled_by_the_real_clock_and_not_by_the_address(world: World, time_machine: Any) -> None:
    world.event.status = "cancelled"
    world.event.revise()
    time_machine.move_to(dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC), tick=False)

    response = Client().get(f"{world.feed}?at=2025-04-29T09:00")

    assert [entry.status for entry in read(response.content)] == ["CANCELLED"]
