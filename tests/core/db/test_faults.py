from __future__ import annotations

import errno
import sqlite3
import threading
from pathlib import Path

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, InternalError, OperationalError, ProgrammingError, connection
from psycopg_pool import PoolTimeout, TooManyRequests

from events.core.db import readiness
from events.core.db.faults import DatabaseAwayError, DatabaseFault, database_fault
from events.core.db.postgresql import base
from events.core.db.postgresql.base import Doorway
from events.core.db.readiness import command_problem
from tests.processes import database_url, run_manage

NOT_MIGRATED = "Migrations are not applied (events): run manage.py migrate."


def of_sqlite(code: int, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    cause = sqlite3.OperationalError("said by SQLite")
    cause.sqlite_errorcode = code
    return caused_by(cause, kind)


def caused_by(cause: Exception, kind: type[DatabaseError] = OperationalError) -> DatabaseError:
    error = kind("said by Django")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param(ValueError(), None, id="our-fault"),
        pytest.param(ProgrammingError(), None, id="wrong-query"),
        pytest.param(OperationalError("the queue"), DatabaseFault.BUSY, id="queue"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY), DatabaseFault.BUSY, id="sqlite-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), DatabaseFault.BUSY, id="sqlite-locked-since"),
        pytest.param(of_sqlite(sqlite3.SQLITE_LOCKED), DatabaseFault.BUSY, id="sqlite-table-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_ERROR), None, id="sqlite-no-such-table"),
        pytest.param(of_sqlite(sqlite3.SQLITE_FULL), DatabaseFault.FULL, id="sqlite-disk-full"),
        pytest.param(of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), DatabaseFault.READ_ONLY, id="sqlite-read-only"),
        pytest.param(of_sqlite(sqlite3.SQLITE_CANTOPEN), DatabaseFault.DAMAGED, id="sqlite-cannot-open"),
        pytest.param(of_sqlite(sqlite3.SQLITE_IOERR_SHMSIZE), DatabaseFault.DAMAGED, id="sqlite-no-room-for-shm"),
        pytest.param(of_sqlite(sqlite3.SQLITE_CORRUPT, DatabaseError), DatabaseFault.DAMAGED, id="sqlite-corrupt"),
        pytest.param(caused_by(psycopg.errors.DeadlockDetected()), DatabaseFault.BUSY, id="postgresql-deadlock"),
        pytest.param(caused_by(psycopg.errors.LockNotAvailable()), DatabaseFault.BUSY, id="postgresql-locked"),
        pytest.param(caused_by(TooManyRequests()), DatabaseFault.BUSY, id="postgresql-pool-in-use"),
        pytest.param(caused_by(psycopg.errors.AdminShutdown()), DatabaseFault.AWAY, id="postgresql-restarted"),
        pytest.param(caused_by(psycopg.errors.ConnectionFailure()), DatabaseFault.AWAY, id="postgresql-connection-failed"),
        pytest.param(caused_by(psycopg.OperationalError("refused")), DatabaseFault.AWAY, id="postgresql-connection-refused"),
        pytest.param(caused_by(PoolTimeout()), DatabaseFault.AWAY, id="postgresql-no-connection-in-time"),
        pytest.param(DatabaseAwayError("waiting"), DatabaseFault.AWAY, id="postgresql-another-request-waits"),
        pytest.param(caused_by(psycopg.errors.DiskFull()), DatabaseFault.FULL, id="postgresql-disk-full"),
        pytest.param(
            caused_by(psycopg.errors.ReadOnlySqlTransaction(), InternalError), DatabaseFault.READ_ONLY, id="postgresql-standby"
        ),
        pytest.param(caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), None, id="postgresql-no-such-table"),
        pytest.param(OSError(errno.ENOSPC, "No space left on device"), DatabaseFault.FULL, id="photo-on-full-disk"),
        pytest.param(OSError(errno.EROFS, "Read-only file system"), DatabaseFault.READ_ONLY, id="photo-on-read-only-disk"),
        pytest.param(FileNotFoundError(errno.ENOENT, "No such file"), None, id="missing-file"),
    ],
)
def test_fault_is_known_by_the_error(error: BaseException | None, fault: DatabaseFault | None) -> None:
    assert database_fault(error) is fault


