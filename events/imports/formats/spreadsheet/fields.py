"""Our fields of a spreadsheet's row, and the headers under which other people write them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from events.imports.formats.spreadsheet import moments
from events.imports.formats.spreadsheet.moments import DateReading
from events.programme.data.schedule import EventData

CONTENT_SAMPLE_ROWS = 200
MIN_CONTENT_SHARE = 0.7
"""Of the filled cells of a column that must be dates, hours or titles for a guess from the contents."""


GRID_FIELD = "room_title"
"""Of the columns of a grid: the header is the name of a room."""


class SheetField(NamedTuple):
    """``headers`` as ``header_key`` makes them, the likeliest first. ``several`` columns may have the field."""

    name: str
    label: str
    headers: str
    several: bool = False


SHEET_FIELDS = (
    SheetField(
        "title",
        "Title",
        "title session-title event-title talk-title presentation-title item-title session-name event-name talk-name name titel"
        " titre titulo titolo subject paper-title summary what activity programme-item program-item event talk paper session"
        " topic vortrag veranstaltung vortragstitel veranstaltungstitel programmpunkt",
    ),
    SheetField(
        "date",
        "Date (also with hours)",
        "date start-date session-date event-date day datum tag fecha jour giorno data dia session-day when date-time datetime",
    ),
    SheetField(
        "start",
        "Start (also with a date, or from–to)",
        "start start-time time-start session-start event-start start-date-time starts-at start-at starts begin begins beginn from"
        " von begin-time start-datetime session-start-time scheduled-at startsat time uhrzeit zeit hora heure hour hours"
        " time-slot timeslot slot session-time when debut inicio ora",
    ),
    SheetField(
        "end",
        "End",
        "end end-time time-end session-end event-end end-date-time ends-at end-at ends until to till bis finish finish-time fin"
        " ende fine end-datetime session-end-time endsat",
    ),
    SheetField("end_date", "End date", "end-date session-end-date event-end-date"),
    SheetField(
        "duration",
        "Length",
        "duration length minutes mins duration-min duration-minutes length-min scheduled-duration dauer duree",
    ),
    SheetField(
        "room",
        "Room",
        "room room-name room-location session-room location hall venue event-location raum saal ort salle lieu sala place where"
        " scheduled-room auditorium",
    ),
    SheetField(GRID_FIELD, "Title, in the room of the header", "", several=True),
    SheetField("place", "Place in words", "address place-in-words where-exactly place"),
    SheetField(
        "type",
        "Type",
        "type session-type event-type session-format format kind category item-type presentation-type contribution-type typ art"
        " track-type",
    ),
    SheetField("track", "Track", "track tracks theme stream strand event-subtype session-subtype subtype topic-track"),
    SheetField(
        "session",
        "Part of the session",
        "session part-of parent parent-session session-name session-title session-of in-session",
    ),
    SheetField(
        "level", "Session or sub-session", "session-or-sub-session-sub session-or-sub-session level session-or-subsession"
    ),
    SheetField(
        "people",
        "Speakers",
        "people speakers speaker speaker-names speaker-name presenter presenters presenting-author speaker-s presenter-s referent"
        " referenten referentin referent-in referentinnen referent-innen redner rednerin redner-in rednerinnen redner-innen"
        " sprecher sprecherin sprecher-in sprecherinnen sprecher-innen vortragender vortragende-r intervenants ponentes relatori"
        " vortragende artists speakers-session-chair by who person persons",
        several=True,
    ),
    SheetField(
        "moderators",
        "Moderators or chairs",
        "moderators moderator chair chairs session-chair session-chairs role-moderators role-moderator role-session-chairs"
        " session-moderator chairperson moderation vorsitz",
        several=True,
    ),
    SheetField("hosts", "Hosts", "host hosts organiser organisers organizer organizers contact", several=True),
    SheetField("panellists", "Panellists", "panellists panelists panellist panelist role-panelists", several=True),
    SheetField("authors", "Authors (a paper is made)", "authors author authors-list author-names autoren auteurs", several=True),
    SheetField(
        "abstract",
        "Abstract",
        "abstract description session-description session-abstract session-info details about text beschreibung"
        " kurzbeschreibung resume resumen inhalt zusammenfassung notes-for-attendees",
        several=True,
    ),
    SheetField("language", "Language", "language lang locale sprache langue idioma spoken-language"),
    SheetField("status", "Status", "status state session-status published active"),
    SheetField(
        "key",
        "Number or code of the row",
        "id key session-id event-id event-key code number no paper-id submission-id paper submission session-short session-code"
        " nr talk-id",
    ),
    SheetField("guid", "GUID", "guid uuid uid"),
    SheetField("capacity", "Seats", "capacity seats max-participants"),
    SheetField("audience", "For whom", "audience level-of-audience target-audience"),
    SheetField("cost", "Cost", "cost price fee kosten"),
    SheetField("board", "Board", "board board-number poster-number poster-board"),
    SheetField("links", "Link", "links link url website session-url event-url web-page homepage slides", several=True),
    SheetField("signup_url", "Sign-up page", "signup-url registration-url rsvp sign-up signup registration-link"),
    SheetField("stream_url", "Stream", "stream-url stream livestream live-stream zoom-link streaming-link video-stream"),
    SheetField("recording_url", "Recording", "recording-url recording recorded-video-url video-url"),
    SheetField("talk-title", "Title of a talk inside", "title name", several=True),
    SheetField("talk-id", "Number of a talk inside", "paperid paper-id id number code", several=True),
    SheetField("talk-authors", "Authors of a talk inside", "authors author", several=True),
    SheetField(
        "talk-people", "Speakers of a talk inside", "speakers speaker presenter presenters presenting-author", several=True
    ),
    SheetField("talk-abstract", "Abstract of a talk inside", "abstract description", several=True),
    SheetField("talk-start", "Start of a talk inside", "start start-time begin", several=True),
    SheetField("talk-end", "End of a talk inside", "end end-time", several=True),
    SheetField("talk-duration", "Length of a talk inside", "duration length", several=True),
)
FIELDS_BY_NAME: Mapping[str, SheetField] = {field.name: field for field in SHEET_FIELDS}
TALK_PREFIX = "talk-"
WHEN_FIELDS = frozenset({"date", "start", "end", "end_date"})
_OWN_HEADERS = frozenset({"guid", "takes_questions", "export_number"})
"""Of every schedule.csv of ours."""
_OWN_FIELDS = {"paper": "", "description": ""}
"""Its columns that others use otherwise: for the number of a row, and for the abstract."""
_OWN_COLUMNS = frozenset(field.name for field in dataclasses.fields(EventData))
"""All of its columns: those without a field here are left out on purpose."""
_PRIVATE_HEADER = re.compile(r"e-?mail|phone|telephone|mobile|password|review|score|rating", re.IGNORECASE)
_TALK_HEADER = re.compile(r"(?:p|paper|talk|presentation|contribution)-?([0-9]{1,3})-(.+)")
_OPTIONAL = re.compile(r"[(\[]\s*(?:optional|required)\s*[)\]]", re.IGNORECASE)
_UNIT = re.compile(r"[(\[][^()\[\]]*[)\]]")
_ROOM_WORD = re.compile(
    r"room|\bhall|halle\b|raum|saal|salle|sala|zaal|stage|bühne|audito|aula|theat|studio|foyer|lounge|\b(?:track|lab|floor)\b",
    re.IGNORECASE,
)


def header_key(header: str) -> str:
    """Return a header in lower case with hyphens, without stars and “(optional)”.

    >>> header_key("*Session Title (Optional)"), header_key("Room/Location"), header_key("chair2")
    ('session-title', 'room-location', 'chair')
    """
    if header.strip() in {"#", "№"}:
        return "number"
    words = re.sub(r"[\W_]+", "-", _OPTIONAL.sub("", header[:200]).casefold()).strip("-")
    return words if _TALK_HEADER.fullmatch(words) else re.sub(r"-?[0-9]{1,2}$", "", words) or words


def talk_number(header: str) -> int | None:
    """Return the number of a talk that a column such as “p2_title” is about."""
    match = _TALK_HEADER.fullmatch(header_key(header)) or re.search("()([0-9]{1,3})", header)
    return int(match[1] or match[2]) if match else None


def guess_fields(headers: Sequence[str], chosen: Mapping[str, str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return a field, or "", for each header; ``chosen`` counts before any guess. ``rows`` are the cells below."""
    known = {**_OWN_FIELDS, **chosen} if _OWN_HEADERS.issubset(headers) else chosen
    fields = {header: known[header] for header in headers if header in known}
    free = [header for header in headers if header not in fields and not _PRIVATE_HEADER.search(header)]
    _guess_talks(free, fields)
    _guess_grid(headers, free, fields, rows)
    for field in (field for field in SHEET_FIELDS if not field.name.startswith(TALK_PREFIX)):
        wanted = field.headers.split()
        likely = [header for header in free if header not in fields and _rank(header, wanted) < len(wanted)]
        if field.several:
            fields |= dict.fromkeys(likely, field.name)
        elif likely and field.name not in fields.values():
            fields[min(likely, key=lambda header: _rank(header, wanted))] = field.name
    _guess_by_contents(headers, free, fields, rows)
    return {header: fields.get(header, "") for header in headers}


