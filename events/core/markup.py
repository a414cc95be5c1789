"""HTML pasted into texts: its detection, its mapping to allowed tags, and its conversion to plain text."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

ALLOWED_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "span", "sub", "sup"),
}
TAG_REPLACEMENTS = {
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
"""Allowed tags instead of others with the same meaning."""
KNOWN_TAGS = (
    ALLOWED_TAGS
    | TAG_REPLACEMENTS.keys()
    | {"img", "font", "u", "small", "big", "dl", "ins", "abbr", "cite", "q", "mark", "tfoot", "caption", "o"}
)
HEADING_PATTERN = re.compile(r"</?h([1-6])\b")
BLOCK_TAGS = {"p", "li", "ul", "ol", "pre", "blockquote", "table", "tr", "h3", "h4", "h5", "h6", "hr"}
MAX_HTML_TAGS = 5_000

_HTML_START_PATTERN = re.compile(
    r"\s*<(?:p|div|ul|ol|h[1-6]|table|blockquote|pre|section|article|dl|center|span|font)(?:\s[^<>]*)?>", re.IGNORECASE
)
_TAG_NAME_PATTERN = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_WHOLE_TAG_PATTERN = re.compile(r"<[^<>]*>")
_IMG_PATTERN = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_ALT_PATTERN = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Return whether all of the text is HTML: it begins with a paragraph, a list, a heading or a span."""
    return _HTML_START_PATTERN.match(text) is not None


def is_known_tag(text: str) -> bool:
    tag = _TAG_NAME_PATTERN.match(text.lstrip())
    return tag is not None and tag[2].lower() in KNOWN_TAGS


def replace_tags(text: str) -> str:
    """Replace tags by allowed ones. The result must still be cleaned.

    A text with more than MAX_HTML_TAGS tags becomes plain text, because parsing it would take long.
    """
    if text.count("<") > MAX_HTML_TAGS:
        return html.escape(html.unescape(_WHOLE_TAG_PATTERN.sub(" ", text)))
    return _TAG_NAME_PATTERN.sub(_replaced_tag, _IMG_PATTERN.sub(_image_alt, text))


def html_to_text(clean: str) -> str:
    reader = _HtmlTextReader()
    reader.feed(clean)
    reader.close()
    blocks = (re.sub(r" *\n *", "\n", re.sub("[ \t]+", " ", block)).strip() for block in reader.blocks())
    return "\n\n".join(filter(None, blocks))


def _replaced_tag(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    return f"<{tag[1]}{TAG_REPLACEMENTS.get(name, name)}"


def _image_alt(tag: re.Match[str]) -> str:
    # An image of another site would reveal the readers of this page to it; its alternative text stays.
    alt = _ALT_PATTERN.search(tag[0])
    return html.escape(html.unescape(alt[1] or alt[2] or "")) if alt else ""


class _HtmlTextReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[list[str]] = [[]]
        self.address, self.start, self.is_pre = "", 0, False

    def blocks(self) -> list[str]:
        return ["".join(part) for part in self.parts]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCK_TAGS:
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
        elif tag in BLOCK_TAGS:
            self._break()
        self.is_pre = self.is_pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.parts[-1].append(data if self.is_pre else re.sub(r"\s+", " ", data))

    def _break(self) -> None:
        if self.parts[-1]:
            self.parts.append([])
            self.start = 0


def with_headings_from(level: int, clean: str) -> str:
    """Move the headings of rendered Markdown so that the highest one has this level.

    >>> with_headings_from(2, "<h4>Network</h4><h5>Guests</h5>")
    '<h2>Network</h2><h3>Guests</h3>'
    """
    levels = [int(found) for found in HEADING_PATTERN.findall(clean)]
    shift = min(levels, default=level) - level
    return HEADING_PATTERN.sub(lambda tag: tag[0].replace(tag[1], str(int(tag[1]) - shift), 1), clean)
