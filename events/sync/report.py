"""What an import did, in counts and in words."""

from __future__ import annotations

from dataclasses import dataclass, field


class SyncError(ValueError):
    """A programme that cannot be taken as it is; nothing of it was written."""


@dataclass
class SyncReport:
    """Counts are of events; ``lines`` tell every row that differs, ``kept`` what an organiser's hand protected."""

    created: int = 0
    changed: int = 0
    cancelled: int = 0
    unchanged: int = 0
    skipped: int = 0
    other_rows: int = 0
    lines: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.created or self.changed or self.cancelled or self.other_rows)

    def __str__(self) -> str:
        return (
            f"created {self.created}, changed {self.changed}, cancelled {self.cancelled}, "
            f"unchanged {self.unchanged}, skipped {self.skipped}"
        )
