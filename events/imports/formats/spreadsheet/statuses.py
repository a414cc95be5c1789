"""The status of an event as people write it into a cell."""

from __future__ import annotations

import re

from events.imports.formats.texts import is_placeholder

UNPUBLISHED_STATUSES = frozenset("draft hidden rejected withdrawn declined no n false 0 unpublished inactive".split())
_STATUS_BY_BEGINNING = {
    "cancelled": re.compile(r"cancel|abgesagt|annul|f[äa]e?llt aus|entfällt|withdrawn"),
    "tentative": re.compile(r"tentative|tbc|to be confirmed|provisional|provisorisch|geplant|planned"),
    "confirmed": re.compile(
        r"confirm|bestätigt|accept|approved|publish|public\b|active|scheduled|final|live|visible|(?:yes|y|true|1|x|ok|ja|oui)\Z"
    ),
}


def is_unpublished(text: str) -> bool:
    return _folded(text) in UNPUBLISHED_STATUSES


def read_status(text: str) -> str:
    """Return the status, confirmed for an empty cell, or "" for one that is not known.

    >>> read_status("Cancelled - speaker ill"), read_status("tbc"), read_status("Published"), read_status("postponed")
    ('cancelled', 'tentative', 'confirmed', '')
    """
    folded = _folded(text)
    known = next((status for status, pattern in _STATUS_BY_BEGINNING.items() if pattern.match(folded)), "")
    return known or ("confirmed" if is_placeholder(text) else "")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
