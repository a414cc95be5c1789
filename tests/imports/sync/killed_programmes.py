"""The programme before and after an import that is killed on its way: every event moves, some go, many come."""

from __future__ import annotations

import os
import subprocess
import sys

from events.programme.data.schedule import ScheduleData
from tests.factories import at
from tests.imports.sync.programmes import event, programme
from tests.processes import PROJECT, database_url

COUNT = 20


def _programme(numbers: range, start: str, title: str) -> ScheduleData:
    return programme(*(event(f"talk-{it}", title=f"{title} {it}", start=at(start), end=at("17:00")) for it in numbers))


OLD = _programme(range(COUNT), "09:00", "Old")
NEW = _programme(range(2, 3 * COUNT), "10:00", "New")


def killed_import(step: str, times: int, *, smallest: int = 0) -> int:
    """The exit status of an import of NEW that is killed at that step; from so many new rows on they are written in slices."""
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "conference.settings"}
    command = [sys.executable, "-m", "tests.imports.sync.killed_import", step, str(times), str(smallest)]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False, capture_output=True).returncode
