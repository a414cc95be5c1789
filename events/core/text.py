"""Conversion of Markdown with $TeX$, or of HTML, to safe HTML and to plain text; cleaning of text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from xml.etree import ElementTree

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from events.core.markup import ALLOWED_TAGS, html_to_text, is_html, is_known_tag, replace_tags

MAX_MARKDOWN_CHARS = 100_000
MAX_FORMULA_CHARS = 2_000
MAX_FORMULA_CHARS_OF_TEXT = 20_000
"""Of all formulas together, of which each counts as at least ``MIN_FORMULA_COST``; later ones are shown as typed."""
MIN_FORMULA_COST = 20
# A text beyond one of these takes seconds to convert and is shown as typed.
MAX_SQUARE_BRACKETS = 5_000
MAX_TABLE_CELLS = 10_000
MAX_MARKDOWN_TOKENS = 20_000
MATH_TAGS = frozenset(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover "
    "mtable mtr mtd mstyle menclose mpadded mphantom mmultiscripts mprescripts none".split()
)
MATH_ATTRIBUTES = frozenset(
    "display stretchy fence separator form mathvariant linethickness columnalign rowspacing columnspacing "
    "accent accentunder minsize maxsize lspace rspace width notation movablelimits largeop".split()
)
# Headings inside a text stand below the page's own first two levels.
HEADING_TAGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
NO_PICTURES: Mapping[str, str] = {}
INSERTION_MARK_PATTERN = re.compile("\ue000(\\d+)\ue001")
EMPTY_PARAGRAPH = re.compile(r"<p>\s*</p>\n?")
BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
PRIVATE_USE = re.compile("[\ue000\ue001]")
WRITTEN_PRIVATE_USE = re.compile("&#(?:x0*e00[01]|0*5734[45]);?", re.IGNORECASE)
UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
LINK_START_PATTERN = re.compile("<a\\s[^<>]*?href\\s*=\\s*[\"']?([^\"'\\s<>]+)", re.IGNORECASE)

_markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_markdown.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)


def markdown_to_html(text: str, pictures: Mapping[str, str] = NO_PICTURES) -> str:
    """Return HTML that is safe on any page: an allow-list of tags, no attributes except ``href``.

    Text that begins as HTML is cleaned without Markdown; tags inside Markdown are handled as in CommonMark.
    ``pictures`` has our own HTML for each name that an image may have instead of an address.
    """
    tidy = _tidy(text)
    if is_html(tidy):
        return _clean(replace_tags(tidy))
    tokens = _parse(_markdown.parse, tidy)
    return _paragraphs(tidy) if tokens is None else _safe_html(tokens, pictures)


def picture_names(text: str) -> set[str]:
    """The names and addresses of the images in a Markdown text."""
    tidy = _tidy(text)
    tokens = [] if is_html(tidy) else _parse(_markdown.parse, tidy) or []
    return {str(token.attrGet("src")) for token in _flat(tokens) if token.type == "image"}


def markdown_line_to_html(text: str) -> str:
    tidy = _tidy(text)
    tokens = _parse(_markdown.parseInline, tidy)
    return html.escape(tidy) if tokens is None else _safe_html(tokens)


def markdown_to_text(text: str) -> str:
    """Return plain text: links as "text (address)", formulas as typed."""
    tidy = _tidy(text)
    if is_html(tidy):
        return html_to_text(_clean(replace_tags(tidy)))
    tokens = _parse(_markdown.parse, tidy)
    if tokens is None:
        return tidy.strip()
    blocks = [UNSHOWABLE.sub("", _block_text(token)) for token in tokens if token.content]
    return "\n\n".join(filter(None, blocks))


def _parse(parse: Callable[[str], list[Token]], tidy: str) -> list[Token] | None:
    """Return the tokens; None if there are too many, or brackets or table cells that would take long to parse."""
    if tidy.count("[") > MAX_SQUARE_BRACKETS or _table_cells(tidy) > MAX_TABLE_CELLS:
        return None
    tokens = parse(tidy)
    return tokens if len(_flat(tokens)) <= MAX_MARKDOWN_TOKENS else None


def _table_cells(text: str) -> int:
    """Return the most cells that tables may have: every line below a header gets as many as the header."""
    blocks = ([line.count("|") for line in block.split("\n")] for block in BLANK_LINES.split(text) if "|" in block)
    return sum((max(pipes) + 1) * len(pipes) for pipes in blocks)


def _paragraphs(text: str) -> str:
    blocks = filter(None, (block.strip() for block in BLANK_LINES.split(text)))
    return "".join(f"<p>{html.escape(block).replace(chr(10), '<br>')}</p>\n" for block in blocks)


def _tidy(text: str) -> str:
    # Replaced by a space, so that the characters around a mark cannot form a new one.
    return WRITTEN_PRIVATE_USE.sub(" ", UNSHOWABLE.sub("", PRIVATE_USE.sub("", text[:MAX_MARKDOWN_CHARS])))


def _safe_html(tokens: Sequence[Token], pictures: Mapping[str, str] = NO_PICTURES) -> str:
    # Our own HTML, which replaces its marks after the cleaning.
    insertions: list[str] = []
    formula_chars = 0
    for token in _flat(tokens):
        # The parser has just turned "&#xE000;" into the mark of a formula.
        token.content = PRIVATE_USE.sub("", token.content)
        if token.type.startswith("math_"):
            formula_chars += max(len(token.content), MIN_FORMULA_COST)
            is_affordable = formula_chars <= MAX_FORMULA_CHARS_OF_TEXT
            block = token.type != "math_inline"
            insertions.append(tex_to_mathml(token.content, block=block) if is_affordable else _as_typed(token.content))
            token.type, token.content = "text", f"\ue000{len(insertions) - 1}\ue001"
        elif token.type.startswith("html_"):
            _replace_or_escape(token)
        elif token.type in {"heading_open", "heading_close"}:
            token.tag = HEADING_TAGS[token.tag]
        elif token.type == "image" and (picture := pictures.get(str(token.attrGet("src")))):
            insertions.append(picture)
            token.type, token.content, token.children = "text", f"\ue000{len(insertions) - 1}\ue001", None
        elif token.type == "image":
            # An image of another site would reveal the readers of this page to it; its alternative text stays.
            token.type, token.children = "text", None
    clean = _clean(_markdown.renderer.render(tokens, _markdown.options, {}))
    return INSERTION_MARK_PATTERN.sub(lambda match: insertions[int(match[1])], clean)


def _replace_or_escape(token: Token) -> None:
    """Replace known tags; escape others, such as “<T>” and <script>, so that they are shown as text."""
    if is_known_tag(token.content):
        token.content = replace_tags(token.content)
    else:
        token.type = "text"


def _clean(dirty: str) -> str:
    clean = nh3.clean(
        dirty,
        tags=ALLOWED_TAGS,
        attributes={"*": set(), "a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    # The cleaner has just turned "&#7;" into a character.
    return EMPTY_PARAGRAPH.sub("", UNSHOWABLE.sub("", clean))


def _flat(tokens: Sequence[Token]) -> list[Token]:
    return [inner for token in tokens for inner in [token, *(token.children or [])]]


def tex_to_mathml(tex: str, *, block: bool) -> str:
    """Return MathML, or the TeX as code if it cannot be converted."""
    as_typed = _as_typed(tex)
    if len(tex) > MAX_FORMULA_CHARS:
        return as_typed
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if block else "inline"))  # noqa: S314 - our own converter's output
    except Exception:  # noqa: BLE001 - the converter raises many kinds of exceptions
        return as_typed
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag not in MATH_TAGS:
            return as_typed
        for name in set(element.attrib) - MATH_ATTRIBUTES:
            del element.attrib[name]
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _as_typed(tex: str) -> str:
    return f"<code>{html.escape(tex)}</code>"


def _block_text(token: Token) -> str:
    if token.type == "html_block" and is_known_tag(token.content):
        return html_to_text(_clean(replace_tags(token.content)))
    out: list[str] = []
    address, start = "", 0
    for inner in token.children or [token]:
        kind, content = inner.type, inner.content
        if kind == "link_open" or (kind == "html_inline" and LINK_START_PATTERN.match(content)):
            found = LINK_START_PATTERN.match(content)
            address, start = found[1] if found else str(inner.attrGet("href") or ""), len(out)
        elif kind == "link_close" or (kind == "html_inline" and content.lower() == "</a>"):
            out.append(f" ({address})" if address not in {"", "".join(out[start:])} else "")
        else:
            out.append(_token_text(kind, content))
    return "".join(out).strip()


def _token_text(kind: str, content: str) -> str:
    if kind in {"softbreak", "hardbreak"}:
        return "\n"
    if kind.startswith("math_"):
        return f"${content}$"
    if kind == "html_inline" and is_known_tag(content):
        return "\n" if content.lower().startswith("<br") else ""
    return content


NEWLINE_PATTERN = re.compile("\r\n|[\r\x85\u2028\u2029]")
# C0 except tab and newline, DEL, C1, lone surrogates, bidirectional controls, BOM and noncharacters.
UNWANTED_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def clean_text(text: str) -> str:
    # Nothing unwanted is printable, and to search for it takes longer than to ask.
    if text.isprintable():
        return text
    return UNWANTED_CHARACTERS.sub("", NEWLINE_PATTERN.sub("\n", text))


def one_line(text: str) -> str:
    return " ".join(clean_text(text).split())
