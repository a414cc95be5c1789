"""HTML that people pasted into texts: how it is told, in which tags we show it, and its words."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "span", "sub", "sup"),
}
OURS = {
    "b": "strong",
    "i": "em",
    "del": "s",
    "strike": "s",
    "tt": "code",
    "kbd": "code",
    "samp": "code",
    **dict.fromkeys(("div", "section", "article", "center", "address", "dt", "dd"), "p"),
    # Headings inside a text stand below the page's own first two levels.
    "h1": "h3",
    "h2": "h4",
    "h3": "h5",
    "h4": "h6",
    "h5": "h6",
}
"""What we show instead of tags that mean the same."""
KNOWN = (
    TAGS | OURS.keys() | {"img", "font", "u", "small", "big", "dl", "ins", "abbr", "cite", "q", "mark", "tfoot", "caption", "o"}
)
BLOCKS = {"p", "li", "ul", "ol", "pre", "blockquote", "table", "tr", "h3", "h4", "h5", "h6", "hr"}
MOST_TAGS = 5_000

_BEGINS = re.compile(
    r"\s*<(?:p|div|ul|ol|h[1-6]|table|blockquote|pre|section|article|dl|center|span|font)(?:\s[^<>]*)?>", re.IGNORECASE
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_ANY_TAG = re.compile(r"<[^<>]*>")
_PICTURE = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Whether somebody meant all of it as HTML: it begins with a paragraph, a list, a heading or a span."""
    return _BEGINS.match(text) is not None


def is_known_tag(text: str) -> bool:
    """Whether text begins with a tag (or the end of one) that HTML texts are made of."""
    found = _TAG.match(text.lstrip())
    return found is not None and found[2].lower() in KNOWN


def in_our_tags(text: str) -> str:
    """The same in the tags we show. What it returns is not safe yet.

    A text of more tags than words is shown without any, as an HTML reader would take long over it.
    """
    if text.count("<") > MOST_TAGS:
        return html.escape(html.unescape(_ANY_TAG.sub(" ", text)))
    return _TAG.sub(_ours, _PICTURE.sub(_words_of_picture, text))


def words(clean: str) -> str:
    """The words of clean HTML: paragraphs apart, links as "text (address)"."""
    reader = _Words()
    reader.feed(clean)
    reader.close()
    blocks = (re.sub(r" *\n *", "\n", re.sub("[ \t]+", " ", block)).strip() for block in reader.blocks())
    return "\n\n".join(filter(None, blocks))


def _ours(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    return f"<{tag[1]}{OURS.get(name, name)}"


def _words_of_picture(tag: re.Match[str]) -> str:
    """A picture from elsewhere would tell that site who reads this page; its words stay."""
    found = _ALT.search(tag[0])
    return html.escape(html.unescape(found[1] or found[2] or "")) if found else ""


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[list[str]] = [[]]
        self.address, self.start, self.is_pre = "", 0, False

    def blocks(self) -> list[str]:
        return ["".join(part) for part in self.parts]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self._break()
        elif tag == "br":
            self.parts[-1].append("\n")
        elif tag == "a":
            self.address, self.start = dict(attrs).get("href") or "", len(self.parts[-1])
        self.is_pre = self.is_pre or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self.address:
            text = "".join(self.parts[-1][self.start :]).strip()
            self.parts[-1].append(f" ({self.address})" if text != self.address else "")
            self.address = ""
        elif tag in {"td", "th"}:
            self.parts[-1].append(" ")
        elif tag in BLOCKS:
            self._break()
        self.is_pre = self.is_pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.parts[-1].append(data if self.is_pre else re.sub(r"\s+", " ", data))

    def _break(self) -> None:
        if self.parts[-1]:
            self.parts.append([])
            self.start = 0
