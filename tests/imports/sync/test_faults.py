"""Killed imports, simultaneous imports, and saves of organisers during an import."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import pytest
from django.db import connection

from events.imports.sync import engine
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, ImportHooks, SyncError
from events.models import Change, Conference, Event, Room, Zone
from events.programme.data.schedule import ScheduleData
from tests.factories import at
from tests.imports.sync.killed_programmes import NEW, OLD, killed_import
from tests.imports.sync.programmes import event, everything, programme, row

ANY = pytest.mark.django_db
COMMITTED = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
@COMMITTED
@pytest.mark.parametrize(
    ("step", "times"),
    [
        pytest.param("comparing", 0, id="at-the-first-table"),
        pytest.param("writing", 0, id="after-the-first-rows"),
        pytest.param("writing", 1, id="between-rows"),
        pytest.param("written", 0, id="before-the-commit"),
    ],
)
def test_killed_import_leaves_the_old_programme_and_no_lock(step: str, times: int) -> None:
    sync(OLD, source="file", hooks=PUBLISHING)
    before = everything()

    status = killed_import(step, times)
    after = everything()
    report = sync(NEW, source="file")

    assert status == -9
    assert after == before
    assert str(report) == "created 40, changed 18, cancelled 2, unchanged 0, skipped 0"
    assert set(Event.objects.exclude(status="cancelled").values_list("start", flat=True)) == {at("10:00")}
    assert Change.objects.filter(field="start").count() == 18


class Other(threading.Thread):
    """An import that stands still at its first step until it may go on."""

    def __init__(self, data: ScheduleData) -> None:
        super().__init__(daemon=True)
        self.data, self.begun, self.may_go_on = data, threading.Event(), threading.Event()
        self.summary = ""

    def run(self) -> None:
        try:
            self.summary = str(sync(self.data, source="file", hooks=ImportHooks(progress=self.wait)))
        finally:
            connection.close()

    def wait(self, *args: Any) -> None:
        self.begun.set()
        self.may_go_on.wait(60)

    def finish(self) -> str:
        self.may_go_on.set()
        self.join(60)
        return self.summary


@COMMITTED
def test_second_import_into_a_conference_is_refused_while_one_runs() -> None:
    other = Other(programme(event("theirs")))
    other.start()
    assert other.begun.wait(60)

    with pytest.raises(SyncError) as refused:
        sync(programme(event("ours")), source="file")
    summary = other.finish()

    assert str(refused.value) == "Another import into “demo” is running: wait until it is done, then try again."
    assert summary == "created 1, changed 0, cancelled 0, unchanged 0, skipped 0"
    assert [it.source_key for it in Event.objects.all()] == ["theirs"]


@COMMITTED
def test_other_conferences_and_dry_runs_need_no_lock() -> None:
    other = Other(programme(event("theirs")))
    other.start()
    assert other.begun.wait(60)

    dry = sync(programme(event("ours")), source="file", dry_run=True)
    second = programme(event("ours"))
    elsewhere = sync(dataclasses.replace(second, conference=dataclasses.replace(second.conference, slug="second")), source="file")
    summary = other.finish()

    assert (dry.created, elsewhere.created, summary) == (1, 1, "created 1, changed 0, cancelled 0, unchanged 0, skipped 0")


@COMMITTED
def test_lock_is_free_again_after_a_refusal() -> None:
    for _ in range(2):
        with pytest.raises(SyncError, match="title"):
            sync(programme(event(title="")), source="file")

    assert sync(programme(event()), source="file").created == 1


class Meanwhile:
    """Does something once, when an import has read all there is and has not yet written."""

    def __init__(self, action: Any) -> None:
        self.action = action

    def __call__(self, step: str, done: int, total: int) -> None:
        if done == total and self.action is not None:
            action, self.action = self.action, None
            action()


@ANY
def test_edit_during_the_comparison_stays() -> None:
    sync(programme(event(title="Old")), source="file")

    def edit() -> None:
        talk = row()
        talk.title = "By hand"
        talk.revise()

    moved = programme(event(title="From the file", start=at("09:30")))
    report = sync(moved, source="file", hooks=ImportHooks(progress=Meanwhile(edit)))

    assert (row().title, row().start) == ("By hand", at("09:30"))
    assert report.sentences("kept") == ["kept “By hand”: title stays “By hand”, the file says “From the file”"]


@ANY
def test_room_created_during_the_comparison_is_used() -> None:
    sync(programme(event(), rooms=()), source="file")

    def build() -> None:
        Room.objects.create(conference=Conference.objects.get(), zone=Zone.objects.get(), name="Hall 1", floor="2")

    sync(programme(event(room="hall-1")), source="file", hooks=ImportHooks(progress=Meanwhile(build)))

    assert [(it.name, it.floor) for it in Room.objects.order_by("name")] == [("Hall 1", "2"), ("Hall 2", "")]
    assert row().room == Room.objects.get(name="Hall 1")


@ANY
def test_conference_created_during_the_comparison_is_used() -> None:
    def build() -> None:
        sync_conference = programme().conference
        values = {name: getattr(sync_conference, name) for name in ("slug", "timezone", "start", "end")}
        Conference.objects.create(name="By hand", **values)

    sync(programme(event()), source="file", hooks=ImportHooks(progress=Meanwhile(build)))

    assert [(it.slug, it.name) for it in Conference.objects.all()] == [("demo", "By hand")]
    assert Event.objects.count() == 1


@pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite plans without statistics; run with DATABASE_URL=postgres://…"
)
@ANY
def test_large_import_leaves_statistics_for_the_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "IMPORT_BATCH_ROWS", 20)

    sync(OLD, source="file")

    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'events_event'::regclass")
        found = cursor.fetchone()
    assert found == (Event.objects.count(),)
