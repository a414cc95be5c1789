"""Text as calendars take it: no control characters, one kind of newline, no more than fits, escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from icalendar import vText

NEWLINES = re.compile("\r\n|[\r\x85\u2028\u2029]")
# C0 but tab and newline, DEL, C1, lone surrogates, what turns the reading direction around, BOM and noncharacters.
UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
JOINER = "\u200d"
ELLIPSIS = "…"
ESCAPES = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})


class Text(vText):
    """TEXT with every backslash escaped; icalendar's own would read the ``\\N`` of a formula as a newline."""

    def to_ical(self) -> bytes:
        return self.translate(ESCAPES).encode()


def clean(text: str) -> str:
    return UNWANTED.sub("", NEWLINES.sub("\n", text))


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def octets(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def shorten(text: str, limit: int, *, in_octets: bool = False) -> str:
    """At most ``limit`` characters (or octets), cut between words if one ends near, never inside what is seen as one sign."""
    size = octets if in_octets else len
    if size(text) <= limit:
        return text
    kept, room = [], limit - size(ELLIPSIS)
    for sign in signs(text):
        room -= size(sign)
        if room < 0:
            break
        kept.append(sign)
    head = "".join(kept)
    words = head.rpartition(" ")[0]
    return (words if len(words) > len(head) * 0.8 else head).rstrip() + ELLIPSIS


def signs(text: str) -> Iterator[str]:
    """What a reader takes for one character: a letter with its accents, a family of joined emoji, a flag."""
    sign = ""
    for character in text:
        if sign and not _joins(sign, character):
            yield sign
            sign = ""
        sign += character
    if sign:
        yield sign


def _joins(sign: str, character: str) -> bool:
    if sign[-1] == JOINER or character == JOINER or unicodedata.category(character).startswith("M"):
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    return _is_flag_half(character) and len(sign) == 1 and _is_flag_half(sign)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
