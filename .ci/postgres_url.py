"""Print the address of a PostgreSQL that may create databases, or say what is missing and how to have it."""

from __future__ import annotations

import os
import sys

import psycopg

USUAL = [
    "postgres://hallway:hallway@127.0.0.1:5432/postgres",
    "postgres://postgres:postgres@127.0.0.1:5432/postgres",
    "postgres://postgres@127.0.0.1:5432/postgres",
]
HOW = """\
Left out: the run on PostgreSQL. To have it:
  apt install postgresql
  su postgres -c "psql -c \\"CREATE ROLE hallway LOGIN CREATEDB PASSWORD 'hallway'\\""
or name one that may create databases: POSTGRES_URL=postgres://user:password@host:5432/database"""


def refusal(url: str) -> str:
    """Why this one cannot be used; empty when it can."""
    try:
        with psycopg.connect(url, connect_timeout=3) as connection:
            row = connection.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    except psycopg.Error as error:
        return str(error).strip()
    return "" if row and row[0] else "this user may not create databases"


def main() -> int:
    given = os.environ.get("POSTGRES_URL", "")
    refusals = {}
    for url in [given] if given else USUAL:
        refusals[url] = refusal(url)
        if not refusals[url]:
            sys.stdout.write(f"{url}\n")
            return 0
    sys.stderr.write(f"\n{HOW}\n")
    if given:
        sys.stderr.write(f"POSTGRES_URL was given, but: {refusals[given]}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
