"""Lists of papers without a timetable, as JSON or JSON lines: those of papercopilot and similar ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError, raised, too_many_error
from events.core.parsing.safe_json import load_json
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import LinkData, PaperData, ScheduleData

AUTHOR_FIELDS = ("author", "authors", "authors_unordered")
ID_FIELDS = ("id", "openreview_id", "uid")
STATUS_FIELDS = ("status", "decision")
LINK_FIELDS = {
    "paper": ("or", "openreview", "paper_url", "pdf", "oa"),
    "website": ("site", "project"),
    "code": ("github",),
    "video": ("video", "youtube"),
    "slides": ("slides",),
    "poster": ("poster",),
}
OPENREVIEW_FORUM_URL = "https://openreview.net/forum?id="
_FORUM_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{4,40}")
_ACCEPTED_PATTERN = re.compile(
    r"(?!.*(reject|withdr))(accept|oral|spotlight|poster|highlight|notable|top-[0-9]+|regular|long|short|findings|best paper)\b.*"
)
_EMAIL_PATTERN = re.compile(r"\S@\S")
_JSON_LINES_PATTERN = re.compile(rb"\}[^\S\n]*\n\s*\{")
MAX_PAPER_AUTHORS = 5_000
MAX_PAPER_LINKS = 20


def recognises(document: Document) -> bool:
    if not document.is_one_file or not values.has_json_keys(document.content, "title"):
        return False
    content = document.content
    listed = values.has_json_keys(content, "title", first="[") or _is_json_lines(content)
    return listed and any(values.has_json_keys(content, name) for name in AUTHOR_FIELDS)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a list without accepted papers, or for a conference without dates."""
    content = document.content
    # JSON lines become one list, with a line for each, so that messages have the right line.
    json_list = b"[" + b",\n".join(content.strip().splitlines()) + b"]" if _is_json_lines(content) else content
    papers = load_json(json_list, file=document.name)
    return PaperListReader(builder_without_timetable(document, hints), papers).read()


def builder_without_timetable(document: Document, hints: Hints) -> ScheduleBuilder:
    """Raise ScheduleParseError for a conference without dates: papers alone have none."""
    if hints.start is None:
        problem = "lists papers and no day: make the conference with its dates first, then import the papers into it"
        raise ScheduleParseError(problem, file=document.name)
    zone, _ = find_time_zone(hints.timezone or "UTC", hints, file=document.name)
    return ScheduleBuilder(hints, zone, file=document.name)


def _is_json_lines(content: bytes) -> bool:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_JSON_LINES_PATTERN.search(content))


class PaperListReader:
    def __init__(self, builder: ScheduleBuilder, papers: Any) -> None:
        self.builder, self.seen = builder, set[str]()
        self.papers = values.objects_or_warn(papers, "the list", builder)

    def read(self) -> ScheduleData:
        refused: Counter[str] = Counter()
        for number, paper in enumerate(self.papers, start=1):
            status = next((values.as_text(paper[name]).strip() for name in STATUS_FIELDS if name in paper), None)
            if status is None or _ACCEPTED_PATTERN.fullmatch(status.lower()):
                self._add_paper(paper, f"paper {number}")
            else:
                refused[status[:40] or "none"] += 1
        # Rejected papers are confidential: counted, not named.
        for status, count in refused.most_common(20):
            self.builder.skip(f"papers of status {cells.quoted(status)}", f"{count} left out; only accepted ones are imported")
        return self.builder.build(start=self.builder.hints.start, end=self.builder.hints.end)

    def _add_paper(self, paper: dict[str, Any], location: str) -> None:
        key = next((key for name in ID_FIELDS if (key := values.as_key(paper.get(name)))), "")
        title = self.builder.line(_unescaped_text(paper.get("title")), 500)
        if not key or not title:
            self.builder.skip(location, "it has no id" if title else "it has no title")
            return
        # The oral and the poster of one paper have the same id.
        if key in self.seen:
            return
        if len(self.seen) >= raised(MAX_IMPORT_EVENTS):
            raise too_many_error("accepted papers", MAX_IMPORT_EVENTS, file=self.builder.file)
        self.seen.add(key)
        self.builder.paper(
            PaperData(
                key=key,
                title=title,
                tldr=self.builder.line(_unescaped_text(paper.get("tldr")), 1000),
                abstract=self.builder.prose(_unescaped_text(paper.get("abstract"))),
                topic=self._topic(paper),
                authors=self._authors(paper),
                links=self._links(paper, location),
            )
        )

    def _topic(self, paper: dict[str, Any]) -> str:
        area, _, subarea = _unescaped_text(paper.get("topic") or paper.get("primary_area")).partition("->")
        return self.builder.topic(area, subarea)

    def _authors(self, paper: dict[str, Any]) -> tuple[str, ...]:
        field = next((name for name in AUTHOR_FIELDS if paper.get(name)), "")
        if field == "authors_unordered":
            self.builder.warn("the file does not give the order of the authors; they stay as listed")
        names = list(islice(_list_entries(paper.get(field)), MAX_PAPER_AUTHORS))
        ids, affiliations = (_aligned(paper.get(name), names) for name in ("authorids", "aff"))
        keys = (
            self.builder.person(name, key=_author_key(author_id), affiliation="" if _EMAIL_PATTERN.search(place) else place)
            for name, author_id, place in zip(names, ids, affiliations, strict=True)
            if not _EMAIL_PATTERN.search(name)
        )
        return tuple(dict.fromkeys(filter(None, keys)))

    def _links(self, paper: dict[str, Any], location: str) -> tuple[LinkData, ...]:
        links: dict[str, LinkData] = {}
        if _FORUM_ID_PATTERN.fullmatch(forum := values.as_key(paper.get("openreview_id"))):
            url = OPENREVIEW_FORUM_URL + forum
            links |= {link.url: link for link in self.builder.link(url, kind="paper", location=location)}
        for kind, names in LINK_FIELDS.items():
            for url in (url for name in names for url in islice(_list_entries(paper.get(name)), MAX_PAPER_LINKS)):
                if url.startswith(("http://", "https://")):
                    url_kind = "paper" if "://openreview.net/" in url else kind
                    links |= {link.url: link for link in self.builder.link(url, kind=url_kind, location=location)}
        return tuple(links.values())


def _unescaped_text(value: Any) -> str:
    return values.unescape_entities(values.as_text(value))


def _list_entries(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield from (_unescaped_text(part).strip() for part in value.split(";"))
    elif isinstance(value, list):
        yield from (_unescaped_text(values.as_object(each).get("name") or each).strip() for each in value)


def _aligned(value: Any, names: list[str]) -> list[str]:
    """Return one entry for each name; "" for all if the numbers differ, as it is unknown whose is missing."""
    entries = list(islice(_list_entries(value), MAX_PAPER_AUTHORS))
    return entries if len(entries) == len(names) else [""] * len(names)


def _author_key(author_id: str) -> str:
    """Return a key of an OpenReview profile (~Name1); "" for other ids, which are e-mail addresses."""
    is_profile = author_id.startswith("~") and "@" not in author_id and values.as_key(author_id)
    return f"author-{author_id}" if is_profile else ""
