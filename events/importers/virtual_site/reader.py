"""From the virtual site's records to a programme."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, LinkData, PaperData, ScheduleData
from events.importers.hints import Hints
from events.importers.venue_zone import zone_for
from events.importers.virtual_site import records
from events.importers.virtual_site.sessions import Session, Sessions


class Reader:
    def __init__(self, file: str, hints: Hints, told: list[records.Json], abstracts: dict[str, str]) -> None:
        self.records, self.abstracts = told, abstracts
        zone, _ = zone_for("", hints, file=file)
        self.build = ScheduleBuilder(hints, zone, file=file)
        self.host = records.host(told)
        self.sessions = Sessions(told, zone)
        self.papers: dict[str, str] = {}
        self.of_paper: dict[str, list[records.Json]] = defaultdict(list)

    def read(self) -> ScheduleData:
        shown = [record for record in self.records if self._is_shown(record)]
        for record in shown:
            self.of_paper[records.paper_key(record)].append(record)
            start, end = self._times(record)
            self.sessions.add(record, self.build.room(records.text(record.get("room_name"))), start, end)
        for session in self.sessions.all():
            self._session(session)
        for record in shown:
            self._event(record)
        return self.build.build()

    def _is_shown(self, record: records.Json) -> bool:
        if not records.text(record.get("name")).strip():
            self.build.skip(records.place(record), "it has no name")
        elif record.get("visible") is False:
            self.build.skip(records.place(record), "the site itself does not show it")
        else:
            return True
        return False

    def _times(self, record: records.Json) -> tuple[dt.datetime | None, dt.datetime | None]:
        start, end = (times.moment(records.text(record.get(name)), self.build.zone) for name in ("starttime", "endtime"))
        return (start, end) if start else (None, None)

    def _session(self, session: Session) -> None:
        kind, _ = session.kinds.most_common(1)[0]
        names = {"poster": "Poster session", "talk": "Oral session"}
        start = min(session.starts, default=None)
        session.day = self.build.day_of(start) if start else ""
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

    def _event(self, record: records.Json) -> None:
        start, end = self._times(record)
        said, place = records.text(record.get("eventtype")), records.place(record)
        kind = records.kind(record)
        session = self.sessions.of(record, start)
        is_paper = said.lower() in {"oral", "poster"}
        spotlight = kind == "poster" and "spotlight" in records.text(record.get("decision")).lower()
        self.build.event(
            EventData(
                key=records.key(record),
                title=records.text(record.get("name")),
                type=self.build.type(kind, "Spotlight poster" if spotlight else said),
                # Its time may be to come; the day of its session is there.
                day=session.day if session and not start else "",
                start=start,
                end=end,
                room=self.build.room(records.text(record.get("room_name"))),
                session=session.key if session else "",
                board=records.text(record.get("poster_position")).removeprefix("#"),
                topic=self._topic(record),
                paper=self._paper(record) if is_paper else "",
                abstract="" if is_paper else self._abstract(record),
                people=() if is_paper else tuple(AppearanceData(person=person) for person in self._authors(record)),
                links=self._page(record) + (() if is_paper else self._links(record)),
            ),
            place=place,
        )

    def _paper(self, record: records.Json) -> str:
        """Oral and poster of one paper share its uid; what one of them leaves out, the other may say."""
        key = records.paper_key(record)
        if key not in self.papers:
            both = self.of_paper[key]
            self.papers[key] = self.build.paper(
                PaperData(
                    key=key,
                    title=self.build.line(records.text(record.get("name")), 500),
                    abstract=self.build.prose(next(filter(None, map(self._abstract, both)), "")),
                    topic=next(filter(None, map(self._topic, both)), ""),
                    authors=next(filter(None, map(self._authors, both)), ()),
                    links=tuple({link.url: link for it in both for link in self._links(it)}.values()),
                )
            )
        return self.papers[key]

    def _abstract(self, record: records.Json) -> str:
        return records.text(record.get("abstract")) or values.unescaped(self.abstracts.get(values.key(record.get("id")), ""))

    def _topic(self, record: records.Json) -> str:
        area, _, subarea = records.text(record.get("topic")).partition("->")
        return self.build.topic(area, subarea)

    def _authors(self, record: records.Json) -> tuple[str, ...]:
        told = values.only_rows(record.get("authors"), f"{records.place(record)}, authors", self.build)
        found = (
            self.build.person(
                records.text(author.get("fullname")),
                key=f"author-{number}" if (number := values.key(author.get("id"))) else "",
                affiliation=records.once(records.text(author.get("institution"))),
            )
            for author in told
        )
        return tuple(dict.fromkeys(filter(None, found)))

    def _page(self, record: records.Json) -> tuple[LinkData, ...]:
        """The event's page on the site, where the file tells which site that is."""
        path = records.text(record.get("virtualsite_url"))
        url = values.absolute(path, self.host)
        return self.build.link(url, kind="source", place=records.place(record)) if cells.is_address(url) else ()

    def _links(self, record: records.Json) -> tuple[LinkData, ...]:
        place = records.place(record)
        told = [("paper", record.get("paper_url"), ""), ("paper", record.get("paper_pdf_url"), "PDF")]
        told.append(("website", record.get("url"), ""))
        for media in values.rows(record.get("eventmedia")):
            if media.get("visible") is False or values.text(media.get("detailed_kind")).startswith("thumb"):
                continue
            title = records.text(media.get("name"))
            kind = values.link_kind(title, records.text(media.get("type")), records.text(media.get("uri")))
            told.append((kind, media.get("uri") or media.get("file"), title))
        links = {
            link.url: link
            for kind, url, title in told
            if (said := records.text(url).strip())
            for link in self.build.link(values.absolute(said, self.host), kind=kind, title=title, place=place)
        }
        return tuple(links.values())
