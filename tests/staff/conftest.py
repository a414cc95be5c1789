"""What the tests of the sign-in look at."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from events.staff.sign_in import LOG


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What the log of sign-ins says."""
    found: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
    LOG.addHandler(handler)
    yield found
    LOG.removeHandler(handler)


@pytest.fixture
def _required(settings: Settings) -> None:
    """As on a public site."""
    settings.REQUIRE_SECOND_FACTOR = True
