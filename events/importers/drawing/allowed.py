"""What may stand in a drawing: elements, attributes, and what their values look like. All else is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from events.importers.drawing.transforms import transform

LONGEST_PATH = 200_000
SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
TEXTS = frozenset({"text", "tspan"})
NAMES = frozenset({"title", "desc"})
PAINTS = frozenset({"linearGradient", "radialGradient", "stop", "clipPath"})
GROUPS = frozenset({"g", "defs"})
ELEMENTS = SHAPES | TEXTS | NAMES | PAINTS | GROUPS
UNWRAPPED = frozenset({"a", "switch"})
"""What is inside them is drawn; they themselves are not."""
NOTES_OF_EDITORS = frozenset({"metadata", "namedview", "sfw", "page", "grid", "guide"})
"""Nobody sees them, so nobody misses them."""

_UNIT = r"(?:px|pt|pc|mm|cm|in|em|%)?"
_NUMBER = r"[+-]?(?:[0-9]{1,6}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE]-[0-9]{1,2})?"
_LENGTH = re.compile(_NUMBER + _UNIT)
_LENGTHS = re.compile(rf"{_NUMBER}{_UNIT}(?:[\s,]+{_NUMBER}{_UNIT}){{0,999}}")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE+\-.,\s]*")
# Before the point: behind it some programs write all the digits there are.
_TOO_LARGE = re.compile(r"(?<![0-9.])[0-9]{8}|[eE]\+?[0-9]")
_COLOUR = re.compile(
    r"#[0-9a-fA-F]{3,4}|#[0-9a-fA-F]{6}|#[0-9a-fA-F]{8}|[a-zA-Z]{3,24}"
    r"|(?:rgb|hsl)a?\(\s*[0-9.]{1,8}(?:%|deg)?(?:[\s,/]+[0-9.]{1,8}%?){2,3}\s*\)"
)
_WORD = re.compile(r"[a-z]{1,16}(?:-[a-z]{1,16}){0,2}")
REFERENCE = re.compile(r"url\((?:\s*(['\"]?)#(?P<name>[^'\"()\s]{1,200})\1\s*\)|[^)]*\))\s*(?P<otherwise>.*)")
"""A paint of the same drawing by its name, or of elsewhere, without one; and what to take instead where it is not found."""


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    return lambda value: value if pattern.fullmatch(value) else ""


def _path(value: str) -> str:
    short = " ".join(value.split())
    return short if len(short) <= LONGEST_PATH and _PATH.fullmatch(short) and not _TOO_LARGE.search(short) else ""


_length, _lengths, _colour, _word = (_matching(it) for it in (_LENGTH, _LENGTHS, _COLOUR, _WORD))

_SIZES = ("x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2", "fx", "fy", "offset")
_LOOKS: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("fill", "stroke", "stop-color", "color"), _colour),
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity", "stop-opacity"), _length),
    **dict.fromkeys(("stroke-width", "stroke-miterlimit", "stroke-dashoffset", "font-size", "letter-spacing"), _length),
    **dict.fromkeys(("stroke-linecap", "stroke-linejoin", "fill-rule", "clip-rule", "font-style"), _word),
    **dict.fromkeys(("text-anchor", "dominant-baseline", "display", "visibility"), _word),
    "font-weight": _matching(re.compile(r"[1-9]00|[a-z]{4,7}")),
    "stroke-dasharray": _matching(re.compile(rf"none|{_LENGTHS.pattern}")),
}
ATTRIBUTES: Mapping[str, Callable[[str], str]] = {
    **_LOOKS,
    **dict.fromkeys(_SIZES, _length),
    "points": _path,
    "d": _path,
    "transform": transform,
    "gradientTransform": transform,
    "gradientUnits": _matching(re.compile("userSpaceOnUse|objectBoundingBox")),
    "clipPathUnits": _matching(re.compile("userSpaceOnUse|objectBoundingBox")),
    "spreadMethod": _word,
    "pathLength": _length,
}
OF_TEXT: Mapping[str, Callable[[str], str]] = dict.fromkeys(("x", "y", "dx", "dy", "rotate"), _lengths)
CORNERS = frozenset({"d", "points"})
REFERRING = frozenset({"fill", "stroke", "clip-path"})
"""Attributes that may point at a paint of the same drawing, and at nothing else."""
LOOKS = frozenset(_LOOKS) | {"clip-path"}


def cleaned(element: str, name: str, value: str) -> str:
    """The value, if this attribute may have it; else nothing."""
    check = OF_TEXT.get(name) if element in TEXTS else None
    check = check or ATTRIBUTES.get(name)
    return check(" ".join(value.split())) if check else ""
