"""A version with a known fault is reported from the locks."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.processes import PROJECT


def audit(*locks: Path) -> tuple[int, str]:
    command = [sys.executable, str(PROJECT / ".ci/audit.py"), *map(str, locks)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_locks_have_no_version_that_the_list_names() -> None:
    assert audit() == (0, "")


def test_planted_version_is_reported(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text("setuptools==78.1.0 \\\n    --hash=sha256:00\npip==26.3 ; python_version > '3'\n")

    assert audit(lock) == (
        1,
        "requirements.txt: setuptools 78.1.0: CVE-2025-47273, fixed in 78.1.1. PackageIndex writes files outside its folder.\n",
    )


@pytest.mark.parametrize(
    ("pin", "faulty"),
    [
        pytest.param("django==4.2.30", True, id="series-without-all-fixes"),
        pytest.param("Django[argon2]==5.2.18", True, id="extra-and-capital"),
        pytest.param("django==5.2.19", False, id="fix-itself"),
        pytest.param("django==5.3", False, id="newer-series"),
        pytest.param("pip==9.0.1", True, id="number-not-text"),
        pytest.param("django-csp==4.0", False, id="similar-name"),
    ],
)
def test_version_is_compared_with_the_fix_of_its_series(tmp_path: Path, pin: str, faulty: bool) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(f"{pin} \\\n    --hash=sha256:00\n")

    assert audit(lock)[0] == int(faulty)


def test_no_lock_is_a_failure(tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / ".ci/audit.py")]

    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_every_advisory_says_what_it_is() -> None:
    advisories = tomllib.loads((PROJECT / ".ci/advisories.toml").read_text())["advisory"]

    assert {frozenset(advisory) for advisory in advisories} == {frozenset({"package", "identifier", "fixed", "about"})}
