from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.test import Client
from lxml import etree

from events.core.byte_cache import PROCESS_CACHE
from events.models import Event
from tests.exports.reading import problems
from tests.factories import at
from tests.security.world import AWAY, World

FILES = ("schedule.xml", "schedule.json", "schedule.csv", "papers.csv")
TYPES = {
    "schedule.xml": "application/vnd.c3voc.schedule+xml; charset=utf-8",
    "schedule.json": "application/json",
    "schedule.csv": "text/csv; charset=utf-8",
    "papers.csv": "text/csv; charset=utf-8",
}


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    return module_rows(World)


@pytest.fixture
def world(db: None, module_world: World) -> World:
    return deepcopy(module_world)


@pytest.fixture(scope="module", autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


@pytest.fixture(autouse=True)
def _kept() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**25
    yield
    PROCESS_CACHE.max_bytes = 0


def url(name: str, **query: Any) -> str:
    return f"/iclr-2025/{name}" + (f"?{urlencode(query)}" if query else "")


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def titles(content: bytes, name: str) -> set[str]:
    """What the file lists."""
    if name == "schedule.xml":
        return {str(it.text) for it in etree.fromstring(content).iterfind("day/room/event/title")}
    if name == "schedule.json":
        days = json.loads(content)["schedule"]["conference"]["days"]
        return {it["title"] for day in days for events in day["rooms"].values() for it in events}
    return {row["title"] for row in rows(content)}


@pytest.mark.parametrize("name", FILES)
def test_export_says_what_it_is_and_lets_any_page_fetch_it(world: World, name: str) -> None:
    response = world.client("agenda holder").get(url(name))

    assert response.status_code == 200
    assert response["Content-Type"] == TYPES[name]
    assert response["Content-Disposition"] == f'attachment; filename="iclr-2025-{name}"'
    assert response["Cache-Control"] == "public, max-age=300"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["X-Robots-Tag"] == "noindex"
    assert response["Last-Modified"] == "Thu, 24 Apr 2025 01:30:00 GMT"
    assert (response["ETag"][0], response["ETag"][-1], len(response["ETag"])) == ('"', '"', 34)
    assert (response["Vary"], dict(response.cookies)) == ("Accept-Encoding", {})
    assert response["Content-Length"] == str(len(response.content))


@pytest.mark.parametrize("name", FILES)
def test_export_travels_compressed_under_a_tag_of_its_own(world: World, name: str) -> None:
    client = Client()
    plain, zipped = client.get(url(name)), client.get(url(name), headers={"accept-encoding": "gzip, br"})

    assert (plain.get("Content-Encoding"), zipped["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(zipped.content) == plain.content
    assert zipped["ETag"] == f'{plain["ETag"][:-1]}-gzip"'


@pytest.mark.parametrize("name", [*FILES, "schedule.ics"])
@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', "*"])
@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_known_version_is_answered_304_in_one_query(
    world: World, name: str, form: str, coding: str, django_assert_num_queries: Any
) -> None:
    client = Client(headers={"accept-encoding": coding})
    etag = client.get(url(name, type="poster"))["ETag"]
    PROCESS_CACHE.clear()

    with django_assert_num_queries(1):
        response = client.get(url(name, type="poster"), headers={"if-none-match": form.format(etag)})

    assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)
    assert response["Cache-Control"] == "public, max-age=300"


@pytest.mark.parametrize("name", FILES)
def test_known_date_is_answered_304_until_the_programme_changes(world: World, name: str) -> None:
    client = Client()
    since = {"if-modified-since": client.get(url(name))["Last-Modified"]}

    assert client.get(url(name), headers=since).status_code == 304
    with time_machine.travel(at("09:31"), tick=False):
        world.talk.title = "Another title"
        world.talk.revise()
        changed = client.get(url(name), headers=since)
    assert (changed.status_code, changed["Last-Modified"]) == (200, "Thu, 24 Apr 2025 01:31:00 GMT")


@pytest.mark.parametrize("name", FILES)
def test_second_answer_costs_two_queries(world: World, name: str, django_assert_num_queries: Any) -> None:
    first = Client().get(url(name))

    with django_assert_num_queries(2):
        second = Client().get(url(name))

    assert second.content == first.content


def test_tag_moves_with_the_programme_the_choice_and_the_day_and_with_nothing_else(world: World) -> None:
    def tag(**query: str) -> str:
        return str(Client().get(url("schedule.json", **query))["ETag"])

    first = tag()
    assert tag(at="2025-04-24T12:00") == first
    assert tag(utm="x", view="grid", page="2") == first
    seen = {first, tag(type="poster"), tag(type="talk"), tag(topic="convexity"), tag(day="2025-04-25")}
    world.conference.bump_revision()
    seen.add(tag())
    with time_machine.travel(at("09:30", dt.date(2025, 4, 25)), tick=False):
        seen.add(tag())
    assert len(seen) == 7


def test_same_choice_in_another_order_is_the_same_version(world: World) -> None:
    client = Client()

    one = client.get("/iclr-2025/schedule.csv?type=talk&type=poster&track=theory")
    other = client.get("/iclr-2025/schedule.csv?track=theory&type=poster&type=talk&type=talk")

    assert one["ETag"] == other["ETag"]


@pytest.mark.parametrize("name", FILES)
def test_head_says_the_same_without_the_body(world: World, name: str) -> None:
    got, asked = Client().get(url(name)), Client().head(url(name))

    assert (asked.status_code, asked.content, dict(asked.headers)) == (200, b"", dict(got.headers))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_export_is_only_read(world: World, name: str, method: str) -> None:
    response = getattr(Client(enforce_csrf_checks=True), method)(url(name))

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("name", ["schedule.xml", "schedule.json", "schedule.csv"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param({"type": "poster"}, {"Gradients, poster"}, id="type"),
        pytest.param({"track": "theory"}, {"Oral session"}, id="track"),
        pytest.param({"topic": "convexity"}, {"Oral session", "Convex talk", "Gradients, poster"}, id="topic, also the paper's"),
        pytest.param({"topic": "convexity", "type": "talk"}, {"Convex talk"}, id="topic and type"),
        pytest.param({"day": "2025-04-22"}, {"Runners"}, id="day"),
        pytest.param({"type": "nothing"}, set(), id="unknown type"),
        pytest.param({"room": "999999"}, set(), id="unknown room"),
        pytest.param({"room": "nonsense"}, set(), id="unknown name of a room"),
        pytest.param({"room": "garnet-212", "day": "2025-04-25"}, {"Workshop"}, id="room as on its wall screen"),
        pytest.param({"day": "2031-01-01"}, set(), id="unknown day"),
        pytest.param({"day": "yesterday"}, set(), id="no day at all"),
    ],
)
def test_export_holds_what_the_filters_leave(world: World, name: str, query: dict[str, str], expected: set[str]) -> None:
    content = Client().get(url(name, **query)).content

    assert titles(content, name) == expected
    assert name == "schedule.csv" or problems(content, name) == []


def test_calendar_holds_what_the_filters_leave(world: World) -> None:
    body = Client().get(url("schedule.ics", topic="convexity", type="talk")).text

    assert (body.count("BEGIN:VEVENT"), "SUMMARY:Convex talk" in body) == (1, True)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param({}, ["Gradients without descent"], id="all"),
        pytest.param({"topic": "convexity"}, ["Gradients without descent"], id="topic"),
        pytest.param({"topic": "nothing"}, [], id="unknown topic"),
        pytest.param({"award": "1"}, ["Gradients without descent"], id="awarded"),
    ],
)
def test_list_of_papers_holds_what_its_filters_leave(world: World, query: dict[str, str], expected: list[str]) -> None:
    found = rows(Client().get(url("papers.csv", **query)).content)

    assert [row["title"] for row in found] == expected
    assert [(row["authors"], row["topic"], row["links"]) for row in found] == [
        ("Ada Lovelace; Song Han", "Optimisation › Convexity", f"code {AWAY}")
    ] * len(expected)


