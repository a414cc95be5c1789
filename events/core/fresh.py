"""Work of which nothing is kept: what it reads is not for everybody, so no cache may have it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_NOTHING_IS_KEPT: ContextVar[bool] = ContextVar("nothing_is_kept", default=False)


def nothing_is_kept() -> bool:
    return _NOTHING_IS_KEPT.get()


@contextmanager
def keeping_nothing() -> Iterator[None]:
    """Inside, caches of the process are neither read nor written, and prepared queries are composed anew."""
    token = _NOTHING_IS_KEPT.set(True)
    try:
        yield
    finally:
        _NOTHING_IS_KEPT.reset(token)
