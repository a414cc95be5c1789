"""Visits of calendars: one row for each kind, at most one write in ten minutes, and never in the way of a feed."""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.db import InterfaceError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.calendars import health
from events.models import Agenda, FeedFetch
from tests.calendars.world import World
from tests.factories import at, make_event

pytestmark = pytest.mark.django_db

GOOGLE = {"user-agent": "Google-Calendar-Importer"}
IPHONE = {"user-agent": "iOS/17.1 (21B74) dataaccessd/1.0"}
NINE = at("09:00")
TEN_MINUTES = dt.timedelta(minutes=10)
MOMENT = dt.timedelta(seconds=1)


@pytest.fixture
def world(db: None) -> World:
    """Of each test alone: some of them commit."""
    return World()


def visit(world: World, when: dt.datetime, feed: str = "", **headers: str) -> None:
    with time_machine.travel(when, tick=False):
        assert Client().get(feed or world.feed, headers=GOOGLE | headers).status_code in (200, 304)


def recorded() -> list[tuple[Any, ...]]:
    rows = FeedFetch.objects.order_by("agenda", "client")
    return list(rows.values_list("agenda", "client", "agenda_revision", "conference_revision"))


def writes(found: CaptureQueriesContext) -> list[str]:
    first_words = [it["sql"].partition(" ")[0] for it in found.captured_queries]
    return [it for it in first_words if it in {"INSERT", "UPDATE", "DELETE"}]


def test_visit_is_recorded_with_its_kind_and_what_it_was_given(world: World) -> None:
    visit(world, NINE)

    world.conference.refresh_from_db()
    assert recorded() == [(world.agenda.pk, "google", world.agenda.revision, world.conference.revision)]
    assert FeedFetch.objects.get().at == NINE


def test_each_kind_of_calendar_has_one_row_which_the_next_visit_moves(world: World) -> None:
    for on in (False, True):
        world.agenda.bookmark(world.event, on=on)
        Client().get(world.feed, headers=GOOGLE)
        Client().get(world.feed, headers=IPHONE)

    world.agenda.refresh_from_db()
    assert [row[1:3] for row in recorded()] == [("google", world.agenda.revision), ("iphone", world.agenda.revision)]


def test_visit_that_changes_nothing_counts_and_one_that_only_looks_does_not(world: World) -> None:
    etag = Client().head(world.feed)["ETag"]

    Client().head(world.feed, headers=IPHONE)
    Client().post(world.feed, headers=IPHONE)
    Client().get(world.feed, headers=GOOGLE | {"if-none-match": etag})
    Client().get("/feeds/unknown.ics", headers=IPHONE)

    assert [row[1] for row in recorded()] == ["google"]


@pytest.mark.parametrize(
    ("later", "seen"), [(TEN_MINUTES - MOMENT, NINE), (TEN_MINUTES, NINE + TEN_MINUTES)], ids=["within-ten-minutes", "after-ten"]
)
def test_same_version_is_recorded_once_in_ten_minutes(world: World, later: dt.timedelta, seen: dt.datetime) -> None:
    visit(world, NINE)

    visit(world, NINE + later)

    assert FeedFetch.objects.get().at == seen


@pytest.mark.parametrize("what", ["agenda", "conference"])
def test_newer_version_is_recorded_at_once(world: World, what: str) -> None:
    visit(world, NINE)
    if what == "agenda":
        world.agenda.bookmark(make_event(world.conference, start="11:00", end="12:00"), on=True)
    else:
        world.event.title = "Other"
        world.event.revise()

    visit(world, NINE + MOMENT)

    agenda = Agenda.objects.select_related("conference").get()
    assert FeedFetch.objects.get().at == NINE + MOMENT
    assert recorded() == [(agenda.pk, "google", agenda.revision, agenda.conference.revision)]


