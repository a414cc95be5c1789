"""What HTML may hold on a page that shows strangers' texts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from events.core.markup import ALLOWED_TAGS
from events.core.text import MATH_ATTRIBUTES, MATH_TAGS


class Found(HTMLParser):
    """Every element and attribute a browser would make of a text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]


def is_harmless(html: str) -> bool:
    found = Found(html)
    addresses = [value or "" for tag, name, value in found.attributes if name == "href"]
    return (
        set(found.tags) <= ALLOWED_TAGS | MATH_TAGS
        and {name for _, name, _ in found.attributes} <= {"href", "rel"} | MATH_ATTRIBUTES
        and all(re.match(r"(https?:|mailto:)|(?![a-z][a-z0-9+.-]*:)", address, re.IGNORECASE) for address in addresses)
    )
