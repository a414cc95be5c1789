"""The row of the conference itself: planned, checked, written."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from events.imports.sync.merge import EMPTY_VALUES, three_way_merge
from events.imports.sync.report import (
    ROW_CHANGED,
    ROW_KEPT,
    Outdated,
    ReportLine,
    SyncError,
    SyncReport,
    UnknownConferenceError,
    difference_groups,
    differences_of,
)
from events.programme.data.schedule import ScheduleData
from events.programme.models.conference import Conference, ConferenceStatus

CONFERENCE_GROUPS = (("start", "end"), ("city", "country"))
"""Fields that are merged as one value, as those of a SyncTable."""


@dataclass
class ConferencePlan:
    """``row`` has its planned values, ``was`` the values that were read."""

    row: Conference
    is_new: bool
    writes: bool
    was: dict[str, Any] = field(default_factory=dict)

    def verify(self) -> None:
        """Lock the conference until the transaction ends; raise Outdated if it was changed or created since it was read."""
        locked = Conference.objects.select_for_update().filter(slug=self.row.slug).first()
        if (locked is None) != self.is_new or (locked and self.writes and _column_values(locked) != self.was):
            raise Outdated

    def write(self) -> None:
        if self.writes:
            self.row.save()


def plan_conference(
    schedule: ScheduleData, source: str, report: SyncReport, *, former: str = "", create: bool, publish: bool = False
) -> ConferencePlan:
    """Raise SyncError for an invalid value, or if the conference does not exist and may not be created."""
    data = schedule.conference
    stored = Conference.objects.filter(slug=data.slug).first()
    if stored is None and not create:
        raise UnknownConferenceError(data.slug)
    if stored and stored.source not in {"", source, former}:
        # Only the source that created a conference changes its fields.
        return ConferencePlan(stored, is_new=False, writes=False, was=_column_values(stored))
    row = stored or Conference(status=ConferenceStatus.PUBLISHED if publish else ConferenceStatus.DRAFT)
    was, name = (_column_values(row), str(row)) if stored else ({}, data.name)
    values, last = dataclasses.asdict(data), row.imported
    if row.source and _has_dates_of_days(schedule) and (row.source != source or "start" not in last):
        # Handed over now or before: its dates stay if this file has none.
        del values["start"], values["end"]
    if row.source and row.source != source:
        last = {name: value for name, value in last.items() if values.get(name) not in EMPTY_VALUES}
    # The defaults of a new row are not edits by hand.
    current = {column: getattr(row, column) for column in values} if stored else dict.fromkeys(values)
    merged = three_way_merge(last, values, current, CONFERENCE_GROUPS)
    changes = {column: (current[column], value) for column, value in merged.apply.items()} if stored else {}
    for verb, pairs in [(ROW_KEPT, merged.protected), (ROW_CHANGED, changes)]:
        if pairs:
            differences, about = differences_of(Conference, pairs, row.zone), difference_groups(pairs)
            report.lines.append(ReportLine(verb, name, "conference", differences=differences, about=about))
    if not merged.apply and merged.remembered == row.imported and row.source in {"", source}:
        return ConferencePlan(row, is_new=False, writes=False, was=was)
    for column, value in merged.apply.items():
        setattr(row, column, value)
    row.imported, row.source, row.source_key = merged.remembered, source, data.slug
    _check_conference(row)
    report.other_rows += bool(merged.apply)
    return ConferencePlan(row, is_new=stored is None, writes=True, was=was)


def _has_dates_of_days(schedule: ScheduleData) -> bool:
    """Whether the first and last day are those of the events, as in every file that names no dates of the conference."""
    dates = [day.date for day in schedule.days]
    return bool(dates) and (min(dates), max(dates)) == (schedule.conference.start, schedule.conference.end)


def _column_values(row: Conference) -> dict[str, Any]:
    """Of pictures their names, as they are stored."""
    fields = [field for field in Conference._meta.concrete_fields if field.name != "revision"]
    values = {field.attname: getattr(row, field.attname) for field in fields}
    return values | {field.attname: str(values[field.attname]) for field in fields if isinstance(field, models.FileField)}


def _check_conference(row: Conference) -> None:
    try:
        row.clean_fields()
        row.clean()
    except ValidationError as error:
        problems = "; ".join(f"conference, {name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        raise SyncError(problems) from error
    if row.end < row.start:
        raise SyncError(f"conference, end: the last day ({row.end}) is before the first ({row.start}).")
