"""Numbers about attendees, as organisers may see them."""

from __future__ import annotations

from dataclasses import dataclass

from events.agenda.rules.impact import MIN_SHOWN_COUNT

MIN_SHORTENED = 10_000


@dataclass(frozen=True)
class Figure:
    """A number under its name. A sum is rounded down, or what is left out of it could be found by a subtraction."""

    label: str
    count: int
    is_sum: bool = False

    @property
    def shown(self) -> int:
        """The number as a bar shows it: 0 where it is too small to be known."""
        if self.is_sum:
            return self.count // MIN_SHOWN_COUNT * MIN_SHOWN_COUNT
        return self.count if self.count >= MIN_SHOWN_COUNT else 0

    @property
    def text(self) -> str:
        if not self.shown:
            return f"<{MIN_SHOWN_COUNT}" if self.count else "0"
        return f"{self.shown}+" if self.is_sum else str(self.shown)

    @property
    def short(self) -> str:
        """Short enough for a narrow column."""
        return f"{self.shown // 1_000}k" if self.shown >= MIN_SHORTENED else str(self.shown)
