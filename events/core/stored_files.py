"""Finished files in a folder that the processes of a machine share.

One request builds a file; meanwhile the others get its last bytes, and nobody builds the same bytes twice.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import io
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from django.conf import settings
from django.core.files import locks

from events.core.byte_cache import PROCESS_CACHE

logger = logging.getLogger("events.files")

MAX_SELECTION_FILES = 100
MAX_SELECTION_BYTES = 100 * 2**20
"""Of selections the oldest files are removed above these; whole files are few."""
MAX_BUILDER_WAIT_SECONDS = 10
POLL_SECONDS = 0.05
MAX_OUTDATED_SECONDS = 60
"""While other files are built, last bytes are served so long after this process knew that they were current."""


class BusyError(Exception):
    """Other files are being built, and somebody waits already: ask again after ``MAX_BUILDER_WAIT_SECONDS``."""


class BuiltFile(NamedTuple):
    body: bytes
    modified_at: dt.datetime | None
    is_joined: bool = False
    """Of kept pieces: few rows were read for it."""


@dataclass(frozen=True)
class FileKey:
    """``version`` is the ETag without its quotes.

    Selections, of which there are many, are built one after another, and so are whole files.
    """

    name: str
    version: str
    is_selection: bool = False

    @property
    def queue(self) -> str:
        return "selection" if self.is_selection else "whole"

    @property
    def stem(self) -> str:
        return f"{self.queue}-{self.name}"


class StoredFile(NamedTuple):
    """An open file, which its reader closes."""

    file: BinaryIO
    size: int
    version: str
    modified_at: dt.datetime | None
    is_last: bool = False
    """Bytes of an earlier version, served while the current one is built."""


class FileFolder:
    """May be deleted at any time. Whoever can neither lock nor write in it builds in memory."""

    def __init__(self, setting: str) -> None:
        self._setting = setting
        # Without a folder, the processes build separately.
        self._memory_locks = {"whole": threading.Lock(), "selection": threading.Lock()}
        self._waiter = threading.Lock()

    @property
    def root(self) -> Path:
        return Path(getattr(settings, self._setting))

    def get_or_build(
        self,
        key: FileKey,
        changed_at: dt.datetime | None,
        build: Callable[[], BuiltFile],
        may_serve_last: Callable[[dt.datetime | None], bool],
    ) -> StoredFile:
        """Return the current file. Raise BusyError if it cannot be built soon.

        While a file is built, its last bytes are returned to others, unless ``may_serve_last`` refuses bytes of that time.
        ``changed_at`` distinguishes equal versions: a restored database may reach the same revision twice.
        """
        path = self.root / f"{key.stem}@{key.version}.{_microseconds(changed_at)}"
        if stored := self._current(key, path):
            return stored
        with contextlib.ExitStack() as stack:
            if not self._begin(key, stack):
                last = self._last(key, may_serve_last)
                if last is not None:
                    return last
                self._wait(key, stack)
            # Another process may have finished it meanwhile.
            return self._current(key, path) or self._build(key, path, build)

    def note_current(self, key: FileKey) -> None:
        """Remember that this version is current now: for ``MAX_OUTDATED_SECONDS``."""
        PROCESS_CACHE.put(("stored file", key.stem), time.monotonic(), key.version)

    def clear(self) -> None:
        for path in self._files("*@*"):
            path.unlink(missing_ok=True)

    def _current(self, key: FileKey, path: Path) -> StoredFile | None:
        stored = _opened(path)
        if stored is not None:
            self.note_current(key)
        return stored

    def _last(self, key: FileKey, may_serve_last: Callable[[dt.datetime | None], bool]) -> StoredFile | None:
        for path in self._files(f"{key.stem}@*"):
            stored = _opened(path)
            if stored is None:
                continue
            if self._may_be_served(key, stored.version) and may_serve_last(stored.modified_at):
                return stored._replace(is_last=True)
            stored.file.close()
        return None

    def _may_be_served(self, key: FileKey, version: str) -> bool:
        """Bytes of long ago only while exactly this file is built: the next who asks gets the new ones."""
        known_at: float | None = PROCESS_CACHE.get(("stored file", key.stem), version)
        return self._built_now(key.queue) == key.stem or (
            known_at is not None and time.monotonic() - known_at < MAX_OUTDATED_SECONDS
        )

    def _built_now(self, queue: str) -> str:
        try:
            return self._lock_path(queue).read_text()
        except OSError:
            return ""

    def _begin(self, key: FileKey, stack: contextlib.ExitStack) -> bool:
        """Lock the queue without waiting, until ``stack`` ends or the process dies."""
        try:
            # Django's locks are flock: the system ends them with the process.
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = stack.enter_context(os.fdopen(os.open(self._lock_path(key.queue), os.O_RDWR | os.O_CREAT, 0o600), "r+b"))
        except OSError as error:
            logger.error("Cannot lock %s, exports are built in memory: %s", self.root, error)
            lock = self._memory_locks[key.queue]
            if not lock.acquire(blocking=False):
                return False
            stack.callback(lock.release)
            return True
        if not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
            return False
        # A full disk leaves it empty: last bytes of long ago are then not served.
        with contextlib.suppress(OSError):
            os.ftruncate(file.fileno(), 0)
            os.pwrite(file.fileno(), key.stem.encode(), 0)
        return True

    def _wait(self, key: FileKey, stack: contextlib.ExitStack) -> None:
        """Wait for the lock, one thread of this process at a time."""
        if not self._waiter.acquire(blocking=False):
            raise BusyError
        try:
            end = time.monotonic() + MAX_BUILDER_WAIT_SECONDS
            while time.monotonic() < end:
                time.sleep(POLL_SECONDS)
                if self._begin(key, stack):
                    return
        finally:
            self._waiter.release()
        raise BusyError

    def _build(self, key: FileKey, path: Path, build: Callable[[], BuiltFile]) -> StoredFile:
        self.note_current(key)
        body, modified_at, is_joined = build()
        if not is_joined:
            # What a build leaves behind refers to itself and waits for the collector: up to 75 MB, which would add up.
            gc.collect()
        # Only who holds the lock writes this file; one that a killed process left is overwritten.
        part = self.root / f"{key.queue}.part"
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(body)
            # 1970 stands for an unknown time.
            os.utime(part, ns=(_microseconds(modified_at) * 1000,) * 2)
            part.replace(path)
        except OSError as error:
            logger.error("Cannot store %s, exports are built in memory: %s", path, error)
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        else:
            self._drop_old(key, path)
        return StoredFile(io.BytesIO(body), len(body), key.version, modified_at)

    def _drop_old(self, key: FileKey, kept: Path) -> None:
        old = [path for path in self._files(f"{key.stem}@*") if path != kept]
        if key.is_selection:
            old += self._above_limits()
        for path in old:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def _above_limits(self) -> Iterator[Path]:
        """Yield selections, the latest stored first, from where they exceed a limit."""
        found = []
        for path in self._files("selection-*@*"):
            with contextlib.suppress(FileNotFoundError):
                stat = path.stat()
                # Not the time of modification, which is that of the programme.
                found.append((stat.st_ctime_ns, stat.st_size, path))
        size = 0
        for number, (_, more, path) in enumerate(sorted(found, reverse=True), start=1):
            size += more
            if number > 1 and (number > MAX_SELECTION_FILES or size > MAX_SELECTION_BYTES):
                yield path

    def _files(self, pattern: str) -> list[Path]:
        return list(self.root.glob(pattern))

    def _lock_path(self, queue: str) -> Path:
        return self.root / f"{queue}.lock"


def _microseconds(moment: dt.datetime | None) -> int:
    return round(moment.timestamp() * 1_000_000) if moment else 0


def _opened(path: Path) -> StoredFile | None:
    try:
        file = path.open("rb")
    except OSError:
        return None
    stat = os.fstat(file.fileno())
    modified_at = dt.datetime.fromtimestamp(stat.st_mtime_ns // 1000 / 1_000_000, dt.UTC) if stat.st_mtime_ns else None
    version = path.name.rpartition("@")[2].partition(".")[0]
    return StoredFile(file, stat.st_size, version, modified_at)


STORED_EXPORTS = FileFolder("EXPORT_ROOT")
