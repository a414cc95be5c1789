"""The real server while its processes, its database file or its log fail."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.trust.served import Site, copy_of, prepared_site

pytestmark = pytest.mark.slow
# The first event of a new database has the number 1.
PAGES = ["/demo/", "/demo/events/opening-1/", "/demo/schedule.ics"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return prepared_site(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def site(prepared: Site, tmp_path: Path) -> Iterator[Site]:
    site = copy_of(prepared, tmp_path)
    yield site
    site.stop()


@contextlib.contextmanager
def locked(site: Site) -> Iterator[sqlite3.Connection]:
    """Another process writes for a long time."""
    other = sqlite3.connect(site.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


def is_sound(site: Site) -> bool:
    with contextlib.closing(sqlite3.connect(site.database)) as other:
        checks = other.execute("PRAGMA integrity_check").fetchall(), other.execute("PRAGMA foreign_key_check").fetchall()
    return checks == ([("ok",)], [])


def test_worker_killed_under_writes_loses_nothing_acknowledged(site: Site) -> None:
    site.start()
    over = threading.Event()

    def set_and_reset(token: str) -> tuple[bool, bool, int]:
        """The last state that was acknowledged, the last that was asked for, and how many were acknowledged."""
        acknowledged, asked, count = True, True, 0
        while not over.is_set():
            asked = not asked
            with contextlib.suppress(OSError):
                if site.bookmark(token, on=asked) in {200, 302}:
                    acknowledged, count = asked, count + 1
        return acknowledged, asked, count

    with ThreadPoolExecutor(len(site.tokens)) as pool:
        running = [pool.submit(set_and_reset, token) for token in site.tokens]
        time.sleep(1)
        os.kill(site.workers()[0], signal.SIGKILL)
        time.sleep(2)
        over.set()

    states = [it.result() for it in running]
    found, rows = site.bookmarks()
    assert min(count for *_, count in states) > 1
    assert [bool(it) in allowed for it, (*allowed, _) in zip(found, states, strict=True)] == [True] * len(site.tokens)
    assert rows == len(site.tokens)
    assert site.status("/demo/") == 200


def test_site_killed_as_a_whole_starts_again_with_all_it_had(site: Site) -> None:
    site.start()
    answers = [site.bookmark(token, on=False) for token in site.tokens]

    site.stop(signal.SIGKILL)
    site.start()

    assert answers == [302] * len(site.tokens)
    assert site.bookmarks() == ([0] * len(site.tokens), len(site.tokens))
    assert [site.status(path) for path in [*PAGES, f"/feeds/{site.feed}.ics"]] == [200] * 4
    assert is_sound(site)


def test_server_that_is_told_to_stop_answers_what_it_has_taken(site: Site) -> None:
    site.start()

    with locked(site) as other, ThreadPoolExecutor(2) as pool:
        write = pool.submit(site.bookmark, site.tokens[0], on=False)
        time.sleep(1)
        stopped = pool.submit(site.stop)
        time.sleep(1)
        waited = not write.done() and not stopped.done()
        other.rollback()
        answer = write.result()
        stopped.result()

    assert (waited, answer) == (True, 302)
    assert site.bookmarks()[0][0] == 0


@pytest.mark.parametrize("wal", [pytest.param(None, id="missing"), pytest.param(b"no log of writes" * 4096, id="garbage")])
def test_broken_log_of_writes_costs_the_last_writes_and_no_more(site: Site, wal: bytes | None) -> None:
    site.start()
    site.bookmark(site.tokens[0], on=False)
    site.stop(signal.SIGKILL)
    log = site.database.with_name(f"{site.database.name}-wal")
    assert log.exists()

    log.unlink()
    if wal:
        log.write_bytes(wal)
    site.start()

    assert [site.status(path) for path in PAGES] == [200] * 3
    assert is_sound(site)
    assert site.bookmark(site.tokens[1], on=False) == 302
    assert site.bookmarks()[0][1:] == [0, *[1] * (len(site.tokens) - 2)]


def test_site_starts_and_migrates_while_somebody_writes(site: Site) -> None:
    with locked(site) as other:
        site.start()
        pages = [site.status(path) for path in PAGES]
        with ThreadPoolExecutor(1) as pool:
            migrated = pool.submit(site.manage, "migrate", "--verbosity", "0")
            time.sleep(5)
            other.rollback()
            migrated.result()

    assert pages == [200] * 3


def test_writes_wait_for_a_long_writer_and_pages_do_not(site: Site) -> None:
    site.start()

    with locked(site) as other, ThreadPoolExecutor(1) as pool:
        write = pool.submit(site.bookmark, site.tokens[0], on=False)
        time.sleep(1)
        pages = [site.status(path) for path in PAGES]
        waited = not write.done()
        other.rollback()
        answer = write.result()

    assert (pages, waited, answer) == ([200] * 3, True, 302)
    assert site.bookmarks()[0][0] == 0


def test_full_disk_of_the_log_is_no_fault_of_a_request(site: Site) -> None:
    site.start(log=Path("/dev/full"))

    assert [site.status(path) for path in [*PAGES, "/never-was/", "/demo/"]] == [200, 200, 200, 404, 200]
    assert site.bookmark(site.tokens[0], on=False) == 302
