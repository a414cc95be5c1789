"""The corners of what an element draws, so that a room in a drawing is an area one can point at."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

Point = tuple[float, float]
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})(?:px)?")
_FLAG = re.compile(r"[01]")
_STEP = re.compile(r"[MmLlHhVvCcSsQqTtAaZz]")
_BETWEEN = re.compile(r"[\s,]*")
_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7}
_ROUND = 16
MOST_POINTS = 2000


def outline(tag: str, attributes: Mapping[str, str]) -> list[Point]:
    """The corners in the element's own coordinates; none where it has no area or gives lengths in other units."""
    sizes = {name: _size(value) for name, value in attributes.items()}
    if tag == "rect":
        return _rectangle(sizes)
    if tag in {"circle", "ellipse"}:
        across, down = (sizes.get("r"),) * 2 if tag == "circle" else (sizes.get("rx"), sizes.get("ry"))
        return _ellipse(sizes.get("cx", 0) or 0, sizes.get("cy", 0) or 0, across or 0, down or 0)
    if tag in {"polygon", "polyline"}:
        numbers = [float(it) for it in _NUMBER.findall(attributes.get("points", ""))[: 2 * MOST_POINTS]]
        return list(zip(numbers[::2], numbers[1::2], strict=False))
    return _path(attributes.get("d", "")) if tag == "path" else []


def _size(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    return float(found[1]) if found else None


def _rectangle(sizes: Mapping[str, float | None]) -> list[Point]:
    left, top, width, height = (sizes.get(name, 0) or 0 for name in ("x", "y", "width", "height"))
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)] if width and height else []


def _ellipse(x: float, y: float, across: float, down: float) -> list[Point]:
    turns = [2 * math.pi * step / _ROUND for step in range(_ROUND)]
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns] if across and down else []


def _path(text: str) -> list[Point]:
    """The first closed figure of a path; of curves their ends and middles, which is near enough to a wall."""
    points: list[Point] = []
    here = (0.0, 0.0)
    for step, numbers in _steps(text):
        if step in "Zz" or (step in "Mm" and points) or len(points) > MOST_POINTS:
            break
        for middle, end in _legs(step, numbers, here):
            points += [middle, end] if middle else [end]
            here = end
    return points


def _legs(step: str, numbers: list[float], here: Point) -> Iterator[tuple[Point | None, Point]]:
    x, y = here if step.islower() else (0.0, 0.0)
    kind = step.lower()
    if kind == "h":
        yield None, (x + numbers[0], here[1])
    elif kind == "v":
        yield None, (here[0], y + numbers[0])
    else:
        end = (x + numbers[-2], y + numbers[-1])
        yield _middle(kind, here, [it + (y if place % 2 else x) for place, it in enumerate(numbers)], end), end


def _middle(kind: str, here: Point, numbers: list[float], end: Point) -> Point | None:
    """Half way along a curve whose bends are known."""
    if kind == "q":
        weights, known = (1, 2, 1), [here, (numbers[0], numbers[1]), end]
    elif kind == "c":
        weights, known = (1, 3, 3, 1), [here, (numbers[0], numbers[1]), (numbers[2], numbers[3]), end]  # type: ignore[assignment]
    else:
        return None
    whole = sum(weights)
    return tuple(sum(weight * it[axis] for weight, it in zip(weights, known, strict=True)) / whole for axis in (0, 1))  # type: ignore[return-value]


def _steps(text: str) -> Iterator[tuple[str, list[float]]]:
    """Each step with its numbers, a repeated one as often as it is meant; ends at the first that is none."""
    at, step = 0, ""
    while at < len(text):
        if found := _STEP.match(text, at):
            step, at = found[0], found.end()
        if step in "Zz" or not step:
            yield "z", []
            return
        numbers: list[float] = []
        while len(numbers) < _TAKES[step.lower()]:
            at = _past(_BETWEEN, text, at)
            # The flags of an arc may stand without anything between.
            found = (_FLAG if step in "Aa" and len(numbers) in {3, 4} else _NUMBER).match(text, at)
            if not found:
                return
            numbers.append(float(found[0]))
            at = found.end()
        yield step, numbers
        step = {"m": "l", "M": "L"}.get(step, step)
        at = _past(_BETWEEN, text, at)


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def clipped(points: list[Point], width: float, height: float) -> list[Point]:
    """What of an area is inside of the drawing, by Sutherland and Hodgman; none where a corner is beyond all numbers."""
    found = points if all(math.isfinite(it) for point in points for it in point) else []
    for axis, wall, side in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        corners, found = found, []
        for before, here in zip([*corners[-1:], *corners], corners, strict=False):
            was_in, is_in = (side * (it[axis] - wall) >= 0 for it in (before, here))
            if was_in != is_in:
                found.append(_crossing(before, here, axis, wall))
            if is_in:
                found.append(here)
    return found


def _crossing(before: Point, here: Point, axis: int, wall: float) -> Point:
    share = (wall - before[axis]) / (here[axis] - before[axis])
    other = before[1 - axis] + share * (here[1 - axis] - before[1 - axis])
    return (other, wall) if axis else (wall, other)


def simpler(points: list[Point], most: int) -> list[Point]:
    """Without corners that stand twice; if there are too many, the box around them."""
    rounded = [(round(x, 1), round(y, 1)) for x, y in points]
    once = [it for before, it in pairwise([(math.nan, math.nan), *rounded]) if it != before]
    if len(once) > 1 and once[0] == once[-1]:
        once.pop()
    return once if len(once) <= most else box(once)


def box(points: list[Point]) -> list[Point]:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