@pytest.mark.parametrize("query", ["q=gradients", "q=zeroth", "type=talk", "type=poster", "topic=convexity", "award=1"])
def test_every_choice_of_papers_is_a_version_of_its_own(world: World, query: str) -> None:
    world.paper.title = "Zeroth order"
    world.paper.save()
    world.conference.bump_revision()
    client = Client()
    chosen, every = client.get(f"/iclr-2025/papers.csv?{query}"), client.get("/iclr-2025/papers.csv")

    assert chosen["ETag"] != every["ETag"]
    assert titles(every.content, "papers.csv") == {"Zeroth order"}
    assert titles(chosen.content, "papers.csv") == (set() if query == "q=gradients" else {"Zeroth order"})


def test_search_of_papers_is_one_version_however_it_is_spaced(world: World) -> None:
    asked = ["q=ada+gradients", "q=+ada++gradients+"]
    tags = {Client().get(f"/iclr-2025/papers.csv?{it}")["ETag"] for it in asked}

    assert len(tags) == 1
    assert Client().get("/iclr-2025/papers.csv?q=+")["ETag"] == Client().get("/iclr-2025/papers.csv")["ETag"]


@pytest.mark.parametrize("name", ["schedule.xml", "schedule.json", "schedule.csv"])
def test_recording_is_linked_from_its_date_on_whatever_the_address_asks(world: World, name: str) -> None:
    Event.objects.filter(pk=world.keynote.pk).update(recording_url="https://recording.example/")

    before = Client().get(url(name, at="2025-06-01T09:30")).text
    with time_machine.travel(at("09:30", dt.date(2025, 5, 28)), tick=False):
        after = Client().get(url(name)).text

    assert ("https://recording.example/" in before, "https://recording.example/" in after) == (False, True)


def test_day_links_files_of_what_its_filters_leave(world: World) -> None:
    page = Client().get("/iclr-2025/schedule/2025-04-24/?topic=convexity&view=grid").text

    for name in ["schedule.xml", "schedule.json", "schedule.csv"]:
        assert f'href="/iclr-2025/{name}?topic=convexity"' in page
    assert 'href="/iclr-2025/schedule.ics?topic=convexity&amp;download=1"' in page


def test_papers_link_their_spreadsheet(world: World) -> None:
    assert 'href="/iclr-2025/papers.csv"' in Client().get("/iclr-2025/papers/").text
    assert 'href="/iclr-2025/papers.csv?topic=convexity"' in Client().get("/iclr-2025/papers/?topic=convexity&page=1").text
    assert 'href="/iclr-2025/papers.csv?q=gradients"' in Client().get("/iclr-2025/papers/?q=gradients&page=1").text
