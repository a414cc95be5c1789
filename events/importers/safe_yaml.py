"""YAML from strangers: texts, lists and mappings only; no tags, no aliases that multiply, no depth that breaks a reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import yaml

from events.importers.errors import ScheduleParseError
from events.importers.safe_json import decode

LARGEST = 16 * 2**20
DEEPEST = 40
MOST_VALUES = 400_000
_NOTHING = {"", "~", "null", "Null", "NULL"}
# libyaml where it is there, ten times as fast; the base loader makes texts of everything, so 10:30 stays 10:30 and no “No”.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def load_yaml(content: bytes, *, file: str) -> Any:
    """Nested dicts, lists and texts, as they are written; raises ScheduleParseError that names the line."""
    if len(content) > LARGEST:
        raise ScheduleParseError(f"is larger than {LARGEST // 2**20} MB: no programme in YAML is", file=file)
    text = decode(content, file=file)
    try:
        return _Reader(file).read(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"is not YAML ({error.problem or error.context}): check how far the lines are indented"
        raise ScheduleParseError(problem, file=file, line=mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, ScheduleParseError):
            raise
        raise ScheduleParseError(f"is not YAML ({' '.join(str(error).split())[:120]}): export it again", file=file) from error


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being read."""

    made: list[Any] | dict[str, Any]
    anchor: str | None
    # How many values were read before it, and the key that waits for its value.
    before: int
    key: str | None = None


class _Reader:
    """Builds values from parser events with a stack of its own, so that no depth of nesting meets Python's."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.values = 0
        self.roots: list[Any] = []
        self.open: list[_Open] = []
        # What *name stands for, and how many values that is.
        self.anchors: dict[str, tuple[Any, int]] = {}

    def read(self, events: Iterable[Any]) -> Any:
        for event in events:
            self._check(event)
            if isinstance(event, yaml.ScalarEvent):
                value = "" if event.implicit[0] and event.value in _NOTHING else event.value
                self._put(value, event)
                self._remember(event.anchor, value, 1)
            elif isinstance(event, yaml.AliasEvent):
                self._put(self._meant(event), event)
            elif isinstance(event, yaml.CollectionStartEvent):
                made: list[Any] | dict[str, Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
                self._put(made, event)
                self.open.append(_Open(made, event.anchor, self.values))
            elif isinstance(event, yaml.CollectionEndEvent):
                done = self.open.pop()
                self._remember(done.anchor, done.made, self.values - done.before)
        if not self.roots:
            raise ScheduleParseError("is empty: export it again", file=self.file)
        return self.roots[0]

    def _check(self, event: Any) -> None:
        if getattr(event, "tag", None):
            raise self._error(f"has the tag “{event.tag[:40]}”: take the tag out", event)
        if len(self.open) > DEEPEST:
            raise self._error(f"holds lists inside lists, {DEEPEST} deep and more: no programme does", event)
        if isinstance(event, yaml.DocumentStartEvent) and self.roots:
            raise self._error("begins a second document with “---”: keep one to a file", event)

    def _remember(self, anchor: str | None, value: Any, weight: int) -> None:
        if anchor:
            self.anchors[anchor] = value, weight

    def _meant(self, event: Any) -> Any:
        """What an alias stands for. None may stand inside what another stands for: that is how files explode."""
        if event.anchor not in self.anchors or any(it.anchor for it in self.open):
            raise self._error(f"“*{event.anchor[:40]}” cannot be followed: write the text out where it is needed", event)
        value, weight = self.anchors[event.anchor]
        self.values += weight
        return value

    def _put(self, value: Any, event: Any) -> None:
        self.values += 1
        if self.values > MOST_VALUES:
            raise self._error(f"holds more than {MOST_VALUES} values: split it", event)
        if not self.open:
            self.roots.append(value)
            return
        holder = self.open[-1]
        if isinstance(holder.made, list):
            holder.made.append(value)
        elif holder.key is not None:
            holder.made[holder.key] = value
            holder.key = None
        else:
            holder.key = self._key(value, holder.made, event)

    def _key(self, value: Any, holder: dict[str, Any], event: Any) -> str:
        if not isinstance(value, str):
            raise self._error("has a list where a name should stand before the colon", event)
        # A key left empty and given again further down contradicts nothing.
        if holder.get(value, "") != "":
            raise self._error(f"says “{value[:60]}” twice: delete one", event)
        if value == "<<":
            raise self._error("merges another entry with “<<”: write it out", event)
        return value

    def _error(self, problem: str, event: Any) -> ScheduleParseError:
        mark = event.start_mark
        return ScheduleParseError(problem, file=self.file, line=mark.line + 1 if mark else None)
