"""``manage.py restore --check``: what a backup is and whether it is whole, on a machine that may have nothing but the backup."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.backups.checkouts import Checkout
from tests.backups.made import Made, break_index, change_manifest, cut_manifest, damage_database

# Each command is a process.
pytestmark = pytest.mark.slow
AWAY = "postgres://nobody@127.0.0.1:1/none"


def test_backup_is_checked_on_a_machine_that_has_only_the_copy(elsewhere: Checkout, copied: Path) -> None:
    elsewhere.manage("check")
    before, names = elsewhere.contents(), sorted(copied.rglob("*"))

    lines = elsewhere.manage("restore", "--check", str(copied.parent), DATABASE_URL=AWAY).splitlines()

    size = (copied / "database.sqlite3").stat().st_size / 1e6
    assert (lines[0], lines[1].endswith(" UTC, by version 0.1.0")) == (f"Checking {copied}", True)
    assert lines[2:] == [f"Database: sqlite, {size:.1f} MB", "Photos: 1, 0.0 MB", "Key: in the backup", "It is whole."]
    assert (elsewhere.contents(), sorted(copied.rglob("*"))) == (before, names)


def test_backup_is_checked_while_the_site_runs_and_the_key_is_in_its_settings(made: Made, tmp_path: Path) -> None:
    made.site.manage("backup", str(tmp_path), SECRET_KEY="e" * 50)

    with (made.site.var / "serve-8000.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        output = made.site.manage("restore", "--check", str(tmp_path))

    assert output.splitlines()[-2:] == ["Key: not in the backup: it is in the settings of the site", "It is whole."]


def test_check_says_that_a_backup_is_of_a_newer_version(elsewhere: Checkout, copied: Path) -> None:
    change_manifest(migrations=["events.0001_initial", "events.9999_later"])(copied)

    lines = elsewhere.manage("restore", "--check", str(copied)).splitlines()

    newer = "This version does not know its migration events.9999_later: update the code before a restore."
    assert lines[-2:] == ["It is whole.", newer]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        pytest.param(damage_database, "{backup}/database.sqlite3 is damaged: it differs from its checksum.", id="checksum"),
        pytest.param(break_index, "{backup}/database.sqlite3 is damaged: ", id="database"),
        pytest.param(
            lambda backup: (backup / "media/people/ada.webp").unlink(),
            "{backup} is half a backup: media/people/ada.webp is missing.",
            id="photo",
        ),
        pytest.param(change_manifest(files={}), "{backup} is half a backup: it has no database.", id="no-database"),
        pytest.param(cut_manifest, "{backup}/manifest.json is damaged: it is not JSON.", id="manifest"),
    ],
)
def test_check_names_what_is_damaged(elsewhere: Checkout, copied: Path, damage: Callable[[Path], None], sentence: str) -> None:
    damage(copied)

    refused = elsewhere.refusal("restore", "--check", str(copied), DATABASE_URL=AWAY)

    assert refused.startswith(sentence.format(backup=copied))
