"""What the text of one cell means: dates, times, addresses, keys. None where it means nothing."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})(:00)?")
_FORBIDDEN_IN_ADDRESS = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"\\]")
# Wide enough for any conference, far enough from the ends of the calendar for time zones to be added.
YEARS = range(1900, 2200)


def quoted(value: str) -> str:
    """The value as an error shows it: short, and with nothing invisible in it."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in value[:80])
    return f"“{shown}{'…' if len(value) > 80 else ''}”"


def options(known: Iterable[str]) -> str:
    return ", ".join(sorted(known)) or "none"


def hint(value: str, known: Collection[str]) -> str:
    """The nearest known word, or all of them when they are few."""
    near = difflib.get_close_matches(value, known, n=1)
    if near:
        return f": did you mean {quoted(near[0])}?"
    return f": known are {options(known)}" if len(known) <= 12 else f": none of the {len(known)} known ones is like it"


def unprintable(text: str) -> str:
    """The first character that no screen, database and calendar can hold, as U+0000, or nothing."""
    for character in text:
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\r\t":
            return f"U+{ord(character):04X}"
    return ""


def key_of(name: str) -> str:
    """“Roman Rädle” → “roman-rädle”: a key for somebody or something that is only named."""
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", name).lower()).strip("-")


def is_key(value: str) -> bool:
    return re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", value) is not None


def whole(value: str) -> int | None:
    return int(value) if re.fullmatch("[0-9]{1,9}", value) else None


def decimal(value: str) -> float | None:
    return float(value) if re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,15})?", value) else None


def date(value: str) -> dt.date | None:
    found = _DATE.fullmatch(value)
    try:
        day = dt.date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
    return day if day and day.year in YEARS else None


def time(value: str) -> dt.time | None:
    """“9:30” and, because spreadsheets write them, “09:30:00”."""
    found = _TIME.fullmatch(value)
    try:
        return dt.time(int(found[1]), int(found[2])) if found else None
    except ValueError:
        return None


def seconds(value: str) -> int | None:
    """“23:00” minutes into a recording."""
    found = re.fullmatch("([0-9]{1,4}):([0-5][0-9])", value)
    return int(found[1]) * 60 + int(found[2]) if found else None


def colour(value: str) -> str:
    """“#1747B8” or nothing."""
    return value if re.fullmatch("#[0-9a-fA-F]{6}", value or "") else ""


def is_address(value: str) -> bool:
    """Only http and https with a host ever become a link."""
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not _FORBIDDEN_IN_ADDRESS.search(value)
