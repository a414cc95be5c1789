"""Shapes of areas on a floor plan: parsing, geometry, reading order; the ruler of the editor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

Point = tuple[float, float]
MAX_SHAPE_CORNERS = 100
MAX_RULER_LINES = 20
RULER_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_COORDINATE_PATTERN = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?")
T = TypeVar("T")


class PointsError(ValueError):
    """Points that are no area; the message is for organisers."""


@dataclass(frozen=True)
class Shape:
    corners: tuple[Point, ...]

    @property
    def points(self) -> str:
        """As in SVG: ``x,y x,y x,y``."""
        return " ".join(f"{svg_number(x)},{svg_number(y)}" for x, y in self.corners)

    @property
    def left(self) -> float:
        return min(x for x, _ in self.corners)

    @property
    def top(self) -> float:
        return min(y for _, y in self.corners)

    @property
    def right(self) -> float:
        return max(x for x, _ in self.corners)

    @property
    def bottom(self) -> float:
        return max(y for _, y in self.corners)

    @property
    def middle(self) -> Point:
        """The point inside with the most room for a label; the centre of a rectangle."""
        return _middle(self)

    def across(self, point: Point) -> Point:
        """Return the width and height of the free room that has the point in its middle."""
        turned = [_turned(corner) for corner in self.corners]
        return _width_around(point, self.corners), _width_around(_turned(point), turned)

    @property
    def size(self) -> float:
        ends = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


# Pages are rendered every minute, and shapes rarely change. Of 100 corners, one takes 11 kB.
@lru_cache(maxsize=500)
def _middle(shape: Shape) -> Point:
    centre = (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2
    steps = [step / 12 for step in range(1, 12)]
    width, height = shape.right - shape.left, shape.bottom - shape.top
    tried = [centre, *((shape.left + width * x, shape.top + height * y) for y in steps for x in steps)]
    # max() returns the first of equal points: the centre, if it is as good as others.
    return max(tried, key=lambda it: round(min(shape.across(it)[0], 3 * shape.across(it)[1]), 6))


def _turned(point: Point) -> Point:
    return point[1], point[0]


def _width_around(point: Point, corners: Sequence[Point]) -> float:
    x, y = point
    walls = sorted(
        ax + (y - ay) * (bx - ax) / (by - ay)
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
        if (ay <= y) != (by <= y)
    )
    before, after = [wall for wall in walls if wall <= x], [wall for wall in walls if wall > x]
    return 2 * min(x - before[-1], after[0] - x) if len(before) % 2 and after else 0.0


def svg_number(value: float) -> str:
    # Adding 0 turns −0 into 0.
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def parse_shape(text: str) -> Shape:
    """Read left, top, width and height from four numbers, else corners as pairs with commas; raise PointsError."""
    parts = text.replace(";", " ").split()
    pairs = [part.split(",") for part in parts]
    if any(len(pair) == 2 and all(pair) for pair in pairs):
        return _checked_shape(_corners(parts, pairs))
    numbers = [_coordinate(part) for part in re.split(r"[\s,]+", text.strip(", \t\n")) if part]
    if len(numbers) != 4:
        raise PointsError(f"{len(numbers)} numbers are no area: write left, top, width and height, as 40 40 200 120")
    left, top, width, height = numbers
    if width <= 0 or height <= 0:
        raise PointsError(
            f"a rectangle {svg_number(width)} wide and {svg_number(height)} high has no room: both have to be more than 0"
        )
    return _checked_shape([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def _corners(parts: Sequence[str], pairs: Sequence[Sequence[str]]) -> list[Point]:
    if wrong := next((part for part, pair in zip(parts, pairs, strict=True) if len(pair) != 2), ""):
        raise PointsError(f"“{wrong[:40]}” is no corner: write each as x,y with a space between corners")
    if len(pairs) < 3:
        raise PointsError("two corners make no area: name three or more, or left, top, width and height without commas")
    if len(pairs) > MAX_SHAPE_CORNERS:
        raise PointsError(f"{len(pairs)} corners are more than {MAX_SHAPE_CORNERS}: leave out those that nobody sees")
    return [(_coordinate(x), _coordinate(y)) for x, y in pairs]


def _coordinate(text: str) -> float:
    if not _COORDINATE_PATTERN.fullmatch(text):
        raise PointsError(f"“{text[:40]}” is no number that a plan can hold: write digits, as 40 or 40.5")
    return float(text)


def _checked_shape(corners: Sequence[Point]) -> Shape:
    shape = Shape(tuple(corners))
    if shape.size < 1:
        raise PointsError("all corners are on one line: that is no area")
    return shape


def check_inside(shape: Shape, width: int, height: int) -> None:
    """Raise PointsError for an area that is partly outside the plan."""
    if shape.left < 0 or shape.top < 0 or shape.right > width or shape.bottom > height:
        reaches = f"from {svg_number(shape.left)},{svg_number(shape.top)} to {svg_number(shape.right)},{svg_number(shape.bottom)}"
        raise PointsError(f"the area reaches {reaches}, and the plan is {width} wide and {height} high: move it inside")


def reading_order(items: Iterable[tuple[Shape, T]]) -> list[T]:
    """Sort by rows from the top, each from the left; areas that overlap by more than half are in one row."""
    waiting = sorted(items, key=lambda it: (it[0].top, it[0].left))
    ordered: list[T] = []
    while waiting:
        first = waiting[0][0]
        row = [it for it in waiting if (it[0].top + it[0].bottom) / 2 < first.bottom and it[0].top < first.middle[1]]
        row = row or waiting[:1]
        ordered += [item for _, item in sorted(row, key=lambda it: (it[0].left, it[0].top))]
        done = {id(pair) for pair in row}
        waiting = [pair for pair in waiting if id(pair) not in done]
    return ordered


@dataclass(frozen=True)
class Ruler:
    """Numbered lines over a plan in the admin, for typing coordinates."""

    width: int
    height: int

    @property
    def step(self) -> int:
        longest = max(self.width, self.height)
        return next((step for step in RULER_STEPS if longest <= step * MAX_RULER_LINES), longest)

    @property
    def across(self) -> list[int]:
        return list(range(self.step, self.width, self.step))

    @property
    def down(self) -> list[int]:
        return list(range(self.step, self.height, self.step))

    @property
    def size(self) -> float:
        return self.width / 60
