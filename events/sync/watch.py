"""Who looks on while an import runs: a progress bar, a search for clashes, and a record of what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from events.models import Conference
from events.sync.report import SyncReport

FindClashes = Callable[[Conference], Iterable[Any]]
"""``events.queries.clashes.clashes_of``, handed in because reads and imports are layers beside each other."""
Progress = Callable[[str, int, int], None]
"""Told the part that is being written, how many rows are done and of how many."""


def _no_clashes(conference: Conference) -> Iterable[Any]:
    return ()


def _no_progress(part: str, done: int, total: int) -> None:
    pass


def _no_record(report: SyncReport, conference: Conference) -> None:
    pass


@dataclass(frozen=True)
class Watch:
    """``written`` is called inside the transaction that writes: what it stores is stored with the programme or not at all."""

    clashes: FindClashes = _no_clashes
    progress: Progress = _no_progress
    written: Callable[[SyncReport, Conference], None] = _no_record

    def clashes_now(self, slug: str) -> set[tuple[Any, ...]]:
        return {_pair(clash) for clash in self._clashes(slug)}

    def new_clashes(self, slug: str, known: set[tuple[Any, ...]]) -> list[str]:
        return [clash.sentence for clash in self._clashes(slug) if _pair(clash) not in known]

    def _clashes(self, slug: str) -> Iterable[Any]:
        conference = Conference.objects.filter(slug=slug).first()
        return self.clashes(conference) if conference else ()


def _pair(clash: Any) -> tuple[Any, ...]:
    return clash.kind, clash.what, frozenset({clash.a.pk, clash.b.pk})


NOBODY = Watch()
