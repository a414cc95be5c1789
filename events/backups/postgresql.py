"""A PostgreSQL database, dumped and put back by PostgreSQL's own tools."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection, connections

from events.backups.files import COPY_CHUNK_BYTES, BackupError, progress_bar
from events.core.db.readiness import unusable_database

OTHERS_SQL = """
SELECT coalesce(client_addr::text, 'this machine'), count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
GROUP BY 1 ORDER BY 1
"""
SIZE_SQL = """
SELECT coalesce(sum(pg_table_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
"""
# Without owners and rights: the database of another machine may belong to another role.
PLAIN_OPTIONS = ["--no-owner", "--no-privileges"]
# PostgreSQL lists a connection until its process has ended, which is a moment after the client has closed it.
CLOSING_SECONDS = 3.0


class PostgresqlDatabase:
    name = "database.dump"
    folder = Path(settings.BASE_DIR)

    @property
    def size(self) -> int:
        """Of the tables without their indexes: a dump, which is compressed, needs less."""
        with connection.cursor() as cursor:
            cursor.execute(SIZE_SQL)
            return int(cursor.fetchone()[0])

    def refuse_missing(self) -> None:
        """To connect makes no database."""

    def dump(self, target: Path) -> None:
        command = [tool("pg_dump"), "--format=custom", "--verbose", *PLAIN_OPTIONS, f"--file={target}"]
        where, name, environment = _address()
        lines: list[str] = []
        with (
            progress_bar("Database", None, " steps") as bar,
            subprocess.Popen(  # noqa: S603 - a program of PostgreSQL
                [*command, *where, f"--dbname={name}"], env=environment, stderr=subprocess.PIPE, text=True, errors="replace"
            ) as process,
        ):
            for line in process.stderr or ():
                lines.append(line)
                bar.update()
        if process.returncode:
            raise BackupError(_failure("pg_dump", lines, "Check DATABASE_URL, the rights of its user and the disk."))

    def refuse_in_use(self) -> None:
        _close_connections()
        try:
            # Not Django's connection, which has a pool of its own. Within a transaction the list would stay the same.
            with psycopg.connect(**connection.get_connection_params(), autocommit=True) as own:
                until = time.monotonic() + CLOSING_SECONDS
                while (others := own.execute(OTHERS_SQL).fetchall()) and time.monotonic() < until:
                    time.sleep(0.05)
        except psycopg.Error as error:
            raise BackupError(unusable_database(error)) from error
        if others:
            found = ", ".join(f"{count} from {place}" for place, count in others)
            raise BackupError(
                f"The database has other connections ({found}). Stop the service on every machine (systemctl stop hallway) "
                "and other commands first."
            )

    def stage(self, dump: Path) -> None:
        """Read the whole dump, so that a damaged one replaces nothing."""
        self._dump = dump
        tool("psql")
        _read_to_the_end(dump, tool("pg_restore"), f"{dump} is damaged: take another backup.")

    def unstage(self) -> None:
        """Nothing was prepared."""

    def replace(self) -> None:
        """In one transaction: drop all tables, and make those of the dump."""
        self.refuse_in_use()
        with connection.cursor() as cursor:
            cursor.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")
            tables = [row[0] for row in cursor.fetchall()]
        _close_connections()
        where, name, environment = _address()
        psql = [
            tool("psql"),
            "--no-psqlrc",
            "--quiet",
            "--single-transaction",
            "--set=ON_ERROR_STOP=1",
            "--output=/dev/null",
            *where,
        ]
        drop = [f"--command=DROP TABLE {', '.join(tables)} CASCADE"] if tables else []
        with (
            tempfile.TemporaryFile("w+", errors="replace") as said,
            subprocess.Popen(  # noqa: S603 - a program of PostgreSQL
                [tool("pg_restore"), *PLAIN_OPTIONS, "--file=-", str(self._dump)], stdout=subprocess.PIPE, stderr=said
            ) as reader,
            subprocess.Popen(  # noqa: S603 - a program of PostgreSQL
                [*psql, *drop, "--file=-", f"--dbname={name}"], env=environment, stdin=subprocess.PIPE, stderr=said
            ) as writer,
        ):
            is_done = _pass_on(reader, writer)
            said.seek(0)
            lines = said.read().splitlines()
        if not is_done:
            raise BackupError(_failure("psql", lines, "Nothing was changed. Use the tools of the server's version."))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def check_dump(dump: Path) -> None:
    program = shutil.which("pg_restore")
    if program is None:
        raise BackupError(f"{dump} can only be read by pg_restore, which is not installed: apt install postgresql-client.")
    _read_to_the_end(
        dump, program, f"{dump} is damaged, or made by a newer pg_dump: install that version, or take another backup."
    )


def _read_to_the_end(dump: Path, program: str, remedy: str) -> None:
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL
        [program, "--file=/dev/null", str(dump)], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise BackupError(_failure("pg_restore", done.stderr.splitlines(), remedy))


def _pass_on(reader: subprocess.Popen[bytes], writer: subprocess.Popen[bytes]) -> bool:
    """Return whether the writer took and committed all that the reader wrote."""
    if reader.stdout is None or writer.stdin is None:
        return False
    is_done = False
    try:
        with contextlib.suppress(BrokenPipeError), progress_bar("Database", None) as bar:
            while chunk := reader.stdout.read(COPY_CHUNK_BYTES):
                writer.stdin.write(chunk)
                bar.update(len(chunk))
            if reader.wait() == 0:
                writer.stdin.close()
                is_done = writer.wait() == 0
    finally:
        if not is_done:
            # At the end of its input the writer would commit; killed, its transaction is rolled back.
            writer.kill()
            reader.kill()
            with contextlib.suppress(BrokenPipeError):
                writer.stdin.close()
    return is_done


def _close_connections() -> None:
    connections.close_all()
    # Of Django's backend for PostgreSQL alone.
    postgresql: Any = connection
    postgresql.close_pool()


def _address() -> tuple[list[str], str, dict[str, str]]:
    """Options that name the server, the name of the database, and an environment with the password."""
    arguments, environment = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    *where, name = arguments[1:]
    return where, name, os.environ | (environment or {})


def tool(name: str) -> str:
    """Return the path of a program of PostgreSQL that is as new as the server."""
    found = shutil.which(name)
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        server = int(cursor.fetchone()[0]) // 10_000
    remedy = f"apt install postgresql-client-{server}, or postgresql-client where that is as new."
    if found is None:
        raise BackupError(f"{name} is not installed: {remedy}")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603 - a program of PostgreSQL
    version = re.search(r"\) (\d+)", said)
    if version is None or int(version[1]) < server:
        raise BackupError(f"{found} is “{said.strip()}”, and the server is PostgreSQL {server}: {remedy}")
    return found


def _failure(name: str, lines: list[str], remedy: str) -> str:
    problem = next(
        (line.strip() for line in lines if "error:" in line.lower()), lines[-1].strip() if lines else "no reason given"
    )
    return f"{name} failed: {problem.rstrip('.')}. {remedy}"
