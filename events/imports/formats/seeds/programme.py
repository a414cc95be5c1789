"""The CSV files: people, papers, awards, announcements and events."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from events.core.parsing.cells import is_key, key_of, quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.languages import EventLanguages
from events.imports.formats.seeds.files import unique_rows
from events.imports.formats.seeds.tables import (
    APPEARANCE_ROLES,
    AUDIENCES,
    AWARD_LEVELS,
    EVENT_STATUSES,
    MAX_LINE_CHARS,
    MAX_NAME_CHARS,
    MAX_SENTENCE_CHARS,
    MAX_URL_CHARS,
    SIGNUP_STATES,
    SeedRow,
    event_span,
    first_instant,
    last_instant,
)
from events.programme.data.export_numbers import MAX_EXPORT_NUMBER, parse_export_number
from events.programme.data.schedule import (
    LINK_KINDS,
    AnnouncementData,
    AppearanceData,
    AwardData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    PersonData,
)

_MAX_PERSON_NAME_CHARS = 150


class SeedPeople:
    """The people of people.csv, and those that only a paper or an event names."""

    def __init__(self, rows: Iterable[SeedRow]) -> None:
        self._people: dict[str, PersonData] = {}
        self._by_name: dict[str, str] = {}
        self.warnings: list[str] = []
        for key, row in unique_rows(rows).items():
            self._add(PersonData(
                key=key,
                name=row.required("name", _MAX_PERSON_NAME_CHARS),
                sort_name=row.text("sort_name", _MAX_PERSON_NAME_CHARS),
                affiliation=row.text("affiliation", MAX_LINE_CHARS),
                bio=row.prose("bio"),
                url=row.url("url"),
            ))  # fmt: skip

    def all(self) -> tuple[PersonData, ...]:
        return tuple(self._people.values())

    def authors(self, row: SeedRow, column: str = "authors") -> tuple[str, ...]:
        keys = [self._find(row, column, name) for name in row.items(column)]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise self._duplicate_error(row, column, key)
        return tuple(keys)

    def appearances(self, row: SeedRow, column: str = "people") -> tuple[AppearanceData, ...]:
        """Read “Diederik P. Kingma; Jimmy Ba (remote); Fei Sha (moderator)”."""
        appearances: list[AppearanceData] = []
        for item in row.items(column):
            appearance = self._appearance(row, column, item)
            if (appearance.person, appearance.role) in [(other.person, other.role) for other in appearances]:
                raise self._duplicate_error(row, column, appearance.person)
            appearances.append(appearance)
        return tuple(appearances)

    def _appearance(self, row: SeedRow, column: str, item: str) -> AppearanceData:
        name, details = _name_and_details(item)
        words = [word.strip().lower() for word in details.split(",") if word.strip()]
        for word in words:
            if word not in (*APPEARANCE_ROLES, "remote"):
                raise row.error(column, f"{quoted(word)} after {quoted(name)} is none of {', '.join(APPEARANCE_ROLES)}, remote")
        roles = [word for word in words if word != "remote"]
        if len(roles) > 1:
            raise row.error(column, f"{quoted(item)} has two roles: name the person twice, once with each")
        return AppearanceData(
            person=self._find(row, column, name), role=roles[0] if roles else "speaker", remote="remote" in words
        )

    def _find(self, row: SeedRow, column: str, name: str) -> str:
        if name in self._people:
            return name
        key = key_of(name)
        if key in self._by_name:
            self._warn_if_different(row, column, name, self._people[self._by_name[key]])
            return self._by_name[key]
        if not key or len(name) > _MAX_PERSON_NAME_CHARS:
            raise row.error(
                column, f"{quoted(name)} is not a name: write at most {_MAX_PERSON_NAME_CHARS} characters with letters in them"
            )
        if is_key(name):
            remedy = f"is neither a key in people.csv nor written like a name{spelling_hint(name, self._people)}"
            raise row.error(column, f"{quoted(name)} {remedy}")
        if key in self._people:
            raise row.error(
                column, f"{quoted(name)} would get the key of {quoted(self._people[key].name)}: give it a row in people.csv"
            )
        return self._add(PersonData(key=key, name=name))

    def _add(self, person: PersonData) -> str:
        self._people[person.key] = person
        self._by_name.setdefault(key_of(person.name), person.key)
        return person.key

    def _warn_if_different(self, row: SeedRow, column: str, name: str, person: PersonData) -> None:
        if name != person.name:
            self.warnings.append(str(row.error(column, f"{quoted(name)} is taken to be {quoted(person.name)}")))

    def _duplicate_error(self, row: SeedRow, column: str, key: str) -> ScheduleParseError:
        return row.error(column, f"{quoted(self._people[key].name)} is named twice: delete one")


def _name_and_details(item: str) -> tuple[str, str]:
    """Split “Ba (remote)” into (“Ba”, “remote”); leave brackets inside a name, as in “Zhangyang (Atlas) Wang”."""
    match = re.fullmatch(r"([^()].*?)\s*\(([^()]*)\)", item)
    return (match[1], match[2]) if match else (item, "")


_MAX_LINK_TITLE_CHARS = 200


def read_papers(rows: Iterable[SeedRow], people: SeedPeople, topic_keys: Collection[str]) -> tuple[PaperData, ...]:
    return tuple(
        PaperData(
            key=key,
            title=row.required("title", MAX_URL_CHARS),
            tldr=row.text("tldr", MAX_SENTENCE_CHARS),
            abstract=row.prose("abstract"),
            topic=row.reference("topic", topic_keys, "topic"),
            authors=people.authors(row),
            links=read_links(row),
        )
        for key, row in unique_rows(rows).items()
    )


def read_links(row: SeedRow) -> tuple[LinkData, ...]:
    """Read “paper https://example.org/p; video https://example.org/v The recording”."""
    return tuple(_read_link(row, item) for item in row.items("links"))


