"""What an import did or would do: in counts, row by row, and in words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

CREATED, CHANGED, CANCELLED, KEPT, SKIPPED = VERBS = ("created", "changed", "cancelled", "kept", "skipped")


class SyncError(ValueError):
    """A programme that cannot be taken as it is; nothing of it was written."""


class Outdated(Exception):  # noqa: N818 - nothing is wrong: look again
    """Somebody else wrote between the reading and the writing."""


class TooManyCancelledError(SyncError):
    """More of a conference vanished from the file than is likely to be meant; somebody who knows may allow it."""

    def __init__(self, gone: int, known: int, first: str) -> None:
        self.gone, self.known, self.first = gone, known, first
        told = f"{gone} of {known} events are missing from the file; cancelling so many needs --allow-cancel."
        super().__init__(f"{told} The first is “{first}”.")


@dataclass(frozen=True, slots=True)
class Difference:
    """One field, by the name organisers know it under, and its values in words; "" where there is none."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the report. ``what`` is "event", "room" …; ``guid`` is there for what has a page of its own.

    In a line that is ``kept``, ``old`` is what the row says and goes on to say, ``new`` what the file says.
    """

    verb: str
    title: str
    what: str = "event"
    guid: str = ""
    differences: tuple[Difference, ...] = ()
    reason: str = ""

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Line:
        """What ``SyncReport.as_json`` made of it."""
        return cls(**{**line, "differences": tuple(Difference(**it) for it in line["differences"])})

    def __str__(self) -> str:
        if self.verb == SKIPPED:
            return f"skipped {self.title}"
        name = f"“{self.title}”" if self.what == "event" else f"{self.what} “{self.title}”"
        told = [self.reason] if self.reason else []
        if self.verb == KEPT:
            told += [f"{it.field} stays “{it.old}”, the file says “{it.new}”" for it in self.differences]
        else:
            told += [f"{it.field}: “{it.old}” → “{it.new}”" for it in self.differences]
        return f"{self.verb} {name}" + (f": {'; '.join(told)}" if told else "")


@dataclass
class SyncReport:
    """Counts are of events; ``lines`` tell every row that differs, was kept from the file's word, or was left out."""

    created: int = 0
    changed: int = 0
    cancelled: int = 0
    unchanged: int = 0
    skipped: int = 0
    other_rows: int = 0
    lines: list[Line] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing that anybody sees differs."""
        return not (self.created or self.changed or self.cancelled or self.other_rows)

    def told(self, *verbs: str) -> list[str]:
        """The lines of these verbs as sentences."""
        return [str(line) for line in self.lines if line.verb in verbs]

    def counts(self) -> dict[str, int]:
        names = ("created", "changed", "cancelled", "unchanged", "skipped", "other_rows")
        return {name: getattr(self, name) for name in names}

    def as_json(self, most_lines: int) -> dict[str, Any]:
        """What is kept of it: the lines that need a look first, and how many there was no room for."""
        ranks = {verb: rank for rank, verb in enumerate((CANCELLED, KEPT, SKIPPED, CHANGED, CREATED))}
        lines = sorted(self.lines, key=lambda line: ranks[line.verb])
        rest = [lines[most_lines:], self.warnings[most_lines:], self.clashes[most_lines:]]
        return {
            "lines": [asdict(line) for line in lines[:most_lines]],
            "left_out": max(0, len(lines) - most_lines),
            # By which two reports are told apart that differ only in what there was no room for.
            "rest": hashlib.sha256(repr(rest).encode("utf-8", "replace")).hexdigest() if any(rest) else "",
            "warnings": _first(self.warnings, most_lines),
            "clashes": _first(self.clashes, most_lines),
        }

    def __str__(self) -> str:
        return (
            f"created {self.created}, changed {self.changed}, cancelled {self.cancelled}, "
            f"unchanged {self.unchanged}, skipped {self.skipped}"
        )


def _first(texts: Iterable[str], most: int) -> list[str]:
    texts = list(texts)
    more = len(texts) - most
    return [*texts[:most], f"… and {more} more"] if more > 0 else texts
