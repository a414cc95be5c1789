"""ChartColumn charts as SVG: where each column stands. Their numbers are in a table beside them as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from events.agenda.rules.numbers import Figure

COLUMN_STEP, COLUMN_WIDTH = 26, 18
PLOT_HEIGHT = 120
LABEL_HEIGHT, NUMBER_HEIGHT = 22, 18
MAX_LABEL_CHARS = 3
SIDE_MARGIN = 12
"""Half of a wide label may stand beside its column."""
LEAST_BAR = 2
"""A column of fewer than MIN_SHOWN_COUNT is a line at the foot: some, not how many."""


@dataclass(frozen=True)
class ChartColumn:
    figure: Figure
    x: int
    y: int
    height: int
    is_labelled: bool

    @property
    def middle(self) -> float:
        return self.x + COLUMN_WIDTH / 2

    @property
    def number_y(self) -> int:
        return self.y - 5


@dataclass(frozen=True)
class ColumnChart:
    """``highest`` is that of all charts which are compared with each other."""

    title: str
    figures: Sequence[Figure]
    highest: int

    @property
    def key(self) -> str:
        """Unlike for each chart of a page, for the ids of its title and description."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())

    @property
    def width(self) -> int:
        return 2 * SIDE_MARGIN + len(self.figures) * COLUMN_STEP

    @property
    def height(self) -> int:
        return NUMBER_HEIGHT + PLOT_HEIGHT + LABEL_HEIGHT

    @property
    def foot(self) -> int:
        return NUMBER_HEIGHT + PLOT_HEIGHT

    @property
    def label_y(self) -> int:
        return self.height - 6

    @property
    def column_width(self) -> int:
        return COLUMN_WIDTH

    @property
    def columns(self) -> list[ChartColumn]:
        return [self._column(figure, number) for number, figure in enumerate(self.figures)]

    def _column(self, figure: Figure, number: int) -> ChartColumn:
        height = bar_length(figure, self.highest, PLOT_HEIGHT)
        # Wide labels, as of dates, stand under every third column.
        is_labelled = len(figure.label) <= MAX_LABEL_CHARS or number % 3 == 0
        return ChartColumn(
            figure,
            SIDE_MARGIN + number * COLUMN_STEP + (COLUMN_STEP - COLUMN_WIDTH) // 2,
            self.foot - height,
            height,
            is_labelled,
        )

    @property
    def description(self) -> str:
        most = max(self.figures, key=lambda figure: figure.shown, default=None)
        if most is None or not most.shown:
            return f"{len(self.figures)} columns, each of fewer than five."
        return f"{len(self.figures)} columns; the highest is {most.label} with {most.text}."


def bar_length(figure: Figure, highest: int, room: int) -> int:
    if not figure.count:
        return 0
    return max(LEAST_BAR, round(figure.shown / highest * room)) if highest else LEAST_BAR