def _read_link(row: SeedRow, item: str) -> LinkData:
    kind, _, rest = item.partition(" ")
    url, _, title = rest.partition(" ")
    if kind.lower() not in LINK_KINDS:
        raise row.error("links", f"{quoted(item)} does not begin with one of {', '.join(LINK_KINDS)}: write “paper https://…”")
    if len(title) > _MAX_LINK_TITLE_CHARS:
        raise row.error("links", f"{quoted(title)} has {len(title)} characters: keep it to {_MAX_LINK_TITLE_CHARS}")
    return LinkData(kind=kind.lower(), url=row.checked_url("links", url), title=title)


def read_awards(rows: Iterable[SeedRow], paper_keys: Collection[str], event_keys: Collection[str]) -> tuple[AwardData, ...]:
    return tuple(
        _read_award(key, row, position, paper_keys, event_keys)
        for position, (key, row) in enumerate(unique_rows(rows).items(), 1)
    )


def _read_award(key: str, row: SeedRow, position: int, paper_keys: Collection[str], event_keys: Collection[str]) -> AwardData:
    if not row.has("paper") and not row.has("event"):
        raise row.error("paper", "is empty, and so is the event: an award goes to one of them")
    return AwardData(
        key=key,
        name=row.required("name", MAX_NAME_CHARS),
        level=row.choice("level", AWARD_LEVELS, default="winner"),
        year=row.year(),
        paper=row.reference("paper", paper_keys, "paper"),
        event=row.reference("event", event_keys, "event"),
        citation=row.prose("citation"),
        position=position,
    )


def read_announcements(rows: Iterable[SeedRow], zone: ZoneInfo) -> tuple[AnnouncementData, ...]:
    return tuple(_read_announcement(key, row, zone) for key, row in unique_rows(rows).items())


def _read_announcement(key: str, row: SeedRow, zone: ZoneInfo) -> AnnouncementData:
    starts_at = first_instant(row, "from", zone)
    until = last_instant(row, "until", zone) if row.has("until") else None
    if until and until <= starts_at:
        raise row.refuse("until", "is not after the “from”")
    return AnnouncementData(
        key=key,
        title=row.required("title"),
        text=row.prose("text"),
        audience=row.choice("for", AUDIENCES),
        urgent=bool(row.flag("urgent")),
        starts_at=starts_at,
        until=until,
    )


_MAX_BOARD_CHARS, _MAX_PLACE_CHARS, _MAX_LICENCE_CHARS = 20, 200, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReferences:
    """The keys that a row of events.csv may refer to."""

    zone: ZoneInfo
    types: Mapping[str, EventTypeData]
    days: Collection[str]
    # Room key -> whether it is at the venue.
    rooms: Mapping[str, bool]
    tracks: Collection[str]
    topics: Collection[str]
    papers: Collection[str]
    services: Collection[str]
    notes: Mapping[str, str]
    people: SeedPeople
    languages: EventLanguages


def read_events(event_rows: list[SeedRow], social_rows: list[SeedRow], programme: EventReferences) -> tuple[EventData, ...]:
    rows = unique_rows([*event_rows, *social_rows])
    unique_rows([row for row in rows.values() if row.has("guid")], lambda row: row.guid(), "guid")
    events = {
        key: _read_event(key, row, programme, social=position >= len(event_rows))
        for position, (key, row) in enumerate(rows.items())
    }
    for key, row in rows.items():
        _check_session(key, row, events, programme)
    return tuple(events.values())


