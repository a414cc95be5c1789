"""Read SVG drawings of floor plans: their size, and the areas of elements named after rooms."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from xml.etree.ElementTree import Element

from events.core.parsing.cells import key_of
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_xml import load_xml, root_tag
from events.venue.rules.plans import Shape

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
IDENTITY_MATRIX: Matrix = (1, 0, 0, 1, 0, 0)
# Bounded and possessive (no backtracking), so that matching takes time linear in the text.
_NUMBER_REGEX = r"(?>[-+]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,3})?)"
_SEPARATOR_REGEX = r"[\s,]*+"
_SVG_NUMBER_PATTERN = re.compile(_NUMBER_REGEX)
_PIXEL_LENGTH_PATTERN = re.compile(rf"({_NUMBER_REGEX})(?:px)?")
_PATH_COMMAND_PATTERN = re.compile("([MLHVCSQTAZ])([^MLHVCSQTAZ]*)", re.IGNORECASE)
# The two flags of an arc need no separator before the next number.
_ARC_PATTERN = re.compile(
    rf"{_NUMBER_REGEX}{_SEPARATOR_REGEX}{_NUMBER_REGEX}{_SEPARATOR_REGEX}{_NUMBER_REGEX}{_SEPARATOR_REGEX}[01]{_SEPARATOR_REGEX}[01]{_SEPARATOR_REGEX}({_NUMBER_REGEX}){_SEPARATOR_REGEX}({_NUMBER_REGEX})"
)
_TRANSFORM_PATTERN = re.compile(r"(translate|scale|rotate|matrix)\s{0,9}\(([^()]*)\)")
_NUMBERS_PER_COMMAND = {"h": 1, "v": 1, "c": 6, "s": 4, "q": 4}
_CIRCLE_CORNERS = 16
_MAX_PATH_CHARS = 50_000


def element_corners(tag: str, attributes: Mapping[str, str]) -> list[Point]:
    """Return the corners in the element's coordinates; NaN for lengths in other units than pixels."""
    if tag == "rect":
        left, top, width, height = (_pixel_length(attributes.get(name, "0")) for name in ("x", "y", "width", "height"))
        return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    if tag in {"circle", "ellipse"}:
        radii = ("r", "r") if tag == "circle" else ("rx", "ry")
        x, y, across, down = (_pixel_length(attributes.get(name, "0")) for name in ("cx", "cy", *radii))
        turns = [2 * math.pi * step / _CIRCLE_CORNERS for step in range(_CIRCLE_CORNERS)]
        return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]
    if tag in {"polygon", "polyline"}:
        return _points(_numbers(attributes.get("points", "")[:_MAX_PATH_CHARS]))
    return _path_corners(attributes.get("d", "")[:_MAX_PATH_CHARS]) if tag == "path" else []


def bounding_box(points: Sequence[Point]) -> list[Point]:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def transform_matrix(transform: str) -> Matrix:
    """Read an attribute ``transform``; skewX and skewY are ignored."""
    matrix = IDENTITY_MATRIX
    for name, arguments in _TRANSFORM_PATTERN.findall(transform):
        matrix = multiply_matrices(matrix, _function_matrix(name, _numbers(arguments)))
    return matrix


def _function_matrix(name: str, values: list[float]) -> Matrix:
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
            return multiply_matrices(
                multiply_matrices((1, 0, 0, 1, x, y), _function_matrix("rotate", [degrees])), (1, 0, 0, 1, -x, -y)
            )
    return IDENTITY_MATRIX


