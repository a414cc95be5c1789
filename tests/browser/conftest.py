"""The conference that the browser walks through: one of everything, at a moment when it is alive."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.hall import Hall, OpenPhone, remember
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


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return Hall()


@pytest.fixture
def open_phone(browser: Browser, live_server: LiveServer, hall: Hall) -> OpenPhone:
    def open_one(token: str = "") -> Page:
        context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844})
        remember(context, live_server.url, token or hall.token)
        return context.new_page()

    return open_one


@pytest.fixture
def phone(open_phone: OpenPhone) -> Page:
    return open_phone()
