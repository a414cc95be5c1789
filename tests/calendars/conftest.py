"""What tests of calendars share."""

from __future__ import annotations

import pytest

from events.calendars import entries
from tests.calendars.world import World


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.fixture(autouse=True)
def _nothing_reported() -> None:
    entries.report.cache_clear()
