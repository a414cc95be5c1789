"""Texts from strangers, as screens, databases and calendars can hold them."""

from __future__ import annotations

from typing import Any

from events.importers import cells

LINE = 300
PROSE = 100_000


class Texts:
    """Cleans texts and collects, as warnings, what had to be changed."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def line(self, text: Any, longest: int = LINE) -> str:
        """One line: blanks collapsed, and cut with a warning where it is longer than anybody reads."""
        said = " ".join(self._clean(text).split())
        if len(said) <= longest:
            return said
        self.warn(f"“{said[:60]}…” has {len(said)} characters; the first {longest} are taken")
        return said[: longest - 1] + "…"

    def prose(self, text: Any) -> str:
        """Text of several lines, as its author wrote it."""
        said = self._clean(text).replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(said) <= PROSE:
            return said
        self.warn(f"“{said[:60]}…” has {len(said)} characters; the first {PROSE} are taken")
        return said[: PROSE - 1] + "…"

    def address(self, url: Any, place: str) -> str:
        """An http(s) address, or nothing with a warning."""
        said = self._clean(url).strip()
        if not said or (cells.is_address(said) and len(said) <= 500):
            return said
        self.warn(f"{place}: {cells.quoted(said)} is no address a browser may open; it is left out")
        return ""

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def _clean(self, text: Any) -> str:
        """What a person would see of it: no control characters, no half characters."""
        if text is None or isinstance(text, (dict, list)):
            return ""
        said = str(text)
        if said.isprintable() or not (found := cells.unprintable(said)):
            return said
        self.warn(f"“{cells.quoted(said[:40])}”: the character {found} is left out")
        return "".join(it for it in said if it in "\n\r\t" or not cells.unprintable(it))
