"""Columns of spreadsheets: how cells are parsed and shown, and how names in them find rows."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError

from events.admin.base.times import TimeError, WallTime, venue_instant
from events.admin.base.visible import hidden_keys
from events.core.db.fields import language_code, web_address
from events.core.parsing import cells
from events.core.parsing.cells import quoted, spelling_hint
from events.core.parsing.languages import language_tag
from events.imports.formats.texts import is_placeholder
from events.programme.data.export_numbers import MAX_EXPORT_NUMBER, parse_export_number
from events.programme.models.conference import Conference
from events.programme.models.papers import LinkKind
from events.programme.models.people import Person, Role

MAX_NAME_HINTS = 20
MAX_HINT_CANDIDATES = 400
MAX_PERSON_NAME_CHARS = 200
MAX_LINK_TITLE_CHARS = 200
REMOTE_WORD = "remote"
PERSON_ROLES = tuple(role.value for role in Role)
_GUID_SUFFIX = re.compile(r"\[([0-9a-fA-F-]{36})\]\s*\Z")
_NAME_AND_DETAILS = re.compile(r"(.*\S)\s*\(([^()]*)\)\Z")
_LINK_SEPARATOR = re.compile(rf";\s*(?=(?:{'|'.join(LinkKind.values)})\s+https?://)", re.IGNORECASE)


class CellFormat(NamedTuple):
    """``read`` parses text or raises ValueError with a sentence; ``show`` returns the text of a cell."""

    read: Callable[[str], Any]
    show: Callable[[Any], str | int]


@dataclass(frozen=True)
class Column:
    """``attribute`` is the row's attribute if it differs from ``name``; with ``value``, ``Sheet.complete`` sets the attribute."""

    name: str
    cell: CellFormat
    attribute: str = ""
    value: Callable[[Any], Any] | None = None

    def set(self, row: Any, value: Any) -> None:
        if self.value is None:
            setattr(row, self.attribute or self.name, value)

    def cell_value(self, row: Any) -> str | int:
        return self.cell.show(self.value(row) if self.value else getattr(row, self.attribute or self.name))


def _parse_line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(f"{quoted(text)} has a line break: write it on one line.")
    return " ".join(text.split())


def _parse_whole_number(text: str) -> int | None:
    number = cells.parse_int(text)
    if text and (number is None or number > cells.MAX_WHOLE_NUMBER):
        raise ValueError(f"{quoted(text)} is not a whole number from 0 to {cells.MAX_WHOLE_NUMBER:,}.")
    return number


def _parse_export_number(text: str) -> int | None:
    number = parse_export_number(text)
    if text and number is None:
        raise ValueError(f"{quoted(text)} is not a whole number from 1 to {MAX_EXPORT_NUMBER:,}.")
    return number


def _parse_boolean(text: str) -> bool | None:
    known = {"yes": True, "no": False, "true": True, "false": False, "": None}
    if text.lower() not in known:
        raise ValueError(f"{quoted(text)} is neither yes nor no: leave it empty where it is not known.")
    return known[text.lower()]


def _parse_url(text: str) -> str:
    if text:
        try:
            web_address(text)
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error
    return text


def _parse_language(text: str) -> str:
    tag = language_tag(text)
    if text and not tag:
        try:
            language_code(text)
        except ValidationError as error:
            raise ValueError(error.messages[0]) from error
    return tag


def _parse_date(text: str) -> dt.date | None:
    date = cells.parse_date(text.removesuffix(" 00:00"))
    if text and date is None:
        raise ValueError(f"{quoted(text)} is not a date: write it as 2025-04-24.")
    return date


def _parse_wall_time(text: str) -> WallTime | None:
    """“2025-04-24 09:30”, or “09:30” of the day in its own column."""
    if not text:
        return None
    date, _, hour = text.replace("T", " ").rpartition(" ")
    clock, day = cells.parse_time(hour.strip()), cells.parse_date(date.strip())
    if clock is None or (date.strip() and day is None):
        raise ValueError(f"{quoted(text)} is not a time: write it as 2025-04-24 09:30.")
    return WallTime(clock, day)


def _parse_seconds(text: str) -> int | None:
    seconds = cells.parse_minutes_seconds(text)
    if text and seconds is None:
        raise ValueError(f"{quoted(text)} is not minutes and seconds: write it as 23:00.")
    return seconds


def _show_value(value: Any) -> str | int:
    return "" if value is None else value if isinstance(value, int) else str(value)


