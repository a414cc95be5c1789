"""The number of an event in exports, for programs that need one."""

from __future__ import annotations

import re

MAX_EXPORT_NUMBER = 2**31 - 1
"""Programs store it in 31 bits, as databases do."""


def parse_export_number(text: str) -> int | None:
    """Return the id that another system gave an event; None for anything but a number from 1 to ``MAX_EXPORT_NUMBER``."""
    number = int(text) if re.fullmatch("[0-9]{1,10}", text.strip()) else 0
    return number if 0 < number <= MAX_EXPORT_NUMBER else None


def computed_number(guid: str) -> int:
    """Return the number of an event or person to which no other system gave one."""
    return int(guid.replace("-", ""), 16) % MAX_EXPORT_NUMBER + 1
