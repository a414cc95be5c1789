"""The import contracts hold, and would notice if they did not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
LINT_IMPORTS = Path(sys.executable).parent / "lint-imports"
SOURCES = shutil.ignore_patterns("__pycache__", "static", "*.pyc")


def lint(project: Path) -> tuple[int, str]:
    command = [LINT_IMPORTS, "--no-logo", "--no-cache"]
    done = subprocess.run(command, cwd=project, env={"PYTHONPATH": str(project)}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in ["conference", "events"]:
        shutil.copytree(PROJECT / package, tmp_path / package, ignore=SOURCES)
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(file: Path, statement: str) -> None:
    file.write_text(f"{file.read_text()}\n{statement}\n")


def test_contracts_hold() -> None:
    status, said = lint(PROJECT)

    assert (status, said.count("BROKEN")) == (0, 0)


@pytest.mark.parametrize(
    ("module", "statement", "broken"),
    [
        pytest.param(
            "events/schedule/clock.py",
            "import django",
            "What a schedule is needs no Django",
            id="django-in-schedule",
        ),
        pytest.param(
            "events/importers/data.py",
            "import django.db",
            "What a schedule is needs no Django",
            id="database-in-importers",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "events/schedule/clock.py",
            "import events.models",
            "Imports point down",
            id="schedule-reaching-up",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "events/models/venue.py",
            "import events.urls",
            "Imports point down",
            id="models-reaching-up",
        ),
        pytest.param(
            "events/models/venue.py",
            "import conference.settings",
            "The project and the app do not import each other",
            id="app-importing-project",
        ),
    ],
)
def test_contracts_notice_a_planted_import(copy: Path, module: str, statement: str, broken: str) -> None:
    plant(copy / module, statement)

    status, said = lint(copy)

    assert (status, f"{broken} BROKEN" in said.splitlines()) == (1, True)


def test_contracts_demand_a_place_for_a_new_module(copy: Path) -> None:
    (copy / "events" / "attic.py").write_text('"""A module that no layer names."""\n')

    status, said = lint(copy)

    assert (status, "Imports point down BROKEN" in said.splitlines(), "attic" in said) == (1, True, True)
