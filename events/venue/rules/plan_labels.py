"""Labels in the areas of a plan: as large as fits, turned in narrow areas, none if nothing fits."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from events.venue.rules.plans import Shape

NAME_SIZES = (30, 26, 22, 18, 15)
WORD_SIZE = 17
SIGN_SIZE = 19
LETTER_WIDTH = 0.6
"""As a share of the font size; Overpass at its heaviest weight."""
LINE_HEIGHT = 1.18
USABLE_SHARE = 0.9
MAX_LABEL_LINES = 3


@dataclass(frozen=True)
class LabelLine:
    text: str
    y: float
    size: float
    role: str


@dataclass(frozen=True)
class AreaLabel:
    """Centred lines; ``turned`` means by 90 degrees counterclockwise."""

    x: float
    y: float
    lines: tuple[LabelLine, ...] = ()
    turned: bool = False


def area_label(
    shape: Shape, names: Sequence[str], words: Sequence[tuple[str, str]], unit: float = 1, largest: float = NAME_SIZES[0]
) -> AreaLabel:
    """Fit the first possible one of ``names``, and below it as many ``words`` (role and text) as possible.

    ``unit`` is a thousandth of the plan's width, to which font sizes are proportional.
    """
    x, y = shape.middle
    across, down = (USABLE_SHARE * it / unit for it in shape.across(shape.middle))
    turnable = down > 1.5 * across
    for name in filter(None, (" ".join(name.split()) for name in names)):
        for size in (size for size in NAME_SIZES if size <= largest):
            for turned in [False, True] if turnable else [False]:
                width, height = (down, across) if turned else (across, down)
                if lines := _wrapped_name(name, size, width, height):
                    rows = [("name", line, size) for line in lines] + _wrapped_words(
                        words, width, height - len(lines) * size * LINE_HEIGHT
                    )
                    return AreaLabel(x, y, _stacked_lines(rows, y, unit), turned)
    return AreaLabel(x, y)


def area_label_below(shape: Shape, words: Sequence[tuple[str, str]], unit: float = 1) -> AreaLabel:
    """Label an area whose name is already in the middle of the drawing."""
    x, y = shape.middle
    across, down = (USABLE_SHARE * it / unit for it in shape.across(shape.middle))
    top = NAME_SIZES[0] * LINE_HEIGHT / 2
    rows = _wrapped_words(words, across, down / 2 - top)
    height = sum(size * LINE_HEIGHT for _, _, size in rows)
    return AreaLabel(x, y, _stacked_lines(rows, y + (top + height / 2) * unit, unit))


def _wrapped_name(text: str, size: float, width: float, height: float) -> list[str]:
    letters = int(width / (LETTER_WIDTH * size))
    if letters < 1 or max(map(len, text.split()), default=0) > letters:
        return []
    lines = textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
    return lines if len(lines) <= MAX_LABEL_LINES and len(lines) * size * LINE_HEIGHT <= height else []


def _wrapped_words(words: Sequence[tuple[str, str]], width: float, height: float) -> list[tuple[str, str, float]]:
    letters, rows = int(width / (LETTER_WIDTH * 0.92 * WORD_SIZE)), int(height / (WORD_SIZE * LINE_HEIGHT))
    wrapped: list[tuple[str, str, float]] = []
    for role, text in words:
        left = min(rows - len(wrapped), MAX_LABEL_LINES)
        if left < 1 or letters < 6:
            break
        lines = textwrap.wrap(" ".join(text.split()), letters, max_lines=left, placeholder="…")
        # Two letters and an ellipsis are no readable label.
        if not lines or len(lines[0]) < min(5, len(text)):
            break
        wrapped += [(role, line, WORD_SIZE) for line in lines]
    return wrapped


def _stacked_lines(rows: Sequence[tuple[str, str, float]], middle: float, unit: float) -> tuple[LabelLine, ...]:
    height = sum(size * LINE_HEIGHT for _, _, size in rows)
    at = middle - height * unit / 2
    lines = []
    for role, text, size in rows:
        # The height of a letter without descender is 0.7 of its size.
        lines.append(LabelLine(text, round(at + size * unit * (LINE_HEIGHT + 0.7) / 2, 1), round(size * unit, 1), role))
        at += size * LINE_HEIGHT * unit
    return tuple(lines)


@dataclass(frozen=True)
class AreaSign:
    """A text in a box on the upper edge of an area."""

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


def area_sign(shape: Shape, text: str, plan_width: float) -> AreaSign:
    unit = plan_width / 1000
    size = SIGN_SIZE * unit
    width, height = size * (LETTER_WIDTH * len(text) + 1), 1.5 * size
    left = max(0, min(shape.left + 8 * unit, plan_width - width))
    return AreaSign(shape, text, *(round(value, 1) for value in (left, max(0, shape.top - 0.75 * height), width, height, size)))
