"""The virtual site of ICLR, NeurIPS, ICML and COLM: orals-posters.json and its abstracts."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from events.core.clock import programme_date
from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import AppearanceData, EventData, LinkData, PaperData, ScheduleData

_API_URL_PATTERN = re.compile(r"https?://([^/]+)/api/miniconf/")
_EVENT_URL_PATTERN = re.compile(r"/events/([0-9]{1,12})\b")
_SESSION_TYPES = {"poster": "Poster session", "talk": "Oral session"}


def recognises(document: Document) -> bool:
    return any(_has_records(content) for content in document.files.values())


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for a file without records, or with only one page of several."""
    abstracts: dict[str, str] = {}
    records: list[dict[str, Any]] = []
    for name, content in document.files.items():
        if _has_records(content):
            loaded = load_json(content, file=name)
            records += values.as_objects(loaded) or values.all_results(values.as_object(loaded), file=name)
        elif name.lower().endswith(".json"):
            texts = values.as_object(load_json(content, file=name))
            abstracts |= {number: text for number, text in texts.items() if isinstance(text, str) and number.isdecimal()}
    if not records:
        raise ScheduleParseError("has no oral or poster records in its “results”: download it again", file=document.name)
    return VirtualSiteReader(document.name, hints, values.limit_events(records, file=document.name), abstracts).read()


def _has_records(content: bytes) -> bool:
    return values.has_json_keys(content, "eventtype", "virtualsite_url")


