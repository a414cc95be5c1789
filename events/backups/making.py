"""Make a backup: a new folder, which is complete or not there."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from events.backups.files import (
    BackupError,
    FileMark,
    copy_marked,
    disk_faults,
    files_below,
    mark_of,
    progress_bar,
    refuse_root,
    require_space,
    sync_to_disk,
)
from events.backups.manifest import BACKUP_NAME_PATTERN, MANIFEST_FILE, Manifest, applied_migrations
from events.backups.postgresql import PostgresqlDatabase
from events.backups.sqlite import SQLiteFile
from events.core.db.readiness import folder_problems, photo_problems

UNFINISHED_PREFIX = ".unfinished-"
LOCK_FILE = ".lock"
KEY_FILE, MEDIA_FOLDER = "secret-key", "media"


def site_database() -> SQLiteFile | PostgresqlDatabase:
    return SQLiteFile() if connection.vendor == "sqlite" else PostgresqlDatabase()


def make_backup(parent: Path) -> tuple[Path, Manifest]:
    """Write a folder named by the time into ``parent``, and return it."""
    with disk_faults(parent):
        if not parent.is_dir():
            raise BackupError(f"{parent} is no folder. Make it, for the user of the service alone: install -d -m 700 {parent}")
        database = site_database()
        database.refuse_missing()
        _refuse_without_tables()
        refuse_media_root()
        if problems := photo_problems():
            raise BackupError(problems[0])
        refuse_root(database.folder)
        return _make_backup(parent, database)


def _refuse_without_tables() -> None:
    if not applied_migrations():
        name = connection.settings_dict["NAME"]
        raise BackupError(f"{name}, which DATABASE_URL names, has no tables of a site. Is this the environment of the service?")


def refuse_media_root() -> None:
    if problems := folder_problems("MEDIA_ROOT"):
        raise BackupError(problems[0])


def _make_backup(parent: Path, database: SQLiteFile | PostgresqlDatabase) -> tuple[Path, Manifest]:
    with _only_one(parent):
        delete_unfinished(parent)
        require_space(parent, database.size + sum(path.stat().st_size for path in files_below(Path(settings.MEDIA_ROOT))))
        unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED_PREFIX, dir=parent))
        try:
            manifest = _fill(unfinished, database)
            for place in (*unfinished.rglob("*"), unfinished):
                sync_to_disk(place)
            folder = _free_name(parent, manifest)
            unfinished.rename(folder)
            sync_to_disk(parent)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    return folder, manifest


def _fill(folder: Path, database: SQLiteFile | PostgresqlDatabase) -> Manifest:
    began_at, migrations = timezone.now(), applied_migrations()
    dump = folder / database.name
    database.dump(dump)
    if applied_migrations() != migrations:
        raise BackupError("The database was migrated meanwhile. Make the backup again.")
    with progress_bar("Checksum", dump.stat().st_size) as bar:
        files = {database.name: mark_of(dump, bar)}
    # After the database, which names files that are whole.
    files |= _copied_photos(folder)
    if settings.SECRET_KEY_FILE:
        with progress_bar("Key", None) as bar:
            files[KEY_FILE] = copy_marked(settings.SECRET_KEY_FILE, folder / KEY_FILE, bar)
    manifest = Manifest.of_site(began_at, migrations, files)
    manifest.write(folder)
    return manifest


def _copied_photos(folder: Path) -> dict[str, FileMark]:
    root, marks = Path(settings.MEDIA_ROOT), {}
    sources = files_below(root)
    with progress_bar("Photos", len(sources), " files") as files_bar, progress_bar("Bytes", None) as bytes_bar:
        for source in sources:
            name = f"{MEDIA_FOLDER}/{source.relative_to(root).as_posix()}"
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            # Somebody may have removed it since it was listed.
            with contextlib.suppress(FileNotFoundError):
                marks[name] = copy_marked(source, target, bytes_bar)
            files_bar.update()
    return marks


def _free_name(parent: Path, manifest: Manifest) -> Path:
    name = f"hallway-{manifest.made_at:%Y-%m-%dT%H%M%SZ}"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(path for path in (parent / it for it in names) if not path.exists())


@contextlib.contextmanager
def _only_one(parent: Path) -> Iterator[None]:
    with (parent / LOCK_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupError(f"Another backup is being written to {parent}. Wait until it has ended.") from error
        yield


def delete_unfinished(parent: Path) -> None:
    for folder in parent.glob(f"{UNFINISHED_PREFIX}*"):
        shutil.rmtree(folder)


def backups_in(parent: Path) -> list[Path]:
    """The complete backups, the oldest first."""
    named = [(match[1], int(match[2] or 1), path) for path in parent.iterdir() if (match := BACKUP_NAME_PATTERN.match(path.name))]
    return [path for _, _, path in sorted(named) if (path / MANIFEST_FILE).is_file()]


def delete_older(parent: Path, keep: int) -> list[Path]:
    """Delete all but the newest backups; the last ``keep`` stay."""
    with disk_faults(parent):
        older = backups_in(parent)[:-keep]
    for folder in older:
        with disk_faults(folder):
            # A backup that is half deleted is no backup, and goes with the next.
            unfinished = folder.rename(parent / f"{UNFINISHED_PREFIX}{folder.name}")
        with disk_faults(unfinished):
            shutil.rmtree(unfinished)
    return older
