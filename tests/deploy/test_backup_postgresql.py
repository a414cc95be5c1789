"""``manage.py backup`` and ``restore`` on PostgreSQL: what is refused, and that a restore that fails changes nothing."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from events.backups.files import mark_of, progress_bar
from tests.deploy.instances import Instance, fresh_database, instance
from tests.deploy.processes import free_port

pytestmark = pytest.mark.deploy
ROWS = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.factories import make_conference, make_event
for number in range(40):
    make_event(make_conference(slug=f"demo-{number}"), title="Opening " * 20, start="09:00", end="10:00")
"""
COUNT = "SELECT (SELECT count(*) FROM events_event), (SELECT count(*) FROM django_migrations) > 50"
# The command's connection, once it has listed the others.
ASKED_FOR_OTHERS = """
SELECT pid FROM pg_stat_activity
WHERE datname = %s AND query LIKE '%%pg_stat_activity%%' AND state = 'idle'
"""


@dataclass(frozen=True)
class Made:
    site: Instance
    url: str
    backup: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("made")
    with fresh_database("postgresql") as url:
        site = instance(folder / "site", url)
        site.shell(ROWS)
        site.manage("backup", str(folder))
        yield Made(site, url, next(folder.glob("hallway-*")))


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with the programs of PostgreSQL, in which a test may replace one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("pg_dump", "pg_restore", "psql"):
        (folder / name).symlink_to(shutil.which(name) or name)
    # Debian's are scripts that find the version they need.
    for name in ("perl", "sh", "env"):
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def refusal(site: Instance, *command: str, programs: Path) -> str:
    done = site.run(*command, PATH=str(programs))
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
    return done.stderr.removeprefix("CommandError: ").strip()


def rows(made: Made) -> tuple[object, ...]:
    with psycopg.connect(made.url) as connection:
        found = connection.execute(COUNT).fetchone()
    assert found
    return found


def replace(program: Path, script: str) -> None:
    program.unlink()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def test_programs_that_are_missing_or_too_old_are_named(made: Made, programs: Path, tmp_path: Path) -> None:
    replace(programs / "pg_dump", 'echo "pg_dump (PostgreSQL) 9.6.1"')
    (programs / "pg_restore").unlink()
    backups = tmp_path / "backups"
    backups.mkdir()

    old = refusal(made.site, "backup", str(backups), programs=programs)
    missing = refusal(made.site, "restore", str(made.backup), "--replace", programs=programs)

    assert old.startswith(f"{programs}/pg_dump is “pg_dump (PostgreSQL) 9.6.1”, and the server is PostgreSQL ")
    assert missing.startswith("pg_restore is not installed: apt install postgresql-client-")
    assert [path.name for path in backups.iterdir()] == [".lock"]
    assert rows(made) == (40, True)


def test_dump_that_fails_leaves_no_backup(made: Made, programs: Path, tmp_path: Path) -> None:
    replace(
        programs / "pg_dump",
        """case "$*" in *--version*) echo "pg_dump (PostgreSQL) 99.1";; *) echo "pg_dump: error: no reason" >&2; exit 1;; esac""",
    )
    backups = tmp_path / "backups"
    backups.mkdir()

    refused = refusal(made.site, "backup", str(backups), programs=programs)

    assert refused == "pg_dump failed: pg_dump: error: no reason. Check DATABASE_URL, the rights of its user and the disk."
    assert [path.name for path in backups.iterdir()] == [".lock"]


def test_database_in_use_is_not_replaced(made: Made, programs: Path) -> None:
    with psycopg.connect(made.url):
        refused = refusal(made.site, "restore", str(made.backup), "--replace", programs=programs)

    assert refused.startswith("The database has other connections (1 from ")
    assert "Stop the service on every machine" in refused


