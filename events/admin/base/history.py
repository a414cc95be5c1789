"""The history of a row, and what changed since its form was opened."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from django.contrib.admin.models import LogEntry
from django.db import models
from django.utils.text import Truncator, capfirst

from events.admin.base.instants import conference_of
from events.admin.base.times import instant_text
from events.admin.base.versions import digest
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social

# No form shows these, so that a change of them is no reason to refuse an edit.
UNVERSIONED_FIELDS = {"announced", "imported", "sequence", "revised_at", "created_at", "revision", "source", "source_key"}
MAX_COMPARED_RECORDS = 50
MAX_DIFFERENCE_CHARS = 120
MAX_HISTORY_ENTRIES = 200
HISTORY_TYPE_LABELS = {"+": "Added", "~": "Changed", "-": "Deleted"}
EVENT_MODELS: tuple[type[models.Model], ...] = (Event, Session, InvitedTalk, Social)


class FieldDifference(NamedTuple):
    label: str
    old: str
    """Empty if it is unknown."""
    new: str

    def __str__(self) -> str:
        return f"{self.label}: {self.old} → {self.new}" if self.old else f"{self.label} → {self.new}"


def versioned_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    left_out = UNVERSIONED_FIELDS | getattr(model, "quiet_fields", frozenset())
    return [field for field in model._meta.concrete_fields if field.name not in left_out]


def row_digest(row: Any, model: type[models.Model]) -> str:
    """A hash of the fields that a form can show; equal for a row and its record in the history."""
    return digest(getattr(row, field.attname) for field in versioned_fields(model))


def value_text(field: models.Field[Any, Any] | None, value: Any, conference: Conference | None) -> str:
    return Truncator(whole_value_text(field, value, conference)).chars(MAX_DIFFERENCE_CHARS)


def whole_value_text(field: models.Field[Any, Any] | None, value: Any, conference: Conference | None) -> str:
    """``field`` is None for a value that is no column of the row."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        return instant_text(value, conference)
    if field and field.choices:
        return str(dict(field.flatchoices).get(value, value)).partition(":")[0]
    return str(value)


def field_differences(new: Any, old: Any, row: models.Model) -> list[FieldDifference]:
    """Differences between two records of the history of a row, in the order of the fields."""
    conference = row if isinstance(row, Conference) else conference_of(row)
    changes = {change.field: change for change in new.diff_against(old, foreign_keys_are_objs=True).changes}
    return [
        FieldDifference(
            capfirst(str(field.verbose_name)), *(value_text(field, value, conference) for value in (change.old, change.new))
        )
        for field in versioned_fields(type(row))
        if (change := changes.get(field.name))
    ]


def edit_conflict_text(
    row: models.Model, opened: str, *, shown: Sequence[FieldDifference] = (), editors: Sequence[str] = ()
) -> str:
    """Who changed this row since its digest was ``opened``, and which fields.

    ``shown`` and ``editors`` say it where the row has no history.
    """
    model = type(row)
    manager = _history_manager(model)
    records = list(manager.filter(id=row.pk).select_related("history_user")[:MAX_COMPARED_RECORDS]) if manager else []
    names = [str(record.history_user or "an import") for record in _records_since(records, opened, model)]
    who = " and ".join(dict.fromkeys(names or editors)) or "somebody"
    seen = next((record for record in records if row_digest(record, model) == opened), None)
    what = "; ".join(map(str, field_differences(records[0], seen, row) if seen else shown))
    return f"{capfirst(who)} changed this after you opened it{f': {what}' if what else ''}."


def _history_manager(model: type[models.Model]) -> Any:
    return getattr(model, "history", None)


def _records_since(records: list[Any], opened: str, model: type[models.Model]) -> list[Any]:
    """The records made after the one with the digest ``opened``, oldest first; if it is not found, the newest only."""
    newer: list[Any] = []
    for record in records:
        if row_digest(record, model) == opened:
            return newer[::-1]
        newer.append(record)
    return records[:1]


@dataclass(frozen=True)
class HistoryEntry:
    at: dt.datetime
    who: str
    what: str
    reason: str
    differences: list[FieldDifference]


def history_entries(row: Any) -> list[HistoryEntry]:
    manager = getattr(type(row), "history", None)
    if manager is None:
        return []
    # Loads related rows with the records, so that naming them needs no query each.
    records = list(
        manager.filter(id=row.pk)._select_related_history_tracked_objs().select_related("history_user")[: MAX_HISTORY_ENTRIES + 1]
    )
    pairs = [*pairwise(records), *([(records[-1], None)] if records else [])][:MAX_HISTORY_ENTRIES]
    return [_history_entry(record, before, row) for record, before in pairs]


def _history_entry(record: Any, before: Any, row: models.Model) -> HistoryEntry:
    return HistoryEntry(
        at=record.history_date,
        who=str(record.history_user or "an import or command"),
        what=HISTORY_TYPE_LABELS[record.history_type],
        reason=record.history_change_reason or "",
        differences=field_differences(record, before, row) if before else [],
    )


def editors_since(rows: Sequence[models.Model], at: dt.datetime | None) -> list[str]:
    """Who saved one of these rows in the admin, the first one first."""
    entries = [it for row in rows for it in log_entries(row) if at and it.action_time >= at]
    return [str(entry.user) for entry in sorted(entries, key=lambda it: it.action_time)]


def log_entries(row: models.Model) -> list[LogEntry]:
    """The admin's log of a row, for an event of all its proxy models."""
    models_of_row = EVENT_MODELS if isinstance(row, Event) else (type(row),)
    names = [model._meta.model_name for model in models_of_row]
    entries = LogEntry.objects.filter(object_id=str(row.pk), content_type__app_label="events", content_type__model__in=names)
    return list(entries.select_related("user").order_by("-action_time", "-pk")[:MAX_HISTORY_ENTRIES])
