"""Calendars read back: by rules on the bytes, and by readers that know nothing of each other."""

from __future__ import annotations

import re

from tests.calendars.lint import problems
from tests.calendars.readers.entry import Entry
from tests.calendars.readers.python import by_icalendar
from tests.calendars.readers.quirks import as_read_by
from tests.calendars.readers.table import READERS


def unfolded(body: bytes) -> list[str]:
    return body.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]


def entries(body: bytes) -> list[list[str]]:
    """The unfolded lines of each VEVENT, without those of its alarm."""
    found: list[list[str]] = []
    inside = False
    for line in unfolded(re.sub(rb"BEGIN:VALARM\r\n.*?END:VALARM\r\n", b"", body, flags=re.DOTALL)):
        if line == "BEGIN:VEVENT":
            found.append([])
            inside = True
        elif line == "END:VEVENT":
            inside = False
        elif inside:
            found[-1].append(line)
    return found


def names_in(lines: list[str]) -> list[str]:
    return [re.split("[:;]", line, maxsplit=1)[0] for line in lines]


def values(body: bytes, name: str) -> list[str]:
    """What each entry says after this property's name, parameters included: ``;VALUE=DATE:20250424``."""
    return [line.removeprefix(name) for lines in entries(body) for line in lines if re.match(f"{name}[:;]", line)]


def read(body: bytes) -> list[Entry]:
    """The entries, on which all readers agree and in which the rules find nothing."""
    assert problems(body) == []
    entries = by_icalendar(body)
    for name, reader in READERS.items():
        expected = [entry._replace(summary=as_read_by(name, entry.summary)) for entry in entries]
        # Some keep them by UID and in an order of their own.
        assert sorted(reader(body)) == sorted(expected), name
    return entries
