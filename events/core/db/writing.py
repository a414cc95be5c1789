"""Short writes of visitors, which queue on SQLite and fail soon; bulk updates, increments, and statistics after many rows."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import OperationalError, connection, models, transaction
from django.db.models import F

# A queued write takes milliseconds, so that one that takes longer is waiting for an import.
QUEUE_TIMEOUT_SECONDS = 2.0
LOCK_TIMEOUT_MS = 50
SLICE_SECONDS = 0.25
"""From so long on, a slice of a long write ends."""
PAUSE_SECONDS = 0.12
"""Who waits for SQLite's lock asks for it ten times a second."""


class WriteQueue:
    """Writes of this process, one at a time. While one is stuck, further writes fail at once and free their threads."""

    def __init__(self) -> None:
        self._head = threading.Lock()
        self._since: float | None = None

    @property
    def is_stuck(self) -> bool:
        # Another thread may reset it at any time.
        since = self._since
        return since is not None and time.monotonic() - since > QUEUE_TIMEOUT_SECONDS

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        if self.is_stuck or not self._head.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
            raise OperationalError("the write queue does not move")
        try:
            self._since = time.monotonic()
            yield
        finally:
            self._since = None
            self._head.release()


WRITE_QUEUE = WriteQueue()


@contextlib.contextmanager
def serialized_write() -> Iterator[None]:
    """Open a transaction of a few statements, for writes that come many at a time.

    SQLite allows one write at a time and makes the others poll; the writes of one process queue here instead.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    with WRITE_QUEUE.turn(), transaction.atomic():
        yield


def in_slices(steps: Iterator[int]) -> Iterator[int]:
    """Run steps of a long write in short transactions, between which others can write; yield what the steps yield.

    A transaction that is open already stays one.
    """
    rest = True
    while rest:
        started, rest = time.monotonic(), False
        with transaction.atomic():
            for count in steps:
                yield count
                if time.monotonic() - started > SLICE_SECONDS:
                    rest = True
                    break
        if rest:
            pause_for_writers()


def pause_for_writers() -> None:
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE_SECONDS)


@contextlib.contextmanager
def impatient_write() -> Iterator[None]:
    """Open a transaction that raises OperationalError if it waits longer than ``LOCK_TIMEOUT_MS`` for a lock."""
    if connection.vendor == "sqlite":
        with _busy_timeout(LOCK_TIMEOUT_MS), transaction.atomic():
            yield
        return
    with transaction.atomic():
        _execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
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


def update_rows(model: type[models.Model], rows: Iterable[Any], names: Sequence[str]) -> None:
    """Update these fields of existing rows, without history and signals.

    One statement for all rows: Django's ``bulk_update`` writes a CASE for every row and takes twenty times as long.
    """
    options: Any = model._meta
    quote = connection.ops.quote_name
    fields = [options.get_field(name) for name in names]
    columns = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    # Names come from the model, values are parameters.
    statement = f"UPDATE {quote(options.db_table)} SET {columns} WHERE {quote(options.pk.column)} = %s"  # noqa: S608
    values = [[*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk] for row in rows]
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)


def analyse_tables(models_written: Iterable[type[models.Model]]) -> None:
    """Count anew on PostgreSQL, for its planner, what these tables contain after many rows were written.

    PostgreSQL does so itself within minutes (autovacuum), or never where that is off. Until then it reads whole tables.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(sorted(connection.ops.quote_name(model._meta.db_table) for model in models_written))
        _execute(f"ANALYZE {tables}")


def plus_one(field: str) -> F:
    """Increment in the database, so that two simultaneous increments both count."""
    return F(field) + 1  # type: ignore[return-value]
