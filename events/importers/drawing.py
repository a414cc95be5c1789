"""An SVG that organisers upload: how large it is, what it writes, and where the rooms are that it names.

It is stored as it came and shown as an image, in which nothing runs: nothing of it is written into a page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from xml.etree.ElementTree import Element

from events.importers.cells import key_of
from events.importers.errors import ScheduleParseError
from events.importers.outlines import Matrix, Point, bounds, joined, matrix_of, moved, outline
from events.importers.safe_xml import load_xml, root_tag
from events.schedule.plans import Shape

MAX_BYTES = 2 * 2**20
MAX_ELEMENTS = 20_000
MAX_CORNERS = 60
MAX_POINTS = 20_000
MIN_SIDE, MAX_SIDE, USUAL_SIDE = 200, 5000, 1000
SVG = "{http://www.w3.org/2000/svg}"
_SIZE = re.compile(r"\s*([0-9]{1,7}(?:\.[0-9]{0,20})?)\s*(?:px)?\s*")
# Old programs write it: it names a grammar on the web, which nobody here reads.
_PLAIN_DOCTYPE = re.compile(r"<!DOCTYPE\s+svg\s+PUBLIC\s+\"[^\"<>\[]*\"\s+\"[^\"<>\[]*\"\s*>")
_ROOT = re.compile(r"<(?:[\w.-]+:)?svg\b")
_LABELS = ("id", "data-room", "data-name", "{http://www.inkscape.org/namespaces/inkscape}label")
_LINKS = ("href", "{http://www.w3.org/1999/xlink}href")
_NOT_DRAWN = frozenset({"defs", "symbol", "clipPath", "mask", "pattern", "marker", "svg"})


@dataclass(frozen=True)
class Drawing:
    """``areas`` are corners by the name of an element, ``texts`` the keys of what is written in the drawing.

    ``linked_images`` counts pictures that lie elsewhere: no browser fetches them into an image.
    """

    svg: str
    width: int
    height: int
    areas: Mapping[str, str] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    linked_images: int = 0


def read_drawing(content: bytes, *, file: str, names: Collection[str] = ()) -> Drawing:
    """``names`` are what elements of rooms may be called, as keys.

    Raises ScheduleParseError that names the line and the remedy.
    """
    svg, root = _parsed(content, file)
    left, top, width, height = _view_box(root, file)
    if "viewBox" not in root.attrib:
        # Without one a browser stretches the image where its box is of another shape, and the areas over it would not fit.
        svg = _ROOT.sub(rf'\g<0> viewBox="0 0 {width} {height}"', svg, count=1)
    scale = _scale(width, height)
    across, down = (math.ceil(round(it * scale, 3)) for it in (width, height))
    reader = _Reader(frozenset(names))
    for child in root:
        reader.visit(child, (scale, 0, 0, scale, -left * scale, -top * scale))
    areas = {name: found for name, corners in reader.areas.items() if (found := _area(corners, across, down))}
    return Drawing(svg, across, down, areas, frozenset(reader.texts), reader.linked_images)


def _parsed(content: bytes, file: str) -> tuple[str, Element]:
    if len(content) > MAX_BYTES:
        raise ScheduleParseError("is larger than 2 MB: take pictures and hidden layers out, and export it again", file=file)
    if content.strip() and root_tag(content) != "svg":
        raise ScheduleParseError("is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page", file=file)
    try:
        svg = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScheduleParseError("is not in UTF-8: save it as UTF-8, which programs do by themselves", file=file) from error
    svg = _PLAIN_DOCTYPE.sub(lambda found: "\n" * found[0].count("\n"), svg, count=1)
    if found := re.search("<!(DOCTYPE|ENTITY)", svg):
        problem = "declares a document type or entities, which no drawing needs: take the <!DOCTYPE …> out"
        raise ScheduleParseError(problem, file=file, line=svg.count("\n", 0, found.start()) + 1)
    root = load_xml(svg.encode(), file=file)
    if root.tag != f"{SVG}svg":
        problem = f'is shown by no browser: write xmlns="{SVG[1:-1]}" into its <svg>'
        raise ScheduleParseError(problem, file=file, line=getattr(root, "line", None))
    if sum(1 for _ in root.iter()) > MAX_ELEMENTS:
        problem = f"holds more than {MAX_ELEMENTS:,} elements: take layers out that a plan does not need"
        raise ScheduleParseError(problem, file=file)
    return svg, root


def _view_box(root: Element, file: str) -> tuple[float, float, float, float]:
    try:
        left, top, width, height = map(float, re.split(r"[\s,]+", root.get("viewBox", "").strip()))
    except ValueError:
        sizes = [_SIZE.fullmatch(root.get(name, "")) for name in ("width", "height")]
        left, top, width, height = 0, 0, *(float(it[1]) if it else 0.0 for it in sizes)
    sound = all(math.isfinite(it) and abs(it) <= 1e6 for it in (left, top, width, height))
    if not sound or min(width, height) < 0.1 or max(width, height) / min(width, height) > 20:
        problem = "does not say how large it is: give its <svg> a viewBox like “0 0 1000 600”, or width and height in pixels"
        raise ScheduleParseError(problem, file=file, line=getattr(root, "line", None))
    return left, top, width, height


def _scale(width: float, height: float) -> float:
    """Words on a plan grow with its width, so that only sizes far from usual ones are changed."""
    longest = max(width, height)
    return 1 if MIN_SIDE <= longest <= MAX_SIDE else USUAL_SIDE / longest


def _area(corners: Iterable[Point], width: int, height: int) -> str:
    """What of it is on the plan; nothing where that is no area, as of a room drawn as one line."""
    inside = [(round(min(max(x, 0), width), 1), round(min(max(y, 0), height), 1)) for x, y in corners]
    once = [corner for corner, _ in groupby(inside)]
    if len(once) > 1 and once[0] == once[-1]:
        once.pop()
    shape = Shape(tuple(once if len(once) <= MAX_CORNERS else bounds(once)))
    return shape.points if shape.size >= 1 else ""


class _Reader:
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.areas: dict[str, list[Point]] = {}
        self.texts: set[str] = set()
        self.linked_images = self.points = 0

    def visit(self, element: Element, outer: Matrix, is_wanted: bool = False) -> list[Point]:
        """The corners of what it draws, if a room is called as it is or as something around it; of a group the box around it."""
        tag = element.tag.removeprefix(SVG)
        if tag in _NOT_DRAWN:
            return []
        if tag == "text":
            # Lines are parts of a text, and so are letters that stand closer than usual.
            self.texts |= {key_of(between.join(element.itertext())) for between in ("", " ")}
            return []
        if tag == "image":
            self.linked_images += not any(element.get(it, "").lstrip().startswith("data:") for it in _LINKS)
        names = {key_of(element.get(label, "")[:200]) for label in _LABELS} & self.names
        is_wanted = is_wanted or bool(names)
        matrix = joined(outer, matrix_of(element.get("transform", "")))
        corners = outline(tag, element.attrib) if is_wanted and self.points < MAX_POINTS else []
        points = [it for x, y in corners if all(map(math.isfinite, it := moved(matrix, x, y)))]
        self.points += len(points)
        inside = [it for child in element for it in self.visit(child, matrix, is_wanted)]
        points = points or (bounds(inside) if inside else [])
        for name in names if points else ():
            # The first of a name is taken.
            self.areas.setdefault(name, points)
        return points