def multiply_matrices(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def transform_point(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _SVG_NUMBER_PATTERN.findall(text)]


def _points(values: list[float]) -> list[Point]:
    return list(zip(values[::2], values[1::2], strict=False))


def _pixel_length(text: str) -> float:
    length = _PIXEL_LENGTH_PATTERN.fullmatch(text.strip())
    return float(length[1]) if length else math.nan


def _path_corners(text: str) -> list[Point]:
    """Read the first subpath: curves through their control points, arcs as straight lines to their ends."""
    points: list[Point] = []
    x = y = 0.0
    for command, rest in _PATH_COMMAND_PATTERN.findall(text):
        if points and command in "MmZz":
            break
        kind = command.lower()
        values = [float(number) for ends in _ARC_PATTERN.findall(rest) for number in ends] if kind == "a" else _numbers(rest)
        size = _NUMBERS_PER_COMMAND.get(kind, 2)
        for start in range(0, len(values) - size + 1, size):
            left, top = (x, y) if command.islower() else (0.0, 0.0)
            step = values[start : start + size]
            if kind in "hv":
                step = [left + step[0], y] if kind == "h" else [x, top + step[0]]
                left = top = 0
            corners = [(left + across, top + down) for across, down in _points(step)]
            points += corners
            x, y = corners[-1]
    return points


MAX_DRAWING_BYTES = 2 * 2**20
MAX_DRAWING_ELEMENTS = 20_000
MAX_AREA_CORNERS = 60
MAX_DRAWING_POINTS = 20_000
MIN_DRAWING_SIDE_PX, MAX_DRAWING_SIDE_PX, DEFAULT_DRAWING_SIDE_PX = 200, 5000, 1000
SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
_PIXEL_SIZE_PATTERN = re.compile(r"\s*([0-9]{1,7}(?:\.[0-9]{0,20})?)\s*(?:px)?\s*")
# Old programs write a DOCTYPE. It names a DTD on the web, which is never fetched.
_SVG_DOCTYPE_PATTERN = re.compile(r"<!DOCTYPE\s+svg\s+PUBLIC\s+\"[^\"<>\[]*\"\s+\"[^\"<>\[]*\"\s*>")
_SVG_ROOT_PATTERN = re.compile(r"<(?:[\w.-]+:)?svg\b")
_NAME_ATTRIBUTES = ("id", "data-room", "data-name", "{http://www.inkscape.org/namespaces/inkscape}label")
_HREF_ATTRIBUTES = ("href", "{http://www.w3.org/1999/xlink}href")
_UNDRAWN_ELEMENTS = frozenset({"defs", "symbol", "clipPath", "mask", "pattern", "marker", "svg"})


@dataclass(frozen=True)
class Drawing:
    """``areas`` are points by the name of an element, ``texts`` are the keys of texts in the drawing.

    ``linked_images`` counts images outside the file, which no browser loads into an SVG that is shown as an image.
    """

    svg: str
    width: int
    height: int
    areas: Mapping[str, str] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    linked_images: int = 0


def read_drawing(content: bytes, *, file: str, names: Collection[str] = ()) -> Drawing:
    """Raise ScheduleParseError with the line and the remedy. ``names`` are possible names of elements, as keys."""
    svg, root = _parse_svg(content, file)
    left, top, width, height = _view_box(root, file)
    if "viewBox" not in root.attrib:
        # Without a viewBox browsers stretch the image to its box, and the areas over it would not fit.
        svg = _SVG_ROOT_PATTERN.sub(rf'\g<0> viewBox="0 0 {width} {height}"', svg, count=1)
    scale = _scale(width, height)
    across, down = (math.ceil(round(side * scale, 3)) for side in (width, height))
    reader = _DrawingReader(frozenset(names))
    for child in root:
        reader.visit(child, (scale, 0, 0, scale, -left * scale, -top * scale))
    areas = {name: points for name, corners in reader.areas.items() if (points := _clip_area(corners, across, down))}
    return Drawing(svg, across, down, areas, frozenset(reader.texts), reader.linked_images)


def _parse_svg(content: bytes, file: str) -> tuple[str, Element]:
    if len(content) > MAX_DRAWING_BYTES:
        raise ScheduleParseError("is larger than 2 MB: take pictures and hidden layers out, and export it again", file=file)
    if content.strip() and root_tag(content) != "svg":
        raise ScheduleParseError("is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page", file=file)
    try:
        svg = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScheduleParseError("is not in UTF-8: save it as UTF-8, which programs do by themselves", file=file) from error
    svg = _SVG_DOCTYPE_PATTERN.sub(lambda doctype: "\n" * doctype[0].count("\n"), svg, count=1)
    if declaration := re.search("<!(DOCTYPE|ENTITY)", svg):
        problem = "declares a document type or entities, which no drawing needs: take the <!DOCTYPE …> out"
        raise ScheduleParseError(problem, file=file, line=svg.count("\n", 0, declaration.start()) + 1)
    root = load_xml(svg.encode(), file=file)
    if root.tag != f"{SVG_NAMESPACE}svg":
        problem = f'is shown by no browser: write xmlns="{SVG_NAMESPACE[1:-1]}" into its <svg>'
        raise ScheduleParseError(problem, file=file, line=getattr(root, "line", None))
    if sum(1 for _ in root.iter()) > MAX_DRAWING_ELEMENTS:
        problem = f"holds more than {MAX_DRAWING_ELEMENTS:,} elements: take layers out that a plan does not need"
        raise ScheduleParseError(problem, file=file)
    return svg, root


def _view_box(root: Element, file: str) -> tuple[float, float, float, float]:
    try:
        left, top, width, height = map(float, re.split(r"[\s,]+", root.get("viewBox", "").strip()))
    except ValueError:
        sizes = [_PIXEL_SIZE_PATTERN.fullmatch(root.get(name, "")) for name in ("width", "height")]
        left, top, width, height = 0, 0, *(float(size[1]) if size else 0.0 for size in sizes)
    is_finite = all(math.isfinite(value) and abs(value) <= 1e6 for value in (left, top, width, height))
    if not is_finite or min(width, height) < 0.1 or max(width, height) / min(width, height) > 20:
        problem = "does not say how large it is: give its <svg> a viewBox like “0 0 1000 600”, or width and height in pixels"
        raise ScheduleParseError(problem, file=file, line=getattr(root, "line", None))
    return left, top, width, height


def _scale(width: float, height: float) -> float:
    """Return 1 for usual sizes: texts on a plan grow with its width, so that only extreme sizes are changed."""
    longest = max(width, height)
    return 1 if MIN_DRAWING_SIDE_PX <= longest <= MAX_DRAWING_SIDE_PX else DEFAULT_DRAWING_SIDE_PX / longest


def _clip_area(corners: Iterable[Point], width: int, height: int) -> str:
    clipped = [(round(min(max(x, 0), width), 1), round(min(max(y, 0), height), 1)) for x, y in corners]
    distinct = [corner for corner, _ in groupby(clipped)]
    if len(distinct) > 1 and distinct[0] == distinct[-1]:
        distinct.pop()
    shape = Shape(tuple(distinct if len(distinct) <= MAX_AREA_CORNERS else bounding_box(distinct)))
    return shape.points if shape.size >= 1 else ""


class _DrawingReader:
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.areas: dict[str, list[Point]] = {}
        self.texts: set[str] = set()
        self.linked_images = self.points = 0

    def visit(self, element: Element, outer: Matrix, is_wanted: bool = False) -> list[Point]:
        """Return the corners of an element with a wanted name or inside such an element; for a group, its bounding box."""
        tag = element.tag.removeprefix(SVG_NAMESPACE)
        if tag in _UNDRAWN_ELEMENTS:
            return []
        if tag == "text":
            # Parts of a text are lines, or letters with kerning: joined with and without a space.
            self.texts |= {key_of(between.join(element.itertext())) for between in ("", " ")}
            return []
        if tag == "image":
            self.linked_images += not any(element.get(name, "").lstrip().startswith("data:") for name in _HREF_ATTRIBUTES)
        names = {key_of(element.get(label, "")[:200]) for label in _NAME_ATTRIBUTES} & self.names
        is_wanted = is_wanted or bool(names)
        matrix = multiply_matrices(outer, transform_matrix(element.get("transform", "")))
        corners = element_corners(tag, element.attrib) if is_wanted and self.points < MAX_DRAWING_POINTS else []
        points = [point for x, y in corners if all(map(math.isfinite, point := transform_point(matrix, x, y)))]
        self.points += len(points)
        inside = [it for child in element for it in self.visit(child, matrix, is_wanted)]
        points = points or (bounding_box(inside) if inside else [])
        for name in names if points else ():
            # The first of a name is taken.
            self.areas.setdefault(name, points)
        return points
