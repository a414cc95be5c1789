"""The conference that the browser walks through: one of everything, at a moment when it is alive."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.security.world import World


@pytest.fixture
def world(transactional_db: None) -> World:
    cache.clear()
    return World()