def _read_event(key: str, row: SeedRow, programme: EventReferences, *, social: bool) -> EventData:
    kind = row.text("type") or ("social" if social else row.required("type"))
    if kind not in programme.types:
        row.reference("type", programme.types, "type")
        raise row.error("type", f"is empty, and conference.toml has no type {quoted(kind)}: name the type")
    day = row.date("day")
    if day is not None and day.isoformat() not in programme.days:
        raise row.refuse("day", "is not one of the [[days]] in conference.toml: add it there")
    start, end = event_span(row, day, programme.zone, programme.types[kind].default_minutes)
    room = row.reference("room", programme.rooms, "room")
    official, at_venue = row.flag("official"), row.flag("at_venue")
    event = EventData(
        key=key,
        guid=row.guid(),
        title=row.required("title"),
        subtitle=row.text("subtitle", MAX_LINE_CHARS),
        language=programme.languages.read(row.raw("language"), f"{row.file}, {row.location}"),
        type=kind,
        status=row.choice("status", EVENT_STATUSES) or _default_status(row),
        day=day.isoformat() if day else "",
        start=start,
        end=end,
        room=room,
        place=row.text("place", _MAX_PLACE_CHARS),
        travel_minutes=row.whole("travel_minutes"),
        track=row.reference("track", programme.tracks, "track"),
        topic=row.reference("topic", programme.topics, "topic"),
        session=row.text("session"),
        position=row.whole("position") or 0,
        paper=row.reference("paper", programme.papers, "paper"),
        service=row.reference("service", programme.services, "service"),
        board=row.text("board", _MAX_BOARD_CHARS),
        abstract=row.prose("abstract"),
        description=row.prose("description"),
        official=not social if official is None else official,
        at_venue=programme.rooms.get(room) if at_venue is None else at_venue,
        access_notes=row.prose("access_notes"),
        overflow_room=row.reference("overflow_room", programme.rooms, "room"),
        takes_questions=bool(row.flag("takes_questions")),
        people=programme.people.appearances(row),
        links=read_links(row),
        export_number=_export_number(row),
        export_slug=row.text("export_slug", MAX_LINE_CHARS),
        logo_url=row.url("logo_url"),
    )
    return _with_sign_up(_with_recording(event, row, programme), row, programme)


def _default_status(row: SeedRow) -> str:
    """Return tentative without a published end, as the end is then a guess."""
    return "confirmed" if row.has("start") and row.has("end") else "tentative"


def _with_recording(event: EventData, row: SeedRow, programme: EventReferences) -> EventData:
    notes = row.prose("notes")
    if notes and event.key in programme.notes:
        raise row.error("notes", f"is filled in, and there is a file notes/{event.key}.md too: keep one")
    return dataclasses.replace(
        event,
        stream_url=row.url("stream_url"),
        recording_url=row.url("recording_url"),
        recording_from=row.date("recording_from"),
        recording_offset=row.seconds("recording_offset"),
        recording_license=row.text("recording_license", _MAX_LICENCE_CHARS),
        do_not_record=row.flag("do_not_record"),
        notes=notes or programme.notes.get(event.key, ""),
        notes_source=row.url("notes_source"),
    )


def _with_sign_up(event: EventData, row: SeedRow, programme: EventReferences) -> EventData:
    return dataclasses.replace(
        event,
        audience=row.text("audience", MAX_LINE_CHARS),
        signup_url=row.url("signup_url"),
        signup_state=row.choice("signup_state", SIGNUP_STATES),
        signup_checked_at=_optional_instant(row, "signup_checked_at", programme.zone),
        signup_until=_optional_instant(row, "signup_until", programme.zone),
        cost=row.text("cost", MAX_NAME_CHARS),
        capacity=row.whole("capacity", 1),
    )


def _export_number(row: SeedRow) -> int | None:
    number = parse_export_number(row.raw("export_number"))
    if row.has("export_number") and number is None:
        raise row.refuse("export_number", f"is not a whole number from 1 to {MAX_EXPORT_NUMBER}")
    return number


def _optional_instant(row: SeedRow, column: str, zone: ZoneInfo) -> dt.datetime | None:
    return first_instant(row, column, zone) if row.has(column) else None


def _check_session(key: str, row: SeedRow, events: Mapping[str, EventData], programme: EventReferences) -> None:
    session = row.reference("session", events, "session")
    if session and programme.types[events[session].type].kind != "session":
        raise row.refuse("session", f"is an event of the type {quoted(events[session].type)}, whose kind is not session")
    seen = {key}
    while session:
        if session in seen:
            raise row.refuse("session", "leads back to this event: an event cannot be part of itself")
        seen.add(session)
        session = events[session].session if session in events else ""
