"""Whether this process can do all its work: its database answers, is migrated, and can be written."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from pathlib import Path

import psycopg
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, Error, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import FileField

from events.core.db.faults import database_fault

MIN_FREE_BYTES = 50 * 2**20
"""Of each disk that is written: a day of a large conference writes less."""

FAULTS_PAGE = "Remedies are in docs/operations.md, “Faults of the database and its disk”."


def readiness_problems() -> list[str]:
    """Return what is missing, in sentences without names of this machine. Writes nothing and waits for no lock."""
    return [*database_problems(), *disk_problems()]


@functools.cache
def _last_migrations() -> frozenset[tuple[str, str]]:
    # Reading all migrations takes half a second; they are those of this process for as long as it runs.
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def database_problems(*, with_reason: bool = False) -> list[str]:
    """With the reason, which names this machine, if the database cannot be asked."""
    try:
        applied = MigrationRecorder(connection).applied_migrations().keys()
        is_writable = _is_database_writable()
    except Error as error:
        return [unusable_database(error)] if with_reason else ["The database does not answer."]
    problems = [] if is_writable else ["The database can be read, but not written."]
    if missing := sorted(app for app, _ in _last_migrations() - applied):
        problems.append(f"Migrations are not applied ({', '.join(missing)}): run manage.py migrate.")
    return problems


def unusable_database(error: Exception) -> str:
    reason = " ".join(str(error).split()).rstrip(".")
    return f"The database cannot be used: {reason}. Check DATABASE_URL and whether it runs."


def command_problem(command: str, error: Error) -> str:
    """Return why a command cannot use the database, with the remedy; nothing if the error is a mistake of the program."""
    if database_fault(error):
        return f"{unusable_database(error)} {FAULTS_PAGE}"
    # SQLite has one code for missing tables and for mistakes. A table that migrate misses is a mistake of a migration.
    is_table_missing = isinstance(error, OperationalError) or isinstance(error.__cause__, psycopg.errors.UndefinedTable)
    if is_table_missing and command != "migrate":
        return " ".join(database_problems())
    return ""


def _is_database_writable() -> bool:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            return bool(cursor.fetchone()[0] == "off")
    file = database_file()
    return file is None or all(os.access(path, os.W_OK) for path in (file, file.parent))


def disk_problems() -> list[str]:
    folders = {Path(settings.MEDIA_ROOT), Path(settings.UPLOAD_ROOT), *(file.parent for file in [database_file()] if file)}
    found = (next((it for it in (folder, *folder.parents) if it.is_dir()), folder) for folder in folders)
    try:
        free = min(shutil.disk_usage(folder).free for folder in found)
    except OSError:
        return ["The disk cannot be read."]
    return [f"The disk is almost full: {free // 2**20} MB are free."] if free < MIN_FREE_BYTES else []


def folder_problems(*names: str) -> list[str]:
    """Settings that name something else than a folder. One that does not exist yet is made with its first file."""
    named = {name: Path(getattr(settings, name)) for name in names}
    return [
        f"{name} is {folder}, which is no folder. Correct {name}."
        for name, folder in named.items()
        if not next(filter(os.path.exists, (folder, *folder.parents))).is_dir()
    ]


def photo_problems() -> list[str]:
    folder = Path(settings.MEDIA_ROOT)
    if folder.exists() or not _are_photos_named():
        return []
    return [
        f"MEDIA_ROOT is {folder}, which does not exist, and the database names photos. Correct MEDIA_ROOT, or make the folder."
    ]


def _are_photos_named() -> bool:
    for model in apps.get_models():
        for field in model._meta.fields:
            # A database of an older version lacks some tables and columns.
            with contextlib.suppress(DatabaseError):
                if isinstance(field, FileField) and model._base_manager.filter(**{f"{field.name}__gt": ""}).exists():
                    return True
    return False


def database_file() -> Path | None:
    """Return the file of SQLite; None for PostgreSQL and for a database in memory."""
    name = str(connection.settings_dict["NAME"])
    return Path(name) if connection.vendor == "sqlite" and not name.startswith((":", "file:")) else None
