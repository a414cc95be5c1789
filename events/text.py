"""Markdown with $TeX$ to safe HTML, and to plain text for calendars."""

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

LONGEST = 100_000
LONGEST_FORMULA = 2_000
TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "span"),
}
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
PRIVATE_USE = re.compile("[\ue000\ue001]")
UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_markdown.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)


@lru_cache(maxsize=2048)
def markdown_to_html(text: str) -> str:
    """Render to HTML that is safe to put on any page: an allow-list of tags, no attributes but links'."""
    return _safe_html(_markdown.parse(_tidy(text)))


@lru_cache(maxsize=2048)
def markdown_line_to_html(text: str) -> str:
    """The same for one line, without paragraphs."""
    return _safe_html(_markdown.parseInline(_tidy(text)))


def plain(text: str) -> str:
    """The words alone: links as "text (address)", formulas as they were typed."""
    blocks = [_words(token) for token in _markdown.parse(_tidy(text)) if token.content]
    return "\n\n".join(filter(None, blocks))


def _tidy(text: str) -> str:
    return UNSHOWABLE.sub("", PRIVATE_USE.sub("", text[:LONGEST]))


def _safe_html(tokens: Sequence[Token]) -> str:
    """Formulas are set aside while the rest is cleaned: their MathML is checked by itself."""
    formulas: list[str] = []
    for token in _flat(tokens):
        # "&#xE000;" has become the mark of a formula only now.
        token.content = PRIVATE_USE.sub("", token.content)
        if token.type.startswith("math_"):
            formulas.append(formula(token.content, block=token.type != "math_inline"))
            token.type, token.content = "text", f"\ue000{len(formulas) - 1}\ue001"
        elif token.type in {"heading_open", "heading_close"}:
            token.tag = HEADING[token.tag]
        elif token.type == "image":
            # A picture from elsewhere would tell that site who reads this page; its words stay.
            token.type, token.children = "text", None
    dirty = _markdown.renderer.render(tokens, _markdown.options, {})
    clean = nh3.clean(
        dirty,
        tags=TAGS,
        attributes={"*": set(), "a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    return PLACEHOLDER.sub(lambda match: formulas[int(match[1])], clean)


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
    out: list[str] = []
    address, start = "", 0
    for inner in token.children or [token]:
        match inner.type:
            case "link_open":
                address, start = str(inner.attrGet("href") or ""), len(out)
            case "link_close":
                out.append(f" ({address})" if address != "".join(out[start:]) else "")
            case "softbreak" | "hardbreak":
                out.append("\n")
            case kind if kind.startswith("math_"):
                out.append(f"${inner.content}$")
            case _:
                out.append(inner.content)
    return "".join(out).strip()
