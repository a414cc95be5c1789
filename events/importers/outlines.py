"""The corners of what an SVG element draws, and what transforms do to them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
# Bounded and without a way back, so that no text takes longer than its length.
_N = r"(?>[-+]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,3})?)"
_S = r"[\s,]*+"
_NUMBER = re.compile(_N)
_LENGTH = re.compile(rf"({_N})(?:px)?")
_COMMAND = re.compile("([MLHVCSQTAZ])([^MLHVCSQTAZ]*)", re.IGNORECASE)
# The two flags of an arc may stand without anything between them and the next number.
_ARC = re.compile(rf"{_N}{_S}{_N}{_S}{_N}{_S}[01]{_S}[01]{_S}({_N}){_S}({_N})")
_TRANSFORM = re.compile(r"(translate|scale|rotate|matrix)\s{0,9}\(([^()]*)\)")
_NUMBERS_OF = {"h": 1, "v": 1, "c": 6, "s": 4, "q": 4}
_CORNERS_OF_A_CIRCLE = 16
_MAX_CHARS = 50_000


def outline(tag: str, attributes: Mapping[str, str]) -> list[Point]:
    """The corners in the element's coordinates; not finite where lengths are in other units than pixels."""
    if tag == "rect":
        left, top, width, height = (_length(attributes.get(name, "0")) for name in ("x", "y", "width", "height"))
        return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    if tag in {"circle", "ellipse"}:
        radii = ("r", "r") if tag == "circle" else ("rx", "ry")
        x, y, across, down = (_length(attributes.get(name, "0")) for name in ("cx", "cy", *radii))
        turns = [2 * math.pi * step / _CORNERS_OF_A_CIRCLE for step in range(_CORNERS_OF_A_CIRCLE)]
        return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]
    if tag in {"polygon", "polyline"}:
        return _pairs(_numbers(attributes.get("points", "")[:_MAX_CHARS]))
    return _path(attributes.get("d", "")[:_MAX_CHARS]) if tag == "path" else []


def bounds(points: Sequence[Point]) -> list[Point]:
    """The corners of the box around them."""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def matrix_of(transform: str) -> Matrix:
    """What an attribute ``transform`` does; what it does by other functions (skewX, skewY) is passed over."""
    found = IDENTITY
    for name, inside in _TRANSFORM.findall(transform):
        found = joined(found, _matrix(name, _numbers(inside)))
    return found


def _matrix(name: str, values: list[float]) -> Matrix:
    match name, values:
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
        case "translate", [x, *rest] if len(rest) < 2:
            return 1, 0, 0, 1, x, sum(rest)
        case "scale", [x, *rest] if len(rest) < 2:
            return x, 0, 0, rest[0] if rest else x, 0, 0
        case "rotate", [degrees] if math.isfinite(degrees):
            turn = math.radians(degrees)
            return math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0, 0
        case "rotate", [degrees, x, y]:
            return joined(joined((1, 0, 0, 1, x, y), _matrix("rotate", [degrees])), (1, 0, 0, 1, -x, -y))
    return IDENTITY


def joined(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def moved(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _numbers(text: str) -> list[float]:
    return [float(it) for it in _NUMBER.findall(text)]


def _pairs(values: list[float]) -> list[Point]:
    return list(zip(values[::2], values[1::2], strict=False))


def _length(text: str) -> float:
    found = _LENGTH.fullmatch(text.strip())
    return float(found[1]) if found else math.nan


def _path(text: str) -> list[Point]:
    """The first closed figure: curves by way of their control points, arcs straight to their ends."""
    points: list[Point] = []
    x = y = 0.0
    for command, rest in _COMMAND.findall(text):
        if points and command in "MmZz":
            break
        kind = command.lower()
        values = [float(it) for ends in _ARC.findall(rest) for it in ends] if kind == "a" else _numbers(rest)
        size = _NUMBERS_OF.get(kind, 2)
        for start in range(0, len(values) - size + 1, size):
            left, top = (x, y) if command.islower() else (0.0, 0.0)
            step = values[start : start + size]
            if kind in "hv":
                step = [left + step[0], y] if kind == "h" else [x, top + step[0]]
                left = top = 0
            corners = [(left + across, top + down) for across, down in _pairs(step)]
            points += corners
            x, y = corners[-1]
    return points
