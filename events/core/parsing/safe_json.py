"""Safe reading of foreign JSON: no NaN, no duplicate key, and limits of depth and size."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Any, NoReturn

from events.core.parsing import cells
from events.core.parsing.errors import MAX_JSON_VALUES, ScheduleParseError, or_command, raised, too_large_error

MAX_NUMBER_DIGITS = 300
MAX_JSON_BYTES = 30 * 2**20
"""Bytes. NeurIPS 2025, with all abstracts, has about 25 MB."""
MAX_DECODED_BYTES = 64 * 2**20
_FOUR_BYTE_CHARS = re.compile(rb"\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}")
_LONG_STRING_PATTERN = re.compile(rb'"[^"]{2000000}')


def load_json(content: bytes, *, file: str) -> Any:
    """Raise ScheduleParseError, with the line if the parser reports one."""
    if len(content) > raised(MAX_JSON_BYTES):
        raise too_large_error(file, MAX_JSON_BYTES)
    # Commas in texts count too: a rough count is enough.
    if 5 * (content.count(b"{") + content.count(b"[")) + content.count(b",") > raised(MAX_JSON_VALUES):
        raise ScheduleParseError(f"holds more values than any programme: {or_command('split it')}", file=file)
    if _LONG_STRING_PATTERN.search(content):
        raise ScheduleParseError("holds a text of two million characters: remove it", file=file)
    # One emoji makes every character of a text four bytes wide: a few are written as JSON's escapes.
    escaped = _FOUR_BYTE_CHARS.sub(lambda match: json.dumps(match[0].decode())[1:-1].encode(), content, count=100_000)
    text = decode_utf8(escaped, file=file)
    if sys.getsizeof(text) > raised(MAX_DECODED_BYTES):
        raise too_large_error(file, MAX_DECODED_BYTES // 4)
    if not text.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_limited_int, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        problem = f"is not JSON at character {error.colno} ({error.msg}): export it again"
        raise ScheduleParseError(problem, file=file, line=error.lineno) from error
    except RecursionError as error:
        raise ScheduleParseError("nests lists too deep for any schedule: export it again", file=file) from error
    except ValueError as error:
        raise ScheduleParseError(str(error), file=file) from error


def decode_utf8(content: bytes, *, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{content[error.start]:02X} is not UTF-8: save the file as UTF-8"
        raise ScheduleParseError(problem, file=file, line=line) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON: write null")


def _limited_int(digits: str) -> int:
    if len(digits) > MAX_NUMBER_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits: export it again")
    return int(digits)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        duplicate = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {cells.quoted(duplicate)} is there twice in one object: delete one")
    return values
