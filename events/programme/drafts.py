"""Whether drafts are shown: to organisers and behind preview links, never to anybody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from events.core.fresh import keeping_nothing

ALL_CONFERENCES: Literal[""] = ""
_DRAFTS_SHOWN_OF: ContextVar[str | None] = ContextVar("drafts_shown_of", default=None)


def drafts_are_shown() -> bool:
    """Every filter that hides drafts asks this when its query is made."""
    return _DRAFTS_SHOWN_OF.get() is not None


def draft_conference() -> str | None:
    """Return the slug of the only conference that is shown as a draft; empty for all, None for none."""
    return _DRAFTS_SHOWN_OF.get()


@contextmanager
def showing_drafts(slug: str = ALL_CONFERENCES) -> Iterator[None]:
    """Inside, ``public()`` selects drafts too, and nothing is kept. For reading only: snapshots would publish them."""
    token = _DRAFTS_SHOWN_OF.set(slug)
    try:
        with keeping_nothing():
            yield
    finally:
        _DRAFTS_SHOWN_OF.reset(token)
