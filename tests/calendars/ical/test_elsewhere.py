from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import time_machine

from tests.calendars.elsewhere import digests
from tests.calendars.programme import BEFORE, Programme
from tests.migrated import MIGRATED_DATABASE
from tests.processes import PROJECT


# The addresses of events have their numbers: from 1 in both databases.
@pytest.mark.slow
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_bytes_are_those_of_another_process_and_another_database(tmp_path: Path) -> None:
    """The tests run on SQLite and on PostgreSQL; this one compares each with an SQLite of another process."""
    MIGRATED_DATABASE.copy_to(tmp_path / "elsewhere.sqlite3")
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "conference.settings",
        "PYTHONHASHSEED": "4711",
    }
    command = [sys.executable, "-m", "tests.calendars.elsewhere", str(tmp_path / "exports")]

    done = subprocess.run(command, cwd=PROJECT, env=environment, check=False, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    with time_machine.travel(BEFORE, tick=False):
        assert json.loads(done.stdout) == digests(Programme())
