"""The public changes as entries: one by itself, or many that were made at once and unfold."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q, QuerySet, Value, Window
from django.db.models.functions import RowNumber

from events.core.clock import Clock
from events.programme.models.changes import ChangeGroup, ChangeGroupKind, ChangeQuerySet
from events.programme.models.conference import Conference
from events.programme.models.labels import Status
from events.programme.queries.changes import ChangeLine, change_lines, public_changes

ENTRIES_PER_PAGE = 50
MAX_GROUP_LINES = 200
CHANGE_KINDS: dict[str, tuple[str, Q]] = {
    "new": ("New", Q(field="status", old="")),
    "moved": ("Moved", Q(field__in=["day", "start", "end", "room"])),
    "cancelled": ("Cancelled", Q(field="status", new=Status.CANCELLED)),
}


@dataclass(frozen=True)
class ChangeEntry:
    """``lines`` has one line without a group, and at most ``MAX_GROUP_LINES`` of the ``count`` of a group."""

    at: dt.datetime
    lines: list[ChangeLine]
    group: ChangeGroup | None = None
    count: int = 1

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


def change_entries(conference: Conference, kind: str, number: Any, clock: Clock) -> tuple[Page[Any], list[ChangeEntry]]:
    """Return a page of keys, newest first, and its entries; only those of ``kind``, if there is such a kind."""
    page = Paginator(_entry_keys(conference, kind), ENTRIES_PER_PAGE).get_page(number)
    return page, _entries(conference, kind, list(page), clock)


def latest_entries(conference: Conference, limit: int, clock: Clock) -> list[ChangeEntry]:
    return _entries(conference, "", list(_entry_keys(conference, "")[:limit]), clock)


def _changes(conference: Conference, kind: str) -> ChangeQuerySet:
    changes = public_changes(conference)
    return changes.filter(CHANGE_KINDS[kind][1]) if kind in CHANGE_KINDS else changes


def _entry_keys(conference: Conference, kind: str) -> QuerySet[Any, tuple[dt.datetime, int, str]]:
    alone = _changes(conference, kind).filter(group=None).select_related(None).order_by()
    groups = ChangeGroup.objects.filter(conference=conference, is_public=True).order_by()
    if kind in CHANGE_KINDS:
        groups = groups.filter(pk__in=_changes(conference, kind).select_related(None).order_by().values("group"))
    keys = alone.values_list("at", "pk", Value("line")).union(groups.values_list("at", "pk", Value("group")), all=True)
    return keys.order_by("-at", "-pk")


def _entries(conference: Conference, kind: str, keys: Sequence[tuple[dt.datetime, int, str]], clock: Clock) -> list[ChangeEntry]:
    alone = {
        change.pk: change for change in public_changes(conference).filter(pk__in=[pk for _, pk, what in keys if what == "line"])
    }
    lines = dict(zip(alone, change_lines(list(alone.values()), clock), strict=True))
    groups = _groups(conference, kind, [pk for _, pk, what in keys if what == "group"], clock)
    found = (groups.get(pk) if what == "group" else ChangeEntry(at, [lines[pk]]) for at, pk, what in keys)
    return [entry for entry in found if entry is not None]


@dataclass
class _Lines:
    shown: list[ChangeLine] = field(default_factory=list)
    count: int = 0


def _groups(conference: Conference, kind: str, pks: Collection[int], clock: Clock) -> dict[int, ChangeEntry]:
    if not pks:
        return {}
    changes = _changes(conference, kind).filter(group__in=pks)
    in_order = [
        F("event__day__date").asc(nulls_last=True),
        F("event__start").asc(nulls_last=True),
        F("event__title").asc(),
        F("pk").asc(),
    ]
    ranked = changes.annotate(rank=Window(RowNumber(), partition_by=F("group"), order_by=in_order))
    shown = list(ranked.filter(rank__lte=MAX_GROUP_LINES).order_by("group", "rank"))
    lines: dict[int, _Lines] = defaultdict(_Lines)
    for change, line in zip(shown, change_lines(shown, clock), strict=True):
        lines[change.group_id or 0].shown.append(line)
    for pk, count in changes.order_by().values_list("group").annotate(n=Count("pk")):
        lines[pk].count = count
    groups = ChangeGroup.objects.filter(pk__in=pks).defer("edits")
    return {group.pk: _group_entry(group, lines[group.pk]) for group in groups}


def _group_entry(group: ChangeGroup, lines: _Lines) -> ChangeEntry:
    """An action on one event, and its undo, read like any other edit. The note of an undo says what is gone."""
    is_edit = group.kind == ChangeGroupKind.ACTION or (group.kind == ChangeGroupKind.UNDO and not group.note)
    return ChangeEntry(group.at, lines.shown, None if is_edit and lines.count == 1 else group, lines.count)
