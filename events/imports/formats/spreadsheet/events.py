"""The events of a spreadsheet: one for each row, the sessions that rows name, and the talks inside a row."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.spans import utc
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import EntryValues, without_cancelled
from events.imports.formats.spreadsheet.afternoons import unclear_afternoon
from events.imports.formats.spreadsheet.names import is_surname_first, split_people
from events.imports.formats.spreadsheet.rows import RowReader, RowTimes, RowValues
from events.imports.formats.spreadsheet.sheet import RowNumber
from events.imports.formats.spreadsheet.statuses import is_unpublished, read_status
from events.imports.formats.texts import is_placeholder, join_paragraphs
from events.programme.data.schedule import LINK_KINDS, AppearanceData, EventData, PaperData

ROLES_BY_FIELD = {"people": "speaker", "moderators": "moderator", "hosts": "host", "panellists": "panellist"}
PEOPLE_FIELDS = ROLES_BY_FIELD | {"authors": "speaker"}
SUB_LEVELS = {"sub", "sub-session", "subsession", "sub session"}
_BETWEEN_LINKS = re.compile(rf";\s*(?=(?:(?:{'|'.join(LINK_KINDS)})\s+)?https?://)|\n", re.IGNORECASE)
PAPER_KINDS = {"talk", "poster"}
SessionName = tuple[str, dt.date | None]


class RowEvents:
    """``understood`` has the event of each row, by the row's number."""

    def __init__(self, builder: ScheduleBuilder, rows: RowReader) -> None:
        self.builder, self.rows = builder, rows
        self.entries = EntryValues(builder)
        self.understood: dict[RowNumber, EventData] = {}
        self._sessions: dict[SessionName, str] = {}
        self._above: dict[RowNumber, RowNumber] = {}
        self._unknown_statuses: dict[str, list[RowNumber]] = {}
        # Fields of people whose cells are “Surname, Name”.
        self.surname_first: set[str] = set()

    def add(self, rows: list[RowValues]) -> None:
        """Add sessions before what is inside them. Raise ScheduleParseError if all dates lack a year."""
        if self.rows.without_year and not any(row.times.date or row.times.start for row in rows):
            raise ScheduleParseError(self.rows.without_year, file=self.builder.file)
        with_members = {_session_name(row) for row in rows if row.text("title")}
        rows = [row if _folded(row.text("session")) in with_members else _as_session(row) for row in rows]
        self.surname_first = {name for name in PEOPLE_FIELDS if is_surname_first(_cells_of(rows, name))}
        self._above = _rows_above(rows)
        parents = {self._above.get(row.number) for row in rows} | self._named_rows(rows)
        for row in rows:
            if not self._is_inside(row):
                self._add_row(row, is_session=row.number in parents)
        self._add_named_sessions(rows)
        for row in rows:
            if self._is_inside(row):
                self._add_row(row, is_session=False)
        for note in filter(None, [*self.rows.notes, *self._status_notes(), unclear_afternoon(rows, self.rows)]):
            self.builder.warn(note)

    def _is_inside(self, row: RowValues) -> bool:
        return row.number in self._above or bool(_session_name(row))

    def _named_rows(self, rows: list[RowValues]) -> set[RowNumber | None]:
        names = {_session_name(row) for row in rows} - {""}
        return {row.number for row in rows if _folded(row.text("title")) in names and not self._is_inside(row)}

    def _add_named_sessions(self, rows: list[RowValues]) -> None:
        """Add the sessions that rows name and that have no row of their own."""
        members: dict[SessionName, list[RowValues]] = {}
        known = {name for name, _ in self._sessions}
        for row in rows:
            if (name := _session_name(row)) and name not in known and not self._is_hidden(row):
                members.setdefault((name, row.times.date), []).append(row)
        for identity, inside in members.items():
            self._sessions[identity] = self._add_named_session(inside)

    def _add_named_session(self, inside: list[RowValues]) -> str:
        name = " ".join(inside[0].text("session").split())
        timed = [(row.times.start, row.times.end or row.times.start) for row in inside if row.times.start]
        rooms = {row.text("room") for row in inside}
        event = EventData(
            key=f"session:{cells.key_of(name)}",
            title=name,
            type=self.builder.type("session"),
            day=self._day(inside[0].times),
            start=min((start for start, _ in timed), key=utc, default=None),
            end=max((end for _, end in timed), key=utc, default=None),
            room=self.builder.room(rooms.pop()) if len(rooms) == 1 else "",
            track=self.builder.track(inside[0].text("track")),
        )
        key = self.builder.event(event, location=f"session {cells.quoted(name[:80])}")
        if key:
            chairs = [each for row in inside for each in self._people(row.texts, "moderators")]
            self.builder.add_details(key, people=_each_once(chairs))
        return key

    def _add_row(self, row: RowValues, *, is_session: bool) -> None:
        title, status = without_cancelled(" ".join(row.text("title").split()))
        if self._is_hidden(row):
            reason = f"its status is {cells.quoted(row.text('status'))}, which is not for attendees"
            self._skip(row, title, reason, is_hidden=True)
            return
        if not title:
            self._skip(row, title, "it has no title")
            return
        key, room = _row_key(row, title), self.builder.room(row.text("room"))
        if self.builder.is_repeated(key, row.times.start, room, row.location):
            return
        if row.times.warning:
            self.builder.warn(f"{row.location}: {row.times.warning}")
        if row.times.is_unread:
            self.builder.note_unread_time(row.location)
        kind, type_key = self._type(row, title, is_session=is_session or bool(row.talks))
        event = self._with_paper(
            EventData(
                key=key,
                guid=values.as_key(row.text("guid")),
                title=title,
                type=type_key,
                status=self._status(row) if status == "confirmed" else status,
                language=row.text("language"),
                day=self._day(row.times),
                start=row.times.start,
                end=row.times.end,
                room=room,
                place=row.text("place"),
                track=self.builder.track(row.text("track")),
                session=self._session_of(row),
                abstract=join_paragraphs(row.texts.get("abstract", [])),
                board=row.text("board"),
                audience=row.text("audience"),
                cost=row.text("cost"),
                capacity=self._capacity(row),
                signup_url=self.entries.address(row.text("signup_url"), row.location),
                stream_url=self.entries.address(row.text("stream_url"), row.location),
                recording_url=self.entries.address(row.text("recording_url"), row.location),
            ),
            row.texts if kind in PAPER_KINDS else {},
        )
        if added := self.builder.event(event, location=row.location):
            event = dataclasses.replace(event, key=added)
            self.understood[row.number] = event
            self._sessions.setdefault((_folded(title), row.times.date), added)
            self._add_details(row, event)
        else:
            self._leave_out_talks(row, key)

    def _skip(self, row: RowValues, title: str, reason: str, *, is_hidden: bool = False) -> None:
        key = _row_key(row, title)
        self.builder.skip(row.location if title else f"row {row.number}", reason, key=key, is_hidden=is_hidden)
        self._leave_out_talks(row, key, is_hidden=is_hidden)

    def _leave_out_talks(self, row: RowValues, session: str, *, is_hidden: bool = False) -> None:
        reason = f"row {row.number} {'is not for attendees' if is_hidden else 'cannot be read'}"
        for number in row.talks:
            self.builder.leave_out(_talk_key(row, number, self.builder.key(session)), reason, is_hidden=is_hidden)

    def _add_details(self, row: RowValues, event: EventData) -> None:
        # The chair of a talk inside a session that has no row is that of the session.
        is_inside = bool(_session_name(row))
        fields = [name for name in ROLES_BY_FIELD if name != "moderators" or not is_inside]
        people = [each for name in fields for each in self._people(row.texts, name)]
        if not event.paper:
            people += self._people(row.texts, "authors")
        links = [link for text in row.texts.get("links", ()) for link in _split_links(text)]
        details = self.entries.links(links, row.location)
        self.builder.add_details(event.key, people=_each_once(people), links=details)
        for number in sorted(row.talks):
            self._add_talk(row, number, event)

    def _capacity(self, row: RowValues) -> int | None:
        text = row.text("capacity")
        if is_placeholder(text):
            return None
        if not (seats := values.as_int(text)):
            self.rows.problem(row.number, "capacity", text)
        return seats or None

    def _add_talk(self, row: RowValues, number: int, session: EventData) -> None:
        texts = row.talk_texts(number)
        title, status = _talk_title(texts)
        if not title:
            return
        location = f"{row.location}, talk {number}"
        at = self.rows.talk_times(row, number)
        event = self._with_paper(
            EventData(
                key=_talk_key(row, number, session.key),
                title=title,
                type=self.builder.type("poster" if event_kind(row.text("type") or session.title) == "poster" else "talk"),
                status=session.status if session.status == "cancelled" else status,
                day=self._day(at),
                start=at.start,
                end=at.end,
                room=session.room,
                place=session.place,
                track=session.track,
                session=session.key,
                position=number,
                abstract=join_paragraphs(texts.get("abstract", [])),
            ),
            texts,
        )
        if self.builder.is_repeated(event.key, event.start, event.room, location):
            return
        if at.is_unread:
            self.builder.note_unread_time(location)
        if added := self.builder.event(event, location=location):
            self.builder.add_details(added, people=_each_once(self._people(texts, "people")))

    def _with_paper(self, event: EventData, texts: Mapping[str, list[str]]) -> EventData:
        """Give an event with authors a paper, which then has the abstract."""
        people = tuple(dict.fromkeys(each.person for each in self._people(texts, "authors")))
        if not people:
            return event
        paper = PaperData(
            key=f"paper:{event.key}",
            title=self.builder.line(event.title, 500),
            abstract=self.builder.prose(event.abstract),
            authors=people,
        )
        return dataclasses.replace(event, paper=self.builder.paper(paper), abstract="")

    def _people(self, texts: Mapping[str, list[str]], field: str) -> Iterator[AppearanceData]:
        role, surname_first = PEOPLE_FIELDS[field], field in self.surname_first
        for person in (person for text in texts.get(field, ()) for person in split_people(text, surname_first=surname_first)):
            key = self.builder.person(person.name, key=person.guid, guid=person.guid, affiliation=person.affiliation)
            if key:
                yield AppearanceData(person=key, role=person.role or role, remote=person.remote)

    def _type(self, row: RowValues, title: str, *, is_session: bool) -> tuple[str, str]:
        name = " ".join(row.text("type").split())
        kind = event_kind(name) if name else title_kind(title)
        kind = "session" if is_session and kind == "talk" else kind
        return kind, self.builder.type_of(kind, name, title=title)

    def _session_of(self, row: RowValues) -> str:
        if row.number in self._above:
            event = self.understood.get(self._above[row.number])
            return event.key if event else ""
        if name := _session_name(row):
            return self._sessions.get((name, row.times.date)) or next(
                (key for (title, _), key in self._sessions.items() if title == name), ""
            )
        return ""

    def _day(self, at: RowTimes) -> str:
        return self.builder.day(at.date) if at.date and not at.start else ""

    def _status(self, row: RowValues) -> str:
        text = row.text("status")
        if status := read_status(text):
            return status
        self._unknown_statuses.setdefault(text, []).append(row.number)
        return "confirmed"

    def _status_notes(self) -> Iterator[str]:
        """Yield a note for each status that is not known, at its first row."""
        for text, numbers in self._unknown_statuses.items():
            more = f" (and {len(numbers) - 1} more like it)" if len(numbers) > 1 else ""
            yield (
                f"row {numbers[0]}, {self.rows.header_of('status')}: {cells.quoted(text)} is not known, and the event counts as "
                f"confirmed{more}: write tentative, confirmed or cancelled"
            )

    def _is_hidden(self, row: RowValues) -> bool:
        return is_unpublished(row.text("status"))


