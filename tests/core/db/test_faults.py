from __future__ import annotations

import errno
import sqlite3
import threading

import psycopg
import pytest
from django.db import DatabaseError, InternalError, OperationalError, ProgrammingError
from psycopg_pool import PoolTimeout, TooManyRequests

from events.core.db.faults import DatabaseAwayError, DatabaseFault, database_fault
from events.core.db.postgresql import base
from events.core.db.postgresql.base import Doorway


def of_sqlite(code: int, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    cause = sqlite3.OperationalError("said by SQLite")
    cause.sqlite_errorcode = code
    return caused_by(cause, kind)


def caused_by(cause: Exception, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    error = kind("said by Django")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param(ValueError(), None, id="our-fault"),
        pytest.param(ProgrammingError(), None, id="wrong-query"),
        pytest.param(OperationalError("the queue"), DatabaseFault.BUSY, id="queue"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY), DatabaseFault.BUSY, id="sqlite-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), DatabaseFault.BUSY, id="sqlite-locked-since"),
        pytest.param(of_sqlite(sqlite3.SQLITE_LOCKED), DatabaseFault.BUSY, id="sqlite-table-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_ERROR), None, id="sqlite-no-such-table"),
        pytest.param(of_sqlite(sqlite3.SQLITE_FULL), DatabaseFault.FULL, id="sqlite-disk-full"),
        pytest.param(of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), DatabaseFault.READ_ONLY, id="sqlite-read-only"),
        pytest.param(of_sqlite(sqlite3.SQLITE_CANTOPEN), DatabaseFault.DAMAGED, id="sqlite-cannot-open"),
        pytest.param(of_sqlite(sqlite3.SQLITE_IOERR_SHMSIZE), DatabaseFault.DAMAGED, id="sqlite-no-room-for-shm"),
        pytest.param(of_sqlite(sqlite3.SQLITE_CORRUPT, DatabaseError), DatabaseFault.DAMAGED, id="sqlite-corrupt"),
        pytest.param(caused_by(psycopg.errors.DeadlockDetected()), DatabaseFault.BUSY, id="postgresql-deadlock"),
        pytest.param(caused_by(psycopg.errors.LockNotAvailable()), DatabaseFault.BUSY, id="postgresql-locked"),
        pytest.param(caused_by(TooManyRequests()), DatabaseFault.BUSY, id="postgresql-pool-in-use"),
        pytest.param(caused_by(psycopg.errors.AdminShutdown()), DatabaseFault.AWAY, id="postgresql-restarted"),
        pytest.param(caused_by(psycopg.errors.ConnectionFailure()), DatabaseFault.AWAY, id="postgresql-connection-failed"),
        pytest.param(caused_by(psycopg.OperationalError("refused")), DatabaseFault.AWAY, id="postgresql-connection-refused"),
        pytest.param(caused_by(PoolTimeout()), DatabaseFault.AWAY, id="postgresql-no-connection-in-time"),
        pytest.param(DatabaseAwayError("waiting"), DatabaseFault.AWAY, id="postgresql-another-request-waits"),
        pytest.param(caused_by(psycopg.errors.DiskFull()), DatabaseFault.FULL, id="postgresql-disk-full"),
        pytest.param(
            caused_by(psycopg.errors.ReadOnlySqlTransaction(), InternalError), DatabaseFault.READ_ONLY, id="postgresql-standby"
        ),
        pytest.param(caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), None, id="postgresql-no-such-table"),
        pytest.param(OSError(errno.ENOSPC, "No space left on device"), DatabaseFault.FULL, id="photo-on-full-disk"),
        pytest.param(OSError(errno.EROFS, "Read-only file system"), DatabaseFault.READ_ONLY, id="photo-on-read-only-disk"),
        pytest.param(FileNotFoundError(errno.ENOENT, "No such file"), None, id="missing-file"),
    ],
)
def test_fault_is_known_by_the_error(error: BaseException | None, fault: DatabaseFault | None) -> None:
    assert database_fault(error) is fault


def test_one_thread_asks_for_a_lost_database_while_others_fail_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "RETRY_SECONDS", 0.01)
    doorway, is_back, asked = Doorway(), threading.Event(), []

    def ask() -> None:
        asked.append(threading.current_thread())
        if not is_back.is_set():
            raise psycopg.OperationalError("refused")

    doorway.refuse_while_away()
    for _ in range(3):
        doorway.close_until(ask)
        with pytest.raises(DatabaseAwayError):
            doorway.refuse_while_away()

    is_back.set()
    asked[0].join(10)

    doorway.refuse_while_away()
    assert (len(set(asked)), doorway.is_away) == (1, False)
