"""An SQLite database, copied while others write to it, and put back."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from urllib.parse import quote

from django.db import connections

from events.backups.files import BackupError, copy_marked, progress_bar, require_space, sync_to_disk
from events.core.db.readiness import database_file

PAGES_AT_ONCE = 2_000
USE_TIMEOUT_SECONDS = 2.0
STAGED_SUFFIX = ".restoring"
COMPANIONS = ("-wal", "-shm", "-journal")


class SQLiteFile:
    name = "database.sqlite3"

    def __init__(self) -> None:
        file = database_file()
        if file is None:
            raise BackupError("DATABASE_URL names a database in memory, which has no backup. Name a file: sqlite:///….")
        self.file = file

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in [self.file, *self._companions()] if path.exists())

    @property
    def folder(self) -> Path:
        return self.file.parent

    def refuse_missing(self) -> None:
        """Before anything connects, which would make an empty file."""
        if not self.file.exists():
            raise BackupError(f"{self.file}, which DATABASE_URL names, does not exist. Is this the environment of the service?")

    def dump(self, target: Path) -> None:
        try:
            self._copy(target)
        except sqlite3.Error as error:
            remedy = f"Free space in {target.parent} if it is full, and check the disks."
            raise BackupError(f"{self.file} cannot be copied: {error}. {remedy}") from error

    def _copy(self, target: Path) -> None:
        with contextlib.closing(_connected(self.file)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
            # One moment for all pages: without a transaction, each write of others would begin the copy again.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            with progress_bar("Database", None, " pages") as bar:

                def show(status: int, remaining: int, total: int) -> None:
                    bar.total = total
                    bar.update(total - remaining - bar.n)

                source.backup(copy, pages=PAGES_AT_ONCE, progress=show)
            # A copy in WAL mode would need two more files.
            copy.execute("PRAGMA journal_mode=DELETE")
            refuse_damaged(copy, self.file)

    def refuse_in_use(self) -> None:
        """Refuse while another process has the file open, and write what is in its -wal into it."""
        connections.close_all()
        if not self.file.exists():
            return
        with contextlib.closing(_connected(self.file)) as own:
            try:
                # SQLite leaves WAL mode only if no other connection is there.
                own.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                    raise BackupError(
                        f"{self.file} is open in another process. Stop the service (systemctl stop hallway) and other commands."
                    ) from error
            except sqlite3.DatabaseError:
                # Damaged: it is to be replaced.
                return

    def stage(self, dump: Path) -> None:
        """Copy the dump beside the database and check it; nothing is replaced yet."""
        self.unstage()
        require_space(self.folder, dump.stat().st_size)
        with progress_bar("Database", dump.stat().st_size) as bar:
            copy_marked(dump, self._staged(), bar)
        with contextlib.closing(sqlite3.connect(self._staged())) as copy:
            refuse_damaged(copy, dump)

    def unstage(self) -> None:
        for path in [self._staged(), *(Path(f"{self._staged()}{suffix}") for suffix in COMPANIONS)]:
            path.unlink(missing_ok=True)

    def replace(self) -> None:
        """Put the staged copy in the place of the database. A -wal of another database would damage it."""
        self.refuse_in_use()
        for path in self._companions():
            path.unlink(missing_ok=True)
        self._staged().replace(self.file)
        sync_to_disk(self.folder)

    def _staged(self) -> Path:
        return Path(f"{self.file}{STAGED_SUFFIX}")

    def _companions(self) -> list[Path]:
        return [Path(f"{self.file}{suffix}") for suffix in COMPANIONS]


def _connected(file: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(file.resolve()))}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=USE_TIMEOUT_SECONDS, isolation_level=None)


def check_dump(dump: Path) -> None:
    """Without a file beside it, also on a disk that cannot be written."""
    address = f"file:{quote(str(dump))}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as copy:
        refuse_damaged(copy, dump)


def refuse_damaged(copy: sqlite3.Connection, place: Path) -> None:
    try:
        problems = [row[0] for row in copy.execute("PRAGMA integrity_check") if row[0] != "ok"]
        problems = problems or [f"a row of {row[0]} names none in {row[2]}" for row in copy.execute("PRAGMA foreign_key_check")]
    except sqlite3.DatabaseError as error:
        problems = [str(error)]
    if problems:
        raise BackupError(f"{place} is damaged: {problems[0]}. Restore an earlier backup.")
