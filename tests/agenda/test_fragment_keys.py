"""What tells kept fragments apart: ids of rows, moments, known zones and needs; never a text of a request."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.test import Client
from django.urls import get_resolver

from events.agenda.page_cache import Fragment
from events.core.byte_cache import PROCESS_CACHE, digest_of
from events.models import Leg, Route, StartingPoint
from events.pages.fragments import FRAGMENTS
from events.programme.models.labels import Kind, Status
from events.web.request import known_zone
from tests.factories import make_agenda, make_conference, make_event, make_room, make_zone
from tests.security.addresses import address
from tests.security.world import World
from tests.visitors import browser

pytestmark = pytest.mark.django_db
# Dates and lists of ids are arguments of fragments.
NUMBERS = re.compile(r"[0-9,-]*")
PAGE_NAMES = {name for name in get_resolver("events.urls").reverse_dict if isinstance(name, str)}
FRAME_TEMPLATES = {f"events/web/{path.name}" for path in Path("templates/events/web").glob("_*.html")}
KINDS = {
    "agenda",
    "bookmarks",
    "days",
    "announcements",
    "dismissed",
    "menu",
    "revisions",
    "starting points",
    "highlights",
    "walks",
}
# Cards that many event pages show, by their spot, and which these are.
KINDS |= {"card", "also", "par", "before", "after", "parallel", "in room"}
# Parts of the frame, by template, name of the page and entries of its menu.
KINDS |= {"frame", *PAGE_NAMES, *FRAME_TEMPLATES}
KINDS |= {"calendar entry", "plain text", "drawing", "markdown", "markdown line", "shapes on plans", "info links"}
# Of the time slot of an event.
KINDS |= {*Kind.values, *Status.values}
PAGES = [f"events:{name}" for name in ("conference-detail", "schedule-day", "event-detail", "venue", "agenda-detail")]
ODD_COOKIES = {
    "hallway_zone": ["Europe/Vienna", "europe/vienna", "Nowhere/Odd", "x" * 3000],
    "hallway_start": ["expo", "EXPO", "odd-start", "o" * 60, "odd start", "../odd"],
    "hallway_walking": ["dry", "dry.step_free.odd", "DRY", "odd" * 900],
    "hallway_attendance": ["virtual", "odd"],
    "messages": ["odd"],
    "sessionid": ["odd" * 12],
}


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**25
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | frozenset | list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def is_recognised(leaf: Any) -> bool:
    """Whether this is a value that the server made or knows."""
    if isinstance(leaf, Fragment):
        return leaf in FRAGMENTS.values()
    if isinstance(leaf, str) and not isinstance(leaf, Enum):
        return leaf in KINDS or known_zone(leaf) is not None or NUMBERS.fullmatch(leaf) is not None
    if isinstance(leaf, bytes):
        return len(leaf) == len(digest_of(""))
    return leaf is None or isinstance(leaf, int | UUID | dt.date | Enum)


def kept_fragments() -> list[Any]:
    """Everything but public pages, which are kept by the texts of their parameters too, and converted texts of rows."""
    return [key for key in PROCESS_CACHE.keys if key[0] not in {"page", "markdown"}]  # type: ignore[index]


def test_keys_of_fragments_contain_no_text_of_a_request(module_world: World) -> None:
    world, kept = module_world, set()
    moments = ["", "?at=2025-04-24T09:30", "?at=2025-04-24T01:30Z&odd=1", "?at=odd", f"?at={'o' * 3000}", "?q=odd&page=odd"]
    for number in range(6):
        for name in PAGES:
            client = Client()
            if number % 2:
                client.cookies["hallway"] = world.token
            for cookie, values in ODD_COOKIES.items():
                client.cookies[cookie] = values[number % len(values)]
            client.get(address(name, world) + moments[number])
        kept |= set(kept_fragments())

    kept_kinds = {name for name, fragment in FRAGMENTS.items() if any(key[0] == fragment for key in kept)}
    assert kept_kinds >= {"agenda-count", "agenda-news", "conflicts", "level", "my-day", "next-room", "way"}
    assert [leaf for key in kept for leaf in leaves(key) if not is_recognised(leaf)] == []


def test_start_of_nobody_else_is_shown_to_those_who_name_a_dead_one() -> None:
    conference = make_conference(slug="demo")
    hall = make_zone(conference, "Hall 1")
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference, "Hall 1", hall))
    tokens = []
    for minutes, name in ((7, "Airport"), (9, "Downtown")):
        start = StartingPoint.objects.create(conference=conference, name=name, slug=name.lower())
        route = Route.objects.create(conference=conference, start=start, zone=hall, title=name)
        Leg.objects.create(route=route, instruction="Go.", minutes=minutes)
        agenda, token = make_agenda(conference)
        agenda.set_start(start)
        tokens.append(token)

    dead = {"start": "gone-hotel"}
    pages = [browser(**dead, token=token).get(event.get_absolute_url()).text for token in tokens]
    pages += [browser(**dead).get(event.get_absolute_url()).text]

    assert [["7 min" in page, "9 min" in page] for page in pages] == [[True, False], [False, True], [False, False]]
    assert "Where are you coming from?" in pages[2]


def test_dead_and_missing_start_are_one_fragment() -> None:
    conference = make_conference(slug="demo")
    room = make_room(conference, "Hall 1", make_zone(conference, "Hall 1"))
    event = make_event(conference, start="09:00", end="10:00", room=room)
    _, token = make_agenda(conference, event)
    StartingPoint.objects.create(conference=conference, name="Airport", slug="airport")

    for number in range(5):
        browser(token=token, start=f"gone-{number}").get(event.get_absolute_url())

    assert len([key for key in kept_fragments() if key[0] == FRAGMENTS["way"]]) == 1


def test_both_hours_of_a_change_of_the_clocks_are_kept_apart() -> None:
    sunday = dt.date(2025, 10, 26)
    conference = make_conference(slug="demo", timezone="Europe/Vienna", start=sunday, end=sunday)
    _, token = make_agenda(conference)

    for moment in ("2025-10-26T00:30Z", "2025-10-26T01:30Z"):
        browser(token=token).get(f"/demo/agenda/?at={moment}")

    assert len([key for key in kept_fragments() if key[0] == "agenda"]) == 2
