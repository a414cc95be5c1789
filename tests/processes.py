"""What another process needs to see what a test has written."""

from __future__ import annotations

from pathlib import Path

from django.db import connection

PROJECT = Path(__file__).parents[1]


def database_url() -> str:
    """The test database, as another process finds it."""
    said = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{said['NAME']}"
    return f"postgres://{said['USER']}:{said['PASSWORD']}@{said['HOST']}:{said['PORT']}/{said['NAME']}"
