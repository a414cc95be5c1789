"""Lines of at most 75 octets (RFC 5545 3.1), broken where no reader notices."""

from __future__ import annotations

import unicodedata

import icalendar

LONGEST = 75
FOLD = b"\r\n "
JOINER = "\u200d"


def serialised(component: icalendar.Component) -> bytes:
    """icalendar's own folding breaks inside escaped backslashes and joined emoji; some readers decode before they unfold."""
    return b"".join(fold(line.encode()) + b"\r\n" for line in component.content_lines() if line)


def fold(line: bytes) -> bytes:
    parts, limit = [], LONGEST
    while len(line) > limit:
        cut = boundary(line, limit)
        parts.append(line[:cut])
        # The space that continues a line counts too.
        line, limit = line[cut:], LONGEST - 1
    return FOLD.join([*parts, line])


def boundary(line: bytes, limit: int) -> int:
    """The last good place; the last possible one when a single sign fills half the line."""
    places = range(limit, limit // 2, -1)
    good = (cut for cut in places if stands_between_characters(line, cut) and stands_between_signs(line, cut))
    return next(good, None) or next(cut for cut in places if stands_between_characters(line, cut))


def stands_between_characters(line: bytes, cut: int) -> bool:
    """Neither inside a UTF-8 sequence nor between a backslash and what it escapes."""
    head = line[:cut]
    escapes = len(head) - len(head.rstrip(b"\\"))
    return line[cut] & 0xC0 != 0x80 and escapes % 2 == 0


def stands_between_signs(line: bytes, cut: int) -> bool:
    before, after = line[:cut].decode()[-1], line[cut : cut + 4].decode(errors="ignore")[0]
    return JOINER not in {before, after} and not unicodedata.category(after).startswith("M")
