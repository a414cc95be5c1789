"""A cache of a bounded number of bytes, with one builder at a time for each key."""

from __future__ import annotations

import threading
import time
import tracemalloc
from dataclasses import dataclass

import pytest

from events.core.byte_cache import ByteCache, size_of

KB = 1000 - size_of(b"")


@dataclass(frozen=True, slots=True)
class Page:
    parts: tuple[bytes, ...]
    headers: dict[str, str]


def fill(cache: ByteCache, *keys: int) -> None:
    for key in keys:
        cache.get_or_build(key, lambda: bytes(5 * KB))


def cached(cache: ByteCache, count: int) -> list[int]:
    return [key for key in range(count) if cache.get(key)]


def test_least_recently_used_goes_first() -> None:
    cache = ByteCache(22_000)
    fill(cache, 0, 1, 2, 3)
    cache.get(0)

    fill(cache, 4)

    assert cached(cache, 5) == [0, 2, 3, 4]


def test_value_that_would_fill_the_cache_is_built_and_not_stored() -> None:
    cache = ByteCache(16_000)

    fill(cache, 0)

    assert (cached(cache, 1), cache.size) == ([], 0)


def test_long_key_counts() -> None:
    cache = ByteCache(16_000)

    cache.put("x" * 60_000, b"")

    assert cache.size == 0


def test_cache_without_room_builds_every_time() -> None:
    cache = ByteCache(0)
    built = [cache.get_or_build(0, object) for _ in range(2)]

    assert built[0] is not built[1]
    assert cache.get(0) is None


def test_none_is_not_stored() -> None:
    cache = ByteCache(16_000)

    assert cache.get_or_build(0, lambda: None) is None
    assert cache.get_or_build(0, lambda: b"page") == b"page"


def test_value_that_is_no_longer_current_is_replaced() -> None:
    cache = ByteCache(22_000)
    fill(cache, 0, 1, 2)

    for number in range(10):
        cache.get_or_build(0, lambda number=number: bytes([number]) * 5 * KB, lambda _: False)  # type: ignore[misc]

    assert (cache.get(0)[0], cached(cache, 3)) == (9, [0, 1, 2])


def test_newer_version_replaces_the_older() -> None:
    cache = ByteCache(22_000)
    built = [cache.get_or_build("page", lambda version=version: b"%d" % version, version=version) for version in (1, 1, 2)]  # type: ignore[misc]

    assert (built, cache.keys) == ([b"1", b"1", b"2"], ["page"])
    assert (cache.get("page", 1), cache.get("page", 2)) == (None, b"2")


def test_past_versions_take_no_room() -> None:
    cache = ByteCache(22_000)
    cache.put("page", bytes(1000), ("minute", 100))
    size = cache.size

    for minute in range(101, 200):
        cache.put("page", bytes(1000), ("minute", minute))

    assert cache.size == size


def test_value_too_large_to_be_stored_ends_the_older() -> None:
    cache = ByteCache(16_000)
    cache.put("page", b"old")

    cache.put("page", bytes(16_000))

    assert (cache.get("page"), cache.size) == (None, 0)


def test_one_builds_while_the_others_wait() -> None:
    cache = ByteCache(16_000)
    built: list[int] = []
    found: list[bytes] = []

    def build() -> bytes:
        built.append(threading.get_ident())
        time.sleep(0.05)
        return b"page"

    threads = [threading.Thread(target=lambda: found.append(cache.get_or_build("page", build))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(built), found) == (1, [b"page"] * 8)


def test_builder_that_fails_leaves_the_way_free() -> None:
    cache = ByteCache(16_000)

    def fail() -> bytes:
        raise ValueError("no page")

    for _ in range(2):
        with pytest.raises(ValueError, match="no page"):
            cache.get_or_build(0, fail)
    assert cache.get_or_build(0, lambda: b"page") == b"page"


def page(number: int) -> Page:
    return Page(tuple(b"part %d of %d" % (part, number) * 20 for part in range(50)), {"ETag": f"{number}" * 9})


def entry(kind: str, number: int) -> tuple[object, object]:
    if kind == "pages":
        return ("page", f"/{number}"), page(number)
    if kind == "small fragments":
        return ("count", (number,), number + 10**6, f"zone {number}"), b"%d" % number
    return ("page", f"{number}" * 500), b"%d" % number


PUTS = {"pages": 125, "small fragments": 2_000, "long keys": 750}


@pytest.mark.parametrize("kind", PUTS)
def test_process_holds_as_much_as_the_cache_may(kind: str) -> None:
    """Measured by what Python allocates: keys, containers and the cache's own table are in it."""
    # The first is not measured: Python keeps some of what it frees for itself.
    for cache in (ByteCache(1_000_000), ByteCache(1_000_000)):
        tracemalloc.start()
        try:
            for number in range(PUTS[kind]):
                cache.put(*entry(kind, number))
            used = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    assert 0.6 * cache.max_bytes < used <= 1.02 * cache.max_bytes
    assert 0.95 * cache.max_bytes < cache.size <= cache.max_bytes
