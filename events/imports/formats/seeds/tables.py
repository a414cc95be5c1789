"""A row of a seed file with its checked cells, the columns of every table, and times in cells."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn
from zoneinfo import ZoneInfo

from events.core.clock import DAY_CHANGE
from events.core.parsing import cells
from events.core.parsing.cells import quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.core.spans import ONE_DAY

# The lengths of the database's fields: what can be read can also be saved.
MAX_SEED_KEY_CHARS, MAX_WORD_CHARS, MAX_NAME_CHARS = 60, 30, 100
MAX_LINE_CHARS, MAX_URL_CHARS, MAX_SENTENCE_CHARS, MAX_PROSE_CHARS = 300, 500, 1_000, 100_000
_FLAG_VALUES = {"yes": True, "no": False, "": None}


@dataclass(frozen=True, slots=True)
class SeedRow:
    file: str
    line: int | None
    cells: Mapping[str, str]
    table: str = ""

    @property
    def location(self) -> str:
        return self.table or f"line {self.line}"

    def error(self, column: str, problem: str) -> ScheduleParseError:
        return ScheduleParseError(problem, file=self.file, table=self.table, line=self.line, column=column)

    def refuse(self, column: str, remedy: str) -> ScheduleParseError:
        return self.error(column, f"{quoted(self.raw(column))} {remedy}")

    def raw(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def has(self, column: str) -> bool:
        return self.raw(column) != ""

    def prose(self, column: str, limit: int = MAX_PROSE_CHARS) -> str:
        value = self.raw(column).replace("\r\n", "\n").replace("\r", "\n")
        if len(value) > limit:
            raise self.refuse(column, f"has {len(value)} characters: keep it to {limit}")
        return value

    def text(self, column: str, limit: int = MAX_LINE_CHARS) -> str:
        value = self.prose(column, limit)
        if len(value.splitlines()) > 1:
            raise self.refuse(column, "has a line break: write it on one line")
        return value

    def required(self, column: str, limit: int = MAX_LINE_CHARS) -> str:
        value = self.text(column, limit)
        if not value:
            raise self.error(column, "is empty: fill it in")
        return value

    def key(self, column: str = "key") -> str:
        value = self.required(column, MAX_SEED_KEY_CHARS)
        if not cells.is_key(value):
            raise self.refuse(column, "is not a key: use the letters a to z, digits, and hyphens between, like poster-session-1")
        return value

    def choice(self, column: str, allowed: Collection[str], default: str = "") -> str:
        value = self.text(column).lower() or default
        if value and value not in allowed:
            raise self.refuse(column, f"is none of {', '.join(allowed)}")
        return value

    def flag(self, column: str) -> bool | None:
        value = self.text(column).lower()
        if value not in _FLAG_VALUES:
            raise self.refuse(column, "is neither yes nor no: leave it empty where it is not known")
        return _FLAG_VALUES[value]

    def whole(self, column: str, least: int = 0) -> int | None:
        if not self.has(column):
            return None
        number = cells.parse_int(self.raw(column))
        if number is None or not least <= number <= cells.MAX_WHOLE_NUMBER:
            raise self.refuse(column, f"is not a whole number from {least} to {cells.MAX_WHOLE_NUMBER}")
        return number

    def year(self, column: str = "year") -> int:
        number = cells.parse_int(self.required(column))
        if number is None or number not in cells.VALID_YEARS:
            raise self.refuse(column, "is not a year: write four digits like 2025")
        return number

    def decimal(self, column: str, limit: int) -> float | None:
        if not self.has(column):
            return None
        number = cells.parse_decimal(self.raw(column))
        if number is None or abs(number) > limit:
            raise self.refuse(column, f"is not a decimal number from -{limit} to {limit}")
        return number

    def date(self, column: str) -> dt.date | None:
        return self.required_date(column) if self.has(column) else None

    def required_date(self, column: str) -> dt.date:
        value = self.required(column)
        return cells.parse_date(value) or self._fail(column, value, "is not a date: write it like 2025-04-24")

    def time(self, column: str) -> dt.time | None:
        return self._time(column, self.raw(column)) if self.has(column) else None

    def date_and_time(self, column: str) -> tuple[dt.date, dt.time | None]:
        day, _, hour = self.required(column).replace("T", " ").partition(" ")
        date = cells.parse_date(day) or self._fail(column, day, "is not a date: write it like 2025-04-24 or 2025-04-24 14:00")
        return date, self._time(column, hour.strip()) if hour.strip() else None

    def _time(self, column: str, value: str) -> dt.time:
        remedy = "is not a time: write it like 09:30, from 00:00 to 23:59"
        return cells.parse_time(value) or self._fail(column, value, remedy)

    def seconds(self, column: str) -> int | None:
        if not self.has(column):
            return None
        seconds = cells.parse_minutes_seconds(self.raw(column))
        if seconds is None:
            raise self.refuse(column, "is not minutes and seconds: write it like 23:00")
        return seconds

    def url(self, column: str) -> str:
        return self.checked_url(column, self.text(column, MAX_URL_CHARS)) if self.has(column) else ""

    def checked_url(self, column: str, value: str) -> str:
        if not cells.is_http_url(value) or len(value) > MAX_URL_CHARS:
            raise self.error(column, f"{quoted(value)} is not a web address: write it whole, like https://example.org/page")
        return value

    def colour(self, column: str, names: Collection[str] = ()) -> str:
        value = self.text(column).lower()
        if value and value not in names and not re.fullmatch("#[0-9a-f]{6}", value):
            named = f"{', '.join(names)}, or " if names else ""
            raise self.refuse(column, f"is not a colour: write {named}# and six hexadecimal digits like #1747b8")
        return value

    def icon(self, column: str = "icon") -> str:
        value = self.text(column, MAX_WORD_CHARS)
        if value and not cells.is_key(value):
            raise self.refuse(column, "is not the name of an icon: write one word in small letters, like mic")
        return value

    def guid(self, column: str = "guid") -> str:
        value = self.text(column)
        try:
            return str(uuid.UUID(value)) if value else ""
        except ValueError as error:
            raise self.refuse(column, "is not a UUID: leave it empty and one is made from the key") from error

    def items(self, column: str) -> list[str]:
        return [item for part in self.prose(column).split(";") if (item := " ".join(part.split()))]

    def reference(self, column: str, known: Collection[str], noun: str) -> str:
        value = self.text(column)
        if value and value not in known:
            raise self.refuse(
                column, f"is not the key of {'an' if noun[0] in 'aeiou' else 'a'} {noun}{spelling_hint(value, known)}"
            )
        return value

    def required_reference(self, column: str, known: Collection[str], noun: str) -> str:
        self.required(column)
        return self.reference(column, known, noun)

    def _fail(self, column: str, value: str, remedy: str) -> NoReturn:
        raise self.error(column, f"{quoted(value)} {remedy}")


EVENT_KINDS = ("invited-talk", "session", "talk", "poster", "social", "break", "service")
TYPE_COLOURS = ("invited", "session", "poster", "workshop", "social", "affinity", "break")
EVENT_STATUSES = ("draft", "tentative", "confirmed", "cancelled")
SIGNUP_STATES = ("open", "filling", "full", "closed")
APPEARANCE_ROLES = ("speaker", "host", "moderator", "panellist")
AUDIENCES = ("in-person", "virtual")
AWARD_LEVELS = ("winner", "runner-up", "honourable-mention")
LEG_MODES = ("walk", "lift", "escalator", "stairs", "train", "taxi", "bus")
STARTING_POINT_KINDS = ("hotel", "airport", "station", "city", "street")


@dataclass(frozen=True, slots=True)
class SeedTable:
    """The required and the optional columns of a TOML table or a CSV file."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return self.required + self.optional


