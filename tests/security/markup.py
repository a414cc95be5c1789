"""What a page is made of: its elements, and the addresses they lead to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")\w+')
ACTIVE = {"script", "iframe", "object", "embed", "form", "base", "meta", "link", "style", "img", "input", "button", "svg", "use"}
ACTING = re.compile(r"(data-)?hx-|on|style$|src|action$|formaction$|http-equiv$")
LEADING = ("href", "src", "action", "formaction", "hx-get", "hx-post")


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))


def elements(html: str) -> list[Element]:
    reader = Reader()
    reader.feed(html)
    return reader.elements


def leads(html: str) -> list[str]:
    """Every address the page names."""
    return [value for it in elements(html) for name, value in it.attributes.items() if name in LEADING and value]


def without_token(html: str) -> str:
    """The page without what is made anew for every answer."""
    return TOKEN.sub(r"\1", html)


def active(text: str) -> Counter[str]:
    """What a browser would do by itself, or send somewhere, each as often as it is there."""
    return Counter(thing for it in elements(text) for thing in _acts(it))


def _acts(element: Element) -> Iterator[str]:
    if element.tag in ACTIVE:
        yield f"<{element.tag}>"
    for name, value in element.attributes.items():
        if ACTING.match(name):
            yield f"{name}={value}"
