"""The rows of a file in the database: with their history, their lines in the log, and one announcement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.db import models
from django.db.models import Q
from simple_history.utils import bulk_create_with_history, get_history_manager_for_model

from events.models import Conference
from events.models.announcing import ANNOUNCED_FIELDS
from events.models.bulk import update_rows
from events.models.fields import SortKeyField

BATCH = 400
# What no column says: it is announce() and imports that write these.
NOT_WRITTEN = {*ANNOUNCED_FIELDS, "guid", "conference", "created_at", "imported", "source", "source_key"}
# Beyond this, looking at every event costs less than naming those that may differ.
NAMED_AT_ONCE = 1000


def store_new(rows: Sequence[Any], user: Any, reason: str = "") -> None:
    if rows:
        model, options = type(rows[0])._meta.concrete_model, {"default_user": user, "default_change_reason": reason[:100] or None}
        bulk_create_with_history(list(rows), model, batch_size=BATCH, **options)


def store_changed(rows: Sequence[Any], user: Any, reason: str) -> None:
    """Rows that differ from what is stored, each with its line in the history."""
    if not rows:
        return
    model = type(rows[0])._meta.concrete_model
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and field.name not in NOT_WRITTEN]
    for row in rows:
        for field in fields:
            if isinstance(field, SortKeyField):
                field.pre_save(row, add=False)
    update_rows(model, rows, [field.name for field in fields])
    history, options = get_history_manager_for_model(model), {"default_user": user, "default_change_reason": reason[:100] or None}
    history.bulk_history_create(rows, batch_size=BATCH, update=True, **options)


def write_children(
    rows: Sequence[Any], owner: models.ForeignKey[Any, Any], build: Callable[[Any], Iterable[models.Model]]
) -> None:
    """What belongs to each of these rows, in place of what did."""
    manager = owner.model._default_manager
    for first in range(0, len(rows), BATCH):
        some = rows[first : first + BATCH]
        manager.filter(**{f"{owner.name}__in": [row.pk for row in some]}).delete()
        manager.bulk_create([child for row in some for child in build(row)], batch_size=BATCH)


def log(user: Any, made: Sequence[Any], changed: Sequence[Any], file_name: str) -> None:
    """For each row's history page."""
    for rows, flag in ((made, ADDITION), (changed, CHANGE)):
        if rows:
            LogEntry.objects.log_actions(user.pk, rows, flag, f"By the file {file_name[:150]}")


def announce(conference: Conference, rows: Sequence[Any], paths: Sequence[str], reason: str, *, quiet: bool = False) -> None:
    """Tell attendees of the events that lead to these rows by one of ``paths``."""
    events: Any = conference.events.all()
    if len(rows) <= NAMED_AT_ONCE:
        keys = [row.pk for row in rows]
        shows = Q(*((f"{path}__in", keys) for path in paths), _connector=Q.OR)
        events = events.filter(pk__in=events.filter(shows).values("pk"))
    events.announce(reason=reason, quiet=quiet)