def missed_headers(headers: Sequence[str], fields: Mapping[str, str], chosen: Mapping[str, str]) -> set[str]:
    """Return the headers that have no field, except those of which this was chosen and those that are never read."""
    unread = {*chosen, *(_OWN_COLUMNS if _OWN_HEADERS.issubset(headers) else ())}
    return {header for header in headers if not fields[header] and header not in unread and not _PRIVATE_HEADER.search(header)}


def is_known_header(header: str, field: str) -> bool:
    wanted = FIELDS_BY_NAME[field].headers.split()
    return _rank(header, wanted) < len(wanted)


def _guess_talks(free: Sequence[str], fields: dict[str, str]) -> None:
    talk_fields = [field for field in SHEET_FIELDS if field.name.startswith(TALK_PREFIX)]
    for header in free:
        if match := _TALK_HEADER.fullmatch(header_key(header)):
            fields[header] = next((field.name for field in talk_fields if match[2] in field.headers.split()), "")


def _guess_grid(headers: Sequence[str], free: Sequence[str], fields: dict[str, str], rows: Sequence[Sequence[str]]) -> None:
    """Find the rooms of a grid: no header is that of a title, and several are names of rooms with titles below them."""
    if {"title", "talk-title"} & set(fields.values()) or any(is_known_header(header, "title") for header in free):
        return
    columns = {header: _filled(rows, place) for place, header in enumerate(headers) if header in free and header not in fields}
    reading = DateReading(moments.DAY_FIRST)
    titled = [
        header
        for header, texts in columns.items()
        if _is_title(texts) and not _is_most(sum(moments.parse_moment(text, reading) is not None for text in texts), texts)
    ]
    rooms = [header for header in titled if _ROOM_WORD.search(header) and not _is_exactly_known(header)]
    if len(rooms) > 1:
        others = [header for header in titled if not any(is_known_header(header, field.name) for field in SHEET_FIELDS)]
        fields |= dict.fromkeys([*rooms, *others], GRID_FIELD)