_OPTIONAL_EVENT_COLUMNS = (
    "guid", "status", "day", "start", "end", "room", "place", "travel_minutes", "track", "topic", "session", "position",
    "paper", "service", "board", "language", "abstract", "official", "at_venue", "people", "links", "stream_url", "recording_url",
    "overflow_room", "takes_questions", "access_notes",
    "recording_from", "recording_offset", "notes", "notes_source", "subtitle", "description", "recording_license",
    "do_not_record", "export_number", "export_slug", "logo_url",
)  # fmt: skip
_SIGN_UP_COLUMNS = ("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity")

CONFERENCE_TOML = {
    "conference": SeedTable(
        ("slug", "name", "timezone", "start", "end"),
        ("title", "series", "edition", "city", "country", "colour", "url", "about"),
    ),
    "facts": SeedTable(("label", "value"), ("key", "note", "source_url")),
    "past_editions": SeedTable(("year", "place"), ("participants", "countries")),
    "days": SeedTable(("date",), ("title", "note")),
    "types": SeedTable(("key", "name", "kind"), ("plural", "colour", "icon", "default_minutes")),
    "tracks": SeedTable(("key", "name"), ("colour",)),
    "topics": SeedTable(("key", "area"), ("subarea",)),
}
PLACE_TOML = {
    "venues": SeedTable(("key", "name"), ("address", "latitude", "longitude", "url", "about", "transport")),
    "zones": SeedTable(("key", "venue", "name"), ("letter", "description", "off_site")),
    "rooms": SeedTable(("key", "zone", "name"), ("floor", "capacity", "description")),
    "walks": SeedTable(("from", "to", "minutes"), ("minutes_back", "covered", "step_free")),
    "services": SeedTable(("key", "name"), ("icon", "description", "zone", "room", "place")),
    "amenities": SeedTable(("key", "name"), ("note", "event", "service", "room", "zone")),
    "plans": SeedTable(("key", "venue", "name"), ("width", "height", "areas")),
    "plans.areas": SeedTable(("points",), ("room", "zone", "service", "label")),
    "starting_points": SeedTable(("key", "name", "kind"), ("description",)),
    "routes": SeedTable(("key", "start", "zone", "title"), ("description", "checked_on", "legs")),
    "routes.legs": SeedTable(("instruction",), ("mode", "sign", "minutes", "covered", "step_free", "gate_free")),
}
CSV_FILES = {
    "events.csv": SeedTable(("key", "title", "type"), _OPTIONAL_EVENT_COLUMNS),
    "socials.csv": SeedTable(("key", "title"), ("type", *_OPTIONAL_EVENT_COLUMNS, *_SIGN_UP_COLUMNS)),
    "people.csv": SeedTable(("key", "name"), ("sort_name", "affiliation", "bio", "url")),
    "papers.csv": SeedTable(("key", "title"), ("tldr", "abstract", "topic", "authors", "links")),
    "awards.csv": SeedTable(("key", "name", "year"), ("level", "paper", "event", "citation")),
    "announcements.csv": SeedTable(("key", "title", "from"), ("text", "until", "for", "urgent")),
}


