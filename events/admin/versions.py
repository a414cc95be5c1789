"""What a row looked like when somebody opened its form, and who changed it since."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any, NamedTuple

from django.db import models
from django.db.models.fields.files import FieldFile
from django.utils import timezone
from django.utils.text import Truncator, capfirst

# What no form shows: a feed that was announced meanwhile is no reason to refuse somebody's typing.
UNSEEN = {"announced", "imported", "sequence", "revised_at", "created_at", "revision", "source", "source_key"}
LOOKED_BACK = 50
SHOWN = 120


class Difference(NamedTuple):
    label: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.label}: {self.old} → {self.new}"


def seen_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    unseen = UNSEEN | getattr(model, "quiet_fields", frozenset())
    return [field for field in model._meta.concrete_fields if field.name not in unseen]


def digest(row: Any, model: type[models.Model]) -> str:
    """A short sum of all that a form could show; a row of the history has the same one as the row it was."""
    values = [_plain(getattr(row, field.attname)) for field in seen_fields(model)]
    return hashlib.sha256("\x1f".join(values).encode("utf-8", "replace")).hexdigest()[:24]


def _plain(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, FieldFile):
        return value.name or ""
    return "" if value is None else str(value)


def words_for(field: models.Field[Any, Any], value: Any) -> str:
    """A value as organisers read it; times by the clock that is in force, which is the venue's."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        return f"{timezone.localtime(value):%d %b %Y %H:%M}"
    if field.choices:
        return str(dict(field.flatchoices).get(value, value)).partition(":")[0]
    return Truncator(str(value)).chars(SHOWN)


def differences(new: Any, old: Any, model: type[models.Model]) -> list[Difference]:
    """What differs between two rows of the history, in the order of the form."""
    changes = {change.field: change for change in new.diff_against(old, foreign_keys_are_objs=True).changes}
    return [
        Difference(capfirst(str(field.verbose_name)), *(words_for(field, value) for value in (change.old, change.new)))
        for field in seen_fields(model)
        if (change := changes.get(field.name))
    ]


def meanwhile(row: models.Model, opened: str) -> str:
    """Who changed this row since somebody opened a form on it, and what."""
    model = type(row)
    if _history(model) is None:
        return "Somebody changed this after you opened it."
    records = list(_history(model).filter(id=row.pk).select_related("history_user")[:LOOKED_BACK])
    if not records:
        return "Somebody changed this after you opened it."
    who = " and ".join(dict.fromkeys(str(r.history_user or "an import") for r in _since(records, opened, model)))
    then = next((r for r in records if digest(r, model) == opened), None)
    what = "; ".join(map(str, differences(records[0], then, model))) if then else ""
    return f"{capfirst(who)} changed this after you opened it{f': {what}' if what else ''}."


def _history(model: type[models.Model]) -> Any:
    return getattr(model, "history", None)


def _since(records: list[Any], opened: str, model: type[models.Model]) -> list[Any]:
    """The records made after the one that was opened, oldest first; the last one if that is forgotten."""
    newer: list[Any] = []
    for record in records:
        if digest(record, model) == opened:
            return newer[::-1]
        newer.append(record)
    return records[:1]
