"""From the elements of a stranger’s SVG to text of our own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from events.importers.cells import key_of
from events.importers.drawing import allowed, transforms
from events.importers.drawing.outlines import Point, box, outline
from events.importers.drawing.styles import Looks, looks_of, rules_of
from events.importers.drawing.writing import plain, written
from events.importers.errors import ScheduleParseError

NAMESPACE = "{http://www.w3.org/2000/svg}"
OTHER = "other:"
LARGEST = 2 * 2**20
MOST_ELEMENTS = 20_000
MOST_POINTS = 20_000
_LABELS = ("id", "data-room", "data-name", "{http://www.inkscape.org/namespaces/inkscape}label")
_NUMBERED = frozenset({"linearGradient", "radialGradient", "clipPath"})


@dataclass(frozen=True)
class Where:
    """Where in a drawing an element stands: how it is moved, whether it is of a room that is wanted, and whether it is seen."""

    matrix: transforms.Matrix
    is_wanted: bool = False
    is_shown: bool = True


class Cleaner:
    """Walks through a drawing once; what it leaves out is counted by what it is called."""

    def __init__(self, root: Element, file: str, wanted: frozenset[str]) -> None:
        self.root, self.file, self.wanted = root, file, wanted
        self.left_out: Counter[str] = Counter()
        self.drawn = self.size = self.points = 0
        self.areas: dict[str, list[Point]] = {}
        self.words: set[str] = set()
        self.classes: dict[str, Looks] = {}
        self.numbers: dict[str, int] = {}
        self._look_around()

    def _look_around(self) -> None:
        """Styles count wherever they stand, and paints may be named before they are drawn."""
        for count, element in enumerate(self.root.iter(), start=1):
            if count > MOST_ELEMENTS:
                problem = f"holds more than {MOST_ELEMENTS:,} elements: take layers out that a plan does not need"
                raise ScheduleParseError(problem, file=self.file, line=getattr(element, "line", None))
            tag = _tag(element)
            if tag in _NUMBERED and element.get("id"):
                self.numbers.setdefault(element.get("id", ""), len(self.numbers) + 1)
            elif tag == "style":
                rules, lost = rules_of("".join(element.itertext()))
                for name, looks in rules.items():
                    self.classes.setdefault(name, {}).update(looks)
                self.left_out["styles"] += lost

    def clean(self, fit: str) -> str:
        """What stands in the root, moved and scaled by ``fit``."""
        looks = {name: it for name, it in self._looks("g", self.root).items() if name in allowed.LOOKS}
        looks |= {"transform": fit} if fit else {}
        self._tell_of_attributes(self.root)
        where = Where(transforms.matrix_of(looks.get("transform", "")))
        inside = "".join(text for child in self.root for text, _ in [self._element(child, where)])
        return f"<g{written(looks)}>{inside}</g>" if looks else inside

    def _element(self, element: Element, outer: Where) -> tuple[str, list[Point]]:
        """The element as text, and the corners of all that it draws, if somebody wants them."""
        tag = _tag(element)
        if tag in allowed.UNWRAPPED:
            self._tell_of_attributes(element)
            self.left_out["links" if tag == "a" else tag] += 1
            parts = [self._element(child, outer) for child in element]
            return "".join(text for text, _ in parts), [it for _, points in parts for it in points]
        if tag not in allowed.ELEMENTS:
            self._tell_of(element, tag)
            return "", []
        self._tell_of_attributes(element)
        values = self._looks(tag, element)
        names = self._names(element)
        where = Where(
            transforms.joined(outer.matrix, transforms.matrix_of(values.get("transform", ""))),
            outer.is_wanted or bool(names),
            outer.is_shown and tag not in allowed.PAINTS and tag != "defs",
        )
        if tag in allowed.NAMES or tag in allowed.TEXTS:
            return self._words(tag, element, values, where), []
        parts = [self._element(child, where) for child in element]
        points = [it for _, found in parts for it in found]
        if tag in allowed.SHAPES:
            self.drawn += where.is_shown
            points = self._outline(tag, values, where)
        if points:
            self.areas |= dict.fromkeys(names, points if tag in allowed.SHAPES else box(points))
        inside = "".join(text for text, _ in parts)
        body = f">{inside}</{tag}>" if inside else "/>"
        return f"{self._kept(f'<{tag}{written(values)}')}{body}", points

    def _outline(self, tag: str, values: Looks, where: Where) -> list[Point]:
        if not (where.is_wanted and where.is_shown) or self.points > MOST_POINTS:
            return []
        points = [transforms.moved(where.matrix, *it) for it in outline(tag, values)]
        self.points += len(points)
        return points

    def _names(self, element: Element) -> list[str]:
        """What it is called of what is wanted; the first of a name is taken."""
        if not self.wanted:
            return []
        names = {key_of(element.get(label, "")[:200]) for label in _LABELS}
        return [it for it in names if it in self.wanted and it not in self.areas]

    def _words(self, tag: str, element: Element, values: Looks, where: Where) -> str:
        """Text, in which only more text may stand; the rest of what is inside is told."""
        if tag in allowed.NAMES:
            inside = escape(plain("".join(element.itertext())))
            return self._kept(f"<{tag}>{inside}</{tag}>") if inside.strip() else ""
        self.drawn += where.is_shown
        # Lines are parts of a text, and so are letters that stand closer than usual.
        self.words |= {key_of(plain(between.join(element.itertext()))) for between in ("", " ") if where.is_shown}
        return self._text(tag, element, values)

    def _text(self, tag: str, element: Element, values: Looks) -> str:
        return f"{self._kept(f'<{tag}{written(values)}>')}{self._inline(element)}</{tag}>"

    def _inline(self, element: Element) -> str:
        parts = [self._kept(escape(plain(element.text or "")))]
        for child in element:
            tag = _tag(child)
            if tag in allowed.TEXTS:
                self._tell_of_attributes(child)
                parts.append(self._text(tag, child, self._looks(tag, child)))
            elif tag == "a":
                self.left_out["links"] += 1
                parts.append(self._inline(child))
            else:
                self._tell_of(child, tag)
            parts.append(self._kept(escape(plain(child.tail or ""))))
        return "".join(parts)

    def _kept(self, text: str) -> str:
        """Counts what is written: a few words about classes can stand for very much."""
        self.size += len(text)
        if self.size > LARGEST:
            raise ScheduleParseError("is larger than 2 MB once it is cleaned: simplify its paths and styles", file=self.file)
        return text

    def _looks(self, tag: str, element: Element) -> Looks:
        """The attributes that may stay: its own, those of its classes, and those of its style, which count most."""
        said = {name: value for name, value in element.attrib.items() if not name.startswith("{")}
        for name in said.get("class", "").split()[:20]:
            said |= self.classes.get(name, {})
        style, lost = looks_of(said.get("style", ""))
        self.left_out["styles"] += lost
        found = {name: self._value(tag, name, value) for name, value in sorted((said | style).items())}
        self.left_out["shapes that cannot be read"] += sum(bool(said.get(it)) and not found[it] for it in allowed.CORNERS)
        if tag in _NUMBERED and said.get("id") in self.numbers:
            found["id"] = f"drawing-{self.numbers[said['id']]}"
        return {name: value for name, value in found.items() if value}

    def _value(self, tag: str, name: str, value: str) -> str:
        found = allowed.REFERENCE.match(value.strip())
        if not found or name not in allowed.REFERRING:
            return allowed.cleaned(tag, name, value)
        if number := self.numbers.get(found["name"] or ""):
            return f"url(#drawing-{number})"
        # What is filled with a pattern that is left out would be black without a word.
        return "" if name == "clip-path" else allowed.cleaned(tag, name, found["otherwise"]) or "none"

    def _tell_of_attributes(self, element: Element) -> None:
        for name in element.attrib:
            short = name.rpartition("}")[2].lower()
            if short.startswith("on"):
                self.left_out["event handlers"] += 1
            elif short in {"href", "src"}:
                self.left_out["links"] += _tag(element) != "a"

    def _tell_of(self, element: Element, tag: str) -> None:
        """What is not drawn, with all that is inside; what only editors wrote is not worth a word."""
        ours = not element.tag.startswith("{") or element.tag.startswith((NAMESPACE, "{http://www.w3.org/1999/xhtml}"))
        if ours and tag not in {"style", *allowed.NOTES_OF_EDITORS}:
            self.left_out[f"<{tag.removeprefix(OTHER)[:30]}>"] += 1


def _tag(element: Element) -> str:
    """The element's name, if it is SVG's; else a name that nothing has."""
    # Comments and instructions are no elements to this parser.
    tag = element.tag
    if tag.startswith(NAMESPACE):
        return tag.removeprefix(NAMESPACE)
    return tag if not tag.startswith("{") else OTHER + tag.rpartition("}")[2]
