"""The virtual site of ICLR, NeurIPS, ICML and COLM: <conference>-<year>-orals-posters.json, and its abstracts beside it."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, LinkData, PaperData, ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.kinds import kind_of
from events.importers.safe_json import load_json
from events.importers.venue_zone import zone_for
from events.schedule.clock import programme_date

_API = re.compile(r"https?://[^/]+/api/miniconf/")
_EVENT_ID = re.compile(r"/events/([0-9]{1,12})\b")


def recognises(document: Document) -> bool:
    return any(_is_programme(content) for content in document.files.values())


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme; raises ScheduleParseError for a file that holds none, or only one page of several."""
    abstracts: dict[str, str] = {}
    records: list[dict[str, Any]] = []
    for name, content in document.files.items():
        if _is_programme(content):
            records += values.complete(values.row(load_json(content, file=name)), file=name)
        elif name.lower().endswith(".json"):
            found = values.row(load_json(content, file=name))
            abstracts |= {number: text for number, text in found.items() if isinstance(text, str) and number.isdecimal()}
    if not records:
        raise ScheduleParseError("has no “results” with oral or poster records: download it again", file=document.name)
    return _Reader(document.name, hints, records, abstracts).read()


def _is_programme(content: bytes) -> bool:
    return values.has_keys(content, "results", "eventtype", "virtualsite_url", first="{")


