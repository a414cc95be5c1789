"""A sheet compares the rows of one list and conference with a file, and writes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.text import Truncator
from simple_history.utils import bulk_create_with_history, get_history_manager_for_model

from events.admin.spreadsheets.columns import Column, LinkPart, SheetPeople, normalized_name
from events.admin.spreadsheets.tables import CellValues, TableRow
from events.core.db.fields import SortKeyField
from events.core.db.writing import update_rows
from events.core.parsing.cells import quoted
from events.imports.sync.edits import TABLES, edits_of
from events.imports.sync.engine import IMPORT_TITLE
from events.imports.sync.plan_rows import StoredRow, stored_rows
from events.imports.sync.report import ImportDifference, ReportLine, difference_groups
from events.imports.sync.tables import SYNC_TABLES, SyncTable
from events.programme.models.changes import ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference
from events.programme.models.papers import Link
from events.programme.models.publishing import SNAPSHOT_FIELDS

MAX_PREVIEW_VALUE_CHARS = 300
"""Characters of a value in the preview."""
STORE_BATCH_ROWS = 400


# No column sets these: they are written when changes are recorded, and by imports.
UNWRITTEN_FIELDS = {*SNAPSHOT_FIELDS, "guid", "conference", "created_at", "imported", "source", "source_key"}


# For more rows, checking every event is faster than filtering by key.
MAX_ROWS_IN_FILTER = 1000


class MistakesError(ValueError):
    """All mistakes of a file, in sentences; nothing was written."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("; ".join(sentences[:3]))
        self.sentences = list(sentences)


class ChildColumn(NamedTuple):
    """Related rows that one cell lists: their foreign key to the row, and how they are built."""

    column: str
    owner: models.ForeignKey[Any, Any]
    build: Callable[[Any], Sequence[models.Model]]


@dataclass
class PlannedRow:
    """A row of the file, the database row it means, the parsed values of cells that differ, and errors by column."""

    number: int
    cells: dict[str, str]
    row: Any = None
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    differences: tuple[ImportDifference, ...] = ()

    @property
    def is_new(self) -> bool:
        return self.row.pk is None


