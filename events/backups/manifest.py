"""The manifest of a backup: what it has, when it was made and by which version."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.crypto import salted_hmac

from events.backups.files import BackupError, FileMark

MANIFEST_FILE = "manifest.json"
MANIFEST_FORMAT = 1
BACKUP_NAME_PATTERN = re.compile(r"hallway-(\d{4}-\d\d-\d\dT\d{6}Z)(?:-(\d+))?\Z")


@dataclass(frozen=True)
class Manifest:
    version: str
    made_at: dt.datetime
    database: str
    migrations: frozenset[str]
    key_mark: str
    files: dict[str, FileMark]

    @classmethod
    def of_site(cls, made_at: dt.datetime, migrations: frozenset[str], files: dict[str, FileMark]) -> Manifest:
        return cls(hallway_version(), made_at, connection.vendor, migrations, key_mark_of(settings.SECRET_KEY), files)

    def write(self, folder: Path) -> None:
        values = vars(self) | {
            "format": MANIFEST_FORMAT,
            "made_at": self.made_at.isoformat(timespec="seconds"),
            "migrations": sorted(self.migrations),
            "files": {name: mark._asdict() for name, mark in self.files.items()},
        }
        (folder / MANIFEST_FILE).write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        file = folder / MANIFEST_FILE
        try:
            return _manifest_of(json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError as error:
            message = f"{folder} is no complete backup: it has no {MANIFEST_FILE}. Name the folder of another one."
            raise BackupError(message) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BackupError(f"{file} is damaged: {error}. Take another backup.") from error


def _manifest_of(values: dict[str, Any]) -> Manifest:
    if values["format"] != MANIFEST_FORMAT:
        raise ValueError(f"format {values['format']} is not {MANIFEST_FORMAT}, which this version reads")
    files = {name: FileMark(int(mark["size"]), str(mark["sha256"])) for name, mark in values["files"].items()}
    if outside := [name for name in files if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts]:
        raise ValueError(f"“{outside[0]}” leads out of the folder")
    return Manifest(
        version=str(values["version"]),
        made_at=dt.datetime.fromisoformat(values["made_at"]),
        database=str(values["database"]),
        migrations=frozenset(values["migrations"]),
        key_mark=str(values["key_mark"]),
        files=files,
    )


def key_mark_of(key: str) -> str:
    """Tells whether two sites have the same key; nothing of the key can be computed from it."""
    return salted_hmac("events.backups", "key", secret=key, algorithm="sha256").hexdigest()[:16]


def hallway_version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def applied_migrations() -> frozenset[str]:
    return frozenset(".".join(it) for it in MigrationRecorder(connection).applied_migrations())


def known_migrations() -> frozenset[str]:
    """Of this version, with those that a squashed one replaces."""
    disk = MigrationLoader(None).disk_migrations
    replaced = {it for migration in disk.values() for it in migration.replaces}
    return frozenset(".".join(it) for it in {*disk, *replaced})
