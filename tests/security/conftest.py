"""The conference all of these tests look at."""

from __future__ import annotations

import pytest

from tests.security.world import World


@pytest.fixture
def world(db: None) -> World:
    return World()
