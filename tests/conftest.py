"""What every test gets: quick passwords, empty caches, a database and a browser of its own, and a word on what was left out."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import hypothesis
import pytest
import time_machine
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.test import override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from events.core.byte_cache import PROCESS_CACHE
from tests.browser.marionette import FIREFOX, HOW_TO_HAVE_FIREFOX
from tests.caches import clear_process
from tests.calendars.readers.missing import MISSING as MISSING_READERS
from tests.factories import SINGAPORE
from tests.marking import marks_of, refuse_commits_among_shared_rows
from tests.migrated import MIGRATED_DATABASE

# Playwright's synchronous API keeps an event loop in the thread of the test, where Django would refuse to touch the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# A test that is slow on a busy machine is no failure. `make test-all` names the long profile.
hypothesis.settings.register_profile("short", deadline=None, max_examples=25, derandomize=True)
hypothesis.settings.register_profile("long", deadline=None, max_examples=300)
hypothesis.settings.load_profile("short")

STRICT = bool(os.environ.get("STRICT"))
# The same engine without the parts of a desktop browser: its tests take a fifth less time.
CHROMIUM = shutil.which(os.environ.get("CHROMIUM") or "chromium-headless-shell") or shutil.which("chromium")
HOW_TO_HAVE_CHROMIUM = "apt install chromium-headless-shell, or name one: CHROMIUM=/path/to/chromium"


def pytest_configure(config: pytest.Config) -> None:
    if STRICT and not CHROMIUM:
        raise pytest.UsageError(f"STRICT: the browser tests need Chromium ({HOW_TO_HAVE_CHROMIUM})")
    if STRICT and not FIREFOX:
        raise pytest.UsageError(f"STRICT: a browser test needs Firefox ({HOW_TO_HAVE_FIREFOX})")
    if STRICT and MISSING_READERS:
        raise pytest.UsageError(f"STRICT: calendars are to be read by all readers; missing are {MISSING_READERS}")


@pytest.fixture(scope="session", autouse=True)
def _migrated_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    MIGRATED_DATABASE.use(tmp_path_factory)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for mark in marks_of(item):
            item.add_marker(mark)
    if CHROMIUM:
        return
    browser = [item for item in items if item.get_closest_marker("browser")]
    config.hook.pytest_deselected(items=browser)
    items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_collection_finish() -> None:
    """As in the server: what is there now stays to the end, so nobody need look through it for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


def pytest_runtest_setup(item: pytest.Item) -> None:
    refuse_commits_among_shared_rows(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"The database was {connection.display_name}.")
    if not CHROMIUM:
        terminalreporter.write_line(f"Left out: the browser tests. To have them: {HOW_TO_HAVE_CHROMIUM}", yellow=True)
    elif not FIREFOX:
        terminalreporter.write_line(f"Left out: the walk through Firefox. To have it: {HOW_TO_HAVE_FIREFOX}", yellow=True)
    for name, how in MISSING_READERS.items():
        terminalreporter.write_line(f"Left out: calendars read by {name}. To have that: {how}", yellow=True)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's file is a copy of the migrated one, and goes with the folder of the run."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, _migrated_database: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file, so that threads connect as they do in earnest; PostgreSQL by a name no other checkout uses."""
    database: dict[str, Any] = django_settings.DATABASES["default"]
    if connection.vendor == "sqlite":
        database["CONN_MAX_AGE"] = 0
        file = tmp_path_factory.mktemp("database") / "test.sqlite3"
        MIGRATED_DATABASE.copy_to(file)
        database["TEST"]["NAME"] = str(file)
        # Rows come backwards where no order is asked for, so that nothing leans on the one SQLite happens to have.
        database["OPTIONS"]["init_command"] += " PRAGMA reverse_unordered_selects=1;"
    else:
        checkout = hashlib.sha256(str(django_settings.BASE_DIR).encode()).hexdigest()[:8]
        database["TEST"]["NAME"] = f"test_hallway_{checkout}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
        # Some tests have 64 threads for its eight connections; how soon a busy machine gives up is not what they are about.
        database["OPTIONS"]["pool"]["timeout"] = 60
        # Nothing of this is to outlive the tests, so nothing waits for the disk; and over tables of five rows neither a compiler
        # nor the best order of ten joins is worth its wait.
        database["OPTIONS"]["options"] = "-c synchronous_commit=off -c jit=off -c join_collapse_limit=1 -c from_collapse_limit=1"


def deletions(style: Any, tables: Iterable[str], **options: Any) -> list[str]:
    return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """PostgreSQL drops no database that somebody is in: a live server's thread may be, when its last request was cut off."""
    if connection.vendor == "postgresql":
        # To delete a few rows takes milliseconds; TRUNCATE makes new files for eighty tables and all their indexes.
        connection.ops.sql_flush = deletions  # type: ignore[method-assign]
    yield
    if connection.vendor == "postgresql":
        here = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(f"{here} AND pid <> pg_backend_pid()")


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Makes rows once for all tests of a module, in a transaction around theirs; use it as in tests/security/conftest.py."""
    clear_process()
    with django_db_blocker.unblock():
        around = transaction.atomic()
        around.__enter__()

    def make(rows: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock():
            return rows()

    yield make
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture(scope="session", autouse=True)
def _settings_for_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Folders of our own before the live server looks for static files; no manifest; quick passwords; letters that go nowhere."""
    with override_settings(
        STATIC_ROOT=tmp_path_factory.mktemp("static"),
        MEDIA_ROOT=tmp_path_factory.mktemp("media"),
        UPLOAD_ROOT=tmp_path_factory.mktemp("uploads"),
        EXPORT_ROOT=tmp_path_factory.mktemp("exports"),
        STORAGES=django_settings.STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        LETTER_BACKEND="django.core.mail.backends.locmem.EmailBackend",
    ):
        yield


@pytest.fixture(autouse=True)
def _fresh_process() -> None:
    clear_process()


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes cache pages and entries of calendars, as on a real site."""
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**24)


@pytest.fixture
def cached_at_half_past_nine(cached: None) -> Iterator[None]:
    """The clock of the venue stands still too."""
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    """In the browser, ``page.goto("/iclr-2025/")`` is enough."""
    return live_server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium instead of a downloaded one, as root too, silent towards the outside."""
    quiet = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]
    # Without a process for drawing, tests take a twentieth less time.
    drawing = ["--disable-gpu", "--in-process-gpu"]
    # Letters as wide as on a phone, not rounded to pixels.
    args = [*browser_type_launch_args.get("args", []), *quiet, *drawing, "--font-render-hinting=none"]
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": args}


@pytest.fixture
def at_the_venue() -> Iterator[None]:
    """Times in the venue's zone, as views show them to somebody who has chosen no other."""
    with timezone.override(SINGAPORE):
        yield
