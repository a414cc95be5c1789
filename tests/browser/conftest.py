"""The conference that the browser walks through: one of everything, at a moment when it is alive."""

from __future__ import annotations

import functools
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
def _without_worker(browser: Browser, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service worker answers instead of the server and saves pages behind a test: only tests of it have one."""
    if request.node.get_closest_marker("service_worker") is None:
        for name in ("new_context", "new_page"):
            monkeypatch.setattr(browser, name, functools.partial(getattr(browser, name), service_workers="block"))


@pytest.fixture(autouse=True)
def _closed(browser: Browser) -> Iterator[None]:
    """Also where a test failed: an open page keeps asking, and what it is answered would be seen by the tests that follow."""
    yield
    for context in browser.contexts:
        context.close()