def test_304_writes_nothing_or_one_row(world: World) -> None:
    visit(world, NINE)
    feed = world.feed
    with time_machine.travel(NINE, tick=False):
        etag = Client().head(feed)["ETag"]

    with CaptureQueriesContext(connection) as repeated:
        visit(world, NINE + MOMENT, feed=feed, **{"if-none-match": etag})
    with CaptureQueriesContext(connection) as due:
        visit(world, NINE + TEN_MINUTES, feed=feed, **{"if-none-match": etag})

    assert (len(repeated), writes(due)) == (1, ["UPDATE"])


def test_older_visit_of_another_process_does_not_undo_a_newer_one(world: World) -> None:
    slow = Agenda.objects.by_feed(world.agenda.feed_token)
    assert slow is not None
    world.agenda.bookmark(world.event, on=False)
    visit(world, NINE + MOMENT)
    newer = recorded()

    health.record_fetch(slow, "google", NINE)

    assert (recorded(), FeedFetch.objects.get().at) == (newer, NINE + MOMENT)


def test_visit_of_a_deleted_agenda_is_not_recorded(world: World) -> None:
    slow = Agenda.objects.get()
    world.agenda.delete()

    health.record_fetch(slow, "google", NINE)

    assert recorded() == []


def test_visit_to_an_address_that_was_replaced_meanwhile_is_not_recorded(world: World) -> None:
    slow = Agenda.objects.get()
    world.agenda.reset_feed()

    health.record_fetch(slow, "google", NINE)

    assert recorded() == []

    visit(world, NINE)
    health.record_fetch(slow, "google", NINE + MOMENT)

    assert FeedFetch.objects.get().at == NINE


def test_forgetting_an_agenda_forgets_its_visits_and_addresses(world: World) -> None:
    world.agenda.reset_feed()
    Client().get(world.feed)

    world.agenda.delete()

    assert (FeedFetch.objects.count(), world.agenda.feed_addresses.model.objects.count()) == (0, 0)


def test_nothing_of_who_came_is_written(world: World) -> None:
    Client(REMOTE_ADDR="203.0.113.9").get(world.feed, headers={"user-agent": "iOS/17.1 dataaccessd/1.0 of Ada's phone"})

    row = FeedFetch.objects.values().get()
    assert set(row) == {"id", "agenda_id", "client", "at", "agenda_revision", "conference_revision"}
    assert row["client"] == "iphone"


def test_database_that_goes_away_costs_the_row_and_not_the_answer(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with patch.object(health, "impatient_write", side_effect=InterfaceError("connection already closed")):
        visit(world, NINE)

    assert recorded() == []
    assert [(it.levelno, it.getMessage()) for it in caplog.records] == [
        (logging.WARNING, "The fetch of a calendar was not recorded: InterfaceError('connection already closed')")
    ]


@pytest.mark.django_db(transaction=True)
def test_answer_does_not_wait_for_somebody_who_writes(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "events.calendars")
    writing, may_end = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            Agenda.objects.filter(pk=world.agenda.pk).update(revision=world.agenda.revision)
            writing.set()
            may_end.wait(20)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(write)
        assert writing.wait(20)
        begin = time.monotonic()
        visit(world, NINE)
        waited = time.monotonic() - begin
        may_end.set()

    assert (recorded(), waited < 5) == ([], True)
    # Usual on SQLite: no line of the log, unless it is asked for.
    assert [it.levelno for it in caplog.records if "was not recorded: OperationalError" in it.getMessage()] == [logging.DEBUG]

    visit(world, NINE)
    assert [row[1] for row in recorded()] == ["google"]


@pytest.mark.django_db(transaction=True)
def test_other_writes_wait_as_long_as_before(world: World) -> None:
    visit(world, NINE)

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
        # Milliseconds; and PostgreSQL's word for no limit.
        assert cursor.fetchone() in [(20_000,), ("0",)]


@pytest.mark.django_db(transaction=True)
def test_first_visits_at_once_are_one_row(world: World) -> None:
    def come(_: int) -> int:
        try:
            return int(Client().get(world.feed, headers=GOOGLE).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(come, range(8)))

    assert (answers, [row[1] for row in recorded()]) == ([200] * 8, ["google"])