def test_connection_that_closes_a_moment_later_is_waited_for(made: Made) -> None:
    server, _, name = made.url.rpartition("/")
    with (
        ThreadPoolExecutor() as pool,
        psycopg.connect(f"{server}/postgres", autocommit=True) as watching,
        psycopg.connect(made.url) as other,
    ):
        restored = pool.submit(made.site.run, "restore", str(made.backup), "--replace")
        while not restored.done() and not watching.execute(ASKED_FOR_OTHERS, [name]).fetchone():
            time.sleep(0.02)
        other.close()
        done = restored.result()

    assert done.returncode == 0, done.stderr
    assert rows(made) == (40, True)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_server_that_is_away_is_named(made: Made, tmp_path: Path, command: str) -> None:
    place = made.backup if command == "restore" else tmp_path

    done = made.site.run(command, str(place), DATABASE_URL=f"postgres://nobody@127.0.0.1:{free_port()}/none")

    sentence = done.stderr.partition("CommandError: ")[2].strip()
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert sentence.endswith("Check DATABASE_URL and whether it runs.")
    assert rows(made) == (40, True)


def test_full_database_is_not_replaced_unasked(made: Made, programs: Path) -> None:
    refused = refusal(made.site, "restore", str(made.backup), programs=programs)

    assert "is not empty. To replace all that is in it, add --replace" in refused


def cut_off(backup: Path) -> Path:
    """Halve the dump, with the right checksum, and return it."""
    dump, manifest = backup / "database.dump", backup / "manifest.json"
    dump.write_bytes(dump.read_bytes()[: dump.stat().st_size // 2])
    values = json.loads(manifest.read_text())
    with progress_bar("", None) as bar:
        values["files"]["database.dump"] = mark_of(dump, bar)._asdict()
    manifest.write_text(json.dumps(values))
    return dump


def test_dump_that_is_cut_off_changes_nothing(made: Made, programs: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copytree(made.backup, tmp_path / made.backup.name))
    dump = cut_off(backup)

    refused = refusal(made.site, "restore", str(backup), "--replace", programs=programs)

    assert refused.startswith("pg_restore failed: ")
    assert refused.endswith(f"{dump} is damaged: take another backup.")
    assert rows(made) == (40, True)


def test_dump_is_checked_where_no_postgresql_runs(made: Made, programs: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copytree(made.backup, tmp_path / made.backup.name))
    nowhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3", "PATH": str(programs)}
    check = ["restore", "--check", str(backup)]

    whole = made.site.run(*check, **nowhere)
    cut_off(backup)
    damaged = made.site.run(*check, **nowhere)
    (programs / "pg_restore").unlink()
    unread = made.site.run(*check, **nowhere)

    assert (whole.returncode, whole.stderr, whole.stdout.splitlines()[-1]) == (0, "", "It is whole.")
    assert whole.stdout.splitlines()[2].startswith("Database: postgresql, ")
    assert (damaged.returncode, f"{backup}/database.dump is damaged, or made by a newer pg_dump: " in damaged.stderr) == (1, True)
    assert (unread.returncode, "can only be read by pg_restore, which is not installed" in unread.stderr) == (1, True)
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("echo; echo 'SELECT 1/0;'; exit 0", id="statement-that-fails"),
        pytest.param("echo 'pg_restore: error: out of memory' >&2; exit 1", id="reader-that-ends-too-soon"),
    ],
)
def test_restore_that_fails_halfway_changes_nothing(made: Made, programs: Path, end: str) -> None:
    real = (programs / "pg_restore").readlink()
    script = f'case "$*" in *--file=-*) {real} "$@" | /usr/bin/head -c 200000; {end};; *) exec {real} "$@";; esac'
    replace(programs / "pg_restore", script)

    refused = refusal(made.site, "restore", str(made.backup), "--replace", programs=programs)

    assert refused.startswith("psql failed: ")
    assert "Nothing was changed." in refused
    assert rows(made) == (40, True)


def test_whole_restore_is_migrated_and_counted(made: Made) -> None:
    output = made.site.manage("restore", str(made.backup), "--replace")

    assert "conferences: 40, agendas: 0, photos: 0." in output
    assert rows(made) == (40, True)
