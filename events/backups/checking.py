"""Check a backup on any machine: what it is, and whether it is whole. Asks no database, and writes nothing."""

from __future__ import annotations

from events.backups import postgresql, sqlite
from events.backups.files import BackupError
from events.backups.making import KEY_FILE
from events.backups.restoring import Backup, newer_migration, verify

READERS = {sqlite.SQLiteFile.name: sqlite.check_dump, postgresql.PostgresqlDatabase.name: postgresql.check_dump}


def check_backup(backup: Backup) -> list[str]:
    """Return lines that describe it. Raise BackupError if a file is missing or damaged, or the database cannot be read."""
    dumps = [name for name in READERS if name in backup.manifest.files]
    if not dumps:
        raise BackupError(f"{backup.folder} is half a backup: it has no database. Take another backup.")
    verify(backup)
    for name in dumps:
        READERS[name](backup.folder / name)
    return _description(backup)


def _description(backup: Backup) -> list[str]:
    manifest, photos = backup.manifest, backup.photos
    key = "in the backup" if KEY_FILE in manifest.files else "not in the backup: it is in the settings of the site"
    lines = [
        f"Made: {backup.made}, by version {manifest.version}",
        f"Database: {manifest.database}, {_megabytes(backup, [name for name in READERS if name in manifest.files])}",
        f"Photos: {len(photos)}, {_megabytes(backup, photos)}",
        f"Key: {key}",
        "It is whole.",
    ]
    newer = newer_migration(backup)
    return [*lines, f"This version does not know its migration {newer}: update the code before a restore."] if newer else lines


def _megabytes(backup: Backup, names: list[str]) -> str:
    return f"{sum(backup.manifest.files[name].size for name in names) / 1e6:.1f} MB"
