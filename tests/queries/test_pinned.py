from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from events.queries.pinned import carried, told
from events.schedule.clock import Clock
from tests.factories import SINGAPORE
from tests.queries.reading import clock


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
    assert carried(url, clock("09:30", pinned=True)) == address


def test_now_does_not_travel() -> None:
    assert carried("/demo/", clock("09:30")) == "/demo/"


@pytest.mark.parametrize(("days", "moved"), [(-1, False), (1, True)], ids=["back", "ahead"])
def test_looking_ahead_tells_no_more_than_now(days: int, moved: bool) -> None:
    moment = timezone.now() + dt.timedelta(days=days)

    assert (told(Clock(moment, SINGAPORE)).now != moment) is moved
