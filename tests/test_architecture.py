"""The import contracts hold, and would notice if they did not."""

from __future__ import annotations

import re
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
            "events/programme/rules/grid.py",
            "import django",
            "Rules and formats need no Django",
            id="django-in-rules",
        ),
        pytest.param(
            "events/imports/formats/builder.py",
            "import django.db",
            "Rules and formats need no Django",
            id="database-in-formats",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "events/programme/rules/grid.py",
            "import events.models",
            "Imports point down",
            id="rules-reaching-up",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "events/programme/models/venue.py",
            "import events.urls",
            "Imports point down",
            id="models-reaching-up",
        ),
        pytest.param(
            "events/programme/models/venue.py",
            "import conference.settings",
            "The project and the app do not import each other",
            id="app-importing-project",
        ),
    ],
)
def test_contracts_notice_a_planted_import(copy: Path, module: str, statement: str, broken: str) -> None:
    plant(copy / module, statement)

    status, said = lint(copy)

    assert (status, f"\n{broken} BROKEN" in said) == (1, True)


def test_contracts_demand_a_place_for_a_new_module(copy: Path) -> None:
    (copy / "events" / "attic.py").write_text('"""A module that no layer names."""\n')

    status, said = lint(copy)

    assert (status, "\nImports point down BROKEN" in said, "attic" in said) == (1, True, True)


def check_names(project: Path) -> tuple[int, str]:
    command = [sys.executable, str(PROJECT / ".ci" / "names.py")]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_names_hold() -> None:
    assert check_names(PROJECT) == (0, "")


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        pytest.param("class Conference: ...", "Conference is defined 2 times", id="class-name-twice"),
        pytest.param("MAX_SEATS_PER_AGENDA = 20", "MAX_SEATS_PER_AGENDA is defined 2 times", id="constant-twice"),
        pytest.param("MOST = 20", "MOST does not say what it counts or measures", id="number-without-a-subject"),
        pytest.param("import datetime as dt\nSOON = dt.timedelta(1)", "SOON does not say what", id="duration-without-a-subject"),
        pytest.param("from django.apps import apps\napps.get_model('events', 'Seat')", "goes round", id="model-by-name"),
    ],
)
def test_names_notice_what_is_planted(copy: Path, code: str, problem: str) -> None:
    plant(copy / "events" / "venue" / "queries" / "maps.py", code)

    status, message = check_names(copy)

    assert (status, problem in message) == (1, True)


def test_contracts_notice_a_planted_circle(copy: Path) -> None:
    plant(copy / "events" / "calendars" / "ical.py", "import events.calendars.feeds")

    status, said = lint(copy)

    assert (status, "\nNo imports in circles BROKEN" in said) == (1, True)


def filtering_views(project: Path) -> list[str]:
    """The lines of views that choose rows, which is left to querysets and queries."""
    views = [*(project / "events").rglob("views.py"), *(project / "events").rglob("views/*.py")]
    return [
        f"{path.relative_to(project)}:{number}"
        for path in sorted(views)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(r"\.(filter|exclude)\(", line)
    ]


def test_views_leave_filters_to_queries() -> None:
    assert filtering_views(PROJECT) == []


@pytest.mark.parametrize(
    ("view", "statement"),
    [
        pytest.param("sign_up/views.py", "Seat.objects.filter(pk=1)", id="filter"),
        pytest.param("pages/views/people.py", "Person.objects.public().exclude(pk=1)", id="exclude-in-a-package"),
    ],
)
def test_filter_in_a_view_is_noticed(copy: Path, view: str, statement: str) -> None:
    plant(copy / "events" / view, statement)

    last = len((copy / "events" / view).read_text().splitlines())
    assert filtering_views(copy) == [f"events/{view}:{last}"]


FETCHES = r"^\s*(?:import|from) (aiohttp|ftplib|http\.client|httpx|requests|socket|urllib\.request|urllib3)\b"


# Asks SITE_URL, and no other address, when an administrator runs manage.py doctor.
SITE_ITSELF = "events/doctor/public_address.py"
# Asks what organisers named, of the public internet alone.
FETCH = "events/core/fetching.py"


def fetching_modules(project: Path) -> list[str]:
    """The modules that could ask another server for something at an address that a visitor or a file names."""
    modules = [*(project / "events").rglob("*.py"), *(project / "conference").rglob("*.py")]
    found = [str(it.relative_to(project)) for it in sorted(modules) if re.search(FETCHES, it.read_text(), re.MULTILINE)]
    return [module for module in found if module not in {SITE_ITSELF, FETCH}]


def test_no_module_fetches_an_address() -> None:
    assert fetching_modules(PROJECT) == []


def test_only_followed_sources_are_fetched_and_with_the_real_check() -> None:
    """Nothing else calls the fetch, and no setting, model or page makes an internet of its own."""
    modules = {it: it.read_text() for it in sorted((PROJECT / "events").rglob("*.py")) if str(it.relative_to(PROJECT)) != FETCH}

    fetching = [str(it.relative_to(PROJECT)) for it, text in modules.items() if re.search(r"\bfetch\(", text)]
    making = [str(it.relative_to(PROJECT)) for it, text in modules.items() if re.search(r"\bInternet\(", text)]
    assert (fetching, making) == (["events/imports/following.py"], [])
    assert "settings.SITE_URL" in (PROJECT / FETCH).read_text()
    assert len(re.findall(r"settings\.\w", (PROJECT / FETCH).read_text())) == 1


def test_no_page_asks_the_site_itself() -> None:
    importing = [it for it in (PROJECT / "events").rglob("*.py") if "public_address" in it.read_text()]

    assert [str(it.relative_to(PROJECT)) for it in importing] == ["events/management/commands/doctor.py"]
    assert re.findall(r"opener\.open\((\S+)", (PROJECT / SITE_ITSELF).read_text()) == ['f"{settings.SITE_URL}{path}",']


@pytest.mark.parametrize("statement", ["import requests", "from urllib.request import urlopen", "import http.client"])
def test_module_that_fetches_is_noticed(copy: Path, statement: str) -> None:
    plant(copy / "events" / "imports" / "runs.py", statement)

    assert fetching_modules(copy) == ["events/imports/runs.py"]
