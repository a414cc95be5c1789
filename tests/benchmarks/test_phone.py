"""What `make bench-phone` reckons: medians, ranges, aims, and the pages that it loads."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest
from django.test import Client

from events.models import Conference
from tests.benchmarks.phone import (
    AIMS,
    COLUMNS,
    EMPTY_PAGE,
    Load,
    Loads,
    Results,
    empty_page_server,
    missed,
    parsed,
    phone_pages,
    row,
)
from tests.benchmarks.phone_addresses import addresses
from tests.factories import make_conference, make_event, make_room
from tests.visitors import browser


def load(lcp: float, *, cls: float = 0.0, size: int = 90_400, nodes: int = 1100) -> Load:
    return Load(fcp=lcp - 10, lcp=lcp, cls=cls, blocked=60, bytes=size, requests=11, blocking=2, nodes=nodes)


def loads(*lcps: float, warm: float, cls: float = 0.0, size: int = 90_400, nodes: int = 1100) -> Loads:
    return Loads([load(lcp, size=size, nodes=nodes) for lcp in lcps], [load(warm, cls=cls, size=1060)])


@pytest.fixture
def results() -> Results:
    return {"processor": loads(500, 400, 1404, warm=420), "slow 4G": loads(700, 790, 801, warm=440)}


def test_row_has_medians_and_the_range_of_first_visits(results: Results) -> None:
    cells = row("day", results).strip("| ").split(" | ")

    assert cells == [
        "day",
        "490 / 500 (400–1404)",
        "420",
        "780 / 790 (700–801)",
        "440",
        "60 / 60",
        "0.000",
        "90 / 1.1",
        "11",
        "2",
        "1,100",
    ]
    assert len(cells) == len(COLUMNS)


def test_page_at_the_aims_misses_none(results: Results) -> None:
    assert missed(results) == []


def test_missed_aims_are_named_with_their_values(results: Results) -> None:
    results["slow 4G"] = loads(850, warm=470, cls=0.014, size=104_000, nodes=1300)

    assert missed(results) == [
        "slow 4G, cold LCP ms 850",
        "slow 4G, warm LCP ms 470",
        "cold kB 104",
        "CLS 0.01",
        "elements 1300",
    ]
    assert len(AIMS) == 6


@pytest.mark.django_db
def test_every_page_of_the_table_is_there() -> None:
    conference = make_conference(slug="demo")
    room = make_room(conference)
    for title in ("First", "Second", "Third"):
        make_event(conference, title=title, room=room, start="09:00", end="10:00")
    found = addresses("demo", "Second", picks=2)

    pages = phone_pages(found, found)

    assert len({page.name for page in pages}) == 14
    assert {browser(token=page.token).get(page.path).status_code for page in pages} == {200}
    assert "Second" in Client().get(found["event"]).text
    assert Conference.objects.get(slug="demo").agendas.get().bookmarks.count() == 2


def test_empty_page_is_served_beside_the_others(tmp_path: Path) -> None:
    with empty_page_server(tmp_path) as server, urllib.request.urlopen(f"http://127.0.0.1:{server.port}/") as response:
        assert (response.status, response.read().decode()) == (200, EMPTY_PAGE)


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--runs", "0"], "--runs is at least 1"), (["--before", "/nowhere"], "/nowhere is no checkout")]
)
def test_options_that_measure_nothing_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(arguments)

    assert said in capsys.readouterr().err
