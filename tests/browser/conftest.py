"""The conference that the browser walks through: one of everything, at a moment when it is alive."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser

from tests.security.world import World


@pytest.fixture
def world(transactional_db: None) -> World:
    cache.clear()
    return World()


@pytest.fixture(autouse=True)
def _closed(browser: Browser) -> Iterator[None]:
    """Also where a test failed: an open page keeps asking, and what it is answered would be seen by the tests that follow."""
    yield
    for context in browser.contexts:
        context.close()
