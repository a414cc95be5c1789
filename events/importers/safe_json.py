"""JSON from strangers: no NaN, no key twice, no depth or number that breaks a reader."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from events.importers.errors import ScheduleParseError


def load_json(content: bytes, *, file: str) -> Any:
    """The value; raises ScheduleParseError that names the line where there is one."""
    text = decode(content, file=file)
    if not text.strip():
        raise ScheduleParseError("is empty: export it again", file=file)
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        problem = f"is not JSON at character {error.colno} ({error.msg}): export it again"
        raise ScheduleParseError(problem, file=file, line=error.lineno) from error
    except RecursionError as error:
        raise ScheduleParseError("holds lists inside lists, too deep for any schedule: export it again", file=file) from error
    except ValueError as error:
        raise ScheduleParseError(f"cannot be taken: {str(error)[:200]}", file=file) from error


def decode(content: bytes, *, file: str) -> str:
    """Text from UTF-8, with or without its mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{content[error.start]:02X} is not UTF-8: save the file as UTF-8"
        raise ScheduleParseError(problem, file=file, line=line) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number JSON knows")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key “{twice[:60]}” stands twice in one object")
    return found