def test_one_thread_asks_for_a_lost_database_while_others_fail_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "RETRY_SECONDS", 0.01)
    doorway, is_back, asked = Doorway(), threading.Event(), []

    def ask() -> None:
        asked.append(threading.current_thread())
        if not is_back.is_set():
            raise psycopg.OperationalError("refused")

    doorway.refuse_while_away()
    for _ in range(3):
        doorway.close_until(ask)
        with pytest.raises(DatabaseAwayError):
            doorway.refuse_while_away()

    is_back.set()
    asked[0].join(10)

    doorway.refuse_while_away()
    assert (len(set(asked)), doorway.is_away) == (1, False)


@pytest.mark.parametrize("command", [["make_organiser"], ["check_schedule", "demo"], ["send_letters"], ["after_restore"]])
def test_command_names_missing_migrations_in_one_line(tmp_path: Path, command: list[str]) -> None:
    done = run_manage(*command, DATABASE_URL=f"sqlite:///{tmp_path}/empty.sqlite3")

    apps = "account, admin, auth, contenttypes, events, mfa, sessions"
    assert (done.returncode, done.stderr) == (1, f"Migrations are not applied ({apps}): run manage.py migrate.\n")


def test_command_names_a_database_that_cannot_be_opened_in_one_line(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}"
    done = run_manage("migrate", DATABASE_URL=address)
    traced = run_manage("migrate", "--traceback", DATABASE_URL=address)

    sentence = (
        "The database cannot be used: unable to open database file. Check DATABASE_URL and whether it runs. Remedies are in"
    )
    assert (done.returncode, done.stderr.startswith(sentence), done.stderr.count("\n")) == (1, True, 1)
    assert (traced.returncode, traced.stderr.startswith("Traceback ")) == (1, True)


@pytest.mark.both_databases
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is a file; run with DATABASE_URL=postgres://…")
@pytest.mark.django_db
def test_command_says_why_postgresql_refuses_and_nothing_else(tmp_path: Path) -> None:
    address = f"{database_url()}_of_nobody"
    migrate, doctor, backup = (
        run_manage(*command, DATABASE_URL=address) for command in (["migrate"], ["doctor"], ["backup", str(tmp_path)])
    )

    reason = (
        f'FATAL: database "{connection.settings_dict["NAME"]}_of_nobody" does not exist. Check DATABASE_URL and whether it runs.'
    )
    (shown,) = [line for line in doctor.stdout.splitlines() if line.startswith("WRONG  database and migrations: ")]
    assert (migrate.returncode, migrate.stderr.count("\n"), reason in migrate.stderr) == (1, 1, True)
    assert (doctor.returncode, doctor.stderr, reason in shown) == (1, "", True)
    assert (backup.returncode, backup.stderr.count("\n"), reason in backup.stderr) == (1, 1, True)


@pytest.mark.parametrize(
    ("error", "command", "problem"),
    [
        pytest.param(of_sqlite(sqlite3.SQLITE_ERROR), "seed", NOT_MIGRATED, id="sqlite"),
        pytest.param(caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), "seed", NOT_MIGRATED, id="postgresql"),
        pytest.param(caused_by(psycopg.errors.UndefinedTable(), ProgrammingError), "migrate", "", id="mistake-of-a-migration"),
        pytest.param(caused_by(psycopg.errors.SyntaxError(), ProgrammingError), "seed", "", id="wrong-query"),
        pytest.param(caused_by(psycopg.errors.UniqueViolation(), IntegrityError), "seed", "", id="wrong-row"),
    ],
)
def test_command_hides_no_mistake_of_the_program(
    monkeypatch: pytest.MonkeyPatch, error: DatabaseError, command: str, problem: str
) -> None:
    monkeypatch.setattr(readiness, "database_problems", lambda: [NOT_MIGRATED])
    assert command_problem(command, error) == problem

    monkeypatch.setattr(readiness, "database_problems", list)
    assert command_problem(command, error) == ""
