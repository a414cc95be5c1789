"""What people call the rows that a cell refers to: each found by its name, and each called by one that is only its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from events.importers.cells import hint, quoted

HINTS = 20
NEAR = 400


def folded(text: str) -> str:
    """Names are compared without regard to capitals and spaces."""
    return " ".join(text.split()).casefold()


class Names:
    """``entries`` are the rows of one table, each under its key with all that it may be called, the usual name first."""

    def __init__(self, noun: str, home: str, entries: Iterable[tuple[Any, Iterable[str]]]) -> None:
        self.noun, self.home = noun, home
        self._names: dict[Any, list[str]] = {}
        self._keys: dict[str, list[Any]] = defaultdict(list)
        self._hints = HINTS
        for key, names in entries:
            self.add(key, names)

    def add(self, key: Any, names: Iterable[str]) -> None:
        self._names[key] = [name for name in names if name]
        for name in dict.fromkeys(map(folded, self._names[key])):
            self._keys[name].append(key)

    def find(self, text: str) -> Any:
        """The key of the row that is called so; ValueError in words."""
        if not text.strip():
            return None
        found = self.all(text)
        if len(found) == 1:
            return found[0]
        if found:
            one = quoted(self.label(found[0]))
            raise ValueError(
                f"{quoted(text)} is the name of {len(found)} {self.noun}s: write {one}, or what the export calls the other."
            )
        raise ValueError(f"{quoted(text)} is not a {self.noun} of {self.home}{self.near(text)}")

    def all(self, text: str) -> list[Any]:
        return self._keys.get(folded(text), [])

    def label(self, key: Any) -> str:
        """The first of its names that nothing else bears."""
        names = self._names.get(key, [])
        return next((name for name in names if len(self.all(name)) == 1), names[-1] if names else "")

    def near(self, text: str) -> str:
        """The name that was probably meant; worked out for the first few mistakes of a file only."""
        self._hints -= 1
        if self._hints < 0:
            return "."
        words = set(folded(text).split())
        usual = [names[0] for names in self._names.values() if names]
        like = [name for name in usual if len(usual) <= NEAR or words & set(folded(name).split())]
        return hint(text, like[:NEAR]) if usual else ": there is none yet."
