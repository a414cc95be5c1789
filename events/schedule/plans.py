"""Areas on a floor's plan: their corners, where their words go, and the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

Point = tuple[float, float]
MOST_CORNERS = 100
MOST_LINES = 20
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_NUMBER = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,6})?")
T = TypeVar("T")


class PointsError(ValueError):
    """Points that make no area, in an organiser's words."""


@dataclass(frozen=True)
class Shape:
    corners: tuple[Point, ...]

    @property
    def points(self) -> str:
        """As SVG has it: ``x,y x,y x,y``."""
        return " ".join(f"{number(x)},{number(y)}" for x, y in self.corners)

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
        """A point well inside, where words have the most room; in a rectangle its centre."""
        return _middle(self)

    def across(self, point: Point) -> Point:
        """How much room there is for words around a point: to both sides alike, and up and down alike."""
        return _room(point, self.corners), _room(_turned(point), [_turned(it) for it in self.corners])

    @property
    def size(self) -> float:
        """The area, by the shoelace formula."""
        ends = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


# Pages are made anew every minute, and walls do not move.
@lru_cache(maxsize=2000)
def _middle(shape: Shape) -> Point:
    centre = (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2
    steps = [step / 12 for step in range(1, 12)]
    width, height = shape.right - shape.left, shape.bottom - shape.top
    tried = [centre, *((shape.left + width * x, shape.top + height * y) for y in steps for x in steps)]
    # The first of equals is taken: the centre, where that is as good as any.
    return max(tried, key=lambda it: round(min(shape.across(it)[0], 3 * shape.across(it)[1]), 6))


def _turned(point: Point) -> Point:
    return point[1], point[0]


def _room(point: Point, corners: Sequence[Point]) -> float:
    """Twice the way to the nearest wall on the level of the point; none outside."""
    x, y = point
    walls = sorted(
        ax + (y - ay) * (bx - ax) / (by - ay)
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
        if (ay <= y) != (by <= y)
    )
    before, after = [wall for wall in walls if wall <= x], [wall for wall in walls if wall > x]
    return 2 * min(x - before[-1], after[0] - x) if len(before) % 2 and after else 0.0


def number(value: float) -> str:
    """Without the zeros that nobody reads: 40, 40.5."""
    # Adding nothing makes −0 a 0.
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def shape_of(text: str) -> Shape:
    """Four numbers are left, top, width and height; pairs with commas are corners. Raises PointsError."""
    parts = text.replace(";", " ").split()
    pairs = [part.split(",") for part in parts]
    if any(len(pair) == 2 and all(pair) for pair in pairs):
        return _checked(_corners(parts, pairs))
    numbers = [_number(it) for it in re.split(r"[\s,]+", text.strip(", \t\n")) if it]
    if len(numbers) != 4:
        raise PointsError(f"{len(numbers)} numbers are no area: write left, top, width and height, as 40 40 200 120")
    left, top, width, height = numbers
    if width <= 0 or height <= 0:
        raise PointsError(f"a rectangle {number(width)} wide and {number(height)} high has no room: both have to be more than 0")
    return _checked([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def _corners(parts: Sequence[str], pairs: Sequence[Sequence[str]]) -> list[Point]:
    if wrong := next((part for part, pair in zip(parts, pairs, strict=True) if len(pair) != 2), ""):
        raise PointsError(f"“{wrong[:40]}” is no corner: write each as x,y with a space between corners")
    if len(pairs) < 3:
        raise PointsError("two corners make no area: name three or more, or left, top, width and height without commas")
    if len(pairs) > MOST_CORNERS:
        raise PointsError(f"{len(pairs)} corners are more than {MOST_CORNERS}: leave out those that nobody sees")
    return [(_number(x), _number(y)) for x, y in pairs]


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise PointsError(f"“{text[:40]}” is no number that a plan can hold: write digits, as 40 or 40.5")
    return float(text)


def _checked(corners: Sequence[Point]) -> Shape:
    shape = Shape(tuple(corners))
    if shape.size < 1:
        raise PointsError("all corners are on one line: that is no area")
    return shape


def check_inside(shape: Shape, width: int, height: int) -> None:
    """Raises PointsError for an area that the plan would cut off."""
    if shape.left < 0 or shape.top < 0 or shape.right > width or shape.bottom > height:
        reaches = f"from {number(shape.left)},{number(shape.top)} to {number(shape.right)},{number(shape.bottom)}"
        raise PointsError(f"the area reaches {reaches}, and the plan is {width} wide and {height} high: move it inside")


def reading_order(items: Iterable[tuple[Shape, T]]) -> list[T]:
    """Row by row from the top, each from the left; what overlaps by more than half is one row."""
    waiting = sorted(items, key=lambda it: (it[0].top, it[0].left))
    found: list[T] = []
    while waiting:
        first = waiting[0][0]
        row = [it for it in waiting if (it[0].top + it[0].bottom) / 2 < first.bottom and it[0].top < first.middle[1]]
        row = row or waiting[:1]
        found += [it for _, it in sorted(row, key=lambda it: (it[0].left, it[0].top))]
        taken = {id(it) for it in row}
        waiting = [it for it in waiting if id(it) not in taken]
    return found


@dataclass(frozen=True)
class Ruler:
    """Lines with numbers over a plan, for whoever types coordinates."""

    width: int
    height: int

    @property
    def step(self) -> int:
        longest = max(self.width, self.height)
        return next((it for it in STEPS if longest <= it * MOST_LINES), longest)

    @property
    def across(self) -> list[int]:
        return list(range(self.step, self.width, self.step))

    @property
    def down(self) -> list[int]:
        return list(range(self.step, self.height, self.step))

    @property
    def size(self) -> float:
        return self.width / 60
