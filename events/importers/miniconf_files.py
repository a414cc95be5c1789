"""The files of a Mini-Conf site's sitedata folder, and what their texts say of weekdays, hours and names."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.safe_json import decode, load_json
from events.importers.safe_yaml import load_yaml

Entry = dict[str, Any]
"""One paper, social or talk as its file has it."""

READ = (
    "config.yml", "schedule.yml", "papers.json", "papers.csv", "poster_schedule.yml", "poster_slides.yml",
    "oral_schedule.yml", "speakers.yml", "speakers.csv", "socials.yml", "workshops.yml", "workshops.csv", "expos.yml",
    "main_calendar.json",
)  # fmt: skip
_TELLING = {"schedule.yml", "poster_schedule.yml", "oral_schedule.yml", "main_calendar.json", "socials.yml"}
# What a file of sitedata that is handed in alone looks like, whatever it is called: all of the patterns.
_ALONE = (
    ("schedule.yml", (rb"(?m)^time_slots\s*:",)),
    ("poster_schedule.yml", (rb"(?m)^- +name *:[^\n]*\n +posters *:",)),
    ("oral_schedule.yml", (rb"(?m)^- +day *:[^\n]*\n +section *:",)),
    ("socials.yml", (rb"(?m)^socials\s*:",)),
    ("socials.yml", (rb"(?m)^- +UID *:", rb"(?m)^ +sessions *:", rb"(?m)^ +(- +)?start_time *:")),
    ("workshops.yml", (rb"(?m)^workshops\s*:",)),
    ("speakers.yml", (rb"(?m)^speakers\s*:",)),
    ("expos.yml", (rb"(?m)^expos\s*:",)),
    ("papers.json", (rb"\A\s*[{\[]", rb'"content"\s*:\s*\{', rb'"forum"\s*:', rb'"authors"\s*:')),
    ("main_calendar.json", (rb"\A\s*\[", rb'"calendarId"\s*:', rb'"start"\s*:')),
    ("papers.csv", (rb"\A(\xef\xbb\xbf)?UID,title,authors,abstract,keywords\b",)),
)
_HEAD = 60_000

UTC = ZoneInfo("UTC")
"""The zone of every time in Mini-Conf that names none."""
ONE_DAY = dt.timedelta(days=1)
_MAX_DAYS_OUTSIDE = 3
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?\b\.?", re.IGNORECASE)
_CLOCK = r"(\d{1,2})(?::(\d{2}))?(?::00)?(?:\s*([AP])\.?M\b\.?)?"
_TIME = re.compile(rf"\s*{_CLOCK}\s*", re.IGNORECASE)
_HOURS = re.compile(
    rf"\s*{_CLOCK}\s*(?:-|–|—|to)\s*{_CLOCK}(?:\s*\(?([A-Z]{{1,4}}T|UTC|Z|(?:UTC|GMT)?\s*[+-]\d{{1,2}}(?::?\d{{2}})?)\)?)?\s*",
    re.IGNORECASE,
)
_OFFSETS = {
    "": 0, "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "BST": 1, "EET": 2, "CEST": 2, "EAT": 3, "JST": 9, "KST": 9,
    "SGT": 8, "AEST": 10, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d|0\d|1[0-4]):?([0-5]\d)?")
_BETWEEN_NAMES = re.compile(r"\s*[·•;&/|]\s*|\s*,\s*(?:and\s+|&\s*)?|\s+and\s+")
_TITLE = re.compile(r"^(?:(?:Prof|Profs|Professor|Dr|Drs|Mr|Ms|Mrs)\b\.?\s+)+")


def recognises(document: Document) -> bool:
    names = set(_folder(document))
    if "conference.toml" in names:
        return False
    return bool(names & _TELLING and len(names & set(READ)) > 1) or _alone(document) != ""


def _alone(document: Document) -> str:
    """Which file of sitedata the one file is, by its first lines."""
    if not document.is_one_file:
        return ""
    head = document.content[:_HEAD]
    return next((name for name, patterns in _ALONE if all(re.search(pattern, head) for pattern in patterns)), "")


def _folder(document: Document) -> dict[str, str]:
    """The names in the folder that holds most of what we read, each with its path."""
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(document.files):
        place = PurePosixPath(path)
        folders[str(place.parent)][place.name] = path
    return max(folders.values(), key=lambda names: len(names.keys() & set(READ)), default={})


class Sitedata:
    """The files by the names Mini-Conf gives them."""

    def __init__(self, document: Document) -> None:
        self.document, alone = document, _alone(document)
        self.paths = {alone: next(iter(document.files))} if alone else _folder(document)

    def load(self, name: str) -> Any:
        """What the file holds; nothing if it is not there. Raises ScheduleParseError for what is not YAML or JSON."""
        if name not in self.paths:
            return None
        load = load_json if name.endswith(".json") else load_yaml
        return load(self.document.files[self.paths[name]], file=self.paths[name])

    def entries(self, name: str, *, under: str = "") -> list[Entry]:
        """The file's list of entries, which may stand under a key; raises ScheduleParseError where there is none."""
        found = self.load(name)
        if found is None:
            return []
        if under and isinstance(found, dict):
            found = found.get(under)
        if isinstance(found, dict):
            # papers.json by id.
            found = list(found.values())
        if not isinstance(found, list) or not all(isinstance(it, dict) for it in found):
            place = f"“{under}:” with a list of entries" if under else "a list of entries"
            raise ScheduleParseError(f"is not what Mini-Conf writes: {place} is missing", file=self.paths[name])
        return found

    def rows(self, name: str) -> list[Entry]:
        """The rows of a CSV file, each by its header; the first column's name is UID."""
        if name not in self.paths:
            return []
        content = decode(self.document.files[self.paths[name]], file=self.paths[name])
        reader = csv.DictReader(io.StringIO(content, newline=""), strict=True)
        try:
            return [{key: value for key, value in row.items() if key} for row in reader]
        except csv.Error as error:
            raise ScheduleParseError(f"cannot be read as CSV: {error}", file=self.paths[name], line=reader.line_num) from error


