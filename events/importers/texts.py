"""Texts from strangers, as screens, databases and calendars can hold them."""

from __future__ import annotations

import hashlib
from typing import Any

from events.importers import cells

LINE = 300
PROSE = 100_000
ADDRESS = 500
KEY = 200
MOST_WARNINGS = 500


class Texts:
    """Cleans texts and collects, as warnings, what had to be changed."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def line(self, text: Any, longest: int = LINE) -> str:
        """One line: blanks collapsed, and cut with a warning where it is longer than anybody reads."""
        return self._cut(" ".join(self._clean(text).split()), longest)

    def prose(self, text: Any) -> str:
        """Text of several lines, as its author wrote it."""
        return self._cut(self._clean(text).replace("\r\n", "\n").replace("\r", "\n").strip(), PROSE)

    def address(self, url: Any, place: str) -> str:
        """An http(s) address, or nothing with a warning."""
        said = self._clean(url).strip()
        if not said or (cells.is_address(said) and len(said) <= ADDRESS):
            return said
        self.warn(f"{place}: {cells.quoted(said)} is no address a browser may open; it is left out")
        return ""

    def key(self, text: Any) -> str:
        """A source's key, as a database can hold it: different texts stay different."""
        said = str(text)
        if len(said) <= KEY and said.isprintable():
            return said
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:20]
        return "".join(it for it in said[:100] if it.isprintable()) + f"-{digest}"

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def told(self) -> tuple[str, ...]:
        """The warnings, each once, and no more than somebody may read."""
        once = tuple(dict.fromkeys(self.warnings))
        rest = len(once) - MOST_WARNINGS
        return (*once[:MOST_WARNINGS], f"… and {rest} more of the sort") if rest > 0 else once

    def _cut(self, said: str, longest: int) -> str:
        if len(said) <= longest:
            return said
        self.warn(f"{cells.quoted(said[:60])} is longer than {longest} characters; the first {longest} are taken")
        return said[: longest - 1] + "…"

    def _clean(self, text: Any) -> str:
        """What a person would see of it: no control characters, no half characters."""
        if text is None or isinstance(text, (dict, list)):
            return ""
        # Twice as long as can be kept is long enough to see that it is too long.
        said = str(text)[: 2 * PROSE]
        if said.isprintable() or not (found := cells.unprintable(said)):
            return said
        self.warn(f"{cells.quoted(said[:40])}: the character {found} is left out")
        return "".join(it for it in said if it in "\n\r\t" or not cells.unprintable(it))
