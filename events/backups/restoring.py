"""Restore a backup: everything is checked and prepared before anything is replaced."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connection

from events.agenda.models.visitors import Visitor
from events.backups.files import (
    BackupError,
    copy_marked,
    disk_faults,
    files_below,
    mark_of,
    progress_bar,
    refuse_root,
    require_space,
    sync_to_disk,
)
from events.backups.making import KEY_FILE, MEDIA_FOLDER, backups_in, refuse_media_root, site_database
from events.backups.manifest import MANIFEST_FILE, Manifest, key_mark_of, known_migrations
from events.backups.postgresql import PostgresqlDatabase
from events.backups.sqlite import SQLiteFile
from events.programme.models.conference import Conference

STAGED_MEDIA_FOLDER = ".restoring"


@dataclass(frozen=True)
class Backup:
    folder: Path
    manifest: Manifest

    @property
    def photos(self) -> list[str]:
        return [name for name in self.manifest.files if name.startswith(f"{MEDIA_FOLDER}/")]

    @property
    def size(self) -> int:
        return sum(mark.size for mark in self.manifest.files.values())

    @property
    def made(self) -> str:
        return f"{self.manifest.made_at:%-d %B %Y, %H:%M:%S} UTC"

    @property
    def has_other_key(self) -> bool:
        """Whether this site has another SECRET_KEY than the backup's, also after the restore."""
        brings_key = KEY_FILE in self.manifest.files and settings.SECRET_KEY_FILE is not None
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return not brings_key and self.manifest.key_mark not in map(key_mark_of, keys)


def find_backup(place: Path) -> Backup:
    """A backup, or the newest in a folder of backups."""
    with disk_faults(place):
        if not place.is_dir():
            raise BackupError(f"{place} is no folder. Name the folder of a backup, or one that has backups.")
        if (place / MANIFEST_FILE).is_file():
            return Backup(place, Manifest.read(place))
        found = backups_in(place)
        if not found:
            raise BackupError(
                f"{place} is no complete backup and has none: no {MANIFEST_FILE} is there. Name the folder of a backup, "
                "hallway-<time>, or one that has backups."
            )
        return Backup(found[-1], Manifest.read(found[-1]))


def restore_backup(backup: Backup, *, replace: bool) -> None:
    database = site_database()
    _refuse_other_kind(backup, database)
    refuse_media_root()
    with disk_faults(database.folder):
        for folder in _written_folders(database):
            refuse_root(folder)
        _replace_site(backup, database, replace=replace)


def _replace_site(backup: Backup, database: SQLiteFile | PostgresqlDatabase, *, replace: bool) -> None:
    with _stopped_service():
        _refuse_full_database(database, replace=replace)
        database.refuse_in_use()
        verify(backup)
        try:
            _stage_photos(backup)
            _stage_key(backup)
            database.stage(backup.folder / database.name)
            database.replace()
        except BaseException:
            shutil.rmtree(_staged_media(), ignore_errors=True)
            with contextlib.suppress(OSError):
                _staged_key().unlink()
            database.unstage()
            raise
        _put_key()
        _put_photos()


def _refuse_other_kind(backup: Backup, database: SQLiteFile | PostgresqlDatabase) -> None:
    manifest = backup.manifest
    if database.name not in manifest.files:
        raise BackupError(
            f"{backup.folder} is a backup of {manifest.database}, and DATABASE_URL names {connection.vendor}. Restore it on a "
            "site with the same database; docs/backups.md says how to move to another one."
        )
    if newer := newer_migration(backup):
        raise BackupError(
            f"{backup.folder} was made by version {manifest.version}, which is newer: this one does not know the migration "
            f"{newer}. Update the code first."
        )


def newer_migration(backup: Backup) -> str | None:
    """The last migration that this version does not know."""
    return max(backup.manifest.migrations - known_migrations(), default=None)


def _written_folders(database: SQLiteFile | PostgresqlDatabase) -> list[Path]:
    key = settings.SECRET_KEY_FILE
    return [database.folder, Path(settings.MEDIA_ROOT), *([key.parent] if key else [])]


@contextlib.contextmanager
def _stopped_service() -> Iterator[None]:
    """Hold the lock of the server on this port (deploy/serve), which then does not start either."""
    file = settings.BASE_DIR / "var" / f"serve-{settings.PORT}.lock"
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"A server runs or starts on port {settings.PORT}. Stop it first: systemctl stop hallway"
            raise BackupError(message) from error
        yield


def _refuse_full_database(database: SQLiteFile | PostgresqlDatabase, *, replace: bool) -> None:
    if not replace and _has_rows(database):
        name = database.file if isinstance(database, SQLiteFile) else f"The database {connection.settings_dict['NAME']}"
        raise BackupError(f"{name} is not empty. To replace all that is in it, add --replace; a backup of it can be made before.")


def _has_rows(database: SQLiteFile | PostgresqlDatabase) -> bool:
    if isinstance(database, SQLiteFile) and not database.file.exists():
        return False
    try:
        tables = set(connection.introspection.table_names())
        return any(model._meta.db_table in tables and model.objects.exists() for model in (Conference, Visitor, User))
    except DatabaseError:
        # A damaged file may have anything in it; a PostgreSQL that is away has been asked nothing.
        if isinstance(database, SQLiteFile):
            return True
        raise


def verify(backup: Backup) -> None:
    with progress_bar("Checksums", backup.size) as bar:
        for name, mark in backup.manifest.files.items():
            file = backup.folder / name
            if not file.is_file():
                raise BackupError(f"{backup.folder} is half a backup: {name} is missing. Take another backup.")
            if mark_of(file, bar) != mark:
                raise BackupError(f"{file} is damaged: it differs from its checksum. Take another backup.")


def _staged_media() -> Path:
    return Path(settings.MEDIA_ROOT) / STAGED_MEDIA_FOLDER


def _stage_photos(backup: Backup) -> None:
    staged = _staged_media()
    shutil.rmtree(staged, ignore_errors=True)
    if not backup.photos:
        return
    staged.mkdir(parents=True)
    require_space(staged, sum(backup.manifest.files[name].size for name in backup.photos))
    with progress_bar("Photos", None) as bar:
        for name in backup.photos:
            target = staged / name.removeprefix(f"{MEDIA_FOLDER}/")
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_marked(backup.folder / name, target, bar)


def _put_photos() -> None:
    """Photos that the backup does not have stay; nothing names them."""
    staged, root = _staged_media(), Path(settings.MEDIA_ROOT)
    folders = {root} if staged.exists() else set()
    for source in files_below(staged):
        target = root / source.relative_to(staged)
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)
        folders |= {folder for folder in target.parents if folder.is_relative_to(root)}
    for folder in folders:
        sync_to_disk(folder)
    shutil.rmtree(staged, ignore_errors=True)


def _staged_key() -> Path:
    return settings.BASE_DIR / "var" / f"{KEY_FILE}.restoring"


def _stage_key(backup: Backup) -> None:
    _staged_key().unlink(missing_ok=True)
    if KEY_FILE in backup.manifest.files and settings.SECRET_KEY_FILE:
        with progress_bar("Key", None) as bar:
            copy_marked(backup.folder / KEY_FILE, _staged_key(), bar)


def _put_key() -> None:
    if settings.SECRET_KEY_FILE and _staged_key().exists():
        _staged_key().replace(settings.SECRET_KEY_FILE)
        sync_to_disk(settings.SECRET_KEY_FILE.parent)
