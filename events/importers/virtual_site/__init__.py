"""The virtual site of ICLR, NeurIPS, ICML and COLM: <conference>-<year>-orals-posters.json, and its abstracts beside it."""

from __future__ import annotations

from typing import Any

from events.importers import values
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.safe_json import load_json
from events.importers.virtual_site.reader import Reader

__all__ = ["parse", "recognises"]


def recognises(document: Document) -> bool:
    return any(_is_programme(content) for content in document.files.values())


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none, or only one page of several."""
    abstracts: dict[str, str] = {}
    records: list[dict[str, Any]] = []
    for name, content in document.files.items():
        if _is_programme(content):
            told = load_json(content, file=name)
            records += values.rows(told) or values.complete(values.row(told), file=name)
        elif name.lower().endswith(".json"):
            found = values.row(load_json(content, file=name))
            abstracts |= {number: text for number, text in found.items() if isinstance(text, str) and number.isdecimal()}
    if not records:
        raise ScheduleParseError("has no oral or poster records in its “results”: download it again", file=document.name)
    return Reader(document.name, hints, values.few(records, file=document.name), abstracts).read()


def _is_programme(content: bytes) -> bool:
    return values.has_keys(content, "eventtype", "virtualsite_url")
