from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from events.core.clock import Clock, not_after_now, with_pinned_time
from tests.factories import SINGAPORE
from tests.pages.queries.reading import clock

pytestmark = pytest.mark.usefixtures("at_the_venue")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/demo/", "/demo/?at=2025-04-24T09:30"),
        ("/demo/?view=grid", "/demo/?view=grid&at=2025-04-24T09:30"),
        ("/demo/venue/#room-1", "/demo/venue/?at=2025-04-24T09:30#room-1"),
        ("/demo/?at=2025-04-25T10:00", "/demo/?at=2025-04-25T10:00"),
    ],
    ids=["path", "query", "fragment", "carried-already"],
)
def test_pinned_moment_travels_with_the_address(url: str, address: str) -> None:
    assert with_pinned_time(url, clock("09:30", pinned=True)) == address


def test_now_does_not_travel() -> None:
    assert with_pinned_time("/demo/", clock("09:30")) == "/demo/"


@pytest.mark.parametrize(("days", "moved"), [(-1, False), (1, True)], ids=["back", "ahead"])
def test_looking_ahead_tells_no_more_than_now(days: int, moved: bool) -> None:
    moment = timezone.now() + dt.timedelta(days=days)

    assert (not_after_now(Clock(moment, SINGAPORE)).now != moment) is moved
