"""`make bench-opening` in seconds, on a small programme: it ends by itself, without an error."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.processes import PROJECT

pytestmark = pytest.mark.deploy
CELLS = re.compile(r"^\| (mix|a change each second|a re-import of 300 changes), run 1 \|(.*)\|$", re.MULTILINE)


def test_opening_of_a_small_programme() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.opening", "--database", "sqlite", "--part", "mix,changes,import"]
    command += ["--runs", "1", "--seconds", "2", "--connections", "8", "--events", "120"]

    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=600)

    assert done.returncode == 0, done.stderr
    rows = {name: [cell.strip() for cell in cells.split("|")] for name, cells in CELLS.findall(done.stdout)}
    assert list(rows) == ["mix", "a change each second", "a re-import of 300 changes"]
    assert {name: cells[5] for name, cells in rows.items()} == dict.fromkeys(rows, "0")
