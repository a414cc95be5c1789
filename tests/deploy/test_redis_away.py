"""A Redis that is stopped, hangs and comes back: the cache answers from this process's memory, and nobody waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.core import redis_cache
from events.core.redis_cache import REDIS_TIMEOUT_SECONDS, FallbackRedisCache
from tests.deploy.redis_server import RedisServer, redis_server

pytestmark = [pytest.mark.deploy, pytest.mark.alone]
# A busy machine makes everybody wait.
TOLERANCE_SECONDS = 0.5


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    monkeypatch.setattr(redis_cache, "REDIS_RETRY_SECONDS", 1.0)
    monkeypatch.setattr(FallbackRedisCache, "_away_until", 0.0)
    with redis_server(tmp_path) as server:
        yield server


def process(server: RedisServer) -> FallbackRedisCache:
    """The cache of another process: its memory is its own."""
    cache = FallbackRedisCache(f"redis://127.0.0.1:{server.port}/0", {})
    cache.memory.clear()
    return cache


def used(cache: FallbackRedisCache, key: str) -> tuple[bool, bool, object, float]:
    """Whether it was added, whether a second time, what was then read, and the longest wait."""
    waits, found = [], []
    for ask in (lambda: cache.add(key, "first"), lambda: cache.add(key, "second"), lambda: cache.get(key)):
        began = time.monotonic()
        found.append(ask())
        waits.append(time.monotonic() - began)
    return found[0], found[1], found[2], max(waits)


def test_processes_share_what_is_in_redis(server: RedisServer) -> None:
    one, other = process(server), process(server)

    assert (one.add("key", 1), other.add("key", 2), other.get("key")) == (True, False, 1)
    assert b"key" in server.stored_keys()


@pytest.mark.parametrize("how", ["stopped", "hanging"])
def test_redis_that_is_away_costs_one_short_wait_and_comes_back(
    server: RedisServer, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    cache = process(server)
    cache.set("key", "in Redis")

    if how == "stopped":
        server.stop()
        meanwhile = used(cache, "other")
        server.start()
    else:
        with server.hanging():
            meanwhile = used(cache, "other")
    time.sleep(1.1)
    after = used(cache, "third")

    assert meanwhile[:3] == (True, False, "first")
    assert meanwhile[3] < REDIS_TIMEOUT_SECONDS + TOLERANCE_SECONDS
    assert after[:3] == (True, False, "first")
    assert b"third" in server.stored_keys()
    assert [line.partition(" (")[0] for line in caplog.messages] == ["Redis does not answer"]


def test_every_method_goes_on_without_redis(server: RedisServer) -> None:
    cache = process(server)
    server.stop()

    cache.set_many({"a": 1, "b": 2})
    found = cache.get_many(["a", "b"]), cache.incr("a"), cache.has_key("b"), cache.touch("b"), cache.delete("b"), cache.get("b")
    cache.delete_many(["a"])
    cache.clear()

    assert found == ({"a": 1, "b": 2}, 2, True, True, True, None)
    assert (cache.get("a"), cache.get_or_set("c", 3)) == (None, 3)
