"""The files of a Mini-Conf site's sitedata folder, and the weekdays, hours and names in their texts."""

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

from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import decode_utf8, load_json
from events.core.parsing.safe_yaml import load_yaml
from events.core.spans import ONE_DAY
from events.imports.formats.document import Document

MiniconfEntry = dict[str, Any]
"""A paper, social or talk of a file."""

SITE_FILES = (
    "config.yml", "schedule.yml", "papers.json", "papers.csv", "poster_schedule.yml", "poster_slides.yml",
    "oral_schedule.yml", "speakers.yml", "speakers.csv", "socials.yml", "workshops.yml", "workshops.csv", "expos.yml",
    "main_calendar.json",
)  # fmt: skip
TYPICAL_SITE_FILES = {"schedule.yml", "poster_schedule.yml", "oral_schedule.yml", "main_calendar.json", "socials.yml"}
# The patterns by which a single file of sitedata is recognised, whatever its name: all of them must match.
_FILE_PATTERNS = (
    ("schedule.yml", (rb"(?m)^time_slots\s*:",)),
    ("poster_schedule.yml", (rb"(?m)^- +name *:[^\n]*\n +posters *:",)),
    ("oral_schedule.yml", (rb"(?m)^- +day *:[^\n]*\n +section *:",)),
    ("socials.yml", (rb"(?m)^socials\s*:",)),
    # UID is the first key in ACL's file, and a later one in EMNLP's.
    ("socials.yml", (rb"(?m)^(- +| +)UID *:", rb"(?m)^ +sessions *:", rb"(?m)^ +(- +)?start_time *:")),
    ("workshops.yml", (rb"(?m)^workshops\s*:",)),
    ("speakers.yml", (rb"(?m)^speakers\s*:",)),
    ("expos.yml", (rb"(?m)^expos\s*:",)),
    ("papers.json", (rb"\A\s*[{\[]", rb'"content"\s*:\s*\{', rb'"forum"\s*:', rb'"authors"\s*:')),
    ("main_calendar.json", (rb"\A\s*\[", rb'"calendarId"\s*:', rb'"start"\s*:')),
    ("papers.csv", (rb"\A(\xef\xbb\xbf)?UID,title,authors,abstract,keywords\b",)),
)
_SITE_HEAD_BYTES = 60_000

UTC = ZoneInfo("UTC")
"""The zone of all times in Mini-Conf without one."""
_MAX_DAYS_OUTSIDE = 3
_WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY_PATTERN = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?\b\.?", re.IGNORECASE)
_CLOCK_REGEX = r"(\d{1,2})(?::(\d{2}))?(?::00)?(?:\s*([AP])\.?M\b\.?)?"
_CLOCK_TIME_PATTERN = re.compile(rf"\s*{_CLOCK_REGEX}\s*", re.IGNORECASE)
_HOURS_PATTERN = re.compile(
    rf"\s*{_CLOCK_REGEX}\s*(?:-|–|—|to)\s*{_CLOCK_REGEX}(?:\s*\(?([A-Z]{{1,4}}T|UTC|Z|(?:UTC|GMT)?\s*[+-]\d{{1,2}}(?::?\d{{2}})?)\)?)?\s*",
    re.IGNORECASE,
)
_UTC_OFFSET_HOURS = {
    "": 0, "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "BST": 1, "EET": 2, "CEST": 2, "EAT": 3, "JST": 9, "KST": 9,
    "SGT": 8, "AEST": 10, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip
_UTC_OFFSET_PATTERN = re.compile(r"(?:UTC|GMT)?([+-])(\d|0\d|1[0-4]):?([0-5]\d)?")
_NAME_SEPARATOR = re.compile(r"\s*[·•;&/|]\s*|\s*,\s*(?:and\s+|&\s*)?|\s+and\s+")
_ACADEMIC_TITLES = re.compile(r"^(?:(?:Prof|Profs|Professor|Dr|Drs|Mr|Ms|Mrs)\b\.?\s+)+")


def single_file_name(document: Document) -> str:
    """Recognise a document of one file by its first lines; return its name in sitedata, or ""."""
    if not document.is_one_file:
        return ""
    head = document.content[:_SITE_HEAD_BYTES]
    return next((name for name, patterns in _FILE_PATTERNS if all(re.search(pattern, head) for pattern in patterns)), "")


def site_folder(document: Document) -> dict[str, str]:
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(document.files):
        pure_path = PurePosixPath(path)
        folders[str(pure_path.parent)][pure_path.name] = path
    return max(folders.values(), key=lambda names: len(names.keys() & set(SITE_FILES)), default={})


class Sitedata:
    """The files by their names in Mini-Conf."""

    def __init__(self, document: Document) -> None:
        self.document, single = document, single_file_name(document)
        self.paths = {single: next(iter(document.files))} if single else site_folder(document)

    def load(self, name: str) -> Any:
        """Return the content of a YAML or JSON file, None if it is missing; raise ScheduleParseError."""
        if name not in self.paths:
            return None
        load = load_json if name.endswith(".json") else load_yaml
        return load(self.document.files[self.paths[name]], file=self.paths[name])

    def entries(self, name: str, *, under: str = "") -> list[MiniconfEntry]:
        """Return the file's list of entries, which may be under a key; raise ScheduleParseError if there is none."""
        content = self.load(name)
        if content is None:
            return []
        if under and isinstance(content, dict):
            content = content.get(under)
        if isinstance(content, dict):
            # papers.json by id.
            content = list(content.values())
        if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
            missing = f"“{under}:” with a list of entries" if under else "a list of entries"
            raise ScheduleParseError(f"is not what Mini-Conf writes: {missing} is missing", file=self.paths[name])
        return content

    def rows(self, name: str) -> list[MiniconfEntry]:
        if name not in self.paths:
            return []
        content = decode_utf8(self.document.files[self.paths[name]], file=self.paths[name])
        reader = csv.DictReader(io.StringIO(content, newline=""), strict=True)
        try:
            return [{key: value for key, value in row.items() if key} for row in reader]
        except csv.Error as error:
            raise ScheduleParseError(f"cannot be read as CSV: {error}", file=self.paths[name], line=reader.line_num) from error


def entry_text(entry: Any, name: str) -> str:
    value = entry.get(name) if isinstance(entry, dict) else None
    return str(value).strip() if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def entry_texts(entry: Any, name: str) -> list[str]:
    value = entry.get(name) if isinstance(entry, dict) else None
    if isinstance(value, list):
        return [str(each).strip() for each in value if isinstance(each, (str, int, float))]
    return [entry_text(entry, name)] if entry_text(entry, name) else []


def inner_entries(entry: Any, name: str) -> Iterator[MiniconfEntry]:
    value = entry.get(name) if isinstance(entry, dict) else None
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))


