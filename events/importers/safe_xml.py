"""XML from strangers: no DTD, no entities, no depth or number of elements that breaks a reader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from events.importers.errors import ScheduleParseError
from events.importers.limits import MOST_ELEMENTS, refuse_large_text

DEEPEST = 60
WEB_PAGE = "is a web page and no schedule, perhaps because one must sign in first: download the file again"
_HEAD = 20_000
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?([A-Za-z_][\w.-]*)", re.IGNORECASE)


class Place(Element):
    """An element that knows the line it stands on."""

    __slots__ = ("line",)
    line: int


class _TooMuchError(Exception):
    """What _Bounded found, on its way out through expat."""


class _Bounded(TreeBuilder):
    """Builds the tree until it is deeper or larger than any schedule."""

    def __init__(self, most: Mapping[str, int]) -> None:
        super().__init__(element_factory=Place)
        self.most, self.seen, self.depth, self.elements = most, Counter[str](), 0, 0
        self.expat: expat.XMLParserType

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.depth += 1
        self.elements += 1 + len(attrs)
        if self.depth > DEEPEST:
            raise _TooMuchError(f"holds elements inside elements, {DEEPEST} deep and more: export it again")
        if self.elements > MOST_ELEMENTS:
            raise _TooMuchError(f"holds more than {MOST_ELEMENTS:,} elements: split it")
        if tag in self.most:
            self.seen[tag] += 1
            if self.seen[tag] > self.most[tag]:
                raise _TooMuchError(f"holds more than {self.most[tag]:,} elements <{tag}>: split it")
        element = super().start(tag, attrs)
        element.line = self.expat.CurrentLineNumber  # type: ignore[attr-defined]
        return element

    def end(self, tag: str) -> Element:
        self.depth -= 1
        return super().end(tag)


def load_xml(content: bytes, *, file: str, most: Mapping[str, int] | None = None) -> Element:
    """The root element, all of whose elements are Places; ``most`` bounds how often a tag may stand.

    Raises ScheduleParseError that names the line.
    """
    refuse_large_text(content, file=file)
    if not content.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    if root_tag(content).lower() == "html":
        raise ScheduleParseError(WEB_PAGE, file=file)
    # Attributes are all in memory before any of them can be counted.
    if content.count(b"=") > MOST_ELEMENTS:
        raise ScheduleParseError(f"holds more than {MOST_ELEMENTS:,} attributes: split it", file=file)
    target = _Bounded(most or {})
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    target.expat = parser.parser
    try:
        parser.feed(content)
        root: Element = parser.close()
    except DefusedXmlException as error:
        problem = "declares a document type or entities, which no schedule needs: take the <!DOCTYPE …> out"
        raise ScheduleParseError(problem, file=file, line=parser.parser.CurrentLineNumber) from error
    except ParseError as error:
        line, column = error.position
        problem = f"is not well-formed XML at character {column + 1} ({expat.errors.messages.get(error.code, 'syntax error')})"
        raise ScheduleParseError(f"{problem}: export it again", file=file, line=line) from error
    except _TooMuchError as error:
        raise ScheduleParseError(str(error), file=file, line=parser.parser.CurrentLineNumber) from error
    except (ValueError, LookupError, UnicodeError) as error:
        raise ScheduleParseError("cannot be read in the encoding it names: save it as UTF-8", file=file, line=1) from error
    return root


def root_tag(content: bytes) -> str:
    """The name of the first element (or of the document type), without its namespace; "" where there is none near the top."""
    # Without NULs, UTF-16 reads like ASCII as far as tags go.
    found = _TAG.search(_COMMENT.sub("", content[:_HEAD].replace(b"\0", b"").decode("latin-1")))
    return found[1] if found else ""
