"""What a file says of the conference itself."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from events.importers.data import ConferenceData
from events.models import Conference
from events.sync.merge import merge
from events.sync.report import CHANGED, KEPT, Line, Outdated, SyncError, SyncReport
from events.sync.words import differences_of


@dataclass
class ConferencePlan:
    """The row as it is to be; ``was`` are the values it was read with."""

    row: Conference
    is_new: bool
    writes: bool
    was: dict[str, Any] = field(default_factory=dict)

    def verify(self) -> None:
        """Hold the conference until the transaction ends; raises Outdated if somebody changed it, or made it, since."""
        held = Conference.objects.select_for_update().filter(slug=self.row.slug).first()
        if (held is None) != self.is_new or (held and self.writes and _values(held) != self.was):
            raise Outdated

    def write(self) -> None:
        if self.writes:
            self.row.save()


def plan_conference(data: ConferenceData, source: str, report: SyncReport, *, create: bool) -> ConferencePlan:
    """Raises SyncError when it is not there and may not be made, or for a value it cannot have."""
    stored = Conference.objects.filter(slug=data.slug).first()
    if stored is None and not create:
        raise SyncError(f"There is no conference “{data.slug}”: make it first, or allow the import to.")
    if stored and stored.source not in {"", source}:
        # What is said about it is for the source that brought it.
        return ConferencePlan(stored, is_new=False, writes=False, was=_values(stored))
    row = stored or Conference()
    was, name = (_values(row), str(row)) if stored else ({}, data.name)
    values = dataclasses.asdict(data)
    # A new row has nothing that a hand could have edited.
    current = {column: getattr(row, column) for column in values} if stored else dict.fromkeys(values)
    outcome = merge(row.imported, values, current)
    changes = {column: (current[column], value) for column, value in outcome.apply.items()} if stored else {}
    for verb, told in [(KEPT, outcome.kept), (CHANGED, changes)]:
        if told:
            report.lines.append(Line(verb, name, "conference", differences=differences_of(Conference, told, row.zone)))
    if not outcome.apply and outcome.remembered == row.imported:
        return ConferencePlan(row, is_new=False, writes=False, was=was)
    for column, value in outcome.apply.items():
        setattr(row, column, value)
    row.imported, row.source, row.source_key = outcome.remembered, source, data.slug
    _check(row)
    report.other_rows += bool(outcome.apply)
    return ConferencePlan(row, is_new=stored is None, writes=True, was=was)


def _values(row: Conference) -> dict[str, Any]:
    return {it.attname: getattr(row, it.attname) for it in Conference._meta.concrete_fields if it.name != "revision"}


def _check(row: Conference) -> None:
    try:
        row.clean_fields()
    except ValidationError as error:
        told = "; ".join(f"conference, {name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        raise SyncError(told) from error
    if row.end < row.start:
        raise SyncError(f"conference, end: the last day ({row.end}) is before the first ({row.start}).")