def text(entry: Any, name: str) -> str:
    """The value as text; nothing where there is none, or a list."""
    found = entry.get(name) if isinstance(entry, dict) else None
    return str(found).strip() if isinstance(found, (str, int, float)) and not isinstance(found, bool) else ""


def texts(entry: Any, name: str) -> list[str]:
    """A list of texts; a single text is a list of one."""
    found = entry.get(name) if isinstance(entry, dict) else None
    if isinstance(found, list):
        return [str(it).strip() for it in found if isinstance(it, (str, int, float))]
    return [text(entry, name)] if text(entry, name) else []


def inner(entry: Any, name: str) -> Iterator[Entry]:
    """The entries inside an entry."""
    found = entry.get(name) if isinstance(entry, dict) else None
    if isinstance(found, list):
        yield from (it for it in found if isinstance(it, dict))


@dataclass(frozen=True)
class Hours:
    """From when to when, in a zone that is a fixed offset; an end that is not after the start is on the next date."""

    start: dt.time
    end: dt.time
    zone: dt.timezone = dt.UTC

    def on(self, date: dt.date) -> tuple[dt.datetime, dt.datetime]:
        last = date if self.end > self.start else date + ONE_DAY
        return dt.datetime.combine(date, self.start, self.zone), dt.datetime.combine(last, self.end, self.zone)


@dataclass(frozen=True)
class Slot:
    """One line of schedule.yml."""

    date: dt.date
    hours: Hours | None
    entry: Entry

    @property
    def type(self) -> str:
        return text(self.entry, "type").lower()

    @property
    def name(self) -> str:
        return text(self.entry, "name") or text(self.entry, "short") or self.type.capitalize()

    @property
    def place(self) -> str:
        return f"schedule.yml, {self.date}, “{self.name[:60]}”"

    def is_of(self, name: str, day: str) -> bool:
        """Whether “Expo ElementAI: …” is the expo of Element AI, on the same day."""
        named = name.replace(" ", "").lower()
        return bool(named) and named in self.name.replace(" ", "").lower() and day in {"", self.date.isoformat()}


def clock(said: str) -> dt.time | None:
    """“5:00 AM” or “17:30”."""
    found = _TIME.fullmatch(said)
    return _time(*found.groups()) if found else None


def hours(said: str) -> Hours | None:
    """“16:00-18:00 GMT”; without a zone it is UTC, as everywhere in Mini-Conf. None for “All Day” and what is no time."""
    found = _HOURS.fullmatch(said)
    if not found:
        return None
    start, end, zone = _time(*found.groups()[:3]), _time(*found.groups()[3:6]), _zone(found[7] or "")
    return Hours(start, end, zone) if start and end and zone else None


def _time(hour: str, minute: str | None, half: str | None) -> dt.time | None:
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half.upper() == "P" else 0)
    try:
        return dt.time(0 if number == 24 and not half else number, int(minute or 0))
    except ValueError:
        return None


def _zone(name: str) -> dt.timezone | None:
    said = re.sub(r"\s", "", name.upper())
    if said in _OFFSETS:
        return dt.timezone(dt.timedelta(hours=_OFFSETS[said]))
    found = _OFFSET.fullmatch(said)
    if not found:
        return None
    offset = dt.timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return dt.timezone(-offset if found[1] == "-" else offset)


def weekdays(said: str) -> tuple[str, list[int]]:
    """The label before a weekday, and the weekdays, Monday being 0: “Molecules: Monday” is Monday, called Molecules."""
    before, colon, after = said.rpartition(":")
    label = before.strip() if colon and _WEEKDAY.search(after) else ""
    return label, [_WEEKDAYS.index(found[1].lower()) for found in _WEEKDAY.finditer(said)]


def nearest(weekday: int, dates: Sequence[dt.date]) -> dt.date | None:
    """The conference's date that is this weekday, else the nearest one just before or after the conference."""
    inside = [date for date in dates if date.weekday() == weekday]
    if inside or not dates:
        return inside[0] if inside else None
    first, last = min(dates), max(dates)
    near = [date for step in range(1, _MAX_DAYS_OUTSIDE + 1) for date in (first - step * ONE_DAY, last + step * ONE_DAY)]
    return next((date for date in near if date.weekday() == weekday), None)


def names(line: str) -> list[str]:
    """“Prof. Ada Bell, C. Dee, & E. Fox”: each name once, without Dr. and Prof."""
    parts = [_TITLE.sub("", part.strip(" .,") if part.endswith(",") else part.strip()) for part in _BETWEEN_NAMES.split(line)]
    return list(dict.fromkeys(part for part in parts if part))


def sessions_named(entry: Entry) -> list[str]:
    """What the pages of its papers call the session: “papers.html?session=Mon+Session+3”."""
    found = []
    for name in ("location", "link"):
        try:
            found += parse_qs(urlsplit(text(entry, name)).query).get("session", [])
        except ValueError:
            continue
    return found


def recording(number: str) -> str:
    """SlidesLive's page of a talk by its number, as Mini-Conf's own pages link it."""
    return f"https://slideslive.com/{number}" if number.isascii() and number.isdecimal() else ""
