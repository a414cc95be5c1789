"""Lengths as people and programs write them into cells, and the unit of a column's plain numbers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from events.imports.formats import times
from events.imports.formats.spreadsheet.moments import MAX_CELL_TIME_CHARS

HOURS, MINUTES = "hours", "minutes"
MAX_HOURS_WITHOUT_UNIT = 24
"""A column with a larger number has minutes, whatever its fractions."""
USUAL_MIN_LENGTH, USUAL_MAX_LENGTH = dt.timedelta(minutes=3), dt.timedelta(hours=12)
_HOURS_HEADER = re.compile(r"\b(?:h|hrs?|hours?|std|stunden?|heures?)\b(?!\s*:)", re.IGNORECASE)
_MINUTES_HEADER = re.compile(r"(?<!:)\b(?:mins?|minutes?|minuten)\b", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[0-9]{1,5}(?:[.,][0-9]{1,15})?|[.,][0-9]{1,15}")
_LENGTH = re.compile(
    r"(?:(?P<hours>[0-9]{1,3}(?:[.,][0-9]{1,2})?)\s*(?:h|hr|hrs|hours?|std|stunden?|heures?)\.?)?\s*(?:and\s+|,\s*)?"
    r"(?:(?P<minutes>[0-9]{1,4})\s*(?:m|min|mins|minutes?|minuten|')?\.?)?",
    re.IGNORECASE,
)


def unit_of_column(header: str, texts: Iterable[str]) -> str:
    """Return the unit of plain numbers: that of the header, or hours for such as 1.5; else "".

    >>> unit_of_column("Dauer (Std)", []), unit_of_column("Length", ["1", "1.5"]), unit_of_column("Length", ["45", "22.5"])
    ('hours', 'hours', '')
    """
    if _HOURS_HEADER.search(header):
        return HOURS
    if _MINUTES_HEADER.search(header.replace("_", " ")):
        return MINUTES
    numbers = [number for text in texts if (number := plain_number(text)) is not None]
    has_fractions = any(number > 1 and not number.is_integer() for number in numbers)
    return HOURS if has_fractions and max(numbers) <= MAX_HOURS_WITHOUT_UNIT else ""


def plain_number(text: str) -> float | None:
    stripped = text.strip()
    return float(stripped.replace(",", ".")) if _PLAIN_NUMBER.fullmatch(stripped) else None


def parse_length(text: str, unit: str = "") -> dt.timedelta | None:
    """Read “45”, “45 min”, “1:30”, “1 h 30”, “1.5 hours”, “PT45M” or Excel's part of a day; a plain number in its unit.

    >>> parse_length("1.5 h"), parse_length("90 min") == parse_length("0.0625"), parse_length("long")
    (datetime.timedelta(seconds=5400), True, None)
    >>> parse_length("0,75", HOURS)
    datetime.timedelta(seconds=2700)
    """
    shown = " ".join(text.split())
    if not shown or len(shown) > MAX_CELL_TIME_CHARS:
        return None
    if unit and (number := plain_number(shown)) is not None:
        return dt.timedelta(minutes=round(number * 60 if unit == HOURS else number))
    if re.fullmatch(r"0?[.,][0-9]{1,15}", shown):
        return dt.timedelta(minutes=round(float(shown.replace(",", ".")) * 24 * 60))
    if re.fullmatch("[0-9]{1,2}:[0-9]{2}:00", shown):
        # Excel writes hours, minutes and seconds.
        shown = shown[:-3]
    if (length := times.parse_duration(shown)) is not None:
        return length
    match = _LENGTH.fullmatch(shown)
    if not match or not (match["hours"] or match["minutes"]):
        return None
    hours = float((match["hours"] or "0").replace(",", "."))
    return dt.timedelta(minutes=round(hours * 60) + int(match["minutes"] or 0))


def unusual_length(text: str, length: dt.timedelta, unit: str) -> str:
    """Return what a plain number is read as, and the remedy, if no event is that short or long; else ""."""
    if plain_number(text) is None or USUAL_MIN_LENGTH <= length < USUAL_MAX_LENGTH:
        return ""
    minutes = length // dt.timedelta(minutes=1)
    amount, name = (f"{minutes / 60:g}", "hour") if minutes >= 60 else (str(minutes), "minute")
    example = "0.75" if unit == HOURS else "45"
    return f"is read as {amount} {name if amount == '1' else f'{name}s'}; if it is not, write {example} or 0:45"
