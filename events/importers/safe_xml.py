"""XML from strangers: no DTD, no entities, no depth that breaks a reader."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from events.importers.errors import ScheduleParseError

DEEPEST = 60


class _Bounded(TreeBuilder):
    def __init__(self) -> None:
        super().__init__()
        self.depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"elements inside elements, {DEEPEST} deep and more")
        return super().start(tag, attrs)

    def end(self, tag: str) -> Element:
        self.depth -= 1
        return super().end(tag)


def load_xml(content: bytes, *, file: str) -> Element:
    """The root element; raises ScheduleParseError that names the line."""
    if not content.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    parser = DefusedXMLParser(target=_Bounded(), forbid_dtd=True)
    try:
        parser.feed(content)
        root: Element = parser.close()
    except DefusedXmlException as error:
        problem = "declares a document type or entities, which no schedule needs: take the <!DOCTYPE …> out"
        raise ScheduleParseError(problem, file=file, line=_line(content, rb"<!(DOCTYPE|ENTITY)")) from error
    except ParseError as error:
        line, column = error.position
        problem = f"is not well-formed XML at character {column + 1} ({expat.errors.messages.get(error.code, 'syntax error')})"
        raise ScheduleParseError(f"{problem}: export it again", file=file, line=line) from error
    except (ValueError, LookupError, UnicodeError) as error:
        raise ScheduleParseError(f"cannot be read as XML: {error}", file=file) from error
    return root


def _line(content: bytes, pattern: bytes) -> int | None:
    found = re.search(pattern, content)
    return content.count(b"\n", 0, found.start()) + 1 if found else None