class VirtualSiteReader:
    """Reads the records; ``abstracts`` are the texts of the second file, by the record's number."""

    def __init__(self, file: str, hints: Hints, records: list[JsonObject], abstracts: dict[str, str]) -> None:
        self.records, self.abstracts = records, abstracts
        zone, _ = find_time_zone("", hints, file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        self.host = _site_url(records)
        self.sessions = VirtualSiteSessions(records, zone)
        self.paper_keys: dict[str, str] = {}
        self.records_by_paper: dict[str, list[JsonObject]] = defaultdict(list)

    def read(self) -> ScheduleData:
        shown = [record for record in self.records if self._is_shown(record)]
        for record in shown:
            self.records_by_paper[_paper_key(record)].append(record)
            start, end = self._times(record)
            self.sessions.add(record, self.builder.room(_text(record.get("room_name"))), start, end)
        for session in self.sessions.all():
            self._add_session(session)
        for record in shown:
            self._add_event(record)
        return self.builder.build()

    def _is_shown(self, record: JsonObject) -> bool:
        if not _text(record.get("name")).strip():
            self.builder.skip(_record_label(record), "it has no name", key=values.as_key(record.get("id")))
        elif record.get("visible") is False:
            reason = "the site itself does not show it"
            self.builder.skip(_record_label(record), reason, key=_record_key(record), is_hidden=True)
        else:
            return True
        return False

    def _times(self, record: JsonObject) -> tuple[dt.datetime | None, dt.datetime | None]:
        start, end = (times.parse_datetime(_text(record.get(name)), self.builder.zone) for name in ("starttime", "endtime"))
        return (start, end) if start else (None, None)

    def _add_session(self, session: VirtualSiteSession) -> None:
        kind, _ = session.kinds.most_common(1)[0]
        start = min(session.starts, default=None)
        session.day = self.builder.day_of(start) if start else ""
        session.key = self.builder.event(
            EventData(
                key=session.key,
                title=session.name,
                type=self.builder.type("session", _SESSION_TYPES.get(kind, "")),
                start=start,
                end=max(session.ends, default=None),
                room=next(iter(session.rooms)) if len(session.rooms) == 1 else "",
            ),
            location=f"session {cells.quoted(session.name)}",
        )

    def _add_event(self, record: JsonObject) -> None:
        start, end = self._times(record)
        type_name, kind = _text(record.get("eventtype")), _record_kind(record)
        session = self.sessions.session_of(record, start)
        is_paper = type_name.lower() in {"oral", "poster"}
        is_spotlight = kind == "poster" and "spotlight" in _text(record.get("decision")).lower()
        self.builder.event(
            EventData(
                key=_record_key(record),
                title=_text(record.get("name")),
                type=self.builder.type(kind, "Spotlight poster" if is_spotlight else type_name),
                # A record without a time is to be announced on the day of its session.
                day=session.day if session and not start else "",
                start=start,
                end=end,
                room=self.builder.room(_text(record.get("room_name"))),
                session=session.key if session else "",
                board=_text(record.get("poster_position")).removeprefix("#"),
                topic=self._topic(record),
                paper=self._paper(record) if is_paper else "",
                abstract="" if is_paper else self._abstract(record),
                people=() if is_paper else tuple(AppearanceData(person=person) for person in self._authors(record)),
                links=self._page_link(record) + (() if is_paper else self._links(record)),
            ),
            location=_record_label(record),
        )

    def _paper(self, record: JsonObject) -> str:
        """Return the key of the paper. Its oral and poster share a uid; each completes missing fields of the other."""
        key = _paper_key(record)
        if key not in self.paper_keys:
            records = self.records_by_paper[key]
            self.paper_keys[key] = self.builder.paper(
                PaperData(
                    key=key,
                    title=self.builder.line(_text(record.get("name")), 500),
                    abstract=self.builder.prose(next(filter(None, map(self._abstract, records)), "")),
                    topic=next(filter(None, map(self._topic, records)), ""),
                    authors=next(filter(None, map(self._authors, records)), ()),
                    links=tuple({link.url: link for each in records for link in self._links(each)}.values()),
                )
            )
        return self.paper_keys[key]

    def _abstract(self, record: JsonObject) -> str:
        number = values.as_key(record.get("id"))
        return _text(record.get("abstract")) or values.unescape_entities(self.abstracts.get(number, ""))

    def _topic(self, record: JsonObject) -> str:
        area, _, subarea = _text(record.get("topic")).partition("->")
        return self.builder.topic(area, subarea)

    def _authors(self, record: JsonObject) -> tuple[str, ...]:
        authors = values.objects_or_warn(record.get("authors"), f"{_record_label(record)}, authors", self.builder)
        keys = (
            self.builder.person(
                _text(author.get("fullname")),
                key=f"author-{number}" if (number := values.as_key(author.get("id"))) else "",
                affiliation=_without_repeats(_text(author.get("institution"))),
            )
            for author in authors
        )
        return tuple(dict.fromkeys(filter(None, keys)))

    def _page_link(self, record: JsonObject) -> tuple[LinkData, ...]:
        url = values.absolute_url(_text(record.get("virtualsite_url")), self.host)
        return self.builder.link(url, kind="source", location=_record_label(record)) if cells.is_http_url(url) else ()

    def _links(self, record: JsonObject) -> tuple[LinkData, ...]:
        listed = [
            ("paper", record.get("paper_url"), ""),
            ("paper", record.get("paper_pdf_url"), "PDF"),
            ("website", record.get("url"), ""),
        ]
        for media in values.as_objects(record.get("eventmedia")):
            if media.get("visible") is False or values.as_text(media.get("detailed_kind")).startswith("thumb"):
                continue
            title = _text(media.get("name"))
            kind = values.link_kind(title, _text(media.get("type")), _text(media.get("uri")))
            listed.append((kind, media.get("uri") or media.get("file"), title))
        links = {
            link.url: link
            for kind, value, title in listed
            if (url := _text(value).strip())
            for link in self.builder.link(
                values.absolute_url(url, self.host), kind=kind, title=title, location=_record_label(record)
            )
        }
        return tuple(links.values())


@dataclass
class VirtualSiteSession:
    """A session, with the times and rooms of its members: the site has no record of the session."""

    key: str
    name: str
    day: str = ""
    kinds: Counter[str] = field(default_factory=Counter)
    starts: list[dt.datetime] = field(default_factory=list)
    ends: list[dt.datetime] = field(default_factory=list)
    rooms: set[str] = field(default_factory=set)

    def add(self, kind: str, room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        self.kinds[kind] += 1
        self.rooms |= {room} if room else set()
        if start and (end is None or end >= start):
            self.starts.append(start)
            self.ends.append(end or start)


class VirtualSiteSessions:
    """The sessions of the records: by the number of their parent, else by name and day."""

    def __init__(self, records: Iterable[JsonObject], zone: ZoneInfo) -> None:
        self.zone = zone
        self.sessions: dict[tuple[str, str], VirtualSiteSession] = {}
        self.parents: dict[str, set[str]] = {}
        for record in records:
            if parent := _parent_id(record):
                self.parents.setdefault(_text(record.get("session")).strip(), set()).add(parent)

    def add(self, record: JsonObject, room: str, start: dt.datetime | None, end: dt.datetime | None) -> None:
        if identity := self._identity(record, start):
            name, which = identity
            key = f"session-{which}" if which.isdecimal() else f"session-{cells.key_of(name)[:100]}-{which}".rstrip("-")
            self.sessions.setdefault(identity, VirtualSiteSession(key, name)).add(_record_kind(record), room, start, end)

    def session_of(self, record: JsonObject, start: dt.datetime | None) -> VirtualSiteSession | None:
        identity = self._identity(record, start)
        return self.sessions[identity] if identity else None

    def all(self) -> Iterable[VirtualSiteSession]:
        return self.sessions.values()

    def _identity(self, record: JsonObject, start: dt.datetime | None) -> tuple[str, str] | None:
        name = _text(record.get("session")).strip()
        if not name:
            return None
        parents = self.parents.get(name, set())
        parent = _parent_id(record) or (next(iter(parents)) if len(parents) == 1 else "")
        return name, parent or (programme_date(start, self.zone).isoformat() if start else "")


def _text(value: Any) -> str:
    return values.unescape_entities(values.as_text(value))


def _record_label(record: JsonObject) -> str:
    return f"record {values.as_key(record.get('id')) or '?'}, {cells.quoted(_text(record.get('name')))}"


def _record_kind(record: JsonObject) -> str:
    type_name = _text(record.get("eventtype"))
    return "talk" if type_name.lower() == "oral" else event_kind(type_name)


def _record_key(record: JsonObject) -> str:
    number, uid = values.as_key(record.get("id")), values.as_key(record.get("uid"))
    return number or f"{uid or cells.key_of(_text(record.get('name')))[:100]}-{_record_kind(record)}"


def _paper_key(record: JsonObject) -> str:
    return values.as_key(record.get("uid")) or f"paper-{_record_key(record)}"


def _parent_id(record: JsonObject) -> str:
    match = _EVENT_URL_PATTERN.search(values.as_text(record.get("parent1")))
    return match[1] if match else ""


def _without_repeats(institution: str) -> str:
    """Return “Tsinghua University, Tsinghua University” as one name."""
    return ", ".join(dict.fromkeys(part.strip() for part in institution.split(",") if part.strip()))


def _site_url(records: list[JsonObject]) -> str:
    """Return the site, from the addresses of its API in the records; "" if they name several or none."""
    urls = (values.as_text(author.get("url")) for record in records for author in values.as_objects(record.get("authors")))
    hosts = {match[1] for url in urls if (match := _API_URL_PATTERN.match(url))}
    site = f"https://{hosts.pop()}/" if len(hosts) == 1 else ""
    return site if cells.is_http_url(site) else ""
