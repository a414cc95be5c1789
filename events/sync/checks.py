"""Refuse in words what the database would refuse in its own, or would take and show to people."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from events.models import Event
from events.sync.report import SyncError


def check(row: Any, part: str) -> None:
    """Raise SyncError, naming the row, for a value that the row must not have."""
    clean(row, f"{part}, “{row.source_key}”")
    start, end = getattr(row, "start", None), getattr(row, "end", None)
    if isinstance(row, Event) and (bool(start) != bool(end) or (start and end and end <= start)):
        raise SyncError(f"events, “{row.source_key}”: it ends at {end} and starts at {start}; an event ends after it starts.")


def clean(row: Any, where: str) -> None:
    """The same for each field by itself, as a form would."""
    relations = {field.name for field in row._meta.concrete_fields if field.is_relation}
    try:
        row.clean_fields(exclude=relations)
    except ValidationError as error:
        told = "; ".join(f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        raise SyncError(f"{where}: {told}") from error