@dataclass
class _Session:
    """What its members say of a session: they alone carry its times and room."""

    key: str
    name: str
    kinds: Counter[str] = field(default_factory=Counter)
    starts: list[dt.datetime] = field(default_factory=list)
    ends: list[dt.datetime] = field(default_factory=list)
    rooms: set[str] = field(default_factory=set)

    def add(self, kind: str, room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        self.kinds[kind] += 1
        self.rooms.add(room)
        if start and (end is None or end >= start):
            self.starts.append(start)
            self.ends.append(end or start)


class _Reader:
    def __init__(self, file: str, hints: Hints, records: list[dict[str, Any]], abstracts: dict[str, str]) -> None:
        self.records, self.abstracts = records, abstracts
        zone, _ = zone_for("", hints, file=file)
        self.build = ScheduleBuilder(hints, zone, file=file)
        self.host = _host(records)
        self.sessions = _Sessions(records, zone)
        self.papers: dict[str, str] = {}

    def read(self) -> ScheduleData:
        shown = [record for record in self.records if self._is_shown(record)]
        for record in shown:
            start, end = self._times(record)
            self.sessions.add(record, self.build.room(_text(record.get("room_name"))), start, end)
        for session in self.sessions.all():
            self._session(session)
        for record in shown:
            self._event(record)
        return self.build.build()

    def _is_shown(self, record: dict[str, Any]) -> bool:
        if not _text(record.get("name")).strip():
            self.build.skip(_place(record), "it has no name")
        elif record.get("visible") is False:
            self.build.skip(_place(record), "the site itself does not show it")
        else:
            return True
        return False

    def _times(self, record: dict[str, Any]) -> tuple[dt.datetime | None, dt.datetime | None]:
        start, end = (times.moment(_text(record.get(name)), self.build.zone) for name in ("starttime", "endtime"))
        return (start, end) if start else (None, None)

    def _session(self, session: _Session) -> None:
        kind, _ = session.kinds.most_common(1)[0]
        names = {"poster": "Poster session", "talk": "Oral session"}
        start = min(session.starts, default=None)
        session.key = self.build.event(
            EventData(
                key=session.key,
                title=session.name,
                type=self.build.type("session", names.get(kind, "")),
                start=start,
                end=max(session.ends, default=None),
                room=next(iter(session.rooms)) if len(session.rooms) == 1 else "",
            ),
            place=f"session {cells.quoted(session.name)}",
        )

    def _event(self, record: dict[str, Any]) -> None:
        start, end = self._times(record)
        said, place = _text(record.get("eventtype")), _place(record)
        kind = _kind(record)
        authors = self._authors(record)
        is_paper = said.lower() in {"oral", "poster"}
        spotlight = kind == "poster" and "spotlight" in _text(record.get("decision")).lower()
        self.build.event(
            EventData(
                key=_record_key(record),
                title=_text(record.get("name")),
                type=self.build.type(kind, "Spotlight poster" if spotlight else said),
                start=start,
                end=end,
                room=self.build.room(_text(record.get("room_name"))),
                session=self.sessions.key_of(record, start),
                board=_text(record.get("poster_position")).removeprefix("#"),
                topic=self._topic(record),
                paper=self._paper(record, authors) if is_paper else "",
                abstract="" if is_paper else self._abstract(record),
                people=() if is_paper else tuple(AppearanceData(person=person) for person in authors),
                links=self._page(record) + (() if is_paper else self._links(record)),
            ),
            place=place,
        )

    def _paper(self, record: dict[str, Any], authors: tuple[str, ...]) -> str:
        """Oral and poster of one paper share its uid: the first of them makes it."""
        key = values.key(record.get("uid")) or f"paper-{_record_key(record)}"
        if key not in self.papers:
            self.papers[key] = self.build.paper(
                PaperData(
                    key=key,
                    title=self.build.line(_text(record.get("name")), 500),
                    abstract=self.build.prose(self._abstract(record)),
                    topic=self._topic(record),
                    authors=authors,
                    links=self._links(record),
                )
            )
        return self.papers[key]

    def _abstract(self, record: dict[str, Any]) -> str:
        return _text(record.get("abstract")) or values.unescaped(self.abstracts.get(values.key(record.get("id")), ""))

    def _topic(self, record: dict[str, Any]) -> str:
        area, _, subarea = _text(record.get("topic")).partition("->")
        return self.build.topic(area, subarea)

    def _authors(self, record: dict[str, Any]) -> tuple[str, ...]:
        told = values.only_rows(record.get("authors"), f"{_place(record)}, authors", self.build)
        found = (
            self.build.person(
                _text(author.get("fullname")),
                key=f"author-{number}" if (number := values.key(author.get("id"))) else "",
                affiliation=_once(_text(author.get("institution"))),
            )
            for author in told
        )
        return tuple(dict.fromkeys(filter(None, found)))

    def _page(self, record: dict[str, Any]) -> tuple[LinkData, ...]:
        """The event's page on the site, where the file tells which site that is."""
        path = _text(record.get("virtualsite_url"))
        url = values.absolute(path, self.host)
        return self.build.link(url, kind="source", place=_place(record)) if cells.is_address(url) else ()

    def _links(self, record: dict[str, Any]) -> tuple[LinkData, ...]:
        place = _place(record)
        told = [("paper", record.get("paper_url"), ""), ("paper", record.get("paper_pdf_url"), "PDF")]
        told.append(("website", record.get("url"), ""))
        for media in values.rows(record.get("eventmedia")):
            if media.get("visible") is False or values.text(media.get("detailed_kind")).startswith("thumb"):
                continue
            title = _text(media.get("name"))
            kind = values.link_kind(title, _text(media.get("type")), _text(media.get("uri")))
            told.append((kind, media.get("uri") or media.get("file"), title))
        links = {
            link.url: link
            for kind, url, title in told
            if (said := _text(url).strip())
            for link in self.build.link(values.absolute(said, self.host), kind=kind, title=title, place=place)
        }
        return tuple(links.values())


class _Sessions:
    """The sessions that the records belong to: by the number of their parent, else by name and day."""

    def __init__(self, records: Iterable[dict[str, Any]], zone: ZoneInfo) -> None:
        self.zone = zone
        self.found: dict[tuple[str, str], _Session] = {}
        self.parents: dict[str, set[str]] = {}
        for record in records:
            if parent := _parent(record):
                self.parents.setdefault(_text(record.get("session")).strip(), set()).add(parent)

    def add(self, record: dict[str, Any], room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        if identity := self._identity(record, start):
            name, which = identity
            key = f"session-{which}" if which.isdecimal() else f"session-{cells.key_of(name)[:100]}-{which}".rstrip("-")
            self.found.setdefault(identity, _Session(key, name)).add(_kind(record), room, start, end)

    def key_of(self, record: dict[str, Any], start: dt.datetime | None) -> str:
        identity = self._identity(record, start)
        return self.found[identity].key if identity else ""

    def all(self) -> Iterable[_Session]:
        return self.found.values()

    def _identity(self, record: dict[str, Any], start: dt.datetime | None) -> tuple[str, str] | None:
        name = _text(record.get("session")).strip()
        if not name:
            return None
        parents = self.parents.get(name, set())
        parent = _parent(record) or (next(iter(parents)) if len(parents) == 1 else "")
        return name, parent or (programme_date(start, self.zone).isoformat() if start else "")


def _text(value: Any) -> str:
    return values.unescaped(values.text(value))


def _place(record: dict[str, Any]) -> str:
    return f"record {values.key(record.get('id')) or '?'}, {cells.quoted(_text(record.get('name')))}"


def _kind(record: dict[str, Any]) -> str:
    said = _text(record.get("eventtype"))
    return "talk" if said.lower() == "oral" else kind_of(said)


def _record_key(record: dict[str, Any]) -> str:
    """The record's number, which oral and poster do not share."""
    number, uid = values.key(record.get("id")), values.key(record.get("uid"))
    return number or f"{uid or cells.key_of(_text(record.get('name')))[:100]}-{_kind(record)}"


def _parent(record: dict[str, Any]) -> str:
    found = _EVENT_ID.search(values.text(record.get("parent1")))
    return found[1] if found else ""


def _once(institution: str) -> str:
    """“Tsinghua University, Tsinghua University” is one."""
    return ", ".join(dict.fromkeys(it.strip() for it in institution.split(",") if it.strip()))


def _host(records: list[dict[str, Any]]) -> str:
    """The site the file is from, by the addresses of its own interface in it; "" if they name several or none."""
    told = (values.text(author.get("url")) for record in records for author in values.rows(record.get("authors")))
    hosts = {urlsplit(url).netloc for url in told if _API.match(url)}
    return f"https://{hosts.pop()}/" if len(hosts) == 1 else ""
