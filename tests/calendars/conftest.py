"""What tests of calendars share."""

from __future__ import annotations

import pytest

from tests.calendars.world import World


@pytest.fixture
def world(db: None) -> World:
    return World()
