"""Bytes to unfolded lines to components: folds may cut a character in two, so bytes are joined before they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from icalendar.parser import Contentline

from events.importers.errors import ScheduleParseError
from events.importers.limits import MOST_EVENTS, refuse_large_text

DEEPEST = 8
MOST_LINES = 1_000_000
LONGEST = 200_000
"""Bytes of one line that are read; a description is cut long before."""
# Whatever else stands in a component (attendees, alarms, organisers) is not looked at.
READ = {
    "UID", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "LOCATION", "DTSTART", "DTEND", "DURATION", "STATUS", "CLASS",
    "CATEGORIES", "URL", "RRULE", "RDATE", "EXDATE", "NAME", "X-WR-CALNAME", "X-WR-TIMEZONE", "TZID", "X-LIC-LOCATION",
    "CONFERENCE",
}  # fmt: skip
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NAME = re.compile(rb"[A-Za-z0-9-]+")


@dataclass(frozen=True)
class Property:
    """One property: its parameters by their name, its value as it stands, its line in the file."""

    value: str
    params: dict[str, str]
    line: int

    @property
    def text(self) -> str:
        return unescaped(self.value)


@dataclass
class Component:
    """A VCALENDAR, VEVENT or VTIMEZONE with what is read of it."""

    name: str
    line: int
    properties: dict[str, list[Property]] = field(default_factory=dict)
    children: list[Component] = field(default_factory=list)

    def all(self, name: str) -> list[Property]:
        return self.properties.get(name, [])

    def get(self, name: str) -> Property | None:
        """The first that says something."""
        return next((it for it in self.all(name) if it.value.strip()), None)

    def text(self, name: str) -> str:
        found = self.get(name)
        return found.text.strip() if found else ""


def unescaped(value: str) -> str:
    r"""``a\, b\nc`` as it is meant."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def listed(value: str) -> list[str]:
    """The parts of a list, whose own commas are escaped."""
    return [said for part in re.split(r"(?<!\\),", value) if (said := unescaped(part).strip())]


def load(content: bytes, *, file: str) -> tuple[list[Component], list[str]]:
    """The calendars of the file, and warnings; raises ScheduleParseError, with the line, for what is no calendar."""
    refuse_large_text(content, file=file)
    if content.upper().count(b"BEGIN:VEVENT") > MOST_EVENTS:
        raise ScheduleParseError(f"has more than {MOST_EVENTS:,} events: split it", file=file)
    if content.count(b"\n") + content.count(b"\r") > MOST_LINES:
        raise ScheduleParseError(f"has more than {MOST_LINES:,} lines: split it", file=file)
    reader = _Reader(file)
    for number, line in _unfolded(content.removeprefix(b"\xef\xbb\xbf")):
        reader.take(number, line)
    return reader.done()


def _unfolded(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line with the number of its first piece; a line that begins with a blank continues the one before."""
    pieces: list[bytes] = []
    first = 1
    for number, piece in enumerate(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), start=1):
        if piece[:1] in {b" ", b"\t"} and pieces:
            pieces.append(piece[1:])
            continue
        if pieces:
            yield first, b"".join(pieces)
        pieces, first = [piece], number
    yield first, b"".join(pieces)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.warnings: list[str] = []
        self.calendars: list[Component] = []
        self.open: list[Component] = []

    def take(self, number: int, line: bytes) -> None:
        named = _NAME.match(line)
        name = named[0].decode().upper() if named else ""
        if name == "BEGIN":
            self._begin(number, line[6:].decode("ascii", "replace").strip().upper())
        elif name == "END":
            self._end(number, line[4:].decode("ascii", "replace").strip().upper())
        elif name in READ and self.open:
            self._property(number, name, line)

    def done(self) -> tuple[list[Component], list[str]]:
        if self.open:
            it = self.open[-1]
            raise ScheduleParseError(f"ends inside the {it.name} of this line: export it again", file=self.file, line=it.line)
        if not self.calendars:
            raise ScheduleParseError("has no line BEGIN:VCALENDAR: export it again", file=self.file)
        return self.calendars, self.warnings

    def _begin(self, number: int, name: str) -> None:
        made = Component(name, number)
        if len(self.open) >= DEEPEST:
            problem = f"holds components inside components, {DEEPEST} deep and more: export it again"
            raise ScheduleParseError(problem, file=self.file, line=number)
        if self.open:
            self.open[-1].children.append(made)
        elif name == "VCALENDAR":
            self.calendars.append(made)
        else:
            raise ScheduleParseError(f"begins with {name[:40]}, not with VCALENDAR: export it again", file=self.file, line=number)
        self.open.append(made)

    def _end(self, number: int, name: str) -> None:
        if not self.open or self.open[-1].name != name:
            wanted = f"END:{self.open[-1].name[:40]}" if self.open else "nothing"
            problem = f"END:{name[:40]} stands where {wanted} should: export it again"
            raise ScheduleParseError(problem, file=self.file, line=number)
        self.open.pop()

    def _property(self, number: int, name: str, line: bytes) -> None:
        try:
            _, params, value = Contentline(self._decoded(number, line[:LONGEST])).parts()  # type: ignore[no-untyped-call]
        except ValueError:
            self.warnings.append(f"line {number}: cannot be read as a property and is passed over")
            return
        # NUL is no text, and no parameter is longer than a line.
        found = {key.upper(): str(given if isinstance(given, str) else given[0])[:100] for key, given in params.items() if given}
        self.open[-1].properties.setdefault(name, []).append(Property(value, found, number))

    def _decoded(self, number: int, line: bytes) -> str:
        """UTF-8, as it should be; Latin-1 where that is said or nothing else is left."""
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data" and len(line) == LONGEST:
                return line.decode("utf-8", "ignore")
            self.warnings.append(f"line {number}: is not UTF-8; it is read as Latin-1")
            return line.decode("cp1252", "replace")