def _is_exactly_known(header: str) -> bool:
    """Whether it is the header of a column of rooms, as “Room” and unlike “Room 1”."""
    return re.sub(r"[\W_]+", "-", header.casefold()).strip("-") in FIELDS_BY_NAME["room"].headers.split()


def _rank(header: str, wanted: Sequence[str]) -> int:
    """Return the place of a header among those of a field; also without what stands in brackets, such as a unit."""
    ranks = [wanted.index(key) for key in {header_key(header), header_key(_UNIT.sub("", header))} if key in wanted]
    return min(ranks, default=len(wanted))


def _guess_by_contents(
    headers: Sequence[str], free: Sequence[str], fields: dict[str, str], rows: Sequence[Sequence[str]]
) -> None:
    open_columns = {
        header: _filled(rows, place) for place, header in enumerate(headers) if header in free and header not in fields
    }
    used = set(fields.values())
    if not used & WHEN_FIELDS:
        reading = DateReading(moments.DAY_FIRST)
        for header, texts in open_columns.items():
            found = [moments.parse_moment(text, reading) for text in texts]
            dated, timed = (sum(bool(each and getattr(each, part)) for each in found) for part in ("date", "start"))
            name = "date" if _is_most(dated, texts) and "date" not in used else ""
            name = name or ("start" if "start" not in used else "end" if "end" not in used else "") * _is_most(timed, texts)
            if name:
                fields[header], used = name, used | {name}
    if not {"title", GRID_FIELD} & used:
        texts_by_header = {header: texts for header, texts in open_columns.items() if header not in fields and _is_title(texts)}
        if texts_by_header:
            fields[max(texts_by_header, key=lambda header: len(set(texts_by_header[header])))] = "title"


def _filled(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    return [row[place] for row in rows[:CONTENT_SAMPLE_ROWS] if place < len(row) and row[place]]


def _is_most(count: int, texts: Sequence[str]) -> bool:
    return bool(texts) and count >= MIN_CONTENT_SHARE * len(texts)


def _is_title(texts: Sequence[str]) -> bool:
    return _is_most(
        sum(4 <= len(text) <= 300 and not text.isdecimal() and "@" not in text and "://" not in text for text in texts), texts
    )
