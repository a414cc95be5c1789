"""What any drawing of ours must be, whatever it was made of."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

from events.importers.drawing import Drawing, read_drawing
from events.importers.drawing.allowed import ATTRIBUTES, ELEMENTS, OF_TEXT, REFERRING

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {*ATTRIBUTES, *OF_TEXT, *REFERRING, "id"}
# Said once more, so that a slip in the list of what is allowed is seen.
NEVER = set(
    "script style foreignobject image use a animate animatemotion animatetransform set svg iframe symbol filter html".split()
)
VALUE = re.compile(r"[\w#%.,+\-() ]*")
PAINT = re.compile(r"url\(#drawing-[0-9]+\)")


def drawing(inside: str, root: str = 'viewBox="0 0 1000 600"', **options: Any) -> Drawing:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return read_drawing(f"<svg {names} {root}>{inside}</svg>".encode(), file="plan.svg", **options)


class _AsPage(HTMLParser):
    """What a browser makes of it inside of a page, where no XML rules."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name: value or "" for name, value in attrs}

    def handle_comment(self, data: str) -> None:
        self.tags.add("!--")

    def handle_decl(self, decl: str) -> None:
        self.tags.add("!")

    def handle_pi(self, data: str) -> None:
        self.tags.add("?")


def assert_harmless(found: Drawing) -> None:
    """Nothing runs, nothing is fetched, nothing is named that is not of the drawing; and reading it again changes nothing."""
    root = ElementTree.fromstring(found.svg)
    for element in list(root.iter())[1:]:
        assert element.tag.removeprefix(SVG) in ELEMENTS
        for name, value in element.attrib.items():
            assert name in ALLOWED
            assert VALUE.fullmatch(value) or value.startswith("url(")
            assert "url" not in value or PAINT.fullmatch(value)
    page = _AsPage()
    page.feed(found.inside)
    page.close()
    assert page.tags & NEVER == set()
    assert [
        it for it in page.attributes if it.startswith(("on", "hx-", "data-")) or it in {"href", "src", "style", "class"}
    ] == []
    assert page.tags <= {it.lower() for it in ELEMENTS}
    assert page.attributes.keys() <= {it.lower() for it in ALLOWED}
    assert min(found.width, found.height) >= 1
    assert max(found.width, found.height) <= 5000
    again = read_drawing(found.svg.encode(), file="again.svg")
    assert (again.svg, again.left_out) == (found.svg, {})
