"""Safe reading of foreign XML: no DTD, no entities, and limits of depth and size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from events.core.parsing.errors import MAX_XML_NODES, ScheduleParseError, or_command, raised, refuse_large_text

MAX_XML_DEPTH = 60
WEB_PAGE_PROBLEM = "is a web page and not a schedule, perhaps because the site asks to sign in: download the file again"
_XML_HEAD_BYTES = 20_000
_XML_COMMENT_PATTERN = re.compile(r"<!--.*?-->", re.DOTALL)
_DOCTYPE_PATTERN = re.compile(r"<!DOCTYPE\b[^>\[]*(?:\[.*?\]\s*)?>", re.IGNORECASE | re.DOTALL)
_ROOT_TAG_PATTERN = re.compile(r"<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?([A-Za-z_][\w.-]*)", re.IGNORECASE)
DOCTYPE_PROBLEM = "declares a document type or entities, which no schedule needs: take the <!DOCTYPE …> out"


class LineElement(Element):
    """An element with its line in the file."""

    __slots__ = ("line",)
    line: int


class _XmlLimitError(Exception):
    """Raised inside expat when a limit is exceeded."""


class _BoundedTreeBuilder(TreeBuilder):
    """Stops at a tree that is deeper or larger than any schedule."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        super().__init__(element_factory=LineElement)
        self.limits, self.counts, self.depth, self.nodes = limits, Counter[str](), 0, 0
        self.expat: expat.XMLParserType

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.depth += 1
        self.nodes += 1 + len(attrs)
        if self.depth > MAX_XML_DEPTH:
            raise _XmlLimitError(f"nests elements {MAX_XML_DEPTH} deep and more: export it again")
        if self.nodes > raised(MAX_XML_NODES):
            raise _XmlLimitError(f"holds more than {raised(MAX_XML_NODES):,} elements: {or_command('split it')}")
        if tag in self.limits:
            self.counts[tag] += 1
            if self.counts[tag] > raised(self.limits[tag]):
                raise _XmlLimitError(f"holds more than {raised(self.limits[tag]):,} elements <{tag}>: {or_command('split it')}")
        element = super().start(tag, attrs)
        element.line = self.expat.CurrentLineNumber  # type: ignore[attr-defined]
        return element

    def end(self, tag: str) -> Element:
        self.depth -= 1
        return super().end(tag)


def load_xml(content: bytes, *, file: str, limits: Mapping[str, int] | None = None) -> Element:
    """Return the root of a tree of LineElements; ``limits`` are maximum numbers of elements by tag.

    Raise ScheduleParseError with the line.
    """
    refuse_large_text(content, file=file)
    if not content.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    if root_tag(content).lower() == "html":
        raise ScheduleParseError(WEB_PAGE_PROBLEM, file=file)
    # Attributes are all in memory before any of them can be counted.
    if content.count(b"=") > raised(MAX_XML_NODES):
        problem = f"holds more than {raised(MAX_XML_NODES):,} attributes: {or_command('split it')}"
        raise ScheduleParseError(problem, file=file)
    target = _BoundedTreeBuilder(limits or {})
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    target.expat = parser.parser
    try:
        parser.feed(content)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise ScheduleParseError(DOCTYPE_PROBLEM, file=file, line=parser.parser.CurrentLineNumber) from error
    except ParseError as error:
        line, column = error.position
        problem = f"is not well-formed XML at character {column + 1} ({expat.errors.messages.get(error.code, 'syntax error')})"
        raise ScheduleParseError(f"{problem}: export it again", file=file, line=line) from error
    except _XmlLimitError as error:
        raise ScheduleParseError(str(error), file=file, line=parser.parser.CurrentLineNumber) from error
    except (ValueError, LookupError, UnicodeError) as error:
        raise ScheduleParseError("cannot be read in the encoding it names: save it as UTF-8", file=file, line=1) from error
    return root


def root_tag(content: bytes) -> str:
    """Return the name of the first element, without namespace; "" if the first 20,000 bytes have none.

    If a document type fills them, its name is returned.
    """
    head = _xml_head(content)
    first = _ROOT_TAG_PATTERN.search(head)
    # A page may begin with <body>, as its document type says that it is one.
    is_page = first is not None and first[1].lower() == "html"
    match = first if is_page else _ROOT_TAG_PATTERN.search(_DOCTYPE_PATTERN.sub("", head)) or first
    return match[1] if match else ""


def has_document_type(content: bytes) -> bool:
    return bool(
        re.match(r"\s*(?:<\?.*?\?>\s*)*<!DOCTYPE\b", _xml_head(content).lstrip("\xef\xbb\xbf\xff\xfe"), re.IGNORECASE | re.DOTALL)
    )


def _xml_head(content: bytes) -> str:
    # Without NULs, the tags of UTF-16 read like ASCII.
    head = content[:_XML_HEAD_BYTES].replace(b"\0", b"").decode("latin-1")
    return _XML_COMMENT_PATTERN.sub("", head)


def line_prefix(element: Element) -> str:
    return f"line {element.line}, " if isinstance(element, LineElement) else ""
