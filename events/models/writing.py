"""Short writes of visitors: they wait for each other in line, and for nobody else very long."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator

from django.db import OperationalError, connection, transaction

# In seconds. What is written in line takes milliseconds each, so that whoever is at its head for longer waits for an import.
PATIENCE = 2.0
LOCK_TIMEOUT = 50
"""In milliseconds."""
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Line:
    """One after the other; while it stands still nobody joins it, so that there are threads left to serve those who read."""

    def __init__(self) -> None:
        self._head = threading.Lock()
        self._since: float | None = None

    @property
    def stands_still(self) -> bool:
        since = self._since
        return since is not None and time.monotonic() - since > PATIENCE

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        if self.stands_still or not self._head.acquire(timeout=PATIENCE):
            raise OperationalError("the line of those who write does not move")
        try:
            self._since = time.monotonic()
            yield
        finally:
            self._since = None
            self._head.release()


LINE = Line()


@contextlib.contextmanager
def short_write() -> Iterator[None]:
    """A transaction of a few statements, of which many come at once.

    SQLite takes one write at a time and lets the others ask again and again; those of one process wait in line here.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    with LINE.turn(), transaction.atomic():
        yield


@contextlib.contextmanager
def impatient_write() -> Iterator[None]:
    """A transaction that fails with OperationalError where it would wait longer than ``LOCK_TIMEOUT`` for another."""
    if connection.vendor == "sqlite":
        with _busy_timeout(LOCK_TIMEOUT), transaction.atomic():
            yield
        return
    with transaction.atomic():
        _execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT}")
        yield


@contextlib.contextmanager
def _busy_timeout(milliseconds: int) -> Iterator[None]:
    usual = int(connection.settings_dict["OPTIONS"]["timeout"] * 1000)
    _execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        _execute(f"PRAGMA busy_timeout = {usual}")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def is_busy(error: BaseException | None) -> bool:
    """Whether the same may well work in a moment: somebody else was writing, or the database was away."""
    if not isinstance(error, OperationalError):
        return False
    # SQLite says much else by the same exception; PostgreSQL's driver nothing that does not pass.
    code: int | None = getattr(error.__cause__, "sqlite_errorcode", None)
    return code is None or code & 0xFF in BUSY
