"""An SVG as organisers upload it, and the drawing that is left of it: elements we know, with attributes we know."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from events.importers.drawing.outlines import Point, clipped, simpler
from events.importers.drawing.walking import LARGEST, NAMESPACE, Cleaner
from events.importers.errors import ScheduleParseError
from events.importers.safe_xml import load_xml, root_tag
from events.schedule.plans import PointsError, shape_of

MOST_CORNERS = 60
SMALLEST_SIDE, LARGEST_SIDE, USUAL_SIDE = 200, 5000, 1000
_SIZE = re.compile(r"\s*([0-9]{1,7}(?:\.[0-9]{0,20})?)\s*(?:px|pt|pc|mm|cm|in)?\s*")
# Programs of the nineties' habit: it names a grammar on the web, which nobody here reads.
_PLAIN_DOCTYPE = re.compile(rb"<!DOCTYPE\s+svg\s+PUBLIC\s+\"[^\"<>\[]*\"\s+\"[^\"<>\[]*\"\s*>")
_DECLARES = re.compile(rb"<!(DOCTYPE|ENTITY)")


@dataclass(frozen=True)
class Drawing:
    """``svg`` is whole and our own; ``inside`` is what stands in its root; ``areas`` are corners by a name that was wanted.

    ``words`` are its texts as keys, by which one knows what it says itself.
    """

    width: int
    height: int
    inside: str
    areas: Mapping[str, str] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def svg(self) -> str:
        return f'<svg xmlns="{NAMESPACE[1:-1]}" viewBox="0 0 {self.width} {self.height}">{self.inside}</svg>'


def read_drawing(content: bytes, *, file: str, wanted: Collection[str] = ()) -> Drawing:
    """What may be drawn of it, from 0,0 on; ``wanted`` are names of rooms as elements may have them for their id.

    Raises ScheduleParseError that names the line and the remedy.
    """
    root = _root(content, file)
    left, top, width, height = _view(root, file)
    scale = _scale(width, height)
    fit = " ".join([f"scale({scale:g})"] * (scale != 1) + [f"translate({-left:g} {-top:g})"] * bool(left or top))
    cleaner = Cleaner(root, file, frozenset(wanted))
    inside = cleaner.clean(fit)
    if not cleaner.drawn:
        raise ScheduleParseError(
            "holds nothing that can be drawn: export it as a plain SVG, with shapes and not pictures", file=file
        )
    across, down = math.ceil(width * scale), math.ceil(height * scale)
    areas = {name: found for name, corners in cleaner.areas.items() if (found := _area(corners, across, down))}
    return Drawing(across, down, inside, areas, frozenset(cleaner.words), _told(cleaner.left_out))


def _root(content: bytes, file: str) -> Element:
    if len(content) > LARGEST:
        raise ScheduleParseError("is larger than 2 MB: take pictures and hidden layers out, and export it again", file=file)
    if content.strip() and root_tag(content) != "svg":
        raise ScheduleParseError("is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page", file=file)
    content = _PLAIN_DOCTYPE.sub(lambda found: b"\n" * found[0].count(b"\n"), content, count=1)
    if found := _DECLARES.search(content):
        line = content.count(b"\n", 0, found.start()) + 1
        problem = "declares a document type or entities, which no drawing needs: take the <!DOCTYPE …> out"
        raise ScheduleParseError(problem, file=file, line=line)
    root = load_xml(content, file=file)
    if root.tag not in {"svg", f"{NAMESPACE}svg"}:
        raise ScheduleParseError("has a root that is no <svg> of SVG’s own namespace: export it again", file=file, line=1)
    return root


def _view(root: Element, file: str) -> tuple[float, float, float, float]:
    parts = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    try:
        left, top, width, height = map(float, parts)
    except ValueError:
        sizes = [_SIZE.fullmatch(root.get(name, "")) for name in ("width", "height")]
        left, top, width, height = 0, 0, *(float(it[1]) if it else 0.0 for it in sizes)
    sound = all(math.isfinite(it) and abs(it) <= 1e6 for it in (left, top, width, height))
    if not sound or min(width, height) < 0.1 or max(width, height) / min(width, height) > 20:
        problem = "does not say how large it is: give its <svg> a viewBox like “0 0 1000 600”, or width and height"
        raise ScheduleParseError(problem, file=file, line=getattr(root, "line", 1))
    return left, top, width, height


def _scale(width: float, height: float) -> float:
    """Words on a plan grow with its width, so that only sizes far from usual ones are changed."""
    longest = max(width, height)
    return 1 if SMALLEST_SIDE <= longest <= LARGEST_SIDE else float(f"{USUAL_SIDE / longest:.6g}")


def _area(corners: list[Point], width: int, height: int) -> str:
    """What of it is on the plan; nothing where that is no area, as of a room drawn as one line."""
    points = " ".join(f"{x:g},{y:g}" for x, y in simpler(clipped(corners, width, height), MOST_CORNERS))
    try:
        shape_of(points)
    except PointsError:
        return ""
    return points


def _told(left_out: Counter[str]) -> dict[str, int]:
    return dict(sorted((+left_out).items(), key=lambda it: (-it[1], it[0])))
