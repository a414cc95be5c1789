"""An open poll on the wall screen of its room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.models import Event, Room
from events.screens.queries import screen_address_of
from tests.factories import make_event, make_room
from tests.polls.polling import DURING, WEIGHTS, list_url, make_panel, make_poll

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def panel() -> Event:
    panel = make_panel()
    panel.room = make_room(panel.conference, "Hall 1")
    panel.save()
    return panel


def wall(panel: Event, at: str = "") -> str:
    room = Room.objects.select_related("zone", "conference").get(pk=panel.room_id)
    return Client().get(screen_address_of(room) + at).text


def test_open_poll_is_on_the_wall_with_its_result_and_the_way_to_it(panel: Event) -> None:
    make_poll(panel, votes=(3, 1))

    page = wall(panel)

    assert (WEIGHTS in page, "75%" in page, "4 votes" in page) == (True, True, True)
    assert f'src="{list_url(panel)}qr.svg"' in page
    assert Client().get(f"{list_url(panel)}qr.svg")["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_poll_that_is_not_open_is_not_on_the_wall(panel: Event, state: str) -> None:
    make_poll(panel, state=state)

    assert (WEIGHTS in wall(panel), "Panel" in wall(panel)) == (False, True)


def test_poll_is_on_the_wall_only_while_its_event_is_on(panel: Event) -> None:
    make_poll(panel)
    make_event(panel.conference, title="Next", start="10:00", end="11:00", room=panel.room)

    assert WEIGHTS not in wall(panel, "&at=2025-04-24T08:55")
    assert WEIGHTS not in wall(panel, "&at=2025-04-24T10:05")


def test_foyer_shows_rooms_and_no_poll(panel: Event) -> None:
    make_poll(panel)
    make_event(panel.conference, start="09:00", end="10:00", room=make_room(panel.conference, "Hall 2"))

    assert WEIGHTS not in Client().get(f"{reverse('events:screen', args=['demo'])}?zone=all").text
