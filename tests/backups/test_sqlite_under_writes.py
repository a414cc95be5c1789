"""The copy of SQLite in a backup is of one moment while bookmarks are written."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from events.agenda.models.agenda import Agenda
from events.backups import sqlite
from events.backups.sqlite import SQLiteFile
from events.core.tokens import hash_token
from events.models import Event
from tests.factories import make_agenda, make_conference, make_event

EVENTS = 40


class Bar:
    def __init__(self) -> None:
        self.n = self.total = 0
        self.steps: list[int] = []

    def update(self, steps: int) -> None:
        self.n += steps
        assert steps > 0, "the copy began again"
        self.steps.append(steps)
        # For the writer.
        time.sleep(0.005)


@contextlib.contextmanager
def bookmarking(agenda: Agenda) -> Iterator[None]:
    """A visitor who bookmarks one event after another, in a thread with a connection of its own."""
    over, first = threading.Event(), threading.Event()

    def run() -> None:
        try:
            while not over.is_set():
                for event in Event.objects.all():
                    agenda.bookmark(event, on=True)
                    first.set()
                for event in Event.objects.all()[1:]:
                    agenda.bookmark(event, on=False)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    first.wait(10)
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump makes the backups of PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_copy_made_under_writes_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A few pages at a time, so that writes come in between: each of them would begin another copy again.
    monkeypatch.setattr(sqlite, "PAGES_AT_ONCE", 20)
    bar = Bar()
    monkeypatch.setattr(sqlite, "progress_bar", lambda *_: contextlib.nullcontext(bar))
    conference = make_conference()
    first = make_event(conference)
    for _ in range(EVENTS):
        make_event(conference)
    agenda, _ = make_agenda(conference, first)
    copy = tmp_path / "backup.sqlite3"

    with bookmarking(agenda):
        SQLiteFile().dump(copy)

    assert (set(bar.steps[:-1]), sum(bar.steps)) == ({20}, bar.total)
    with contextlib.closing(sqlite3.connect(copy)) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert restored.execute("PRAGMA foreign_key_check").fetchall() == []
        assert restored.execute("SELECT count(*) FROM events_event").fetchone() == (EVENTS + 1,)
        assert restored.execute("SELECT count(*) FROM events_bookmark").fetchone()[0] >= 1
        uids = {row[0] for row in restored.execute("SELECT guid FROM events_event")}
        feeds = restored.execute("SELECT token_hash FROM events_feedaddress").fetchall()
    assert uids == {guid.hex for guid in Event.objects.values_list("guid", flat=True)}
    assert feeds == [(hash_token(agenda.feed_token),)]
