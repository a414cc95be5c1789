"""Lists of papers without a timetable: papercopilot's paperlists, and lists of its sort as JSON or JSON lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from events.importers import cells, values
from events.importers.builder import MOST_EVENTS, ScheduleBuilder
from events.importers.data import LinkData, PaperData, ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.safe_json import load_json
from events.importers.venue_zone import zone_for

AUTHORS = ("author", "authors", "authors_unordered")
IDS = ("id", "openreview_id", "uid")
STATUSES = ("status", "decision")
LINKS = {
    "paper": ("or", "openreview", "paper_url", "pdf", "oa"),
    "website": ("site", "project"),
    "code": ("github",),
    "video": ("video", "youtube"),
    "slides": ("slides",),
    "poster": ("poster",),
}
FORUM = "https://openreview.net/forum?id="
_FORUM_ID = re.compile(r"[A-Za-z0-9_-]{4,40}")
_ACCEPTED = re.compile(
    r"(?!.*(reject|withdr))(accept|oral|spotlight|poster|highlight|notable|top-[0-9]+|regular|long|short|findings|best paper)\b.*"
)
_E_MAIL = re.compile(r"\S@\S")
_NEXT_LINE = re.compile(rb"\}[^\S\n]*\n\s*\{")
MOST_AUTHORS = 5_000
MOST_LINKS = 20


def recognises(document: Document) -> bool:
    if not document.is_one_file or not values.has_keys(document.content, "title"):
        return False
    content = document.content
    listed = values.has_keys(content, "title", first="[") or _is_lines(content)
    return listed and any(values.has_keys(content, name) for name in AUTHORS)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The accepted papers; raises ScheduleParseError for a list of none, or of a conference whose dates nobody knows."""
    content = document.content
    # With a comma between them lines are one list, and keep their numbers in messages.
    whole = b"[" + b",\n".join(content.strip().splitlines()) + b"]" if _is_lines(content) else content
    papers = load_json(whole, file=document.name)
    if hints.start is None:
        problem = "lists papers and no day: make the conference with its dates first, then import the papers into it"
        raise ScheduleParseError(problem, file=document.name)
    zone, _ = zone_for(hints.timezone or "UTC", hints, file=document.name)
    return _Reader(ScheduleBuilder(hints, zone, file=document.name), papers).read()


def _is_lines(content: bytes) -> bool:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_NEXT_LINE.search(content))


class _Reader:
    def __init__(self, build: ScheduleBuilder, papers: Any) -> None:
        self.build, self.seen = build, set[str]()
        self.papers = values.only_rows(papers, "the list", build)

    def read(self) -> ScheduleData:
        refused: Counter[str] = Counter()
        for number, paper in enumerate(self.papers, start=1):
            status = next((values.text(paper[name]).strip() for name in STATUSES if name in paper), None)
            if status is None or _ACCEPTED.fullmatch(status.lower()):
                self._take(paper, f"paper {number}")
            else:
                refused[status[:40] or "none"] += 1
        # Who was not accepted is nobody's business: counted, not named.
        for status, count in refused.most_common(20):
            self.build.skip(f"papers of status {cells.quoted(status)}", f"{count} left out; only accepted ones are taken")
        return self.build.build(start=self.build.hints.start, end=self.build.hints.end)

    def _take(self, paper: dict[str, Any], place: str) -> None:
        key = next((key for name in IDS if (key := values.key(paper.get(name)))), "")
        title = self.build.line(_text(paper.get("title")), 500)
        if not key or not title:
            self.build.skip(place, "it has no id" if title else "it has no title")
            return
        # The oral and the poster of one paper stand under the same id.
        if key in self.seen:
            return
        if len(self.seen) >= MOST_EVENTS:
            raise ScheduleParseError(f"has more than {MOST_EVENTS:,} accepted papers: split it", file=self.build.file)
        self.seen.add(key)
        self.build.paper(
            PaperData(
                key=key,
                title=title,
                tldr=self.build.line(_text(paper.get("tldr")), 1000),
                abstract=self.build.prose(_text(paper.get("abstract"))),
                topic=self._topic(paper),
                authors=self._authors(paper),
                links=self._links(paper, place),
            )
        )

    def _topic(self, paper: dict[str, Any]) -> str:
        area, _, subarea = _text(paper.get("topic") or paper.get("primary_area")).partition("->")
        return self.build.topic(area, subarea)

    def _authors(self, paper: dict[str, Any]) -> tuple[str, ...]:
        field = next((name for name in AUTHORS if paper.get(name)), "")
        if field == "authors_unordered":
            self.build.warn("the file does not know the order of the authors; they are taken as they stand")
        names = list(islice(_parts(paper.get(field)), MOST_AUTHORS))
        ids, affiliations = (_aligned(paper.get(name), names) for name in ("authorids", "aff"))
        found = (
            self.build.person(name, key=_author_key(who), affiliation="" if _E_MAIL.search(where) else where)
            for name, who, where in zip(names, ids, affiliations, strict=True)
            if not _E_MAIL.search(name)
        )
        return tuple(dict.fromkeys(filter(None, found)))

    def _links(self, paper: dict[str, Any], place: str) -> tuple[LinkData, ...]:
        found: dict[str, LinkData] = {}
        if _FORUM_ID.fullmatch(forum := values.key(paper.get("openreview_id"))):
            found |= {it.url: it for it in self.build.link(FORUM + forum, kind="paper", place=place)}
        for kind, names in LINKS.items():
            for url in (url for name in names for url in islice(_parts(paper.get(name)), MOST_LINKS)):
                if url.startswith(("http://", "https://")):
                    meant = "paper" if "://openreview.net/" in url else kind
                    found |= {it.url: it for it in self.build.link(url, kind=meant, place=place)}
        return tuple(found.values())


def _text(value: Any) -> str:
    return values.unescaped(values.text(value))


def _parts(value: Any) -> Iterator[str]:
    """The entries of a list, or of a text that “;” separates; empty ones keep their place."""
    if isinstance(value, str) and value.strip():
        yield from (_text(part).strip() for part in value.split(";"))
    elif isinstance(value, list):
        yield from (_text(values.row(it).get("name") or it).strip() for it in value)


def _aligned(value: Any, names: list[str]) -> list[str]:
    """One entry for each name; none for anybody where the numbers differ, as nobody knows whose is missing."""
    found = list(islice(_parts(value), MOST_AUTHORS))
    return found if len(found) == len(names) else [""] * len(names)


def _author_key(who: str) -> str:
    """An OpenReview profile (~Name1); others are e-mail addresses, which stay out."""
    return f"author-{who}" if who.startswith("~") and "@" not in who and values.key(who) else ""
