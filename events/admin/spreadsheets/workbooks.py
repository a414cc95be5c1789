"""Whether a workbook unpacks to what no sheet holds: seen before anything of it is kept."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from xml.parsers import expat

MOST_UNPACKED = 128 * 2**20
MOST_ELEMENTS = 1_500_000
"""In all parts together; a cell takes up to four. 25 kB can hold millions, over which a reader of workbooks takes minutes."""
DEEPEST = 60
CHUNK = 2**20


def is_too_much(archive: zipfile.ZipFile) -> bool:
    entries = archive.infolist()
    # No more than it claims is ever read from an entry, so the claims bound it.
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        return True
    # Counting bytes is a hundred times as quick as reading tags.
    elements = sum(some.count(b"<") - some.count(b"</") for entry in entries for some in _bytes(archive, entry))
    return elements > MOST_ELEMENTS or any(_is_too_deep(archive, entry) for entry in entries)


def _bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as part:
        while some := part.read(CHUNK):
            yield some


class _TooDeepError(Exception):
    """On its way out through expat."""


class _Depth:
    def __init__(self) -> None:
        self.depth = 0

    def start(self, name: str, attributes: object) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _TooDeepError

    def end(self, name: str) -> None:
        self.depth -= 1


def _is_too_deep(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    parser, depth = expat.ParserCreate(), _Depth()
    parser.StartElementHandler, parser.EndElementHandler = depth.start, depth.end
    # With this one set, entities stay what they are: a document type is refused later, in words.
    parser.DefaultHandler = lambda data: None
    try:
        for some in _bytes(archive, entry):
            parser.Parse(some)
    except _TooDeepError:
        return True
    except expat.ExpatError:
        # A picture, or XML that is refused later.
        return False
    return False