def _each_once(people: Iterable[AppearanceData]) -> tuple[AppearanceData, ...]:
    return tuple({(each.person, each.role): each for each in people}.values())


def _split_links(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, address and title of each link: “code https://a.example The code; https://b.example https://c.example”."""
    unread = []
    for part in _BETWEEN_LINKS.split(text):
        words = part.rstrip(" ;").split()
        kind = words[0].casefold() if words and words[0].casefold() in LINK_KINDS else ""
        rest = words[bool(kind) :]
        urls = [word for word in rest if cells.is_http_url(cells.with_scheme(word.rstrip(",")))]
        if kind and urls[:1] == rest[:1]:
            urls = rest[:1]
        title = " ".join(word for word in rest if word not in urls) if len(urls) == 1 else ""
        yield from ((kind, url.rstrip(","), title) for url in urls)
        unread += [] if urls else [part]
    if unread:
        yield "", "; ".join(unread), ""


def _as_session(row: RowValues) -> RowValues:
    """Take what a row without a title names as its session for its title: EasyChair writes breaks so."""
    if row.text("title") or not row.text("session"):
        return row
    texts = {name: found for name, found in row.texts.items() if name != "session"}
    return dataclasses.replace(row, texts=texts | {"title": row.texts["session"]})


def _cells_of(rows: Iterable[RowValues], field: str) -> Iterator[str]:
    """Yield the cells of a field, also those of talks inside the rows."""
    for row in rows:
        for texts in (row.texts, *(row.talk_texts(number) for number in row.talks)):
            yield from texts.get(field, ())


def _rows_above(rows: list[RowValues]) -> dict[RowNumber, RowNumber]:
    """Return for each sub-session the number of the session above it."""
    above: dict[RowNumber, RowNumber] = {}
    session: RowNumber = 0
    for row in rows:
        if row.text("level").strip().casefold() not in SUB_LEVELS:
            session = row.number
        elif session:
            above[row.number] = session
    return above


def _session_name(row: RowValues) -> str:
    """Return the name of the session that a row is inside; "" for a session that names itself."""
    name = _folded(row.text("session"))
    return name if name != _folded(row.text("title")) else ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _row_key(row: RowValues, title: str) -> str:
    """Return the number of the row, its GUID, or its title: a spreadsheet has no other column that stays when an event moves.

    "" if it has none of them.
    """
    if key := values.as_key(row.text("key")):
        return key
    return values.as_key(row.text("guid")).lower() or (f"title:{cells.key_of(title)[:150] or title}" if title else "")


def _talk_title(texts: Mapping[str, list[str]]) -> tuple[str, str]:
    """Return the title of a talk inside a row, and its status."""
    return without_cancelled(" ".join(" ".join(texts.get("title", ())).split()))


def _talk_key(row: RowValues, number: int, session: str) -> str:
    """Return the number of a talk inside a row, or the key of its session with its title."""
    texts = row.talk_texts(number)
    known = values.as_key(next(iter(texts.get("id", ())), ""))
    return f"talk:{known or f'{session} {cells.key_of(_talk_title(texts)[0])[:80]}'}"
