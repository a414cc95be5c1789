"""What pages offer to subscribe to, and that the calendar behind it holds what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client

from tests.calendars.reading import read, unfolded
from tests.calendars.world import World as Small
from tests.factories import at, make_conference, make_event
from tests.security.world import World

TITLE = re.compile(r'<h2 id="subscribe-to">(.*?)</h2>')
ADDRESS = re.compile(r'id="public-address" value="([^"]+)"')
WEBCAL = re.compile(r'href="(webcal://[^"]+)"')

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.fixture(autouse=True)
def _then() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


def offered(page: str) -> tuple[str, str]:
    """What it is called, and its address."""
    text = Client().get(page).text
    (title,), (address,) = TITLE.findall(text), ADDRESS.findall(text)
    return unescape(title), unescape(address)


def fetch(address: str) -> bytes:
    parts = urlsplit(address)
    return bytes(Client().get(f"{parts.path}?{parts.query}").content)


def name(body: bytes) -> str:
    (found,) = [line for line in unfolded(body) if line.startswith("NAME:")]
    return found.removeprefix("NAME:").replace("\\,", ",")


@pytest.mark.parametrize(
    ("page", "words", "query"),
    [
        pytest.param("schedule/2025-04-24/", "Thursday 24 April", "day=2025-04-24", id="a-day"),
        pytest.param(
            *("schedule/2025-04-24/?type=talk&view=grid&page=1&at=2025-04-24T09:30", "Thursday 24 April, Talks"),
            *("day=2025-04-24&type=talk",),
            id="a-day-under-a-filter",
        ),
        pytest.param("socials/", "Socials", "kind=social", id="socials"),
        pytest.param("talks/", "Invited talks", "kind=invited-talk", id="invited-talks"),
    ],
)
def test_page_offers_what_it_shows_in_words(world: World, page: str, words: str, query: str) -> None:
    title, address = offered(f"/iclr-2025/{page}")

    assert title == f"Subscribe to {words}"
    assert address.partition("/iclr-2025/")[2] == f"schedule.ics?{query}"
    assert name(fetch(address)) == f"{world.conference.name}: {words}"


FORMS = re.compile(r'href="(webcal://|https://calendar.google.com/|https://outlook.live.com/|https://outlook.office.com/)')


def addresses(page: str) -> list[str]:
    """Of all calendars that a page offers, behind the conference, each with the same four forms of it."""
    text = Client().get(page).text
    found = [unescape(it) for it in re.findall(r'id="(?:public|all-days)-address" value="([^"]+)"', text)]
    assert [unescape(it).partition("://")[2] for it in WEBCAL.findall(text)] == [it.partition("://")[2] for it in found]
    assert len(FORMS.findall(text)) == 4 * len(found)
    return [it.partition("/iclr-2025/")[2] for it in found]


def test_offer_has_every_form_of_its_address_and_a_file(world: World) -> None:
    page = "/iclr-2025/schedule/2025-04-24/"

    assert addresses(page) == ["schedule.ics?day=2025-04-24", "schedule.ics?layer=sessions"]
    assert "schedule.ics?day=2025-04-24&amp;download=1" in Client().get(page).text


@pytest.mark.parametrize("page", ["schedule/2025-04-24/", "socials/", "talks/"])
def test_public_calendar_says_once_what_android_needs(world: World, page: str) -> None:
    text = " ".join(Client().get(f"/iclr-2025/{page}").text.split())

    assert text.count("Open this page there and choose Google Calendar; your phone then shows it.") == 1


@pytest.mark.parametrize(
    ("query", "days", "words"),
    [
        pytest.param("type=talk", ["day=2025-04-24&type=talk", "type=talk"], "On all days: Talks", id="filter"),
        pytest.param("room=none", ["day=2025-04-24&room=-", "room=-"], "On all days: Unknown choice", id="unknown"),
        pytest.param("start=09:30", ["day=2025-04-24", "layer=sessions"], "On all days: Sessions only", id="hour"),
        pytest.param("kind=talk", ["day=2025-04-24", "layer=sessions"], "On all days: Sessions only", id="of-files-only"),
    ],
)
def test_day_under_a_filter_offers_the_same_filter_on_all_days(world: World, query: str, days: list[str], words: str) -> None:
    page = f"/iclr-2025/schedule/2025-04-24/?{query}"

    assert addresses(page) == [f"schedule.ics?{it}" for it in days]
    assert Client().get(page).text.count(words) == 1


def test_calendar_of_a_filter_on_all_days_has_its_events(world: World) -> None:
    bodies = [fetch(f"/iclr-2025/schedule.ics{it}") for it in ["?type=session", "?type=session&day=2025-04-24"]]

    assert ["SUMMARY:Workshop" in body.decode() for body in bodies] == [True, False]


def test_person_is_offered_with_what_they_appear_in(world: World) -> None:
    title, address = offered(f"/iclr-2025/people/{world.person.guid}/")

    assert title == f"Subscribe to {world.person.name}"
    assert address.endswith(f"/iclr-2025/people/{world.person.guid}.ics")
    assert len(read(fetch(address))) > 0


def test_layer_has_the_blocks_and_nothing_inside_them() -> None:
    conference = make_conference(slug="demo")
    session = make_event(conference, title="Oral 1A", start="09:00", end="10:00", abstract="About it")
    make_event(conference, kind="talk", title="Inside", session=session, start="09:00", end="09:15")
    make_event(conference, kind="invited-talk", title="Also inside", session=session, start="09:15", end="09:30")
    for kind in ["invited-talk", "break", "talk", "poster", "social", "service"]:
        make_event(conference, kind=kind, title=kind, start="11:00", end="12:00")

    body = fetch("/demo/schedule.ics?layer=sessions")

    assert sorted(entry.summary for entry in read(body)) == ["Oral 1A", "break", "invited-talk"]
    assert name(body) == "ICLR 2025: Sessions only"


@pytest.mark.parametrize(
    "query",
    [
        *("kind=sessions", "layer=talks", "day=2025-02-30", "type=never-was", "kind=%00", "room=never-was", "type=%00"),
        "type=session&room=never-was",
    ],
)
def test_choice_that_nobody_knows_is_a_valid_empty_calendar(query: str) -> None:
    Small()

    body = fetch(f"/iclr-2025/schedule.ics?{query}")

    assert read(body) == []


def test_calendar_of_an_unknown_room_is_empty_at_the_address_that_it_names() -> None:
    Small()

    body = fetch("/iclr-2025/schedule.ics?room=never-was")
    (source,) = [line.removeprefix("SOURCE;VALUE=URI:") for line in unfolded(body) if line.startswith("SOURCE")]

    assert (name(body), source.partition("?")[2]) == ("ICLR 2025: Unknown choice", "room=-")
    assert fetch(source) == body


def test_room_named_as_on_its_wall_screen_is_the_same_calendar(world: World) -> None:
    one, other = (Client().get(f"/iclr-2025/schedule.ics?room={it}") for it in [world.garnet_room.pk, "garnet-212"])

    assert (one["ETag"], one.content) == (other["ETag"], other.content)
    assert name(one.content) == f"{world.conference.name}: Garnet 212"
    assert offered("/iclr-2025/schedule/2025-04-24/?room=garnet-212") == offered(
        f"/iclr-2025/schedule/2025-04-24/?room={world.garnet_room.pk}"
    )


def test_order_of_a_choice_makes_no_difference() -> None:
    Small()
    one, other = (
        Client().get(f"/iclr-2025/schedule.ics?{query}")
        for query in ["type=a&type=b&day=2025-04-24", "day=2025-04-24&type=b&type=a"]
    )

    assert (one["ETag"], one.content) == (other["ETag"], other.content)


def test_calendar_names_its_own_address_unless_it_is_a_secret() -> None:
    world = Small()
    sources = {}
    for kind, url in world.urls.items():
        lines = unfolded(world.visitor().get(url).content)
        sources[kind] = [
            line.partition(":http")[2].partition("/iclr-2025/")[2] for line in lines if line.startswith("SOURCE;VALUE=URI:")
        ]

    assert sources == {
        "feed": [],
        "download": [],
        "schedule": ["schedule.ics"],
        "event": [],
        "day": ["schedule.ics?day=2025-04-24"],
        "person": [f"people/{world.person.guid}.ics"],
    }


@pytest.mark.parametrize("name", ["schedule", "event", "day", "person"])
def test_public_calendar_may_be_fetched_by_any_page(name: str) -> None:
    response = Client().get(Small().urls[name])

    assert response["Access-Control-Allow-Origin"] == "*"


def test_day_without_a_place_in_the_programme_has_no_calendar() -> None:
    Small()

    assert Client().get("/iclr-2025/schedule/2025-12-24.ics").status_code == 404


def test_person_nobody_knows_of_yet_has_no_calendar() -> None:
    world = Small()
    world.event.status = "draft"
    world.event.revise()

    assert Client().get(world.urls["person"]).status_code == 404


def test_person_is_busy_and_the_programme_is_not() -> None:
    world = Small()

    opaque = {kind: b"TRANSP:OPAQUE" in Client().get(world.urls[kind]).content for kind in ["schedule", "day", "person", "event"]}

    assert opaque == {"schedule": False, "day": False, "person": True, "event": True}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(
    ("query", "queries"), [("day={day}", 6), ("type=session", 7), ("layer=sessions", 6), ("kind=session", 6)]
)
def test_filtered_calendar_costs_the_same_queries_for_one_event_and_three(
    django_assert_num_queries: Any, size: int, query: str, queries: int
) -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference, start="09:00", end="10:00") for _ in range(size)]

    with django_assert_num_queries(queries):
        body = fetch(f"/demo/schedule.ics?{query.format(day=events[0].day and events[0].day.date)}")

    assert len(read(body)) == size
