"""A backup is of the moment that it names, survives a power failure, and goes as a whole."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from pytest_django import Settings

from events.backups import making
from events.backups.files import SPARE_BYTES, BackupError, FileMark
from events.backups.manifest import Manifest
from events.backups.restoring import Backup, restore_backup
from tests.factories import make_conference, make_person

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump makes the backups of PostgreSQL")
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)


@pytest.fixture
def site(settings: Settings, tmp_path: Path) -> Path:
    """A folder for backups of a site with a photo and a key."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.SECRET_KEY_FILE = tmp_path / "secret-key"
    settings.SECRET_KEY_FILE.write_text("k" * 50)
    (settings.MEDIA_ROOT / "people").mkdir(parents=True)
    (settings.MEDIA_ROOT / "people/ada.webp").write_bytes(b"pixels")
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_backup_has_the_time_at_which_its_database_was_read(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = making.copy_marked
    with time_machine.travel(NOON, tick=False) as clock:

        def copy_slowly(*arguments: Any) -> Any:
            clock.shift(dt.timedelta(minutes=5))
            return copy(*arguments)

        monkeypatch.setattr(making, "copy_marked", copy_slowly)
        folder, manifest = making.make_backup(site)

    assert (folder.name, manifest.made_at) == ("hallway-2025-04-24T120000Z", NOON)


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_everything_is_on_the_disk_before_the_backup_has_its_name(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: set[Path] = set()
    sync = os.fsync

    def note(descriptor: int) -> None:
        synced.add(Path(f"/proc/self/fd/{descriptor}").resolve())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    folder, _ = making.make_backup(site)

    (unfinished,) = {path for path in synced if path.name.startswith(making.UNFINISHED_PREFIX) and path.parent == site}
    written = {unfinished / path.relative_to(folder) for path in folder.rglob("*")}
    assert len(written) == 6
    assert written - synced == set()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the file of SQLite has the size of its copy")
@pytest.mark.django_db
def test_space_for_a_dump_is_looked_for_before_it_begins(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = making.site_database().size
    free = shutil.disk_usage(site)._replace(free=2 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: free)

    with pytest.raises(BackupError) as refused:
        making.make_backup(site)

    assert needed > 100_000
    least = (needed + 6 + SPARE_BYTES) // 2**20 + 1
    assert str(refused.value) == f"{site}: 2 MB are free, {least} MB are needed. Free space there, or name another folder."
    assert [path.name for path in site.iterdir()] == [making.LOCK_FILE]


@pytest.mark.django_db
def test_backup_without_the_photos_is_refused(site: Path, settings: Settings, tmp_path: Path) -> None:
    make_person(make_conference(), photo="people/ada.webp", photo_alt="Ada, writing.")
    settings.MEDIA_ROOT = tmp_path / "none"
    with pytest.raises(BackupError) as missing:
        making.make_backup(site)

    settings.MEDIA_ROOT = settings.SECRET_KEY_FILE
    with pytest.raises(BackupError) as no_folder:
        making.make_backup(site)

    named = "which does not exist, and the database names photos. Correct MEDIA_ROOT, or make the folder."
    assert str(missing.value) == f"MEDIA_ROOT is {tmp_path}/none, {named}"
    assert str(no_folder.value) == f"MEDIA_ROOT is {tmp_path}/secret-key, which is no folder. Correct MEDIA_ROOT."
    assert list(site.iterdir()) == []


@pytest.mark.django_db
def test_restore_needs_a_folder_for_photos(site: Path, settings: Settings) -> None:
    dump = {making.site_database().name: FileMark(1, "")}
    backup = Backup(site, Manifest.of_site(NOON, frozenset(), dump))
    settings.MEDIA_ROOT = settings.SECRET_KEY_FILE

    with pytest.raises(BackupError) as refused:
        restore_backup(backup, replace=True)

    assert str(refused.value) == f"MEDIA_ROOT is {settings.MEDIA_ROOT}, which is no folder. Correct MEDIA_ROOT."


def test_backup_that_is_half_deleted_goes_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"hallway-2025-04-2{day}T120000Z" for day in (1, 2)]
    for name in names:
        (tmp_path / name / "media").mkdir(parents=True)
        (tmp_path / name / making.MANIFEST_FILE).touch()

    def fail(folder: Path) -> None:
        # As rmtree does for a file below the folder.
        raise PermissionError(13, "Permission denied", "database.sqlite3")

    with monkeypatch.context() as faulty:
        faulty.setattr(shutil, "rmtree", fail)
        with pytest.raises(BackupError) as refused:
            making.delete_older(tmp_path, 1)
    left = making.backups_in(tmp_path)
    making.delete_unfinished(tmp_path)

    folder = tmp_path / f".unfinished-{names[0]}"
    assert str(refused.value).startswith(f"{folder}: Permission denied. Give it to the user who runs this: chown -R ")
    assert [path.name for path in left] == [names[1]]
    assert [path.name for path in tmp_path.iterdir()] == [names[1]]
