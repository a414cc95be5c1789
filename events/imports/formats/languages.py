"""The languages of a file's events."""

from __future__ import annotations

from events.core.parsing.cells import quoted
from events.core.parsing.languages import language_tags


class EventLanguages:
    """Reads one event after the other; what cannot be read is left out, with one warning for all events of a file."""

    def __init__(self) -> None:
        self._unknown: list[str] = []
        self._several: list[str] = []

    def read(self, text: str, location: str) -> str:
        """Return a tag of BCP 47, the first of several, or "" if the text names no language."""
        if not text.strip():
            return ""
        tags = language_tags(text)
        if not tags:
            self._unknown.append(f"{location}: {quoted(text.strip()[:60])} is not a language; it is left out")
        elif len(tags) > 1:
            self._several.append(f"{location}: it has the languages {', '.join(tags[:4])}; the first counts")
        return tags[0] if tags else ""

    def warnings(self) -> list[str]:
        return [f"{first}{_more(rest)}" for first, *rest in filter(None, (self._unknown, self._several))]


def _more(rest: list[str]) -> str:
    return f" ({len(rest)} more event{'s' * (len(rest) > 1)} alike)" if rest else ""
