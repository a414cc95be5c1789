"""Parsers of a single text: dates, times, numbers, addresses and keys; None if malformed."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from urllib.parse import urlsplit

_DATE_PATTERN = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME_PATTERN = re.compile(r"([0-9]{1,2}):([0-9]{2})(:00)?")
_FORBIDDEN_URL_CHARS = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"\\]")
# Wide enough for any conference, and far enough from the years 1 and 9999 to convert time zones.
VALID_YEARS = range(1900, 2200)
MAX_WHOLE_NUMBER = 1_000_000
"""The largest number of seats, minutes or participants in a cell."""


def quoted(value: str) -> str:
    """Quote the value for a message: at most 80 characters, with escapes for invisible ones."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in value[:80])
    return f"“{shown}{'…' if len(value) > 80 else ''}”"


def with_line_feeds(text: str) -> str:
    """Return the text with one sort of line ends: browsers and files of Windows have two characters."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def quoted_list(values: Sequence[str], max_shown: int = 5) -> str:
    """Return the first values quoted, “A”, “B” and “C”, and how many more there are."""
    shown = [quoted(value) for value in values[:max_shown]]
    rest = len(values) - len(shown)
    *first, last = [*shown, f"{rest} more"] if rest else shown
    return f"{', '.join(first)} and {last}" if first else last


def join_sorted(known: Iterable[str]) -> str:
    return ", ".join(sorted(known)) or "none"


def spelling_hint(value: str, known: Collection[str]) -> str:
    """Return the end of a message: the most similar known word, or all of them if they are few."""
    near = difflib.get_close_matches(value, known, n=1)
    if near:
        return f": did you mean {quoted(near[0])}?"
    return f": known are {join_sorted(known)}" if len(known) <= 12 else f": none of the {len(known)} known ones is like it"


def first_unprintable(text: str) -> str:
    """Return the first control character or lone surrogate as “U+0000”, or ""."""
    for character in text:
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\r\t":
            return f"U+{ord(character):04X}"
    return ""


def key_of(name: str) -> str:
    """Return a key for a name: “Roman Rädle” becomes “roman-rädle”."""
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", name).lower()).strip("-")


def is_key(value: str) -> bool:
    return re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", value) is not None


def parse_int(value: str) -> int | None:
    return int(value) if re.fullmatch("[0-9]{1,9}", value) else None


def parse_decimal(value: str) -> float | None:
    return float(value) if re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,15})?", value) else None


def parse_date(value: str) -> dt.date | None:
    match = _DATE_PATTERN.fullmatch(value)
    try:
        day = dt.date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
    return day if day and day.year in VALID_YEARS else None


def parse_time(value: str) -> dt.time | None:
    match = _TIME_PATTERN.fullmatch(value)
    try:
        return dt.time(int(match[1]), int(match[2])) if match else None
    except ValueError:
        return None


def parse_minutes_seconds(value: str) -> int | None:
    """Return “23:00” in seconds."""
    match = re.fullmatch("([0-9]{1,4}):([0-5][0-9])", value)
    return int(match[1]) * 60 + int(match[2]) if match else None


def parse_colour(value: str) -> str:
    return value if re.fullmatch("#[0-9a-fA-F]{6}", value or "") else ""


def is_http_url(value: str) -> bool:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not _FORBIDDEN_URL_CHARS.search(value)


_HOST_PATTERN = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,24})(?::[0-9]{1,5})?(?P<rest>[/?#].*)?", re.IGNORECASE
)
_FILE_ENDINGS = frozenset(
    "html htm xhtml php asp aspx jsp cgi pdf txt md rst csv json xml ics png jpg jpeg gif svg webp zip gz tar doc docx odt odp"
    " ods ppt pptx xls xlsx key mp3 mp4 webm mov py js css ipynb tex bib".split()
)


def with_scheme(url: str) -> str:
    """Put https:// before an address that begins with the name of a host.

    >>> with_scheme("talks.example/1"), with_scheme("//talks.example"), with_scheme("slides.pdf"), with_scheme("a@talks.example")
    ('https://talks.example/1', 'https://talks.example', 'slides.pdf', 'a@talks.example')
    """
    if url.startswith("//"):
        return f"https:{url}"
    match = _HOST_PATTERN.fullmatch(url)
    if not match:
        return url
    # A file in a folder has no further path: “index.html”, but “paste.md/1”.
    is_file = match[1].lower() in _FILE_ENDINGS and not (match["rest"] or "").startswith("/")
    return url if is_file and not url.lower().startswith("www.") else f"https://{url}"


_ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u180e\u200b\u2060\ufeff"))
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"


def without_invisible(text: str) -> str:
    """Remove zero-width characters, which make two names of one; return "" for a text that nobody would see.

    Joiners stay, because scripts and emoji need them.
    """
    if text.isascii():
        return text
    shown = text.translate(_ZERO_WIDTH)
    is_seen = any(unicodedata.category(each) not in {"Cf", "Zs", "Cc"} and each not in _BLANK_LETTERS for each in shown)
    return shown if is_seen else ""


# Excel, LibreOffice and Google Sheets also read the full-width signs of Chinese and Japanese keyboards.
_FORMULA_SIGN = r"[=+\-@＝＋－＠]"
# Also a quotation mark: programs that divide a line within quotes drop it.
_BLANK = r"(?:[^\S\t\r\n]|[\"\u00ad\u180e\u200b-\u200f\u2060-\u2064\u3164\ufeff])"
# Excel with a decimal comma divides our lines at semicolons, and then also at tabs and line breaks within quotes.
_CELL_START = r"(?<![^;\t\r\n])"
_FORMULA = rf"(?={_BLANK}*{_FORMULA_SIGN})"
_UNSEEN_START = r"(?=[\t\r\n])"
_FORMULA_LIKE = re.compile(rf"{_CELL_START}'*{_FORMULA}|\A'*{_UNSEEN_START}")
_MARKED_FORMULA = re.compile(rf"{_CELL_START}'+{_FORMULA}|\A'+{_UNSEEN_START}")


def escape_formula(text: str) -> str:
    """Put an apostrophe wherever the text, or a part of it after a semicolon, tab or line break, begins like a formula.

    Parts that begin like an escaped formula get one too, so that ``unescape_formula`` returns the same text.
    """
    return _FORMULA_LIKE.sub(r"'\g<0>", text)


def unescape_formula(text: str) -> str:
    return _MARKED_FORMULA.sub(lambda marks: marks[0][1:], text)
