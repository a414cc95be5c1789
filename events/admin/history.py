"""Who changed which field of a row, newest first."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db import models

from events.admin.versions import Difference, differences
from events.models import Event, InvitedTalk, Session, Social

SHOWN = 200
WHAT = {"+": "Added", "~": "Changed", "-": "Deleted"}
SHARED: tuple[type[models.Model], ...] = (Event, Session, InvitedTalk, Social)


@dataclass(frozen=True)
class Revision:
    at: dt.datetime
    who: str
    what: str
    reason: str
    differences: list[Difference]


def revisions(row: Any) -> list[Revision]:
    """What the history of a row says; nothing for a model that has none."""
    manager = getattr(type(row), "history", None)
    if manager is None:
        return []
    # The related rows of all records come along: naming them below costs no query each.
    records = list(manager.filter(id=row.pk)._select_related_history_tracked_objs().select_related("history_user")[: SHOWN + 1])
    pairs = [*pairwise(records), *([(records[-1], None)] if records else [])][:SHOWN]
    return [_revision(record, before, type(row)) for record, before in pairs]


def _revision(record: Any, before: Any, model: type[models.Model]) -> Revision:
    return Revision(
        at=record.history_date,
        who=str(record.history_user or "an import or command"),
        what=WHAT[record.history_type],
        reason=record.history_change_reason or "",
        differences=differences(record, before, model) if before else [],
    )


def entries(row: models.Model) -> list[LogEntry]:
    """What was done to a row in the admin, inlines included, through whichever of its faces."""
    faces = SHARED if isinstance(row, Event) else (type(row),)
    names = [face._meta.model_name for face in faces]
    about = LogEntry.objects.filter(object_id=str(row.pk), content_type__app_label="events", content_type__model__in=names)
    return list(about.select_related("user").order_by("-action_time", "-pk")[:SHOWN])