def row_instant(row: SeedRow, column: str, date: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Return the instant of a time at the venue; the first one if the clocks show it twice."""
    local = dt.datetime.combine(date, time)
    instant = local.replace(tzinfo=zone).astimezone(dt.UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local:
        raise row.refuse(column, f"does not exist on {date} in {zone.key}: the clocks go forward over it")
    return instant


def event_span(
    row: SeedRow, day: dt.date | None, zone: ZoneInfo, default_minutes: int
) -> tuple[dt.datetime | None, dt.datetime | None]:
    """Return start and end; an empty end is ``default_minutes`` after the start."""
    start, end = row.time("start"), row.time("end")
    if start is None:
        if end is not None:
            raise row.error("start", "is empty though there is an end: fill it in, or empty both")
        return None, None
    if day is None:
        raise row.error("day", "is empty though there is a start: fill it in, or empty the start")
    # A programme's day runs past midnight: 01:30 is still the evening before.
    date = day + ONE_DAY if start < DAY_CHANGE else day
    begins = row_instant(row, "start", date, start, zone)
    if end is None:
        return begins, begins + dt.timedelta(minutes=default_minutes)
    ends = row_instant(row, "end", date if end > start else date + ONE_DAY, end, zone)
    if ends <= begins:
        raise row.refuse("end", "is not after the start")
    return begins, ends


def first_instant(row: SeedRow, column: str, zone: ZoneInfo) -> dt.datetime:
    date, time = row.date_and_time(column)
    return row_instant(row, column, date, time or dt.time(), zone)


def last_instant(row: SeedRow, column: str, zone: ZoneInfo) -> dt.datetime:
    date, time = row.date_and_time(column)
    return row_instant(row, column, date, time, zone) if time else row_instant(row, column, date + ONE_DAY, dt.time(), zone)
