"""What a field takes, in words an organiser can act on."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator

LINES = {
    "invited": "Invited talk (blue)",
    "session": "Session and oral (teal)",
    "poster": "Poster (purple)",
    "workshop": "Workshop and tutorial (green)",
    "social": "Social (crimson)",
    "affinity": "Affinity and mentoring (orange)",
    "break": "Break and service (grey)",
}
WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f<>\"]+\Z", re.IGNORECASE)
HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")

# The first parts of addresses that are not conferences.
RESERVED = frozenset({"account", "feeds", "healthz", "media", "organise", "robots", "static"})

hex_colour = RegexValidator(HEX, "Write a colour as # and six hexadecimal digits, such as #1747B8.")


def line_colour(value: str) -> None:
    if value not in LINES and not HEX.match(value):
        raise ValidationError(f"“{value}” is not a colour: write {', '.join(LINES)}, or # and six hexadecimal digits.")


def free_slug(value: str) -> None:
    if value in RESERVED:
        raise ValidationError(f"“{value}” is an address of the site itself: add the year, {value}-2025.")


def time_zone(value: str) -> None:
    try:
        zoneinfo.ZoneInfo(value)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise ValidationError(f"“{value}” is not a time zone: write a name such as Asia/Singapore.") from error


def plain_text(value: str) -> None:
    """Refuse what no database, calendar or XML file takes: control characters and lone surrogates."""
    for position, character in enumerate(value, start=1):
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\r\t":
            raise ValidationError(
                f"Character {position} (U+{ord(character):04X}) cannot be shown: delete it and type the text again."
            )


def web_address(value: str) -> None:
    """Only http and https, without spaces or control characters, ever become a link."""
    if not WEB_ADDRESS.match(value):
        raise ValidationError(f"“{value}” is not a web address: it starts with https:// and has no spaces.")
