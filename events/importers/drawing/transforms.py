"""SVG's transformations: read, written anew, and done to points."""

from __future__ import annotations

import math
import re

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)
FARTHEST = 1e6
MOST = 20
LONGEST = 2000
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,7}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,2})?(?![0-9])")
_STEP = re.compile(r"\s*,?\s*([a-zA-Z]{5,9})\s*\(([-+0-9.eE,\s]*)\)\s*")
_COUNTS = {"translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1}, "skewY": {1}, "matrix": {6}}


def transform(value: str) -> str:
    """The transformation as we write it; nothing if it is none."""
    steps = _steps(value)
    return " ".join(f"{name}({' '.join(map(_short, numbers))})" for name, numbers in steps or [])


def matrix_of(value: str) -> Matrix:
    found = SAME
    for name, numbers in _steps(value) or []:
        found = joined(found, _matrix(name, numbers))
    return found


def joined(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _steps(value: str) -> list[tuple[str, list[float]]] | None:
    steps: list[tuple[str, list[float]]] = []
    at = 0
    if len(value) > LONGEST:
        return None
    while at < len(value):
        found = _STEP.match(value, at)
        numbers = _numbers(found[2]) if found else None
        if not found or numbers is None or len(numbers) not in _COUNTS.get(found[1], ()) or len(steps) == MOST:
            return None
        steps.append((found[1], numbers))
        at = found.end()
    return steps


def _numbers(text: str) -> list[float] | None:
    """All numbers of a list; none where something else stands between, or where one is beyond all measure."""
    if _NUMBER.sub("", text).strip(", "):
        return None
    numbers = [float(it) for it in _NUMBER.findall(text)]
    return numbers if all(abs(it) <= FARTHEST for it in numbers) else None


def _short(value: float) -> str:
    # Adding nothing makes −0 a 0.
    return f"{round(value, 6) + 0:.6f}".rstrip("0").rstrip(".")


def _matrix(name: str, it: list[float]) -> Matrix:
    if name == "matrix":
        return it[0], it[1], it[2], it[3], it[4], it[5]
    if name == "translate":
        return 1, 0, 0, 1, it[0], it[1] if len(it) > 1 else 0
    if name == "scale":
        return it[0], 0, 0, it[-1], 0, 0
    turn = math.radians(it[0])
    if name.startswith("skew"):
        slope = math.tan(turn)
        return (1, 0, slope, 1, 0, 0) if name == "skewX" else (1, slope, 0, 1, 0, 0)
    around = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0.0, 0.0)
    if len(it) == 1:
        return around
    return joined(joined((1, 0, 0, 1, it[1], it[2]), around), (1, 0, 0, 1, -it[1], -it[2]))
