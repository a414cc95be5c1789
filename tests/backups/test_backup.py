"""``manage.py backup`` and ``restore`` on SQLite: what is in a backup, what is restored, and what is refused."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.backups.checkouts import Checkout
from tests.backups.made import Made, change_manifest, cut_manifest, damage_database
from tests.migrated import MIGRATED_DATABASE

# Each command is a process.
pytestmark = pytest.mark.slow
FOUND = """
import sys
from events.models import Agenda, Conference, Event, Letter, Person, Visitor
token = "TOKEN"
conference, event = Conference.objects.get(), Event.objects.get()
agenda = Agenda.objects.for_token(token, conference)
photo = Person.objects.get().photo
print([it.title for it in agenda.events.all()], agenda.feed_token, conference.revision, event.sequence)
print(photo.read(), Letter.objects.count())
"""
SYNCED_RESTORE = """
import os
from pathlib import Path
from django.core.management import call_command
sync = os.fsync
def note(descriptor):
    print("synced", Path(f"/proc/self/fd/{descriptor}").resolve())
    sync(descriptor)
os.fsync = note
call_command("restore", "BACKUP")
"""
NOT_EMPTY = "is not empty. To replace all that is in it, add --replace; a backup of it can be made before."


def modes(folder: Path) -> set[tuple[bool, str]]:
    return {(path.is_dir(), oct(stat.S_IMODE(path.stat().st_mode))) for path in folder.rglob("*")}


@pytest.fixture
def migrated(made: Made, elsewhere: Checkout) -> Checkout:
    """Elsewhere, with a database that has no rows yet."""
    elsewhere.var.mkdir(mode=0o700)
    MIGRATED_DATABASE.copy_to(elsewhere.var / "hallway.sqlite3")
    return elsewhere


def test_backup_is_one_folder_for_its_user_alone(made: Made) -> None:
    manifest = json.loads((made.backup / "manifest.json").read_text())

    names = sorted(str(path.relative_to(made.backup)) for path in made.backup.rglob("*") if path.is_file())
    assert names == ["database.sqlite3", "manifest.json", "media/people/ada.webp", "secret-key"]
    assert sorted(manifest["files"]) == ["database.sqlite3", "media/people/ada.webp", "secret-key"]
    assert (manifest["database"], manifest["files"]["media/people/ada.webp"]["size"]) == ("sqlite", 6)
    assert "events.0001_initial" in manifest["migrations"]
    assert modes(made.backups) == {(True, "0o700"), (False, "0o600")}
    assert made.output.startswith(f"{made.backup}: 3 files, ")
    key = (made.site.var / "secret-key").read_text()
    assert key not in (made.backup / "manifest.json").read_text()


def test_backup_is_recorded_for_the_doctor(made: Made) -> None:
    script = "from events.models import CommandRun; print(*CommandRun.objects.values_list('command', flat=True))"

    assert made.site.shell(script).split()[-1:] == ["backup"]


def test_backup_of_a_stopped_site_leaves_nothing_beside_its_database(made: Made, tmp_path: Path) -> None:
    made.site.manage("backup", str(tmp_path))

    assert [path.name for path in made.site.var.glob("hallway.sqlite3*")] == ["hallway.sqlite3"]


def test_key_of_the_environment_is_not_in_the_backup(made: Made, tmp_path: Path) -> None:
    made.site.manage("backup", str(tmp_path), SECRET_KEY="e" * 50)

    (backup,) = tmp_path.glob("hallway-*")
    assert not (backup / "secret-key").exists()
    assert "e" * 50 not in (backup / "manifest.json").read_text()


def test_restored_elsewhere_has_rows_photos_and_key(made: Made, elsewhere: Checkout) -> None:
    output = elsewhere.manage("restore", str(made.backups))

    found = elsewhere.shell(FOUND.replace("TOKEN", made.token))
    titles, feed, revision, sequence, photo, letters = found.split()[-6:]
    assert (titles, feed, photo, letters) == ("['Opening']", made.feed, "b'pixels'", "0")
    # after_restore was run.
    assert int(revision) > int(made.revision) + 100_000
    assert int(sequence) > int(made.sequence)
    assert (elsewhere.var / "secret-key").read_text() == (made.site.var / "secret-key").read_text()
    assert modes(elsewhere.var) == {(True, "0o700"), (False, "0o600")}
    assert "conferences: 1, agendas: 1, photos: 1." in output
    assert "SECRET_KEY" not in output
    names = sorted(path.name for path in elsewhere.var.iterdir())
    assert names == ["hallway.sqlite3", "media", "secret-key", "serve-8000.lock"]
    with contextlib.closing(sqlite3.connect(elsewhere.var / "hallway.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_restored_site_is_on_the_disk_before_anybody_hears_of_it(made: Made, elsewhere: Checkout) -> None:
    output = elsewhere.shell(SYNCED_RESTORE.replace("BACKUP", str(made.backup)))

    synced = {Path(line.removeprefix("synced ")) for line in output.splitlines() if line.startswith("synced ")}
    folders = {path.parent for path in elsewhere.var.rglob("*") if path.suffix in {".sqlite3", ".webp"}}
    assert (elsewhere.var / "hallway.sqlite3.restoring") in synced
    assert len(folders) > 1
    assert folders - synced == set()


def test_site_with_another_key_is_told_what_it_lacks(made: Made, elsewhere: Checkout) -> None:
    output = elsewhere.manage("restore", str(made.backup), SECRET_KEY="e" * 50)

    assert "SECRET_KEY is not that of the backup" in output
    key = (made.backup / "secret-key").read_text()
    again = elsewhere.manage("restore", str(made.backup), "--replace", SECRET_KEY="e" * 50, SECRET_KEY_FALLBACKS=key)
    assert "SECRET_KEY is not" not in again


def test_backup_of_an_older_version_is_migrated(made: Made, elsewhere: Checkout, tmp_path: Path) -> None:
    older = Checkout.make(tmp_path / "older")
    older.manage("migrate", "events", "0025", "--verbosity", "0")
    _, _, problem = older.run("backup", str(tmp_path))

    output = elsewhere.manage("restore", str(tmp_path))

    assert "not on record for manage.py doctor" in problem
    assert "Migrations applied since the backup: " in output
    assert elsewhere.manage("migrate", "--check") == ""


def test_database_is_replaced_with_its_companions(made: Made, migrated: Checkout) -> None:
    migrated.shell("from tests.factories import make_conference; make_conference(slug='other')")
    # What a killed process leaves.
    (migrated.var / "hallway.sqlite3-wal").write_bytes(b"of another time")

    migrated.manage("restore", str(made.backup), "--replace")

    assert migrated.shell("from events.models import Conference; print(Conference.objects.get().slug)").strip() == "demo"


def test_damaged_database_is_replaced(made: Made, migrated: Checkout) -> None:
    (migrated.var / "hallway.sqlite3").write_bytes(b"no database" * 1000)

    assert migrated.refusal("restore", str(made.backup)).endswith(NOT_EMPTY)
    migrated.manage("restore", str(made.backup), "--replace")

    assert migrated.shell("from events.models import Conference; print(Conference.objects.get().slug)").strip() == "demo"


def test_key_that_cannot_be_written_changes_nothing(made: Made, elsewhere: Checkout) -> None:
    elsewhere.manage("check")
    (elsewhere.var / "secret-key.restoring").mkdir()
    before = elsewhere.contents()

    refused = elsewhere.refusal("restore", str(made.backup))

    assert refused.startswith(f"{elsewhere.var}/secret-key.restoring: Is a directory.")
    assert elsewhere.contents() == before


def test_newest_backups_are_kept_and_nothing_else_is_deleted(made: Made, tmp_path: Path) -> None:
    (tmp_path / ".unfinished-1").mkdir()
    (tmp_path / "holidays").mkdir()
    for _ in range(3):
        output = made.site.manage("backup", str(tmp_path), "--keep", "2")

    left = sorted(path.name for path in tmp_path.iterdir())
    assert (len(left), left[0], left[-1]) == (4, ".lock", "holidays")
    assert output.splitlines()[1].startswith("Deleted hallway-")
    assert output.splitlines()[0].partition(":")[0].rpartition("/")[2] in left


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        pytest.param(shutil.rmtree, "{backup} is no folder. Name the folder of a backup, or", id="no-folder"),
        pytest.param(
            lambda backup: (backup / "manifest.json").unlink(),
            "{backup} is no complete backup and has none: no manifest.json is there.",
            id="no-manifest",
        ),
        pytest.param(cut_manifest, "{backup}/manifest.json is damaged: it is not JSON. Take another", id="half-a-manifest"),
        pytest.param(change_manifest(format=2), "{backup}/manifest.json is damaged: format 2 is not 1", id="newer-format"),
        pytest.param(
            change_manifest(files={"../../etc/passwd": {"size": 1, "sha256": ""}}),
            "{backup}/manifest.json is damaged: “../../etc/passwd” leads out of the folder.",
            id="path-that-leads-out",
        ),
        pytest.param(
            change_manifest(migrations=["events.0001_initial", "events.9999_later"]),
            "{backup} was made by version 0.1.0, which is newer: this one does not know the migration events.9999_later. Update",
            id="newer-version",
        ),
        pytest.param(
            change_manifest(database="postgresql", files={}),
            "{backup} is a backup of postgresql, and DATABASE_URL names sqlite. Restore it on a site with the same database;",
            id="other-database",
        ),
        pytest.param(
            damage_database, "{backup}/database.sqlite3 is damaged: it differs from its checksum. Take another", id="damaged"
        ),
        pytest.param(
            lambda backup: (backup / "media/people/ada.webp").unlink(),
            "{backup} is half a backup: media/people/ada.webp is missing. Take another backup.",
            id="half-a-backup",
        ),
    ],
)
def test_backup_that_cannot_be_restored_is_named_and_changes_nothing(
    elsewhere: Checkout, copied: Path, damage: Callable[[Path], None], sentence: str
) -> None:
    elsewhere.manage("check")
    before = elsewhere.contents()
    damage(copied)

    refused = elsewhere.refusal("restore", str(copied))

    assert refused.startswith(sentence.format(backup=copied))
    assert elsewhere.contents() == before


def test_full_database_is_not_replaced_unasked(made: Made) -> None:
    before = made.site.contents()

    assert made.site.refusal("restore", str(made.backup)) == f"{made.site.var}/hallway.sqlite3 {NOT_EMPTY}"
    assert made.site.contents() == before


def test_database_in_use_is_not_replaced(made: Made, migrated: Checkout) -> None:
    with contextlib.closing(sqlite3.connect(migrated.var / "hallway.sqlite3")) as other:
        other.execute("SELECT count(*) FROM events_event").fetchone()

        refused = migrated.refusal("restore", str(made.backup), "--replace")

    assert refused.startswith(f"{migrated.var}/hallway.sqlite3 is open in another process. Stop the service")


def test_running_server_is_noticed_before_it_has_opened_its_database(made: Made, migrated: Checkout) -> None:
    with (migrated.var / "serve-8431.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        refused = migrated.refusal("restore", str(made.backup), PORT="8431")

    assert refused == "A server runs or starts on port 8431. Stop it first: systemctl stop hallway"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_root_writes_no_file_that_the_service_could_not_write(made: Made, migrated: Checkout, tmp_path: Path) -> None:
    migrated.manage("check")
    before = migrated.contents()
    shutil.chown(migrated.var, "nobody")

    refused = [migrated.refusal("restore", str(made.backup)), migrated.refusal("backup", str(tmp_path))]

    sentence = (
        f"{migrated.var} belongs to nobody, who could not write what root makes there. Run this as nobody: runuser -u nobody"
    )
    assert [it.startswith(sentence) for it in refused] == [True, True]
    assert migrated.contents() == before


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        pytest.param(["{folder}/none"], "{folder}/none is no folder. Make it, for the user of the service alone:", id="none"),
        pytest.param(["{folder}", "--keep", "0"], "--keep 0: keep at least 1 backup.", id="keep-none"),
    ],
)
def test_backup_that_cannot_be_made_is_refused(made: Made, tmp_path: Path, command: list[str], sentence: str) -> None:
    refused = made.site.refusal("backup", *(it.format(folder=tmp_path) for it in command))

    assert refused.startswith(sentence.format(folder=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_second_backup_at_once_waits_for_nobody(made: Made, tmp_path: Path) -> None:
    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        refused = made.site.refusal("backup", str(tmp_path))

    assert refused == f"Another backup is being written to {tmp_path}. Wait until it has ended."


def test_database_that_is_not_there_is_named_and_not_made(elsewhere: Checkout, tmp_path: Path) -> None:
    missing = tmp_path / "other.sqlite3"

    refused = elsewhere.refusal("backup", str(tmp_path), DATABASE_URL=f"sqlite:///{missing}")

    assert refused == f"{missing}, which DATABASE_URL names, does not exist. Is this the environment of the service?"
    assert not missing.exists()


def test_database_without_tables_is_named_and_nothing_is_written(elsewhere: Checkout, tmp_path: Path) -> None:
    empty, backups = tmp_path / "empty.sqlite3", tmp_path / "backups"
    empty.touch()
    backups.mkdir()

    refused = elsewhere.refusal("backup", str(backups), DATABASE_URL=f"sqlite:///{empty}")

    sentence = "which DATABASE_URL names, has no tables of a site. Is this the environment of the service?"
    assert refused == f"{empty}, {sentence}"
    assert list(backups.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_full_disk_leaves_nothing_half_written(made: Made, elsewhere: Checkout, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if os.system(f"mount -t tmpfs -o size=1m tmpfs {small}"):
        pytest.skip("no disk can be mounted here")
    try:
        refused = made.site.refusal("backup", str(small))
        unrestored = elsewhere.refusal("restore", str(made.backup), DATABASE_URL=f"sqlite:///{small}/site.sqlite3")
        left = [path.name for path in small.iterdir()]
    finally:
        os.system(f"umount {small}")

    for sentence in (refused, unrestored):
        assert (sentence.startswith(f"{small}: 1 MB are free, "), sentence.endswith("or name another folder.")) == (True, True)
    assert not (elsewhere.var / "media").exists() or list((elsewhere.var / "media").iterdir()) == []
    assert left == [".lock"]
