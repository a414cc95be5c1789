"""Who looks on while an import runs: a progress bar, and a record of what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from events.models import Conference
from events.sync.report import SyncReport

Progress = Callable[[str, int, int], None]
"""Told what is being done ("comparing", "writing"), how many rows of it are, and of how many."""


def _no_progress(step: str, done: int, total: int) -> None:
    pass


def _no_record(report: SyncReport, conference: Conference) -> None:
    pass


@dataclass(frozen=True)
class Watch:
    """``written`` is called inside the transaction that writes: what it stores is stored with the programme or not at all."""

    progress: Progress = _no_progress
    written: Callable[[SyncReport, Conference], None] = _no_record


NOBODY = Watch()
