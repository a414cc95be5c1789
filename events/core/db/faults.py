"""What is wrong with the database or its disk, when a request fails through no fault of the request."""

from __future__ import annotations

import errno
import sqlite3
from enum import Enum

import psycopg
from django.db import DatabaseError, InterfaceError, OperationalError
from psycopg_pool import TooManyRequests

# Written also where a photo or an uploaded file is stored.
UNWRITABLE_ERRNOS = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read_only"}


class DatabaseFault(Enum):
    """Each has a page, a time after which to try again, and a remedy for the log."""

    BUSY = "busy"
    AWAY = "away"
    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"


class DatabaseAwayError(OperationalError):
    """The database did not answer a moment ago."""


# The lowest byte of an error code; the others say where it happened.
SQLITE_FAULTS = {
    sqlite3.SQLITE_BUSY: DatabaseFault.BUSY,
    sqlite3.SQLITE_LOCKED: DatabaseFault.BUSY,
    sqlite3.SQLITE_FULL: DatabaseFault.FULL,
    sqlite3.SQLITE_READONLY: DatabaseFault.READ_ONLY,
    # The files beside the database, -wal and -shm, cannot be made or read.
    sqlite3.SQLITE_CANTOPEN: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_IOERR: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_CORRUPT: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: DatabaseFault.DAMAGED,
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRESQL_FAULTS = {
    psycopg.errors.DiskFull: DatabaseFault.FULL,
    psycopg.errors.ReadOnlySqlTransaction: DatabaseFault.READ_ONLY,
    psycopg.errors.AdminShutdown: DatabaseFault.AWAY,
    psycopg.errors.CrashShutdown: DatabaseFault.AWAY,
    psycopg.errors.CannotConnectNow: DatabaseFault.AWAY,
    psycopg.errors.DataCorrupted: DatabaseFault.DAMAGED,
    psycopg.errors.IndexCorrupted: DatabaseFault.DAMAGED,
    psycopg.errors.IoError: DatabaseFault.DAMAGED,
    TooManyRequests: DatabaseFault.BUSY,
}


def database_fault(error: BaseException | None) -> DatabaseFault | None:
    """Return what is wrong, or None if the error is a mistake of the program."""
    if isinstance(error, OSError):
        name = UNWRITABLE_ERRNOS.get(error.errno or 0)
        return DatabaseFault(name) if name else None
    if isinstance(error, DatabaseAwayError):
        return DatabaseFault.AWAY
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return SQLITE_FAULTS.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    known = next((fault for kind, fault in POSTGRESQL_FAULTS.items() if isinstance(cause, kind)), None)
    if known or not isinstance(error, OperationalError):
        return known
    # psycopg has no code for an error without an answer of the server.
    is_lost = isinstance(cause, psycopg.Error) and (cause.sqlstate or "08").startswith("08")
    return DatabaseFault.AWAY if is_lost else DatabaseFault.BUSY
