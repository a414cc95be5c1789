"""Values of foreign files: cleaned texts, and JSON values with checked types."""

from __future__ import annotations

import hashlib
import html
import math
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urljoin

from events.core.parsing import cells
from events.core.parsing.errors import MAX_IMPORT_EVENTS, ScheduleParseError, raised, too_many_error

MAX_LINE_CHARS = 300
MAX_PROSE_CHARS = 100_000
MAX_URL_CHARS = 500
MAX_SOURCE_KEY_CHARS = 200
MAX_WARNINGS = 500


class TextCleaner:
    """Cleans texts, and collects a warning for every change."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def line(self, text: Any, max_chars: int = MAX_LINE_CHARS) -> str:
        """Return one line with single spaces, cut to ``max_chars``."""
        return self._cut(" ".join(cells.without_invisible(self._clean(text)).split()), max_chars)

    def prose(self, text: Any) -> str:
        return self._cut(cells.with_line_feeds(self._clean(text)).strip(), MAX_PROSE_CHARS)

    def address(self, url: Any, location: str) -> str:
        address = cells.with_scheme(self._clean(url).strip())
        if not address or (cells.is_http_url(address) and len(address) <= MAX_URL_CHARS):
            return address
        self.warn(f"{location}: {cells.quoted(address)} is not an http(s) address; it is left out")
        return ""

    def key(self, text: Any) -> str:
        """Shorten a source's key to what the database can store; a hash keeps different keys different."""
        key = str(text)
        if len(key) <= MAX_SOURCE_KEY_CHARS and key.isprintable():
            return key
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:20]
        return "".join(character for character in key[:100] if character.isprintable()) + f"-{digest}"

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def shown_warnings(self) -> tuple[str, ...]:
        unique = tuple(dict.fromkeys(self.warnings))
        rest = len(unique) - MAX_WARNINGS
        return (*unique[:MAX_WARNINGS], f"… and {rest} more warnings") if rest > 0 else unique

    def _cut(self, text: str, max_chars: int) -> str:
        if len(text) <= max_chars:
            return text
        self.warn(f"{cells.quoted(text[:60])} is longer than {max_chars} characters; the first {max_chars} are kept")
        return text[: max_chars - 1] + "…"

    def _clean(self, value: Any) -> str:
        if value is None or isinstance(value, (dict, list)):
            return ""
        # Twice the limit is long enough for the check of the limit.
        text = str(value)[: 2 * MAX_PROSE_CHARS]
        if text.isprintable() or not (unprintable := cells.first_unprintable(text)):
            return text
        self.warn(f"{cells.quoted(text[:40])}: the character {unprintable} is left out")
        return "".join(character for character in text if character in "\n\r\t" or not cells.first_unprintable(character))


T = TypeVar("T")
JsonObject = dict[str, Any]
MAX_EXTERNAL_KEY_CHARS = 150
"""The builder adds the number of an occurrence."""
_HTML_ENTITY_PATTERN = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_LINK_KIND_WORDS = {
    "slides": r"slides?|presentation|slideslive.*pdf",
    "poster": r"posters?",
    "video": r"videos?|recording|slideslive|youtube|vimeo|peertube",
    "code": r"code|github|gitlab|repository|source code",
    "paper": r"paper|pdf|openreview|arxiv|proceedings",
}
_LINK_KIND_PATTERNS = [(kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _LINK_KIND_WORDS.items()]


def has_json_keys(content: bytes, *names: str, first: str = "{[") -> bool:
    """Return whether the content starts as JSON and contains these keys: a check of the format, not of validity."""
    start = content[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()[:1].decode("ascii", "replace")
    return bool(start) and start in first and all(re.search(rb'"%s"\s*:' % name.encode(), content) for name in names)


def as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def as_text(value: Any, language: str = "en") -> str:
    """Return a text or number as text; of a dict by language, the text in ``language``, in English, or the first."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    if isinstance(value, dict):
        texts = {name: text for name, text in value.items() if isinstance(text, str) and text.strip()}
        return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")
    return ""


def as_int(value: Any) -> int | None:
    """Return a whole number from 0 to 999,999,999, also from a text or from 5.0."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return value if 0 <= value < 10**9 else None
    return cells.parse_int(value.strip()) if isinstance(value, str) else None


_FLAGS_BY_WORD = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def as_flag(value: Any) -> bool | None:
    """Return a boolean, also from a word; None for anything else."""
    return value if isinstance(value, bool) else _FLAGS_BY_WORD.get(as_text(value).strip().lower())


def as_key(value: Any) -> str:
    """Return a source's key of a row, a short text or a whole number; "" for anything else."""
    key = value.strip() if isinstance(value, str) else "" if isinstance(value, float) else as_text(value)
    return key if len(key) <= MAX_EXTERNAL_KEY_CHARS and key.isprintable() else ""


def unescape_entities(value: str) -> str:
    """Replace entities, which some sites escape twice: “D&amp;#x27;souza” becomes D'souza."""
    # TextCleaner cuts longer texts, with a warning.
    value = value[: 2 * MAX_PROSE_CHARS]
    for _ in range(3):
        unescaped = _HTML_ENTITY_PATTERN.sub(lambda match: html.unescape(match[0]), value)
        if unescaped == value:
            break
        value = unescaped
    return value


def link_kind(*labels: str) -> str:
    return next((kind for label in labels for kind, pattern in _LINK_KIND_PATTERNS if pattern.search(label[:200])), "website")


def absolute_url(url: str, base: str) -> str:
    url = cells.with_scheme(url.strip())
    try:
        return urljoin(base, url.strip()) if url.strip() and cells.is_http_url(base) else url.strip()
    except ValueError:
        return url.strip()


def objects_or_warn(value: Any, location: str, cleaner: TextCleaner) -> list[dict[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list):
        cleaner.warn(f"{location} is not a list; it is left out")
        return []
    objects = as_objects(value)
    if len(objects) < len(value):
        cleaner.warn(f"{location}: {len(value) - len(objects)} of {len(value)} entries are not objects; they are left out")
    return objects


def limit_events(items: Iterable[T], *, file: str) -> list[T]:
    limited = list(islice(items, raised(MAX_IMPORT_EVENTS) + 1))
    if len(limited) > raised(MAX_IMPORT_EVENTS):
        raise too_many_error("events", MAX_IMPORT_EVENTS, file=file)
    return limited


def all_results(envelope: dict[str, Any], *, file: str) -> list[dict[str, Any]]:
    """Return the results of a REST answer; raise ScheduleParseError if further pages are missing."""
    results = as_objects(envelope.get("results"))
    if isinstance(envelope.get("next"), str) and envelope["next"].strip():
        total = as_int(envelope.get("count"))
        extent = f"{len(results)} of {total}" if total else f"the first {len(results)}"
        raise ScheduleParseError(f"holds {extent} entries, one page of several: fetch all pages into one file", file=file)
    return results
