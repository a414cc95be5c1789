"""From the elements of a stranger’s SVG to text of our own."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from events.importers.cells import key_of, unprintable
from events.importers.drawing import allowed, transforms
from events.importers.drawing.outlines import Point, box, outline
from events.importers.drawing.styles import Looks, looks_of, rules_of
from events.importers.errors import ScheduleParseError

NAMESPACE = "{http://www.w3.org/2000/svg}"
OTHER = "other:"
MOST_ELEMENTS = 20_000
LONGEST_TEXT = 500
_LABELS = ("id", "data-room", "data-name", "{http://www.inkscape.org/namespaces/inkscape}label")
_SPACES = re.compile(r"\s+")
_NUMBERED = frozenset({"linearGradient", "radialGradient", "clipPath"})


class Cleaner:
    """Walks through a drawing once; what it leaves out is counted by what it is called."""

    def __init__(self, root: Element, file: str, wanted: frozenset[str]) -> None:
        self.root, self.file, self.wanted = root, file, wanted
        self.left_out: Counter[str] = Counter()
        self.drawn = 0
        self.areas: dict[str, list[Point]] = {}
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
        matrix = transforms.matrix_of(looks.get("transform", ""))
        inside = "".join(text for child in self.root for text, _ in [self._element(child, matrix)])
        return f"<g{_written(looks)}>{inside}</g>" if looks else inside

    def _element(self, element: Element, outer: transforms.Matrix) -> tuple[str, list[Point]]:
        """The element as text, and the corners of all that it draws."""
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
        matrix = transforms.joined(outer, transforms.matrix_of(values.get("transform", "")))
        if tag in allowed.NAMES or tag in allowed.TEXTS:
            return self._words(tag, element, values, matrix), []
        parts = [self._element(child, matrix) for child in element]
        points = [it for _, found in parts for it in found]
        if tag in allowed.SHAPES:
            self.drawn += 1
            points = [transforms.moved(matrix, *it) for it in outline(tag, values)]
        self._remember(element, points, is_group=tag not in allowed.SHAPES)
        inside = "".join(text for text, _ in parts)
        body = f">{inside}</{tag}>" if inside else "/>"
        return f"<{tag}{_written(values)}{body}", [] if tag in allowed.PAINTS or tag == "defs" else points

    def _words(self, tag: str, element: Element, values: Looks, matrix: transforms.Matrix) -> str:
        """Text, in which only more text may stand; the rest of what is inside is told."""
        if tag in allowed.NAMES:
            values, inside = {}, _plain("".join(element.itertext()))
            return f"<{tag}>{escape(inside)}</{tag}>" if inside.strip() else ""
        self.drawn += 1
        parts = [escape(_plain(element.text or ""))]
        for child in element:
            parts += [self._element(child, matrix)[0] if _tag(child) in {*allowed.TEXTS, "a"} else self._left(child)]
            parts.append(escape(_plain(child.tail or "")))
        return f"<{tag}{_written(values)}>{''.join(parts)}</{tag}>"

    def _left(self, element: Element) -> str:
        self._tell_of(element, _tag(element))
        return ""

    def _looks(self, tag: str, element: Element) -> Looks:
        """The attributes that may stay: its own, those of its classes, and those of its style, which count most."""
        said = {name: value for name, value in element.attrib.items() if not name.startswith("{")}
        for name in said.get("class", "").split()[:20]:
            said |= self.classes.get(name, {})
        style, lost = looks_of(said.get("style", ""))
        self.left_out["styles"] += lost
        found = {name: self._value(tag, name, value) for name, value in sorted((said | style).items())}
        if tag in _NUMBERED and said.get("id") in self.numbers:
            found["id"] = f"drawing-{self.numbers[said['id']]}"
        return {name: value for name, value in found.items() if value}

    def _value(self, tag: str, name: str, value: str) -> str:
        if name in allowed.REFERRING and (found := allowed.REFERENCE.match(value.strip())):
            number = self.numbers.get(found[2])
            return f"url(#drawing-{number})" if number else ""
        return allowed.cleaned(tag, name, value)

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

    def _remember(self, element: Element, points: list[Point], *, is_group: bool) -> None:
        for label in _LABELS:
            name = key_of(element.get(label, "")[:200])
            if name in self.wanted and points and not self.areas.get(name):
                self.areas[name] = box(points) if is_group else points


def _tag(element: Element) -> str:
    """The element's name, if it is SVG's; else a name that nothing has."""
    # Comments and instructions are no elements to this parser.
    tag = element.tag
    if tag.startswith(NAMESPACE):
        return tag.removeprefix(NAMESPACE)
    return tag if not tag.startswith("{") else OTHER + tag.rpartition("}")[2]


def _plain(text: str) -> str:
    short = _SPACES.sub(" ", text)[:LONGEST_TEXT]
    return "".join(it for it in short if not unprintable(it))


def _written(values: Looks) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())