class Sheet(ABC):
    """``plan`` compares a file with the database and writes nothing; ``store`` writes the plan.

    A row of the file means the row of the conference with the same identifier, else the one of the same name, else a new one.
    """

    model: ClassVar[Any]
    noun: ClassVar[str]
    identifier: ClassVar[str] = "guid"
    title: ClassVar[str] = "name"

    def __init__(self, conference: Conference, user: Any) -> None:
        self.conference, self.user = conference, user
        self.people = SheetPeople(conference, user)
        self.columns = self.make_columns()

    # Defined by the sheet of each list; only the abstract ones must be.

    @abstractmethod
    def make_columns(self) -> list[Column]:
        """The columns in the order of the export, the identifier first."""

    @abstractmethod
    def stored(self) -> Any:
        """The rows of this list, with everything the columns show."""

    def attach(self, row: Any) -> None:  # noqa: B027 - optional
        """Set attributes that columns show but the row has no field for."""

    def complete(self, planned: PlannedRow) -> None:  # noqa: B027 - optional
        """Set what follows from several columns together."""

    def clashes(self, planned: Sequence[PlannedRow]) -> list[str]:
        """New clashes, in sentences."""
        return []

    def slot_changes(self, planned: Sequence[PlannedRow]) -> dict[int, dict[str, Any]]:
        """Days, hours, rooms, places and statuses of changed events by primary key, as those of an import."""
        return {}

    def slot_of(self, row: Any) -> str:
        """Day, hours and room of an event, in words."""
        return ""

    def is_room(self, text: str) -> bool:
        """Whether the text of a place is the name of one room."""
        return False

    def check_together(self, planned: Sequence[PlannedRow]) -> None:  # noqa: B027 - optional
        """Raise MistakesError for mistakes that concern several rows."""

    def row_match_key(self, row: Any) -> tuple[Any, ...]:
        """What tells a row from others of the same title."""
        return (normalized_name(getattr(row, self.title)),)

    def cells_match_key(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        return (normalized_name(cells.get(self.title, "")),)

    def unknown_identifier_hint(self, given: str) -> str:
        """What to do about an identifier that no row of this list has."""
        return f"empty the {self.identifier} to add it as a new one."

    def children(self) -> list[ChildColumn]:
        return []

    def link_children(self) -> ChildColumn:
        owner: Any = Link._meta.get_field(self.model._meta.concrete_model._meta.model_name)

        def build(row: Any) -> list[Link]:
            return [Link(**{owner.name: row}, position=place, **it._asdict()) for place, it in enumerate(row.named_links)]

        return ChildColumn("links", owner, build)

    def examples(self) -> list[dict[str, str]]:
        """Two rows for the template that import without a mistake. Raises MistakesError with what must be added first."""
        return []

    # Common to all sheets.

    @property
    def known_columns(self) -> list[str]:
        """Including ``key`` of seed files, which finds a row and is not stored."""
        return ["key", *(column.name for column in self.columns)]

    @property
    def template(self) -> tuple[CellValues, list[CellValues]]:
        """Headers and example rows of the template: all columns but the identifier, which new rows do not have."""
        headers = [column.name for column in self.columns[1:]]
        return headers, [[example.get(name, "") for name in headers] for example in self.examples()]

    def cells_of(self, row: Any) -> list[str | int]:
        self.attach(row)
        return [column.cell_value(row) for column in self.columns]

    def plan(self, rows: Sequence[TableRow]) -> list[PlannedRow]:
        """What each row of the file would do. Raises MistakesError with all mistakes."""
        if not {self.title, self.identifier} & rows[0].cells.keys():
            raise MistakesError([f"The file has neither a column “{self.title}” nor “{self.identifier}”: it must name its rows."])
        planned = [PlannedRow(*row) for row in rows]
        self.match(planned)
        for line in planned:
            if not line.errors:
                self.read_row(line)
        if mistakes := [f"Row {line.number}, {name}: {error}" for line in planned for name, error in line.errors.items()]:
            raise MistakesError(mistakes)
        self.check_together(planned)
        return planned

    def match(self, planned: Sequence[PlannedRow]) -> None:
        """Find the row that each row of the file means, or make a new one."""
        stored = list(self.stored())
        by_identifier = {str(getattr(row, self.identifier)): row for row in stored}
        by_source_key = {row.source_key: row for row in stored if row.source_key}
        taken = set()
        for line in planned:
            given = line.cells.get(self.identifier, "").lower()
            row = by_identifier.get(given) if given else by_source_key.get(line.cells.get("key", ""))
            if given and row is None:
                problem = f"{quoted(given)} is not a {self.noun} of {self.conference}: {self.unknown_identifier_hint(given)}"
                line.errors[self.identifier] = problem
            elif row is not None and row.pk in taken:
                line.errors[self.identifier] = "This row is the same as one above it: delete one."
            elif row is not None:
                taken.add(row.pk)
                line.row = row
        unmatched = [line for line in planned if line.row is None and not line.errors]
        self._match_names(unmatched, [row for row in stored if row.pk not in taken])

    def _match_names(self, planned: Sequence[PlannedRow], stored: Sequence[Any]) -> None:
        exact, loose = defaultdict(list), defaultdict(list)
        for row in stored:
            exact[self.row_match_key(row)].append(row)
            loose[normalized_name(getattr(row, self.title))].append(row)
        waiting: dict[str, list[PlannedRow]] = defaultdict(list)
        for line in planned:
            same, name = exact[self.cells_match_key(line.cells)], normalized_name(line.cells.get(self.title, ""))
            if len(same) == 1 and same[0] in loose[name]:
                line.row = same[0]
                loose[name].remove(line.row)
            else:
                waiting[name].append(line)
        for name, lines in waiting.items():
            rows = loose[name]
            for line in lines:
                if not rows:
                    line.row = self.model(conference=self.conference)
                elif len(rows) == len(lines) == 1:
                    line.row = rows[0]
                else:
                    line.errors[self.title] = (
                        f"{quoted(line.cells.get(self.title, ''))} may be any of several ({len(rows)} of {self.conference}, "
                        f"{len(lines)} in this file): fill in the column {self.identifier}, as the export does."
                    )

    def read_row(self, planned: PlannedRow) -> None:
        """Parse the cells that differ, set them on the row, and collect errors and differences."""
        row, cells = planned.row, planned.cells
        self.people.row = planned.number
        self.attach(row)
        before = {column.name: "" if planned.is_new else column.cell_value(row) for column in self.columns[1:]}
        for column in self.columns[1:]:
            name = column.name
            # Unchanged cells are not parsed: they may be less exact than the stored value.
            if name in cells and (planned.is_new or _normalized(cells[name]) != _normalized(before[name])):
                try:
                    planned.values[name] = column.cell.read(cells[name])
                    column.set(row, planned.values[name])
                except ValueError as error:
                    planned.errors[name] = str(error)
        if not cells.get(self.title, getattr(row, self.title)):
            planned.errors[self.title] = "It is empty: every row needs one."
        self.complete(planned)
        self._validate(planned)
        if not planned.errors:
            after = {column.name: column.cell_value(row) for column in self.columns[1:]}
            planned.differences = tuple(
                ImportDifference(name, _truncated(before[name]), _truncated(value))
                for name, value in after.items()
                if value != before[name]
            )

    def _validate(self, planned: PlannedRow) -> None:
        columns = {column.attribute or column.name: column.name for column in self.columns}
        relations = {field.name for field in self.model._meta.concrete_fields if field.is_relation}
        try:
            planned.row.clean_fields(exclude=relations | {"guid", "imported", "announced"})
        except ValidationError as error:
            for name, problems in error.message_dict.items():
                planned.errors.setdefault(columns.get(name, name), " ".join(problems))

    def report_line(self, planned: PlannedRow) -> ReportLine:
        verb, guid = ("created", "") if planned.is_new else ("changed", str(getattr(planned.row, "guid", "")))
        about = () if planned.is_new else difference_groups(it.field for it in planned.differences)
        title, place = _truncated(planned.row), self.slot_of(planned.row)
        return ReportLine(verb, title, self.noun, guid, planned.differences, f"row {planned.number}", place, about)

    def store(self, planned: Sequence[PlannedRow], reason: str, file_name: str) -> ChangeGroup | None:
        """Write new and changed rows, and record the changes of all as one entry; None if the file changes nothing."""
        written = [it for it in planned if it.is_new or it.differences]
        if not written:
            return None
        created, changed = [it.row for it in written if it.is_new], [it.row for it in written if not it.is_new]
        before = stored_rows(self.table, self.conference, [row.pk for row in changed])
        store_new(list(self.people.new.values()), self.user)
        self.store_rows(created, changed, reason)
        for column, owner, build in self.children():
            write_children([it.row for it in written if column in it.values], owner, build)
        log_import(self.user, created, changed, file_name)
        group = ChangeGroup.objects.create(
            conference=self.conference,
            kind=ChangeGroupKind.IMPORT,
            title=IMPORT_TITLE,
            note=reason,
            by=self.user.get_username(),
            edits=self._edits(before, [*before, *(row.pk for row in created)]) if self.can_be_undone(written) else {},
        )
        self.record_changes([*created, *changed], reason, group)
        return group

    @property
    def table(self) -> SyncTable:
        return next(it for it in SYNC_TABLES if it.model is self.model._meta.concrete_model)

    def can_be_undone(self, written: Sequence[PlannedRow]) -> bool:
        """Whether the tables of imports have every column that these rows change."""
        return True

    def _edits(self, before: Mapping[int, StoredRow], pks: Sequence[int]) -> dict[str, Any]:
        edits = {self.table.part: edits_of(self.table, before, stored_rows(self.table, self.conference, pks))}
        if new := [person.pk for person in self.people.new.values()]:
            people = TABLES["people"]
            edits[people.part] = edits_of(people, {}, stored_rows(people, self.conference, new))
        return edits

    def store_rows(self, created: list[Any], changed: list[Any], reason: str) -> None:
        store_new(created, self.user, reason)
        store_changed(changed, self.user, reason)

    def record_changes(self, rows: Sequence[Any], reason: str, group: ChangeGroup) -> None:
        self.conference.bump_revision()
        record_event_changes(self.conference, rows, self.model.event_paths, reason, group)


def link_parts(row: Any) -> list[LinkPart]:
    return [LinkPart(link.kind, link.url, link.title) for link in row.links.all()] if row.pk else []


def _normalized(value: Any) -> str:
    """Compare without line-end styles and surrounding spaces."""
    return str(value).replace("\r\n", "\n").replace("\r", "\n").strip()


def _truncated(value: Any) -> str:
    return Truncator(str(value)).chars(MAX_PREVIEW_VALUE_CHARS)


def store_new(rows: Sequence[Any], user: Any, reason: str = "") -> None:
    if rows:
        model, options = type(rows[0])._meta.concrete_model, {"default_user": user, "default_change_reason": reason[:100] or None}
        bulk_create_with_history(list(rows), model, batch_size=STORE_BATCH_ROWS, **options)


def store_changed(rows: Sequence[Any], user: Any, reason: str) -> None:
    if not rows:
        return
    model = type(rows[0])._meta.concrete_model
    columns = [it for it in model._meta.concrete_fields if not it.primary_key and it.name not in UNWRITTEN_FIELDS]
    for row in rows:
        for column in columns:
            if isinstance(column, SortKeyField):
                column.pre_save(row, add=False)
    update_rows(model, rows, [column.name for column in columns])
    history, options = get_history_manager_for_model(model), {"default_user": user, "default_change_reason": reason[:100] or None}
    history.bulk_history_create(rows, batch_size=STORE_BATCH_ROWS, update=True, **options)


def write_children(
    rows: Sequence[Any], owner: models.ForeignKey[Any, Any], build: Callable[[Any], Iterable[models.Model]]
) -> None:
    """Replace the related rows of these rows."""
    manager = owner.model._default_manager
    for first in range(0, len(rows), STORE_BATCH_ROWS):
        batch = rows[first : first + STORE_BATCH_ROWS]
        manager.filter(**{f"{owner.name}__in": [row.pk for row in batch]}).delete()
        manager.bulk_create([child for row in batch for child in build(row)], batch_size=STORE_BATCH_ROWS)


def log_import(user: Any, created: Sequence[Any], changed: Sequence[Any], file_name: str) -> None:
    for rows, flag in ((created, ADDITION), (changed, CHANGE)):
        if rows:
            LogEntry.objects.log_actions(user.pk, rows, flag, f"By the file {file_name[:150]}")


def record_event_changes(
    conference: Conference, rows: Sequence[Any], paths: Sequence[str], reason: str, group: ChangeGroup, *, quiet: bool = False
) -> None:
    """Record changes of the events that lead to these rows by one of ``paths``."""
    events: Any = conference.events.all()
    if len(rows) <= MAX_ROWS_IN_FILTER:
        keys = [row.pk for row in rows]
        shows = Q(*((f"{path}__in", keys) for path in paths), _connector=Q.OR)
        events = events.filter(pk__in=events.filter(shows).values("pk"))
    events.record_changes(reason=reason, quiet=quiet, group=group)
