"""The second round of ``make test`` leaves out what touches no database and what a browser shows, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]


FILES = ["browser/test_plan.py", "models/test_validators.py", "security/test_access.py", "test_shelf.py"]


def test_round_of_the_database_keeps_what_is_marked_or_asks_through_a_fixture() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--database-only", *(f"tests/{file}" for file in FILES)]

    said = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout

    ids = [line.partition("[")[0].split("::") for line in said.splitlines() if "::" in line]
    assert {name for file, name in ids if file == "tests/models/test_validators.py"} == {"test_models_use_them"}
    assert "test_address_gives_each_role_what_the_table_says" in {name for _, name in ids}
    assert {file for file, _ in ids} == {"tests/models/test_validators.py", "tests/security/test_access.py"}
    assert re.search(r"^Left out: \d+ tests without a database, or with a browser: they ran before\.$", said, re.MULTILINE)
