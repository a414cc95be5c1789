"""Markdown with $TeX$, or HTML, to safe HTML, and to plain text for calendars."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from xml.etree import ElementTree

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from events.markup import TAGS, in_our_tags, is_html, is_known_tag, words

__all__ = ["MATH_ATTRIBUTES", "MATH_TAGS", "TAGS", "formula", "is_html", "markdown_line_to_html", "markdown_to_html", "plain"]

LONGEST = 100_000
LONGEST_FORMULA = 2_000
MATH_TAGS = frozenset(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover "
    "mtable mtr mtd mstyle menclose mpadded mphantom mmultiscripts mprescripts none".split()
)
MATH_ATTRIBUTES = frozenset(
    "display stretchy fence separator form mathvariant linethickness columnalign rowspacing columnspacing "
    "accent accentunder minsize maxsize lspace rspace width notation movablelimits largeop".split()
)
# Headings inside a text stand below the page's own first two levels.
HEADING = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")
EMPTY_PARAGRAPH = re.compile(r"<p>\s*</p>\n?")
PRIVATE_USE = re.compile("[\ue000\ue001]")
WRITTEN_PRIVATE_USE = re.compile("&#(?:x0*e00[01]|0*5734[45]);?", re.IGNORECASE)
UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
LINK = re.compile("<a\\s[^<>]*?href\\s*=\\s*[\"']?([^\"'\\s<>]+)", re.IGNORECASE)

_markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_markdown.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)


@lru_cache(maxsize=2048)
def markdown_to_html(text: str) -> str:
    """Render to HTML that is safe to put on any page: an allow-list of tags, no attributes but links'.

    Text that is HTML from its first tag on is cleaned as it is; tags inside Markdown are what CommonMark makes of them.
    """
    tidy = _tidy(text)
    return _clean(in_our_tags(tidy)) if is_html(tidy) else _safe_html(_markdown.parse(tidy))


@lru_cache(maxsize=2048)
def markdown_line_to_html(text: str) -> str:
    """The same for one line, without paragraphs."""
    return _safe_html(_markdown.parseInline(_tidy(text)))


def plain(text: str) -> str:
    """The words alone: links as "text (address)", formulas as they were typed."""
    tidy = _tidy(text)
    if is_html(tidy):
        return words(_clean(in_our_tags(tidy)))
    blocks = [UNSHOWABLE.sub("", _words(token)) for token in _markdown.parse(tidy) if token.content]
    return "\n\n".join(filter(None, blocks))


def _tidy(text: str) -> str:
    # A blank, lest what stands around a mark becomes one.
    return WRITTEN_PRIVATE_USE.sub(" ", UNSHOWABLE.sub("", PRIVATE_USE.sub("", text[:LONGEST])))


def _safe_html(tokens: Sequence[Token]) -> str:
    """Formulas are set aside while the rest is cleaned: their MathML is checked by itself."""
    formulas: list[str] = []
    for token in _flat(tokens):
        # "&#xE000;" has become the mark of a formula only now.
        token.content = PRIVATE_USE.sub("", token.content)
        if token.type.startswith("math_"):
            formulas.append(formula(token.content, block=token.type != "math_inline"))
            token.type, token.content = "text", f"\ue000{len(formulas) - 1}\ue001"
        elif token.type.startswith("html_"):
            _use_or_show(token)
        elif token.type in {"heading_open", "heading_close"}:
            token.tag = HEADING[token.tag]
        elif token.type == "image":
            # A picture from elsewhere would tell that site who reads this page; its words stay.
            token.type, token.children = "text", None
    clean = _clean(_markdown.renderer.render(tokens, _markdown.options, {}))
    return PLACEHOLDER.sub(lambda match: formulas[int(match[1])], clean)


def _use_or_show(token: Token) -> None:
    """A tag that HTML texts use is one; “<T>” and <script> are something somebody wrote about."""
    if is_known_tag(token.content):
        token.content = in_our_tags(token.content)
    else:
        token.type = "text"


def _clean(dirty: str) -> str:
    clean = nh3.clean(
        dirty,
        tags=TAGS,
        attributes={"*": set(), "a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    # "&#7;" has become a character only now.
    return EMPTY_PARAGRAPH.sub("", UNSHOWABLE.sub("", clean))


def _flat(tokens: Sequence[Token]) -> list[Token]:
    return [inner for token in tokens for inner in [token, *(token.children or [])]]


def formula(tex: str, *, block: bool) -> str:
    """TeX as MathML, or the TeX itself as code when it cannot be read."""
    as_typed = f"<code>{html.escape(tex)}</code>"
    if len(tex) > LONGEST_FORMULA:
        return as_typed
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if block else "inline"))  # noqa: S314 - our own converter's output
    except Exception:  # noqa: BLE001 - the converter raises whatever it stumbles over
        return as_typed
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag not in MATH_TAGS:
            return as_typed
        for name in set(element.attrib) - MATH_ATTRIBUTES:
            del element.attrib[name]
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _words(token: Token) -> str:
    """One block's words; each link's address stands behind its text, unless the text is the address."""
    if token.type == "html_block" and is_known_tag(token.content):
        return words(_clean(in_our_tags(token.content)))
    out: list[str] = []
    address, start = "", 0
    for inner in token.children or [token]:
        kind, content = inner.type, inner.content
        if kind == "link_open" or (kind == "html_inline" and LINK.match(content)):
            found = LINK.match(content)
            address, start = found[1] if found else str(inner.attrGet("href") or ""), len(out)
        elif kind == "link_close" or (kind == "html_inline" and content.lower() == "</a>"):
            out.append(f" ({address})" if address not in {"", "".join(out[start:])} else "")
        else:
            out.append(_word(kind, content))
    return "".join(out).strip()


def _word(kind: str, content: str) -> str:
    if kind in {"softbreak", "hardbreak"}:
        return "\n"
    if kind.startswith("math_"):
        return f"${content}$"
    if kind == "html_inline" and is_known_tag(content):
        return "\n" if content.lower().startswith("<br") else ""
    return content