@dataclass(frozen=True)
class SiteHours:
    """Start and end on any date; an end that is not after the start is on the next date."""

    start: dt.time
    end: dt.time
    zone: dt.timezone = dt.UTC

    def on_date(self, date: dt.date) -> tuple[dt.datetime, dt.datetime]:
        last = date if self.end > self.start else date + ONE_DAY
        return dt.datetime.combine(date, self.start, self.zone), dt.datetime.combine(last, self.end, self.zone)


@dataclass(frozen=True)
class SiteSlot:
    """An entry of schedule.yml."""

    date: dt.date
    hours: SiteHours | None
    entry: MiniconfEntry

    @property
    def type(self) -> str:
        return entry_text(self.entry, "type").lower()

    @property
    def name(self) -> str:
        return entry_text(self.entry, "name") or entry_text(self.entry, "short") or self.type.capitalize()

    @property
    def location(self) -> str:
        return f"schedule.yml, {self.date}, “{self.name[:60]}”"

    def is_expo_of(self, name: str, day: str) -> bool:
        """Return whether “Expo ElementAI: …” is the expo of Element AI, on the same day."""
        company = name.replace(" ", "").lower()
        return bool(company) and company in self.name.replace(" ", "").lower() and day in {"", self.date.isoformat()}


def parse_site_time(text: str) -> dt.time | None:
    match = _CLOCK_TIME_PATTERN.fullmatch(text)
    return _clock_time(*match.groups()) if match else None


def parse_site_hours(text: str) -> SiteHours | None:
    """Parse “16:00-18:00 GMT”, in UTC without a zone; None for “All Day” and malformed texts."""
    match = _HOURS_PATTERN.fullmatch(text)
    if not match:
        return None
    start, end, zone = _clock_time(*match.groups()[:3]), _clock_time(*match.groups()[3:6]), _fixed_time_zone(match[7] or "")
    return SiteHours(start, end, zone) if start and end and zone else None


def _clock_time(hour: str, minute: str | None, half: str | None) -> dt.time | None:
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half.upper() == "P" else 0)
    try:
        return dt.time(0 if number == 24 and not half else number, int(minute or 0))
    except ValueError:
        return None


def _fixed_time_zone(name: str) -> dt.timezone | None:
    code = re.sub(r"\s", "", name.upper())
    if code in _UTC_OFFSET_HOURS:
        return dt.timezone(dt.timedelta(hours=_UTC_OFFSET_HOURS[code]))
    match = _UTC_OFFSET_PATTERN.fullmatch(code)
    if not match:
        return None
    offset = dt.timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return dt.timezone(-offset if match[1] == "-" else offset)


def label_and_weekdays(text: str) -> tuple[str, list[int]]:
    """Return the label before the weekdays, and their numbers: “Molecules: Monday” is ("Molecules", [0])."""
    before, colon, after = text.rpartition(":")
    label = before.strip() if colon and _WEEKDAY_PATTERN.search(after) else ""
    return label, [_WEEKDAY_NAMES.index(match[1].lower()) for match in _WEEKDAY_PATTERN.finditer(text)]


def nearest_date(weekday: int, dates: Sequence[dt.date]) -> dt.date | None:
    """Return the conference's date on this weekday, else the nearest one up to three days before or after."""
    inside = [date for date in dates if date.weekday() == weekday]
    if inside or not dates:
        return inside[0] if inside else None
    first, last = min(dates), max(dates)
    near = [date for step in range(1, _MAX_DAYS_OUTSIDE + 1) for date in (first - step * ONE_DAY, last + step * ONE_DAY)]
    return next((date for date in near if date.weekday() == weekday), None)


def person_names(line: str) -> list[str]:
    """Parse “Prof. Ada Bell, C. Dee, & E. Fox”: each name once, without titles."""
    parts = [
        _ACADEMIC_TITLES.sub("", part.strip(" .,") if part.endswith(",") else part.strip())
        for part in _NAME_SEPARATOR.split(line)
    ]
    return list(dict.fromkeys(part for part in parts if part))


def session_names(entry: MiniconfEntry) -> list[str]:
    """Read the sessions in links to the entry's papers: “papers.html?session=Mon+Session+3”."""
    names: list[str] = []
    for field in ("location", "link"):
        try:
            names += parse_qs(urlsplit(entry_text(entry, field)).query).get("session", [])
        except ValueError:
            continue
    return names


def slideslive_url(number: str) -> str:
    return f"https://slideslive.com/{number}" if number.isascii() and number.isdecimal() else ""
