"""Words in an area of a plan: as large as they fit, turned where it is narrow, and none where none fit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from events.schedule.plans import Shape

NAME_SIZES = (30, 26, 22, 18, 15)
WORD_SIZE = 17
SIGN_SIZE = 19
WIDE = 0.6
"""Of a letter, in its size; Overpass at its heaviest, on the safe side."""
LEADING = 1.18
MARGIN = 0.9
MOST_LINES = 3


@dataclass(frozen=True)
class Line:
    text: str
    y: float
    size: float
    role: str


@dataclass(frozen=True)
class Label:
    """Lines around a middle; ``turned`` by a quarter, to be read from below."""

    x: float
    y: float
    lines: tuple[Line, ...] = ()
    turned: bool = False


def label(
    shape: Shape, names: Sequence[str], words: Sequence[tuple[str, str]], unit: float = 1, largest: float = NAME_SIZES[0]
) -> Label:
    """The first of ``names`` that fits, and as many of the ``words`` (role and text) below as there is room for.

    ``unit`` is a thousandth of the plan's width, by which letters grow with the plan.
    """
    x, y = shape.middle
    across, down = (MARGIN * it / unit for it in shape.across(shape.middle))
    turnable = down > 1.5 * across
    for name in filter(None, (" ".join(it.split()) for it in names)):
        for size in (it for it in NAME_SIZES if it <= largest):
            for turned in [False, True] if turnable else [False]:
                width, height = (down, across) if turned else (across, down)
                if lines := _fitting(name, size, width, height):
                    rows = [("name", it, size) for it in lines] + _words(words, width, height - len(lines) * size * LEADING)
                    return Label(x, y, _stacked(rows, y, unit), turned)
    return Label(x, y)


def words_below(shape: Shape, words: Sequence[tuple[str, str]], unit: float = 1) -> Label:
    """For an area whose name stands in its middle already: as many of the words below it as there is room for."""
    x, y = shape.middle
    across, down = (MARGIN * it / unit for it in shape.across(shape.middle))
    top = NAME_SIZES[0] * LEADING / 2
    rows = _words(words, across, down / 2 - top)
    height = sum(size * LEADING for _, _, size in rows)
    return Label(x, y, _stacked(rows, y + (top + height / 2) * unit, unit))


def _fitting(text: str, size: float, width: float, height: float) -> list[str]:
    """The text in lines, or nothing if they do not fit."""
    letters = int(width / (WIDE * size))
    if letters < 1 or max(map(len, text.split()), default=0) > letters:
        return []
    lines = textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
    return lines if len(lines) <= MOST_LINES and len(lines) * size * LEADING <= height else []


def _words(words: Sequence[tuple[str, str]], width: float, height: float) -> list[tuple[str, str, float]]:
    letters, rows = int(width / (WIDE * 0.92 * WORD_SIZE)), int(height / (WORD_SIZE * LEADING))
    found: list[tuple[str, str, float]] = []
    for role, text in words:
        left = min(rows - len(found), MOST_LINES)
        if left < 1 or letters < 6:
            break
        lines = textwrap.wrap(" ".join(text.split()), letters, max_lines=left, placeholder="…")
        # Two letters and a dot tell nobody anything.
        if not lines or len(lines[0]) < min(5, len(text)):
            break
        found += [(role, line, WORD_SIZE) for line in lines]
    return found


def _stacked(rows: Sequence[tuple[str, str, float]], middle: float, unit: float) -> tuple[Line, ...]:
    """Baselines such that the whole stands in the middle."""
    height = sum(size * LEADING for _, _, size in rows)
    at = middle - height * unit / 2
    lines = []
    for role, text, size in rows:
        # A letter without a tail is 0.7 of its size high.
        lines.append(Line(text, round(at + size * unit * (LEADING + 0.7) / 2, 1), round(size * unit, 1), role))
        at += size * LEADING * unit
    return tuple(lines)


@dataclass(frozen=True)
class Sign:
    """Words on a board that hangs on an area's upper wall."""

    shape: Shape
    text: str
    left: float
    top: float
    width: float
    height: float
    size: float

    @property
    def middle(self) -> float:
        return round(self.left + self.width / 2, 1)

    @property
    def baseline(self) -> float:
        return round(self.top + self.height / 2 + 0.35 * self.size, 1)


def sign(shape: Shape, text: str, plan_width: float) -> Sign:
    """It stays on the plan, however near to its edge the area is."""
    unit = plan_width / 1000
    size = SIGN_SIZE * unit
    width, height = size * (WIDE * len(text) + 1), 1.5 * size
    left = max(0, min(shape.left + 8 * unit, plan_width - width))
    return Sign(shape, text, *(round(it, 1) for it in (left, max(0, shape.top - 0.75 * height), width, height, size)))
