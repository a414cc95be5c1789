"""A talk, and the time it is on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from events.models import Event
from tests.factories import at, make_conference, make_event, make_room


@pytest.fixture
def talk() -> Event:
    conference = make_conference(slug="demo")
    room = make_room(conference, "Hall 1", capacity=100)
    return make_event(conference, title="Adam", kind="invited-talk", start="10:00", end="11:00", room=room)


@pytest.fixture
def during_talk() -> Iterator[None]:
    """The clock stands at ten past ten."""
    with time_machine.travel(at("10:10"), tick=False):
        yield
