"""Whether drafts are shown: to organisers and behind preview links, never to anybody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from events.core.fresh import keeping_nothing

_DRAFTS_ARE_SHOWN: ContextVar[bool] = ContextVar("drafts_are_shown", default=False)


def drafts_are_shown() -> bool:
    """Every filter that hides drafts asks this when its query is made."""
    return _DRAFTS_ARE_SHOWN.get()


@contextmanager
def showing_drafts() -> Iterator[None]:
    """Inside, ``public()`` selects drafts too, and nothing is kept. For reading only: snapshots would publish them."""
    token = _DRAFTS_ARE_SHOWN.set(True)
    try:
        with keeping_nothing():
            yield
    finally:
        _DRAFTS_ARE_SHOWN.reset(token)
