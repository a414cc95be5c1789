"""iCalendar (RFC 5545): text values, folded lines, VTIMEZONE, and the VCALENDAR with its properties."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings

from events.core.spans import utc
from events.core.text import clean_text, one_line
from events.programme.models.conference import Conference

ZERO_WIDTH_JOINER = "\u200d"
ELLIPSIS = "…"


def ical_text(text: str) -> str:
    """Return a value of type TEXT. Every backslash is escaped, also that of the ``\\N`` of a formula."""
    return text.replace("\\", r"\\").replace(";", r"\;").replace(",", r"\,").replace("\n", r"\n")


def ical_moment(moment: dt.datetime) -> str:
    """Return a DATE-TIME in UTC."""
    return f"{ical_local(utc(moment))}Z"


def ical_local(moment: dt.datetime) -> str:
    """Return a DATE-TIME as the clock shows it."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds").replace("-", "").replace(":", "")


def boundary(name: str, moment: dt.date) -> dict[str, str]:
    """Return DTSTART or DTEND: an instant in UTC, which all clients read alike, or a date."""
    if isinstance(moment, dt.datetime):
        return {name: ical_moment(moment)}
    return {f"{name};VALUE=DATE": moment.isoformat().replace("-", "")}


def octets(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def shorten(text: str, limit: int, *, in_octets: bool = False) -> str:
    """Cut to ``limit`` characters (or octets), after a word if one ends near, never inside a grapheme."""
    size = octets if in_octets else len
    if size(text) <= limit:
        return text
    head = leading_graphemes(text, max(0, limit - size(ELLIPSIS)), size)
    whole_words = head.rpartition(" ")[0]
    return (whole_words if len(whole_words) > len(head) * 0.8 else head).rstrip() + ELLIPSIS


def leading_graphemes(text: str, room: int, size: Callable[[str], int]) -> str:
    if text[: room + 1].isascii():
        return text[:room]
    that_fit = []
    for grapheme in graphemes(text):
        room -= size(grapheme)
        if room < 0:
            break
        that_fit.append(grapheme)
    return "".join(that_fit)


def graphemes(text: str) -> Iterator[str]:
    """Yield a letter with its accents, joined emoji and a flag as one grapheme each."""
    grapheme = ""
    for character in text:
        if grapheme and not _joins(grapheme, character):
            yield grapheme
            grapheme = ""
        grapheme += character
    if grapheme:
        yield grapheme


def _joins(grapheme: str, character: str) -> bool:
    if grapheme[-1] == ZERO_WIDTH_JOINER or character == ZERO_WIDTH_JOINER or unicodedata.category(character).startswith("M"):
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    return _is_flag_half(character) and len(grapheme) == 1 and _is_flag_half(grapheme)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


MAX_LINE_OCTETS = 75
LINE_FOLD = b"\r\n "
BACKSLASH = ord("\\")


def component(name: str, properties: Mapping[str, str], *inside: bytes) -> bytes:
    """Return the folded lines of a component, with those of its parts. Values are written; empty ones are left out."""
    lines = [f"BEGIN:{name}", *(f"{key}:{value}" for key, value in properties.items() if value)]
    return b"".join([*map(content_line, lines), *inside, content_line(f"END:{name}")])


def content_line(line: str) -> bytes:
    if "\n" in line or "\r" in line:
        raise ValueError("a value has a CR or LF")
    return fold_line(line.encode()) + b"\r\n"


def fold_line(line: bytes) -> bytes:
    parts, limit = [], MAX_LINE_OCTETS
    while len(line) > limit:
        cut = fold_position(line, limit)
        parts.append(line[:cut])
        # The space that continues a line counts too.
        line, limit = line[cut:], MAX_LINE_OCTETS - 1
    return LINE_FOLD.join([*parts, line])


def fold_position(line: bytes, limit: int) -> int:
    """Return the last position between graphemes; between characters if one grapheme fills half the line."""
    positions = range(limit, limit // 2, -1)
    good = (cut for cut in positions if is_between_characters(line, cut) and is_between_graphemes(line, cut))
    return next(good, None) or next(cut for cut in positions if is_between_characters(line, cut))


def is_between_characters(line: bytes, cut: int) -> bool:
    """Return False inside a UTF-8 sequence and after the backslash of an escape."""
    if line[cut - 1 : cut + 1].isascii() and line[cut - 1] != BACKSLASH:
        return True
    head = line[:cut]
    escapes = len(head) - len(head.rstrip(b"\\"))
    return line[cut] & 0xC0 != 0x80 and escapes % 2 == 0


def is_between_graphemes(line: bytes, cut: int) -> bool:
    if line[cut - 1 : cut + 1].isascii():
        return True
    before, after = line[:cut].decode()[-1], line[cut : cut + 4].decode(errors="ignore")[0]
    return ZERO_WIDTH_JOINER not in {before, after} and not unicodedata.category(after).startswith("M")


ONE_SECOND, ONE_DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
REFRESH_INTERVAL = "PT1H"
# Socials run on days before the conference, and people stay on after it.
TIMEZONE_MARGIN = dt.timedelta(days=7)


def vcalendar(
    conference: Conference, name: str, vevents: Iterable[bytes], *, url: str, about: str = "", source: str = ""
) -> bytes:
    """Write without METHOD, which would make it an invitation, and with VTIMEZONE, so that it is valid without entries."""
    # A property without a value is an error to libical.
    calendar_name = ical_text(one_line(name) or one_line(conference.name))
    calendar_text = ical_text(clean_text(about))
    properties = {
        "VERSION": "2.0",
        "PRODID": ical_text(settings.CALENDAR_PRODUCT),
        "DESCRIPTION": calendar_text,
        "X-WR-CALDESC": calendar_text,
        "NAME": calendar_name,
        "X-WR-CALNAME": calendar_name,
        "REFRESH-INTERVAL;VALUE=DURATION": REFRESH_INTERVAL,
        "SOURCE;VALUE=URI": source,
        "URL": url,
        "X-PUBLISHED-TTL": REFRESH_INTERVAL,
    }
    return component("VCALENDAR", properties, vtimezone(conference), *vevents)


def vtimezone(conference: Conference) -> bytes:
    return _cached_vtimezone(conference.zone, conference.start - TIMEZONE_MARGIN, conference.end + TIMEZONE_MARGIN)


@lru_cache(maxsize=64)
def _cached_vtimezone(zone: ZoneInfo, first: dt.date, last: dt.date) -> bytes:
    """Write each change of offset as a separate component: several readers read only the first date of an RDATE list."""
    begin = dt.datetime.combine(first, dt.time(), dt.UTC)
    # The first component begins at the epoch, so that no entry is before it.
    parts = [observance(zone, begin, begin, dt.datetime(1970, 1, 1))]  # noqa: DTZ001 - wall time, as RFC 5545 has it here
    for change in offset_changes(zone, begin, begin + (last - first)):
        before = change - ONE_SECOND
        onset = change.replace(tzinfo=None) + utc_offset(zone, before)
        parts.append(observance(zone, before, change, onset))
    return component("VTIMEZONE", {"TZID": ical_text(zone.key)}, *parts)


def observance(zone: ZoneInfo, before: dt.datetime, after: dt.datetime, onset: dt.datetime) -> bytes:
    local = after.astimezone(zone)
    properties = {
        "DTSTART": ical_local(onset),
        "TZNAME": ical_text(local.tzname() or zone.key),
        "TZOFFSETFROM": f"{before.astimezone(zone):%z}",
        "TZOFFSETTO": f"{local:%z}",
    }
    return component("DAYLIGHT" if local.dst() else "STANDARD", properties)


def utc_offset(zone: ZoneInfo, instant: dt.datetime) -> dt.timedelta:
    return instant.astimezone(zone).utcoffset() or dt.timedelta()


def offset_changes(zone: ZoneInfo, begin: dt.datetime, end: dt.datetime) -> Iterator[dt.datetime]:
    while begin < end:
        if utc_offset(zone, begin) != utc_offset(zone, begin + ONE_DAY):
            yield _first_second(zone, begin, begin + ONE_DAY)
        begin += ONE_DAY


def _first_second(zone: ZoneInfo, low: dt.datetime, high: dt.datetime) -> dt.datetime:
    old = utc_offset(zone, low)
    while high - low > ONE_SECOND:
        middle = (low + (high - low) // 2).replace(microsecond=0)
        low, high = (middle, high) if utc_offset(zone, middle) == old else (low, middle)
    return high
