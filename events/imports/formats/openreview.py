"""Notes of OpenReview's API version 2: the accepted papers of a venue."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats.document import Document, Hints
from events.imports.formats.paperlists import PaperListReader, builder_without_timetable
from events.programme.data.schedule import ScheduleData

SITE_URL = "https://openreview.net"
# Ends of a venueid: ICLR.cc/2025/Conference/Withdrawn_Submission, TMLR/Under_Review.
_UNDECIDED_PATTERN = re.compile(
    r"(^|_)(submission|submitted|review|reject|rejected|withdrawn|pending|retracted|deleted)$", re.IGNORECASE
)
_UNDECIDED_VENUE_PATTERN = re.compile(r"submitted|withdraw|reject|under review|retracted", re.IGNORECASE)
MAX_VENUE_CHARS = 200
NOTE_TEXTS = {"title": "title", "abstract": "abstract", "TL;DR": "tldr", "TLDR": "tldr", "primary_area": "primary_area"}
NOTE_ADDRESSES = {"code": "github", "video": "video", "slides": "slides", "poster": "poster", "project": "project"}


def recognises(document: Document) -> bool:
    return document.is_one_file and values.has_json_keys(document.content, "content", "venueid", "value")


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a page of several, without accepted papers, and for a conference without dates."""
    content = load_json(document.content, file=document.name)
    notes = values.as_objects(values.as_object(content).get("notes") if isinstance(content, dict) else content)
    total = values.as_int(values.as_object(content).get("count"))
    if total and total > len(notes):
        problem = f"holds {len(notes)} of {total} notes, one page of several: fetch all pages into one file"
        raise ScheduleParseError(problem, file=document.name)
    builder = builder_without_timetable(document, hints)
    venues = OpenReviewVenues(notes)
    refused: Counter[str] = Counter()
    papers = []
    for note in notes:
        if reason := venues.reason_to_refuse(note):
            refused[reason] += 1
        else:
            papers.append(_flat_paper(note))
    # Refused submissions are confidential: counted, not named.
    for reason, count in refused.most_common(20):
        builder.skip(reason, f"{count} left out; only accepted papers are imported")
    if hidden := sum(paper["has_hidden_authors"] for paper in papers):
        builder.warn(f"papers whose authors are not public on OpenReview: {hidden}; they are imported without authors")
    return PaperListReader(builder, papers).read()


class OpenReviewVenues:
    """Whether a note is an accepted paper: its ``venueid`` is then the venue's own, and no part of another."""

    def __init__(self, notes: list[JsonObject]) -> None:
        self.venues = {venue for note in notes if (venue := _venue_id(note))}

    def reason_to_refuse(self, note: JsonObject) -> str:
        """Return "" for an accepted paper."""
        note_id, forum = values.as_key(note.get("id")), values.as_key(note.get("forum"))
        if forum and forum != note_id:
            return "replies to papers"
        if note.get("ddate") is not None:
            return "deleted notes"
        venue = _venue_id(note)
        if not venue:
            return "notes without a venueid"
        state = venue.rpartition("/")[2]
        parents = {venue[:end] for end in range(len(venue)) if venue[end] == "/"}
        if _UNDECIDED_PATTERN.search(state) or parents & self.venues or _UNDECIDED_VENUE_PATTERN.search(_text(note, "venue")):
            return f"notes of venueid {cells.quoted(state)}" if "@" not in state else "notes of another venueid"
        return ""


def _venue_id(note: JsonObject) -> str:
    return _text(note, "venueid").strip()[:MAX_VENUE_CHARS]


def _flat_paper(note: JsonObject) -> JsonObject:
    """Return the note in the form of a list of papers. Ids of authors that are e-mail addresses are not read."""
    paper: JsonObject = {"id": note.get("id") or note.get("forum")}
    paper["openreview_id"] = paper["id"]
    for name, flat in NOTE_TEXTS.items():
        if text := _text(note, name):
            paper[flat] = text
    for name, flat in NOTE_ADDRESSES.items():
        paper[flat] = _text(note, name)
    pdf = _text(note, "pdf")
    paper["pdf"] = f"{SITE_URL}{pdf}" if pdf.startswith("/pdf") else pdf
    paper["has_hidden_authors"] = _is_hidden(note, "authors")
    authors = [] if paper["has_hidden_authors"] else _list(note, "authors")
    profiles = _list(note, "authorids")
    if len(profiles) != len(authors):
        profiles = [""] * len(authors)
    paper["authors"] = [_part(author, "fullname") for author in authors]
    paper["authorids"] = [
        _part(author, "username") if isinstance(author, dict) else each for author, each in zip(authors, profiles, strict=True)
    ]
    return paper


def _value(note: JsonObject, name: str) -> Any:
    return values.as_object(values.as_object(note.get("content")).get(name)).get("value")


def _text(note: JsonObject, name: str) -> str:
    return values.as_text(_value(note, name))


def _list(note: JsonObject, name: str) -> list[Any]:
    value = _value(note, name)
    return value if isinstance(value, list) else []


def _part(author: Any, name: str) -> str:
    """Return a name as it is, or this part of an author that is an object, whose other parts may be e-mail addresses."""
    return values.as_text(author.get(name) if isinstance(author, dict) else author)


def _is_hidden(note: JsonObject, name: str) -> bool:
    """Whether a field has readers of its own, as authors of a blind submission have."""
    readers = values.as_object(values.as_object(note.get("content")).get(name)).get("readers")
    return isinstance(readers, list) and "everyone" not in readers
