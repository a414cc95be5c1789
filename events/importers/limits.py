"""How much of everything an importer takes: several times the largest real programme, and little for a machine."""

from __future__ import annotations

from events.importers.errors import ScheduleParseError

LARGEST = 64 * 2**20
"""Bytes of everything handed in together."""
LARGEST_TEXT = 20 * 2**20
"""Bytes of one XML file or calendar. FOSDEM's have 4 MB."""
MOST_FILES = 2000
MOST_EVENTS = 20_000
MOST_ELEMENTS = 400_000
"""Elements and attributes of an XML file; FOSDEM 2025 has 45,000."""
MOST_VALUES = 2_000_000
"""Values of a JSON file, where an object or a list weighs as much as five; ICLR 2025 has 540,000."""


def refuse_large_text(content: bytes, *, file: str) -> None:
    if len(content) > LARGEST_TEXT:
        raise too_large(file, LARGEST_TEXT)


def too_large(file: str, most: int) -> ScheduleParseError:
    return ScheduleParseError(f"is larger than {most // 2**20} MB: hand in the programme without its media", file=file)
