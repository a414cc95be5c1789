"""One import at a time into a conference; whoever holds the lock frees it by ending, in whichever way."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from events.sync.report import SyncError

IMPORTS = 0x48616C6C
"""What tells our locks from others in the same PostgreSQL database."""


@contextmanager
def only_import_into(slug: str) -> Iterator[None]:
    """Hold the conference's lock; raises SyncError at once if another import has it."""
    with _by_database(slug) if connection.vendor == "postgresql" else _by_file(slug):
        yield


@contextmanager
def _by_database(slug: str) -> Iterator[None]:
    key = [IMPORTS, zlib.crc32(slug.encode()) - 2**31]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        if not cursor.fetchone()[0]:
            raise _busy(slug)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


@contextmanager
def _by_file(slug: str) -> Iterator[None]:
    path = _path(slug)
    handle = _locked(path, slug)
    try:
        yield
    finally:
        # Gone before it is free: who waits with the old file in hand finds that it is no longer the one.
        path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path: Path, slug: str) -> int:
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            reason = f"“{path.name}” cannot be made beside the database ({error.strerror})"
            raise SyncError(f"No import can start: {reason}.") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise _busy(slug) from error
        if _is_at(path, handle):
            return handle
        os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    """Whether the name still means the file in hand: who held it before takes it away."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _path(slug: str) -> Path:
    database = Path(str(connection.settings_dict["NAME"]))
    name = f"{database.name}.import-{re.sub('[^a-z0-9-]', '_', slug.lower())[:60]}"
    folder = database.parent if database.is_file() else Path(tempfile.gettempdir())
    return folder / re.sub("[^A-Za-z0-9._-]", "_", name)


def _busy(slug: str) -> SyncError:
    return SyncError(f"Another import into “{slug}” is running: wait until it is done, then try again.")
