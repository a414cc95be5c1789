"""JSON from strangers: no NaN, no key twice, no depth, number or size that breaks a reader."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Any, NoReturn

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.limits import MOST_VALUES, too_large

MAX_DIGITS = 300
LARGEST = 30 * 2**20
"""Bytes. NeurIPS 2025, with all abstracts, has about 25 MB."""
WIDEST = 64 * 2**20
_FOUR_BYTES = re.compile(rb"\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}")
_LONG = re.compile(rb'"[^"]{2000000}')


def load_json(content: bytes, *, file: str) -> Any:
    """The value; raises ScheduleParseError that names the line where json knows it."""
    if len(content) > LARGEST:
        raise too_large(file, LARGEST)
    # Commas in texts count too: this only has to be roughly right.
    if 5 * (content.count(b"{") + content.count(b"[")) + content.count(b",") > MOST_VALUES:
        raise ScheduleParseError("holds more values than any programme: split it", file=file)
    if _LONG.search(content):
        raise ScheduleParseError("holds a text of two million characters: take it out", file=file)
    # One emoji makes every character of a text four bytes wide: a few are written as JSON's escapes.
    text = decode(_FOUR_BYTES.sub(lambda it: json.dumps(it[0].decode())[1:-1].encode(), content, count=100_000), file=file)
    if sys.getsizeof(text) > WIDEST:
        raise too_large(file, WIDEST // 4)
    if not text.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_whole, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        problem = f"is not JSON at character {error.colno} ({error.msg}): export it again"
        raise ScheduleParseError(problem, file=file, line=error.lineno) from error
    except RecursionError as error:
        raise ScheduleParseError("holds lists inside lists, too deep for any schedule: export it again", file=file) from error
    except ValueError as error:
        raise ScheduleParseError(str(error), file=file) from error


def decode(content: bytes, *, file: str) -> str:
    """Text from UTF-8, with or without its mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{content[error.start]:02X} is not UTF-8: save the file as UTF-8"
        raise ScheduleParseError(problem, file=file, line=line) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number JSON knows: write null")


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits: export it again")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {cells.quoted(twice)} stands twice in one object: delete one")
    return found
