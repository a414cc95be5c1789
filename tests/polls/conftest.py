"""The time of the panel, and the panel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from events.models import Event
from tests.polls.polling import DURING, make_panel


@pytest.fixture
def during() -> Iterator[None]:
    """The clock stands at half past nine, while the panel is on."""
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def panel() -> Event:
    return make_panel()
