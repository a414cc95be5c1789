from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError

from events.core.db import writing
from events.core.db.writing import WriteQueue


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> WriteQueue:
    monkeypatch.setattr(writing, "QUEUE_TIMEOUT_SECONDS", 0.05)
    return WriteQueue()


@pytest.fixture
def release(queue: WriteQueue) -> Iterator[Callable[[], None]]:
    """Somebody has the turn, from now until this is called."""
    has_it, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with queue.turn():
            has_it.set()
            may_go.wait(10)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        has_it.wait(10)

        def release() -> None:
            may_go.set()
            holding.result()

        yield release
        release()


def test_writes_take_turns(queue: WriteQueue) -> None:
    within: list[int] = []

    def enter(number: int) -> None:
        with queue.turn():
            within.append(number)
            assert within == [number]
            within.remove(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter, range(500)))

    assert not queue.is_stuck


def test_stuck_queue_refuses_further_writes(queue: WriteQueue, release: Callable[[], None]) -> None:
    assert not queue.is_stuck

    with pytest.raises(OperationalError, match="does not move"), queue.turn():
        pytest.fail("two at once")

    assert queue.is_stuck
    with pytest.raises(OperationalError, match="does not move"), queue.turn():
        pytest.fail("two at once")


def test_queue_moves_again_after_it_was_stuck(queue: WriteQueue, release: Callable[[], None]) -> None:
    with pytest.raises(OperationalError), queue.turn():
        pytest.fail("two at once")

    release()

    with queue.turn():
        assert not queue.is_stuck


def test_error_ends_a_turn(queue: WriteQueue) -> None:
    with pytest.raises(ZeroDivisionError), queue.turn():
        raise ZeroDivisionError

    with queue.turn():
        assert not queue.is_stuck