def _show_boolean(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


TEXT_CELL = CellFormat(_parse_line, _show_value)
PROSE_CELL = CellFormat(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"), _show_value)
LANGUAGE_CELL = CellFormat(_parse_language, _show_value)
URL_CELL = CellFormat(_parse_url, _show_value)
WHOLE_NUMBER_CELL = CellFormat(_parse_whole_number, _show_value)
COUNT_CELL = CellFormat(lambda text: _parse_whole_number(text) or 0, _show_value)
EXPORT_NUMBER_CELL = CellFormat(_parse_export_number, _show_value)
NULL_BOOLEAN_CELL = CellFormat(_parse_boolean, _show_boolean)
BOOLEAN_CELL = CellFormat(lambda text: bool(_parse_boolean(text)), _show_boolean)
DATE_CELL = CellFormat(_parse_date, _show_value)
SECONDS_CELL = CellFormat(_parse_seconds, lambda value: "" if value is None else f"{value // 60}:{value % 60:02}")


def wall_time_cell(zone: ZoneInfo) -> CellFormat:
    """A time at the venue; its date may be in another column."""
    return CellFormat(_parse_wall_time, lambda value: f"{value.astimezone(zone):%Y-%m-%d %H:%M}" if value else "")


def instant_cell(zone: ZoneInfo) -> CellFormat:
    """A date and time at the venue."""

    def read(text: str) -> dt.datetime | None:
        wall = _parse_wall_time(text)
        if wall is None:
            return None
        if wall.date is None:
            raise ValueError(f"{quoted(text)} has no date: write it as 2025-04-24 09:30.")
        try:
            return venue_instant("", dt.datetime.combine(wall.date, wall.time), zone)[0]
        except TimeError as error:
            raise ValueError(str(error)) from error

    return CellFormat(read, wall_time_cell(zone).show)


def choice_cell(choices: Iterable[tuple[str, str]]) -> CellFormat:
    """One of the values or labels of a field's choices; "" for an empty cell."""
    labels = dict(choices)
    known = {name.casefold(): value for value, label in labels.items() for name in (value, label.partition(":")[0])} | {"": ""}

    def read(text: str) -> str:
        if text.casefold() not in known:
            raise ValueError(f"{quoted(text)} is none of {', '.join(value for value in labels if value)}.")
        return known[text.casefold()]

    return CellFormat(read, _show_value)


def normalized_name(text: str) -> str:
    return " ".join(text.split()).casefold()


class NameIndex:
    """Keys of rows by name. Each row may have several names, the usual one first. No hint names a row of ``hidden``."""

    def __init__(
        self,
        noun: str,
        home: object,
        entries: Iterable[tuple[Any, Iterable[str]]],
        plural: str = "",
        hidden: Collection[Any] = (),
    ) -> None:
        self.noun, self.home, self.plural, self.hidden = noun, home, plural or f"{noun}s", hidden
        self._names: dict[Any, list[str]] = {}
        self._keys: dict[str, list[Any]] = defaultdict(list)
        self._hints = MAX_NAME_HINTS
        for key, names in entries:
            self.add(key, names)

    @property
    def cell(self) -> CellFormat:
        return CellFormat(self.find, lambda key: "" if key is None else self.label(key))

    def add(self, key: Any, names: Iterable[str]) -> None:
        self._names[key] = [name for name in names if name]
        for name in dict.fromkeys(filter(None, map(normalized_name, self._names[key]))):
            self._keys[name].append(key)

    def find(self, text: str) -> Any:
        """The key of the row with this name, None for an empty cell; ValueError with a sentence."""
        key = self.find_or_none(text)
        if key is None and text.strip():
            raise ValueError(f"{quoted(text)} is not a {self.noun} of {self.home}{self.hint_text(text)}")
        return key

    def find_or_none(self, text: str) -> Any:
        """Like ``find``, but None for an unknown name."""
        keys = self._keys.get(normalized_name(text), [])
        if len(keys) > 1:
            one = quoted(self.label(keys[0]))
            raise ValueError(
                f"{quoted(text)} is the name of {len(keys)} {self.plural}: write {one}, or what the export calls the other."
            )
        return keys[0] if keys else None

    def label(self, key: Any) -> str:
        """The first of its names that no other row has."""
        names = self._names.get(key, [])
        return next((name for name in names if len(self._keys[normalized_name(name)]) == 1), names[-1] if names else "")

    def usual_name(self, key: Any) -> str:
        return self._names[key][0]

    def hint_text(self, text: str) -> str:
        """The most similar name, for the first mistakes of a file only."""
        self._hints -= 1
        if self._hints < 0:
            return "."
        words = set(normalized_name(text).split())
        usual = [names[0] for key, names in self._names.items() if names and key not in self.hidden]
        like = [name for name in usual if len(usual) <= MAX_HINT_CANDIDATES or words & set(normalized_name(name).split())]
        return spelling_hint(text, like[:MAX_HINT_CANDIDATES]) if usual else ": there is none yet."


class PersonPart(NamedTuple):
    """``who`` is the key of a known person, or the normalized name of a new one."""

    who: int | str
    role: str = Role.SPEAKER
    remote: bool = False


class LinkPart(NamedTuple):
    kind: str
    url: str
    title: str


class SheetPeople:
    """The people of a conference, and new ones that a file names."""

    def __init__(self, conference: Conference, user: Any) -> None:
        self.conference, self.may_add = conference, user.has_perm("events.add_person")
        rows = conference.people.order_by("pk").values_list("pk", "name", "guid", "source_key")
        entries = ((pk, [name, f"{name.replace(';', ',')} [{guid}]", str(guid), key]) for pk, name, guid, key in rows)
        self.names = NameIndex("person", conference, entries, plural="people", hidden=hidden_keys(user, conference.people.all()))
        self.new: dict[str, Person] = {}
        self.row = 0
        """Number of the row that is being read."""
        self.similar_names: dict[str, str] = {}
        """Warnings on new names that resemble a known one, by normalized name."""
        self.authors = CellFormat(lambda text: self._read(text, roles=False), self._show)
        self.roles = CellFormat(lambda text: self._read(text, roles=True), self._show)

    def number(self, who: int | str) -> int:
        """The person's key, once new people are stored."""
        return who if isinstance(who, int) else self.new[who].pk

    def name(self, who: int | str) -> str:
        return self.names.usual_name(who) if isinstance(who, int) else self.new[who].name

    def label(self, who: int | str) -> str:
        return self.names.label(who) if isinstance(who, int) else self.new[who].name

    def _find(self, text: str) -> int | str:
        guid = _GUID_SUFFIX.search(text)
        known: int | None = self.names.find_or_none(guid[1] if guid else text)
        if known is not None:
            return known
        if guid:
            raise ValueError(f"{quoted(text)} is not a person of {self.conference}: write the name without what is in brackets.")
        name = " ".join(text.split())
        key = normalized_name(name)
        if key not in self.new:
            if len(name) > MAX_PERSON_NAME_CHARS or not any(letter.isalpha() for letter in name):
                raise ValueError(
                    f"{quoted(name)} is not a name: write at most {MAX_PERSON_NAME_CHARS} characters with letters in them."
                )
            near = self.names.hint_text(name)
            if not self.may_add:
                raise ValueError(f"{quoted(name)} is not among the people of {self.conference}{near}")
            person = Person(conference=self.conference, name=name)
            try:
                person.clean_fields(exclude=["conference", "guid", "imported"])
            except ValidationError as error:
                raise ValueError(" ".join(error.messages)) from error
            self.new[key] = person
            if near.endswith("?"):
                self.similar_names[key] = f"Row {self.row}: “{name}” is new{near}"
        return key

    def _read(self, text: str, *, roles: bool) -> list[PersonPart]:
        items = [item for part in text.split(";") if not is_placeholder(item := " ".join(part.split()))]
        parts = [self._part(item) if roles else PersonPart(self._find(item)) for item in items]
        for position, part in enumerate(parts):
            if (part.who, part.role) in [(other.who, other.role) for other in parts[:position]]:
                raise ValueError(f"{quoted(self.label(part.who))} is named twice in {quoted(text)}: delete one.")
        return parts

    def _part(self, item: str) -> PersonPart:
        match = _NAME_AND_DETAILS.match(item)
        words = [word.strip().lower() for word in match[2].split(",") if word.strip()] if match else []
        if not match or not words or not set(words) <= {*PERSON_ROLES, REMOTE_WORD}:
            # “Zhangyang (Atlas)” is a name; only lower-case words are refused as unknown roles.
            if match and words and len(words[0]) > 1 and match[2].islower():
                raise ValueError(
                    f"{quoted(match[2])} after {quoted(match[1])} is none of {', '.join(PERSON_ROLES)}, {REMOTE_WORD}."
                )
            return PersonPart(self._find(item))
        roles = [word for word in words if word != REMOTE_WORD]
        if len(roles) > 1:
            raise ValueError(f"{quoted(item)} has two roles: name the person twice, once with each.")
        return PersonPart(self._find(match[1]), roles[0] if roles else Role.SPEAKER.value, REMOTE_WORD in words)

    def _show(self, parts: list[PersonPart]) -> str:
        return "; ".join(self._part_text(part) for part in parts)

    def _part_text(self, part: PersonPart) -> str:
        words = [part.role] * (part.role != Role.SPEAKER) + [REMOTE_WORD] * part.remote
        return self.label(part.who) + (f" ({', '.join(words)})" if words else "")


def _parse_links(text: str) -> list[LinkPart]:
    return [_parse_link(item.strip().rstrip(";")) for item in _LINK_SEPARATOR.split(text) if item.strip(" ;")]


def _parse_link(item: str) -> LinkPart:
    kind, _, rest = " ".join(item.split()).partition(" ")
    url, _, title = rest.partition(" ")
    if kind.lower() not in LinkKind.values:
        raise ValueError(f"{quoted(item)} does not begin with one of {', '.join(LinkKind.values)}: write “paper https://…”.")
    if len(title) > MAX_LINK_TITLE_CHARS:
        raise ValueError(f"{quoted(title)} has {len(title)} characters: keep it to {MAX_LINK_TITLE_CHARS}.")
    if not url:
        raise ValueError(f"{quoted(item)} has no address: write “{kind.lower()} https://…”.")
    return LinkPart(kind.lower(), URL_CELL.read(url), title)


LINKS_CELL = CellFormat(_parse_links, lambda links: "; ".join(" ".join(filter(None, link)) for link in links))
