"""A report in the organisers' words: fields and rows by name, times by the clock at the venue."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from events.models import LinkKind, Role
from events.sync.merge import as_json
from events.sync.report import Difference
from events.sync.tables import Table

LONGEST = 160
"""Characters of a value that a table of differences has room for."""
BEFORE = 30


class Words:
    """Knows what every row is called, by table and key, before the import and after."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._was: dict[str, dict[str, str]] = defaultdict(dict)
        self._will: dict[str, dict[str, str]] = defaultdict(dict)

    def learn(self, table: Table, key: str, values: Mapping[str, Any], *, stored: bool) -> None:
        """Remember what the row of that key is called; ``values`` with references by key."""
        (self._was if stored else self._will)[table.part][key] = self.title(table, values)

    def title(self, table: Table, values: Mapping[str, Any]) -> str:
        """How a report names a row."""
        if not table.label:
            return " → ".join(self._named(part, values.get(name, "")) for name, part in table.refs.items())
        shown = [_moment(values[name], self.zone) for name in table.label]
        return " › ".join(filter(None, shown))

    def differences(self, table: Table, values: Mapping[str, tuple[Any, Any]]) -> tuple[Difference, ...]:
        """Each field with its value before and after, both in words."""
        return tuple(self._difference(table, name, old, new) for name, (old, new) in values.items())

    def _difference(self, table: Table, name: str, old: Any, new: Any) -> Difference:
        before, after = self._value(table, name, old, self._was), self._value(table, name, new, self._will)
        label = name if name in table.children else str(table.model._meta.get_field(name).verbose_name)
        return Difference(label, *shortened(before, after))

    def _value(self, table: Table, name: str, value: Any, first: Mapping[str, Mapping[str, str]]) -> str:
        if name in table.refs:
            return self._named(table.refs[name], value, first)
        if name in table.children:
            return self._children(table, name, value, first)
        return shown(table.model._meta.get_field(name), value, self.zone)

    def _named(self, part: str, key: str, first: Mapping[str, Mapping[str, str]] | None = None) -> str:
        """A row by its name: as it was before the import or will be after, whichever is asked for first."""
        names = [first or self._was, self._was, self._will]
        return next((found for it in names if (found := it[part].get(key) if part in it else None)), key) if key else ""

    def _children(self, table: Table, name: str, items: Iterable[Any], first: Mapping[str, Mapping[str, str]]) -> str:
        child = table.children[name]
        return ", ".join(self._child(dict(zip(child.fields, it, strict=True)), child.refs, first) for it in items)

    def _child(self, said: dict[str, Any], refs: Mapping[str, str], first: Mapping[str, Mapping[str, str]]) -> str:
        if "points" in said:
            placed = [self._named(part, said[name], first) for name, part in refs.items()]
            return said["label"] or "".join(placed) or str(said["points"])
        if not refs:
            kind = dict(LinkKind.choices).get(said.get("kind", ""), "")
            return f"{kind}: {said['url']}" if "url" in said else str(said.get("instruction", ""))
        name = self._named("people", said["person"], first)
        role = said.get("role", Role.SPEAKER)
        more = [str(dict(Role.choices).get(role, role)).lower()] if role != Role.SPEAKER else []
        more += ["remote"] if said.get("remote") else []
        return f"{name} ({', '.join(more)})" if more else name


def differences_of(model: Any, values: Mapping[str, tuple[Any, Any]], zone: ZoneInfo) -> tuple[Difference, ...]:
    """The same for a row that refers to nothing."""
    fields = {name: model._meta.get_field(name) for name in values}
    told = {
        name: shortened(shown(fields[name], old, zone), shown(fields[name], new, zone)) for name, (old, new) in values.items()
    }
    return tuple(Difference(str(fields[name].verbose_name), *texts) for name, texts in told.items())


def shown(field: models.Field[Any, Any], value: Any, zone: ZoneInfo) -> str:
    """One plain value; "" where there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    choices = dict(field.flatchoices)
    if value in choices:
        return str(choices[value]).partition(":")[0]
    return _moment(value, zone)


def _moment(value: Any, zone: ZoneInfo) -> str:
    if isinstance(value, dt.datetime):
        local = value.astimezone(zone)
        return f"{local:%a} {local.day} {local:%B %Y}, {local:%H:%M}"
    if isinstance(value, dt.date):
        return f"{value:%a} {value.day} {value:%B %Y}"
    return "" if value is None else str(as_json(value))


def shortened(old: str, new: str) -> tuple[str, str]:
    """Two texts, long ones from shortly before where they part."""
    if max(len(old), len(new)) <= LONGEST:
        return old, new
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - BEFORE)
    return _cut(old, start), _cut(new, start)


def _cut(text: str, start: int) -> str:
    shown = ("…" if start and text else "") + text[start : start + LONGEST]
    return shown + ("…" if len(text) > start + LONGEST else "")
