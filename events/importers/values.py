"""Values of JSON from strangers, taken as what was expected of them; anything else is as if it were not there."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urljoin

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.limits import MOST_EVENTS
from events.importers.texts import PROSE, Texts

T = TypeVar("T")
LONGEST_KEY = 150
"""Room is left for the number of an occurrence, which builders add."""
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_LINK_KINDS = {
    "slides": r"slides?|presentation|slideslive.*pdf",
    "poster": r"posters?",
    "video": r"videos?|recording|slideslive|youtube|vimeo|peertube",
    "code": r"code|github|gitlab|repository|source code",
    "paper": r"paper|pdf|openreview|arxiv|proceedings",
}
_LINK_PATTERNS = [(kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _LINK_KINDS.items()]


def has_keys(content: bytes, *names: str, first: str = "{[") -> bool:
    """Whether it starts as JSON does and holds these keys somewhere: enough to say which format it is meant to be."""
    start = content[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()[:1].decode("ascii", "replace")
    return bool(start) and start in first and all(re.search(rb'"%s"\s*:' % name.encode(), content) for name in names)


def row(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def rows(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [it for it in value if isinstance(it, dict)] if isinstance(value, list) else []


def text(value: Any, language: str = "en") -> str:
    """A text, a number as text, or of a text in several languages the one asked for, else the first there is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    if isinstance(value, dict):
        said = {name: it for name, it in value.items() if isinstance(it, str) and it.strip()}
        return said.get(language) or said.get("en") or next(iter(said.values()), "")
    return ""


def whole(value: Any) -> int | None:
    """A number of seats or minutes."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return value if 0 <= value < 10**9 else None
    return cells.whole(value.strip()) if isinstance(value, str) else None


def key(value: Any) -> str:
    """What a source calls one of its rows: a short text or a number; "" for what cannot be a name of anything."""
    said = value.strip() if isinstance(value, str) else "" if isinstance(value, float) else text(value)
    return said if len(said) <= LONGEST_KEY and said.isprintable() else ""


def unescaped(value: str) -> str:
    """Text without the entities that some sites escape twice: “D&amp;#x27;souza” is D'souza."""
    # What is longer is cut, and told, by who takes it.
    value = value[: 2 * PROSE]
    for _ in range(3):
        found = _ENTITY.sub(lambda match: html.unescape(match[0]), value)
        if found == value:
            break
        value = found
    return value


def link_kind(*labels: str) -> str:
    """What kind of link the first telling label speaks of; a website where none does."""
    return next((kind for label in labels for kind, pattern in _LINK_PATTERNS if pattern.search(label[:200])), "website")


def absolute(url: str, base: str) -> str:
    """The address a browser would open from a page at ``base``; unchanged where that is not to be known."""
    try:
        return urljoin(base, url.strip()) if url.strip() and cells.is_address(base) else url.strip()
    except ValueError:
        return url.strip()


def only_rows(value: Any, where: str, texts: Texts) -> list[dict[str, Any]]:
    """The objects of a list, and a warning for whatever else is in it or instead of it."""
    if value is None:
        return []
    if not isinstance(value, list):
        texts.warn(f"{where} is not a list; it is left out")
        return []
    found = rows(value)
    if len(found) < len(value):
        texts.warn(f"{where}: {len(value) - len(found)} of {len(value)} entries are not objects; they are left out")
    return found


def few(items: Iterable[T], *, file: str) -> list[T]:
    """All of them; raises ScheduleParseError, before anything is done with them, where no programme has so many."""
    found = list(islice(items, MOST_EVENTS + 1))
    if len(found) > MOST_EVENTS:
        raise ScheduleParseError(f"has more than {MOST_EVENTS:,} events: split it", file=file)
    return found


def complete(envelope: dict[str, Any], *, file: str) -> list[dict[str, Any]]:
    """The results of a REST answer; raises ScheduleParseError where further pages are missing."""
    found = rows(envelope.get("results"))
    if isinstance(envelope.get("next"), str) and envelope["next"].strip():
        total = whole(envelope.get("count"))
        of = f"{len(found)} of {total}" if total else f"the first {len(found)}"
        raise ScheduleParseError(f"holds {of} entries, one page of several: fetch all pages into one file", file=file)
    return found
