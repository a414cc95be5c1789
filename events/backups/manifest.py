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
# The first one decides what the others are.
VALUE_KINDS: dict[str, tuple[type, str]] = {
    "format": (int, "a number"),
    "version": (str, "a text"),
    "made_at": (str, "a text"),
    "database": (str, "a text"),
    "migrations": (list, "a list"),
    "key_mark": (str, "a text"),
    "files": (dict, "an object"),
}
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
            return _manifest_of(_json_of(file))
        except FileNotFoundError as error:
            message = f"{folder} is no complete backup: it has no {MANIFEST_FILE}. Name the folder of another one."
            raise BackupError(message) from error
        except ValueError as error:
            raise BackupError(f"{file} is damaged: {error}. Take another backup.") from error


def _json_of(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError("it is not JSON") from error


def _manifest_of(values: Any) -> Manifest:
    """Raises ValueError with what is wrong, in words for its reader."""
    if not isinstance(values, dict):
        raise ValueError("it is no object of JSON")
    for name, (kind, kind_name) in VALUE_KINDS.items():
        if name not in values:
            raise ValueError(f"“{name}” is missing")
        if not isinstance(values[name], kind):
            raise ValueError(f"“{name}” is not {kind_name}")
        if name == "format" and values[name] != MANIFEST_FORMAT:
            raise ValueError(f"format {values[name]} is not {MANIFEST_FORMAT}, which this version reads")
    if not all(isinstance(migration, str) for migration in values["migrations"]):
        raise ValueError("“migrations” is not a list of names")
    return Manifest(
        version=values["version"],
        made_at=_time_of(values["made_at"]),
        database=values["database"],
        migrations=frozenset(values["migrations"]),
        key_mark=values["key_mark"],
        files={name: _mark_of(name, mark) for name, mark in values["files"].items()},
    )


def _time_of(text: str) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"“made_at” is “{text}” and no time") from error


def _mark_of(name: str, mark: Any) -> FileMark:
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        raise ValueError(f"“{name}” leads out of the folder")
    match mark:
        case {"size": int(size), "sha256": str(sha256)}:
            return FileMark(size, sha256)
    raise ValueError(f"“{name}” has no size or no checksum")


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
