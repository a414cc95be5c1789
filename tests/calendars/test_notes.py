"""Visits of calendars: taken without a query, written down in bulk, and never in the way of a feed."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.db import DatabaseError, connection
from django.test import Client

from events.calendars import notes, soon
from events.calendars.notes import NOTES, Notes
from events.models import Agenda, FeedFetch
from tests.calendars.world import World
from tests.factories import at, make_agenda

pytestmark = pytest.mark.django_db

GOOGLE = {"user-agent": "Google-Calendar-Importer"}
IPHONE = {"user-agent": "iOS/17.1 (21B74) dataaccessd/1.0"}


def written() -> list[tuple[Any, ...]]:
    rows = FeedFetch.objects.order_by("agenda", "client")
    return list(rows.values_list("agenda", "client", "agenda_revision", "conference_revision"))


def test_visit_is_written_with_its_kind_and_what_it_was_told(world: World) -> None:
    with time_machine.travel(at("09:00"), tick=False):
        Client().get(world.feed, headers=GOOGLE)

    NOTES.write()

    world.conference.refresh_from_db()
    assert written() == [(world.agenda.pk, "google", world.agenda.revision, world.conference.revision)]
    assert FeedFetch.objects.get().at == at("09:00")


def test_each_kind_of_calendar_has_one_row_which_the_next_visit_moves(world: World) -> None:
    for _ in range(2):
        Client().get(world.feed, headers=GOOGLE)
        Client().get(world.feed, headers=IPHONE)
        world.agenda.bookmark(world.event, on=False)
        NOTES.write()

    moved = world.agenda.revision + 1
    assert [row[1:3] for row in written()] == [("google", moved), ("iphone", moved)]


def test_visit_that_changes_nothing_counts_and_one_that_only_looks_does_not(world: World) -> None:
    etag = Client().get(world.feed)["ETag"]
    NOTES.clear()

    Client().head(world.feed, headers=IPHONE)
    Client().post(world.feed, headers=IPHONE)
    Client().get(world.feed, headers=GOOGLE | {"if-none-match": etag})
    Client().get("/feeds/unknown.ics", headers=IPHONE)
    NOTES.write()

    assert [row[1] for row in written()] == ["google"]


def test_taking_a_note_costs_no_query(world: World, django_assert_num_queries: Any) -> None:
    agenda = Agenda.objects.by_feed(world.agenda.feed_token(world.token))

    with django_assert_num_queries(0):
        NOTES.take(agenda, "Google-Calendar-Importer")


@pytest.mark.parametrize("agendas", [1, 3])
def test_writing_costs_the_same_queries_for_one_visit_and_three(
    world: World, django_assert_num_queries: Any, agendas: int
) -> None:
    for _ in range(agendas):
        NOTES.take(make_agenda(world.conference)[0], "Google-Calendar-Importer")

    # The savepoint of a test and its release, the agendas, what is written of them, and the rows.
    with django_assert_num_queries(5):
        NOTES.write()

    assert len(written()) == agendas


def test_writing_nothing_asks_nothing(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        NOTES.write()


def test_many_visits_are_written_in_several_goes(world: World) -> None:
    with patch.object(notes, "AT_ONCE", 2):
        for _ in range(5):
            NOTES.take(make_agenda(world.conference)[0], "")
        NOTES.write()

    assert len(written()) == 5


def test_older_visit_of_another_process_does_not_undo_a_newer_one(world: World) -> None:
    here, there = Notes(every=None), Notes(every=None)
    with time_machine.travel(at("09:00"), tick=False):
        there.take(world.agenda, "Google-Calendar-Importer")
    with time_machine.travel(at("09:01"), tick=False):
        here.take(world.agenda, "Google-Calendar-Importer")

    here.write()
    there.write()

    assert FeedFetch.objects.get().at == at("09:01")


def test_visits_of_a_deleted_agenda_take_no_others_with_them(world: World) -> None:
    other, _ = make_agenda(world.conference)
    NOTES.take(world.agenda, "")
    NOTES.take(other, "")
    gone = world.agenda.pk

    world.agenda.delete()
    NOTES.write()

    assert [row[0] for row in written()] == [other.pk] != [gone]


def test_visit_to_an_address_that_was_replaced_meanwhile_is_not_written(world: World) -> None:
    Client().get(world.feed, headers=GOOGLE)

    world.agenda.reset_feed(world.token)
    NOTES.write()

    assert written() == []


def test_forgetting_an_agenda_forgets_its_visits_and_addresses(world: World) -> None:
    world.agenda.reset_feed(world.token)
    Client().get(world.feed)
    NOTES.write()

    world.agenda.delete()

    assert (FeedFetch.objects.count(), world.agenda.replaced_feeds.model.objects.count()) == (0, 0)


def test_dead_database_is_told_once_and_the_visits_wait(world: World, caplog: pytest.LogCaptureFixture) -> None:
    Client().get(world.feed, headers=GOOGLE)

    with caplog.at_level(logging.ERROR), patch.object(notes, "store", side_effect=DatabaseError("locked")):
        NOTES.write()
        NOTES.write()
    Client().get(world.feed, headers=IPHONE)
    NOTES.write()

    assert [it.getMessage() for it in caplog.records] == [
        "Visits of calendars cannot be written down, and wait: DatabaseError('locked')"
    ]
    assert [row[1] for row in written()] == ["google", "iphone"]


def test_no_more_is_remembered_than_fits(world: World) -> None:
    agendas = [make_agenda(world.conference)[0] for _ in range(3)]

    with patch.object(notes, "MOST", 2):
        for agenda in [*agendas, agendas[0]]:
            NOTES.take(agenda, "")
    NOTES.write()

    assert [row[0] for row in written()] == [agenda.pk for agenda in agendas[:2]]


def test_nothing_of_who_came_is_written(world: World) -> None:
    Client(REMOTE_ADDR="203.0.113.9").get(world.feed, headers={"user-agent": "iOS/17.1 dataaccessd/1.0 of Ada's phone"})
    NOTES.write()

    row = FeedFetch.objects.values().get()
    assert set(row) == {"id", "agenda_id", "client", "at", "agenda_revision", "conference_revision"}
    assert row["client"] == "iphone"


@pytest.fixture
def ticking() -> Iterator[Notes]:
    found = Notes(every=0.01)
    yield found
    found.every = None


@pytest.mark.django_db(transaction=True)
def test_clock_writes_by_itself_in_a_thread_that_leaves_no_connection(world: World, ticking: Notes) -> None:
    done, closed = threading.Event(), []
    ring = ticking._ring

    def watched() -> None:
        ring()
        closed.append(connection.connection is None)
        done.set()

    with patch.object(ticking, "_ring", watched):
        ticking.take(world.agenda, "Google-Calendar-Importer")
        assert done.wait(20)

    assert [row[1] for row in written()] == ["google"]
    assert (closed, ticking._timer) == ([True], None)


def test_clock_is_wound_once_for_many_visits(world: World) -> None:
    with patch.object(soon.threading, "Timer") as timer:
        found = Notes(every=dt.timedelta(hours=1).total_seconds())
        for _ in range(3):
            found.take(world.agenda, "")
        found.clear()

    assert timer.call_count == 1
    assert timer.return_value.daemon is True


def test_machine_without_a_thread_to_spare_answers_all_the_same(world: World) -> None:
    found = Notes(every=3600)
    with patch.object(soon.threading.Timer, "start", side_effect=RuntimeError("can't start new thread")):
        found.take(world.agenda, "")
    found.write()

    assert len(written()) == 1
