from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import OperationalError, ProgrammingError

from events.models import writing
from events.models.writing import Line, is_busy


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    monkeypatch.setattr(writing, "PATIENCE", 0.05)
    return Line()


@pytest.fixture
def let_go(line: Line) -> Iterator[Callable[[], None]]:
    """Somebody has the turn, from now until this is called."""
    has_it, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with line.turn():
            has_it.set()
            may_go.wait(10)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        has_it.wait(10)

        def let_go() -> None:
            may_go.set()
            holding.result()

        yield let_go
        let_go()


def test_turns_are_one_after_the_other(line: Line) -> None:
    within: list[int] = []

    def enter(number: int) -> None:
        with line.turn():
            within.append(number)
            assert within == [number]
            within.remove(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter, range(500)))

    assert not line.stands_still


def test_nobody_joins_a_line_that_stands_still(line: Line, let_go: Callable[[], None]) -> None:
    assert not line.stands_still

    with pytest.raises(OperationalError, match="does not move"), line.turn():
        pytest.fail("two at once")

    assert line.stands_still
    with pytest.raises(OperationalError, match="does not move"), line.turn():
        pytest.fail("two at once")


def test_line_moves_again_after_it_stood_still(line: Line, let_go: Callable[[], None]) -> None:
    with pytest.raises(OperationalError), line.turn():
        pytest.fail("two at once")

    let_go()

    with line.turn():
        assert not line.stands_still


def test_a_fault_ends_a_turn_as_well(line: Line) -> None:
    with pytest.raises(ZeroDivisionError), line.turn():
        raise ZeroDivisionError

    with line.turn():
        assert not line.stands_still


def of_sqlite(code: int) -> OperationalError:
    cause = sqlite3.OperationalError("said by SQLite")
    cause.sqlite_errorcode = code
    return caused_by(cause)


def caused_by(cause: Exception) -> OperationalError:
    error = OperationalError("said by Django")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "busy"),
    [
        pytest.param(None, False, id="nothing"),
        pytest.param(ValueError(), False, id="our-fault"),
        pytest.param(ProgrammingError(), False, id="wrong-query"),
        pytest.param(OperationalError("the line"), True, id="line"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY), True, id="sqlite-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), True, id="sqlite-locked-since"),
        pytest.param(of_sqlite(sqlite3.SQLITE_LOCKED), True, id="sqlite-table-locked"),
        pytest.param(of_sqlite(sqlite3.SQLITE_ERROR), False, id="sqlite-no-such-table"),
        pytest.param(of_sqlite(sqlite3.SQLITE_FULL), False, id="sqlite-disk-full"),
        pytest.param(caused_by(psycopg.errors.DeadlockDetected()), True, id="postgresql-deadlock"),
        pytest.param(caused_by(psycopg.errors.AdminShutdown()), True, id="postgresql-restarted"),
    ],
)
def test_busy_is_what_passes(error: BaseException | None, busy: bool) -> None:
    assert is_busy(error) is busy
