"""Exports and calendars of the programme while their files are built."""

from __future__ import annotations

import datetime as dt
import gzip
import threading
from collections.abc import Callable, Iterator
from typing import Any, Self

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.calendars import feeds
from events.core import stored_files
from events.core.byte_cache import PROCESS_CACHE
from events.exports import files
from events.models import Event
from events.web import stored_responses
from tests.factories import at, make_conference, make_event
from tests.security.world import World
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

WHOLE = ["schedule.ics", "schedule.json"]
BOTH = [*WHOLE, "schedule.ics?kind=session", "schedule.csv?kind=session"]


@pytest.fixture(autouse=True)
def _remembers() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**20
    yield
    PROCESS_CACHE.max_bytes = 0


@pytest.fixture
def event() -> Event:
    event = make_event(make_conference(slug="demo"), start="09:00", end="10:00", title="Old title")
    make_event(event.conference, start="10:00", end="11:00", title="Another")
    Event.objects.record_changes(quiet=True)
    event.refresh_from_db()
    return event


def got(name: str, **headers: str) -> Any:
    return Client().get(f"/demo/{name}", headers=headers)


def revised(event: Event, **values: str) -> None:
    for field, value in values.items():
        setattr(event, field, value)
    event.revise()


class SlowBuild:
    """Somebody asks for this address, and the build goes on until the end of the block."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.began, self.ends, self.builds = threading.Event(), threading.Event(), 0
        for owner in (files.Export, feeds.Feed):
            monkeypatch.setattr(owner, "build", self._slow(owner.build))
        self._thread = threading.Thread(target=self._ask, args=[name])

    def _slow(self, build: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def slow(subject: Any) -> Any:
            self.builds += 1
            self.began.set()
            assert self.ends.wait(20)
            return build(subject)

        return slow

    def _ask(self, name: str) -> None:
        try:
            self.response = got(name)
        finally:
            connection.close()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self.began.wait(20)
        return self

    def __exit__(self, *error: object) -> None:
        self.ends.set()
        self._thread.join(20)


@pytest.mark.parametrize("name", BOTH)
def test_dozen_after_a_change_costs_one_build_and_the_others_get_last_bytes(
    event: Event, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = got(name)
    revised(event, title="New title")

    with SlowBuild(monkeypatch, name) as build:
        others = at_once(*[lambda: got(name)] * 11)
        known = got(name, **{"if-none-match": before["ETag"]})

    assert build.builds == 1
    assert {(it.status_code, it.content, it["ETag"], it["Last-Modified"]) for it in others} == {
        (200, before.content, before["ETag"], before["Last-Modified"])
    }
    assert {it["Cache-Control"] for it in [*others, known]} == {"public, max-age=10"}
    assert (known.status_code, known.content, known["ETag"]) == (304, b"", before["ETag"])
    assert "New title" in build.response.text
    after = got(name)
    assert (after.content, after["ETag"], after["Cache-Control"]) == (
        build.response.content,
        build.response["ETag"],
        "public, max-age=300",
    )
    assert after["ETag"] != before["ETag"]
    assert after["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("how", ["draft", "deleted"])
def test_withdrawn_event_is_in_no_last_bytes(event: Event, monkeypatch: pytest.MonkeyPatch, name: str, how: str) -> None:
    got(name)
    if how == "draft":
        revised(event, status="draft")
    else:
        event.delete()
        event.conference.bump_revision()
    monkeypatch.setattr(stored_files, "MAX_BUILDER_WAIT_SECONDS", 0.1)

    with SlowBuild(monkeypatch, name) as build:
        refused = got(name)

    assert (refused.status_code, refused["Retry-After"], refused["Cache-Control"]) == (503, "10", "private, no-store")
    assert refused["Content-Type"] == "text/plain; charset=utf-8"
    assert (refused.text, refused["Access-Control-Allow-Origin"]) == (stored_responses.BUSY_TEXT, "*")
    assert "Old title" not in build.response.text
    assert "Another" in build.response.text


def test_new_draft_withdraws_nothing(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    before = got("schedule.ics")
    make_event(event.conference, start="12:00", end="13:00", status="draft")
    revised(event, title="New title")

    with SlowBuild(monkeypatch, "schedule.ics"):
        assert got("schedule.ics").content == before.content


def test_first_file_is_waited_for_by_one(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    with SlowBuild(monkeypatch, "schedule.csv") as build:
        threading.Timer(0.5, build.ends.set).start()
        answers = at_once(*[lambda: got("schedule.csv")] * 5)

    assert sorted(it.status_code for it in answers) == [200, 503, 503, 503, 503]
    assert build.builds == 1


def test_an_hour_after_the_change_nobody_gets_the_file_of_before(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    got("schedule.csv")
    revised(event, title="New title")
    monkeypatch.setattr(stored_files, "MAX_OUTDATED_SECONDS", 0)
    monkeypatch.setattr(stored_files, "MAX_BUILDER_WAIT_SECONDS", 0.1)

    # Another file is built, so this one's turn may be far.
    with SlowBuild(monkeypatch, "papers.csv"):
        assert got("schedule.csv").status_code == 503
    assert "New title" in got("schedule.csv").text


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_file_is_sent_whole_and_head_says_its_length(event: Event, name: str, coding: str) -> None:
    """A stream would keep a thread of the server for each slow reader."""
    headers = {"accept-encoding": coding}
    got(name, **headers)
    stored, head = got(name, **headers), Client().head(f"/demo/{name}", headers=headers)

    assert not stored.streaming
    assert (dict(head.headers), head.content) == (dict(stored.headers), b"")
    assert stored["Content-Length"] == str(len(stored.content))
    is_zipped = stored.get("Content-Encoding") == "gzip"
    assert b"Old title" in (gzip.decompress(stored.content) if is_zipped else stored.content)


def test_calendars_do_not_fill_the_cache_of_pages(event: Event) -> None:
    for name in BOTH:
        got(name)

    assert not [key for key in PROCESS_CACHE.keys if isinstance(key, tuple) and key[0] == "calendar entry"]


@pytest.mark.both_databases
def test_many_events_are_read_in_parts_and_shown_like_few(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = World().conference
    few = feeds.schedule_feed(conference).body
    monkeypatch.setattr("events.calendars.queries.EVENTS_PER_READ", 0)
    monkeypatch.setattr("events.calendars.queries.BRIEF_EVENTS_PER_READ", 3)

    with CaptureQueriesContext(connection) as read:
        many = feeds.schedule_feed(conference).body

    assert many == few
    assert any('FROM "events_room"' in query["sql"] for query in read)


def test_file_of_a_new_day_is_another(event: Event) -> None:
    with time_machine.travel(at("09:30"), tick=False):
        before = got("schedule.csv")
    with time_machine.travel(at("09:30") + dt.timedelta(days=1), tick=False):
        assert got("schedule.csv")["ETag"] != before["ETag"]
