"""Names in one line of text: “Prof. Ada Bell and C. Dee”, “A. Bell · C. Dee”, “A. Bell, C. Dee, & E. Fox”."""

from __future__ import annotations

import re
from collections.abc import Iterable

from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData

_BETWEEN = re.compile(r"\s*[·•;&/|]\s*|\s*,\s*(?:and\s+|&\s*)?|\s+and\s+")
_TITLE = re.compile(r"^(?:(?:Prof|Profs|Professor|Dr|Drs|Mr|Ms|Mrs)\b\.?\s+)+")


def names(line: str) -> list[str]:
    """Each name once, without Dr. and Prof."""
    parts = [_TITLE.sub("", part.strip(" .,") if part.endswith(",") else part.strip()) for part in _BETWEEN.split(line)]
    return list(dict.fromkeys(part for part in parts if part))


def appearances(builder: ScheduleBuilder, people: Iterable[str], role: str) -> tuple[AppearanceData, ...]:
    keys = dict.fromkeys(filter(None, (builder.person(name) for name in people)))
    return tuple(AppearanceData(person=key, role=role) for key in keys)
