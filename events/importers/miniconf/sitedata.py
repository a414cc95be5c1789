"""The files of a Mini-Conf site's sitedata folder, and entries of them whose values may be anything."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

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


@dataclass
class Sitedata:
    """The files by the names Mini-Conf gives them; each is read once, and what is never read is remembered."""

    document: Document
    paths: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document) -> Sitedata:
        name = _alone(document)
        return cls(document, {name: next(iter(document.files))} if name else _folder(document))

    @property
    def unread(self) -> list[str]:
        return sorted(set(self.paths) - set(READ))

    def has(self, name: str) -> bool:
        return name in self.paths

    def shown(self, name: str) -> str:
        """The name under which its owner knows the file."""
        return self.paths.get(name, name)

    def load(self, name: str) -> Any:
        """What the file holds; nothing if it is not there. Raises ScheduleParseError for what is not YAML or JSON."""
        if not self.has(name):
            return None
        load = load_json if name.endswith(".json") else load_yaml
        return load(self.document.files[self.paths[name]], file=self.shown(name))

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
            raise ScheduleParseError(f"is not what Mini-Conf writes: {place} is missing", file=self.shown(name))
        return found

    def rows(self, name: str) -> list[Entry]:
        """The rows of a CSV file, each by its header; the first column's name is UID."""
        if not self.has(name):
            return []
        text = decode(self.document.files[self.paths[name]], file=self.shown(name))
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        try:
            return [{key: value for key, value in row.items() if key} for row in reader]
        except csv.Error as error:
            raise ScheduleParseError(f"cannot be read as CSV: {error}", file=self.shown(name), line=reader.line_num) from error


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
