"""Calendars read back: by rules on the bytes, and by two parsers that know nothing of each other."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

import icalendar
import vobject

ALLOWED_ESCAPE = re.compile(r"\\[\\;,n]")
TEXTS = ("SUMMARY", "DESCRIPTION", "LOCATION", "NAME", "X-WR-CALNAME")
ONCE = tuple("UID DTSTAMP DTSTART DTEND SUMMARY DESCRIPTION SEQUENCE STATUS TRANSP CREATED LAST-MODIFIED URL".split())


class Entry(NamedTuple):
    uid: str
    start: dt.date
    end: dt.date
    summary: str
    status: str


def problems(body: bytes) -> list[str]:
    """Everything RFC 5545 forbids that has broken a client before."""
    found = []
    if not body.endswith(b"\r\n") or re.search(rb"(?<!\r)\n|\r(?!\n)", body):
        found.append("a line does not end in CRLF")
    if body.startswith(b"\xef\xbb\xbf"):
        found.append("byte order mark")
    for line in body.split(b"\r\n"):
        found += _line_problems(line)
    lines = unfolded(body)
    for name in ["BEGIN:VCALENDAR", "END:VCALENDAR", "VERSION:2.0"]:
        if lines.count(name) != 1:
            found.append(f"{lines.count(name)} times {name}")
    if not any(line.startswith("BEGIN:V") for line in lines[1:]):
        found.append("no component")
    for line in lines:
        found += _property_problems(line)
    for entry in entries(body):
        found += [f"{name} {names_in(entry).count(name)} times" for name in ONCE if names_in(entry).count(name) != 1]
    return found


def _line_problems(line: bytes) -> list[str]:
    found = [f"{len(line)} octets: {line!r}"] if len(line) > 75 else []
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return [*found, f"folded inside a character: {line!r}"]
    if re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]", text):
        found.append(f"control character: {line!r}")
    # An odd number of backslashes at the end: the fold stands between the backslash and what it escapes.
    if (len(text) - len(text.rstrip("\\"))) % 2:
        found.append(f"folded inside an escape: {line!r}")
    return found


def _property_problems(line: str) -> list[str]:
    name, _, value = line.partition(":")
    name = name.partition(";")[0]
    if name in TEXTS and re.search(r"[\\;,]", ALLOWED_ESCAPE.sub("", value)):
        return [f"not escaped: {line}"]
    if name == "URL" and not re.fullmatch(r"https?://[\x21-\x7e]+", value):
        return [f"no address: {line}"]
    return []


def unfolded(body: bytes) -> list[str]:
    return body.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]


def entries(body: bytes) -> list[list[str]]:
    """The unfolded lines of each VEVENT."""
    found: list[list[str]] = []
    inside = False
    for line in unfolded(body):
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


def by_icalendar(body: bytes) -> list[Entry]:
    found = []
    for event in icalendar.Calendar.from_ical(body).walk("VEVENT"):
        start, end = event["DTSTART"].dt, event["DTEND"].dt
        found.append(Entry(str(event["UID"]), start, end, str(event["SUMMARY"]), str(event["STATUS"])))
    return found


def by_vobject(body: bytes) -> list[Entry]:
    events = vobject.readOne(body.decode()).contents.get("vevent", [])
    return [
        Entry(e.uid.value, _utc(e.dtstart.value), _utc(e.dtend.value), e.summary.value, e.status.value)
        for e in events
    ]  # fmt: skip


def _utc(value: dt.date) -> dt.date:
    return value.astimezone(dt.UTC) if isinstance(value, dt.datetime) else value


def read(body: bytes) -> list[Entry]:
    """The entries, on which both parsers agree and in which the rules find nothing."""
    assert problems(body) == []
    assert by_vobject(body) == by_icalendar(body)
    return by_icalendar(body)
