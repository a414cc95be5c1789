"""iCalendar (RFC 5545): text values, folded lines, VTIMEZONE, and the VCALENDAR with its properties."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings
from icalendar import vText
from icalendar.prop import vUri

from events.core.text import clean_text, one_line
from events.programme.models.conference import Conference

ZERO_WIDTH_JOINER = "\u200d"
ELLIPSIS = "…"
ICAL_ESCAPES = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})


class IcalText(vText):
    """TEXT with every backslash escaped; icalendar's vText would read the ``\\N`` of a formula as a newline."""

    def to_ical(self) -> bytes:
        return self.translate(ICAL_ESCAPES).encode()


def octets(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def shorten(text: str, limit: int, *, in_octets: bool = False) -> str:
    """Cut to ``limit`` characters (or octets), after a word if one ends near, never inside a grapheme."""
    size = octets if in_octets else len
    if size(text) <= limit:
        return text
    graphemes_that_fit, room = [], limit - size(ELLIPSIS)
    for grapheme in graphemes(text):
        room -= size(grapheme)
        if room < 0:
            break
        graphemes_that_fit.append(grapheme)
    head = "".join(graphemes_that_fit)
    whole_words = head.rpartition(" ")[0]
    return (whole_words if len(whole_words) > len(head) * 0.8 else head).rstrip() + ELLIPSIS


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


def serialised(component: icalendar.Component) -> bytes:
    """Fold lines here: icalendar breaks inside escapes and joined emoji, and some readers decode before they unfold."""
    return b"".join(fold_line(line.encode()) + b"\r\n" for line in component.content_lines() if line)


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
    head = line[:cut]
    escapes = len(head) - len(head.rstrip(b"\\"))
    return line[cut] & 0xC0 != 0x80 and escapes % 2 == 0


def is_between_graphemes(line: bytes, cut: int) -> bool:
    before, after = line[:cut].decode()[-1], line[cut : cut + 4].decode(errors="ignore")[0]
    return ZERO_WIDTH_JOINER not in {before, after} and not unicodedata.category(after).startswith("M")


ONE_SECOND, REFRESH_INTERVAL, ONE_DAY = dt.timedelta(seconds=1), dt.timedelta(hours=1), dt.timedelta(days=1)
# Socials run on days before the conference, and people stay on after it.
TIMEZONE_MARGIN = dt.timedelta(days=7)
VCALENDAR_END = b"END:VCALENDAR\r\n"


def vcalendar(
    conference: Conference, name: str, vevents: Iterable[bytes], *, url: str, about: str = "", source: str = ""
) -> bytes:
    """Write without METHOD, which would make it an invitation, and with VTIMEZONE, so that it is valid without entries."""
    calendar = icalendar.Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", IcalText(settings.CALENDAR_PRODUCT))
    # A property without a value is an error to libical.
    calendar_name = IcalText(one_line(name) or one_line(conference.name))
    calendar.add("name", calendar_name)
    calendar.add("x-wr-calname", calendar_name)
    if about:
        calendar.add("description", IcalText(clean_text(about)))
        calendar.add("x-wr-caldesc", IcalText(clean_text(about)))
    calendar.add("url", vUri(url))
    if source:
        calendar.add("source", vUri(source), parameters={"VALUE": "URI"})
    calendar.add("refresh-interval", icalendar.vDuration(REFRESH_INTERVAL), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    body = serialised(calendar).removesuffix(VCALENDAR_END)
    return b"".join([body, vtimezone(conference), *vevents, VCALENDAR_END])


def vtimezone(conference: Conference) -> bytes:
    return _cached_vtimezone(conference.zone, conference.start - TIMEZONE_MARGIN, conference.end + TIMEZONE_MARGIN)


@lru_cache(maxsize=64)
def _cached_vtimezone(zone: ZoneInfo, first: dt.date, last: dt.date) -> bytes:
    """Write each change of offset as a separate component: several readers read only the first date of an RDATE list."""
    begin = dt.datetime.combine(first, dt.time(), dt.UTC)
    component = icalendar.Timezone()
    component.add("tzid", IcalText(zone.key))
    # The first component begins at the epoch, so that no entry is before it.
    component.add_component(observance(zone, begin, begin, dt.datetime(1970, 1, 1)))  # noqa: DTZ001 - wall time, as RFC 5545 has it here
    for change in offset_changes(zone, begin, begin + (last - first)):
        before = change - ONE_SECOND
        onset = change.replace(tzinfo=None) + utc_offset(zone, before)
        component.add_component(observance(zone, before, change, onset))
    return serialised(component)


def observance(zone: ZoneInfo, before: dt.datetime, after: dt.datetime, onset: dt.datetime) -> icalendar.cal.Component:
    local = after.astimezone(zone)
    block = icalendar.TimezoneDaylight() if local.dst() else icalendar.TimezoneStandard()
    block.add("dtstart", onset)
    block.add("tzoffsetfrom", utc_offset(zone, before))
    block.add("tzoffsetto", utc_offset(zone, after))
    block.add("tzname", IcalText(local.tzname() or zone.key))
    return block


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
