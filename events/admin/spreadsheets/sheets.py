"""A sheet: the rows of one list and conference, compared with a file and written from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import Truncator

from events.admin.spreadsheets import storing
from events.admin.spreadsheets.columns import Column, folded
from events.admin.spreadsheets.people import LinkPart, People
from events.admin.spreadsheets.tables import Row
from events.importers.cells import quoted
from events.models import Conference, Link
from events.sync.report import Difference, Line

SHOWN = 300
"""Characters of a value in the preview."""


class MistakesError(ValueError):
    """Every mistake of a file, in sentences; nothing of it was written."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("; ".join(sentences[:3]))
        self.sentences = list(sentences)


class Children(NamedTuple):
    """Rows of their own that one cell lists: the key they point back with, and how they are made."""

    column: str
    owner: models.ForeignKey[Any, Any]
    build: Callable[[Any], Sequence[models.Model]]


@dataclass
class Planned:
    """A row of the file, the database row it means, what its differing cells were read as, and what is wrong with them."""

    number: int
    cells: dict[str, str]
    row: Any = None
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()

    @property
    def is_new(self) -> bool:
        return self.row.pk is None


class Sheet:
    """``plan`` compares a file with the database by reading alone; ``store`` writes what was planned.

    A row of the file is the row of the conference with the same identifier, else the one of the same name, else a new one.
    """

    model: ClassVar[Any]
    noun: ClassVar[str]
    identifier: ClassVar[str] = "guid"
    title: ClassVar[str] = "name"

    def __init__(self, conference: Conference, user: Any) -> None:
        self.conference, self.user = conference, user
        self.people = People(conference, may_add=user.has_perm("events.add_person"))
        self.columns = self.make_columns()

    # What differs from list to list.

    def make_columns(self) -> list[Column]:
        """The columns of the list in their order, the identifier first."""
        raise NotImplementedError

    def stored(self) -> Any:
        """The rows of this list, with what the columns show."""
        raise NotImplementedError

    def attach(self, row: Any) -> None:
        """Set what columns show and the row has no field for."""

    def complete(self, planned: Planned) -> None:
        """Set what follows from several columns together."""

    def clashes(self, planned: Sequence[Planned]) -> list[str]:
        """Rooms and people that would be in two places at once and are not now, in sentences."""
        return []

    def check_together(self, planned: Sequence[Planned]) -> None:
        """Raise MistakesError for what only shows when all rows are known."""

    def names_of(self, row: Any) -> tuple[Any, ...]:
        """What tells a row from others of the same title."""
        return (folded(getattr(row, self.title)),)

    def names_in(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        return (folded(cells.get(self.title, "")),)

    def elsewhere(self, given: str) -> str:
        """What to do about an identifier that no row of this list has."""
        return f"empty the {self.identifier} to add it as a new one."

    def children(self) -> list[Children]:
        return []

    def link_children(self) -> Children:
        owner: Any = Link._meta.get_field(self.model._meta.concrete_model._meta.model_name)

        def build(row: Any) -> list[Link]:
            return [Link(**{owner.name: row}, position=place, **it._asdict()) for place, it in enumerate(row.named_links)]

        return Children("links", owner, build)

    # What all lists have in common.

    @property
    def known_columns(self) -> list[str]:
        """``key`` is what our seed files call a row: it finds the row again, and is not stored."""
        return ["key", *(column.name for column in self.columns)]

    def cells_of(self, row: Any) -> list[str | int]:
        self.attach(row)
        return [column.shown(row) for column in self.columns]

    def plan(self, rows: Sequence[Row]) -> list[Planned]:
        """What each row of the file would do; MistakesError with all that is wrong."""
        if not {self.title, self.identifier} & rows[0].cells.keys():
            raise MistakesError(
                [f"The file has neither a column “{self.title}” nor “{self.identifier}”: it is to name its rows."]
            )
        planned = [Planned(*row) for row in rows]
        self.match(planned)
        for it in planned:
            if not it.errors:
                self.read(it)
        if mistakes := [f"Row {it.number}, {name}: {words}" for it in planned for name, words in it.errors.items()]:
            raise MistakesError(mistakes)
        self.check_together(planned)
        return planned

    def match(self, planned: Sequence[Planned]) -> None:
        """Find the row that each row of the file means, or make a new one."""
        stored = list(self.stored())
        known = {str(getattr(row, self.identifier)): row for row in stored}
        keys = {row.source_key: row for row in stored if row.source_key}
        taken = set()
        for it in planned:
            given = it.cells.get(self.identifier, "").lower()
            found = known.get(given) if given else keys.get(it.cells.get("key", ""))
            if given and found is None:
                words = f"{quoted(given)} is no {self.noun} of {self.conference}: {self.elsewhere(given)}"
                it.errors[self.identifier] = words
            elif found is not None and found.pk in taken:
                it.errors[self.identifier] = "This row means the same as one above it: delete one."
            elif found is not None:
                taken.add(found.pk)
                it.row = found
        left = [it for it in planned if it.row is None and not it.errors]
        self._match_names(left, [row for row in stored if row.pk not in taken])

    def _match_names(self, planned: Sequence[Planned], stored: Sequence[Any]) -> None:
        exact, loose = defaultdict(list), defaultdict(list)
        for row in stored:
            exact[self.names_of(row)].append(row)
            loose[folded(getattr(row, self.title))].append(row)
        waiting: dict[str, list[Planned]] = defaultdict(list)
        for it in planned:
            same, name = exact[self.names_in(it.cells)], folded(it.cells.get(self.title, ""))
            if len(same) == 1 and same[0] in loose[name]:
                it.row = same[0]
                loose[name].remove(it.row)
            else:
                waiting[name].append(it)
        for name, some in waiting.items():
            found = loose[name]
            for it in some:
                if not found:
                    it.row = self.model(conference=self.conference)
                elif len(found) == len(some) == 1:
                    it.row = found[0]
                else:
                    it.errors[self.title] = (
                        f"{quoted(it.cells.get(self.title, ''))} may be any of several ({len(found)} of {self.conference}, "
                        f"{len(some)} in this file): say which by the column {self.identifier}, as the export does."
                    )

    def read(self, planned: Planned) -> None:
        """Set what the cells of a row say, and see what is wrong and what differs."""
        row, cells = planned.row, planned.cells
        self.people.row = planned.number
        self.attach(row)
        before = {column.name: "" if planned.is_new else column.shown(row) for column in self.columns[1:]}
        for column in self.columns[1:]:
            name = column.name
            # What a cell says already is not read anew: it may be less exact than what is stored.
            if name in cells and (planned.is_new or _plain(cells[name]) != _plain(before[name])):
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
            after = {column.name: column.shown(row) for column in self.columns[1:]}
            planned.differences = tuple(
                Difference(name, _short(before[name]), _short(value)) for name, value in after.items() if value != before[name]
            )

    def _validate(self, planned: Planned) -> None:
        columns = {column.attribute or column.name: column.name for column in self.columns}
        relations = {field.name for field in self.model._meta.concrete_fields if field.is_relation}
        try:
            planned.row.clean_fields(exclude=relations | {"guid", "imported", "announced"})
        except ValidationError as error:
            for name, words in error.message_dict.items():
                planned.errors.setdefault(columns.get(name, name), " ".join(words))

    def line(self, planned: Planned) -> Line:
        """How the preview shows a row that is new or differs."""
        verb, guid = ("created", "") if planned.is_new else ("changed", str(getattr(planned.row, "guid", "")))
        return Line(verb, _short(planned.row), self.noun, guid, planned.differences, f"row {planned.number}")

    def store(self, planned: Sequence[Planned], reason: str, file_name: str) -> None:
        """Write new and changed rows, and announce all of them at once."""
        written = [it for it in planned if it.is_new or it.differences]
        made, changed = [it.row for it in written if it.is_new], [it.row for it in written if not it.is_new]
        storing.store_new(list(self.people.new.values()), self.user)
        self.store_rows(made, changed, reason)
        for column, owner, build in self.children():
            storing.write_children([it.row for it in written if column in it.values], owner, build)
        storing.log(self.user, made, changed, file_name)
        self.announce([*made, *changed], reason)

    def store_rows(self, made: list[Any], changed: list[Any], reason: str) -> None:
        storing.store_new(made, self.user, reason)
        storing.store_changed(changed, self.user, reason)

    def announce(self, rows: Sequence[Any], reason: str) -> None:
        if rows:
            self.conference.bump()
            storing.announce(self.conference, rows, self.model.event_paths, reason)


def named_links(row: Any) -> list[LinkPart]:
    return [LinkPart(link.kind, link.url, link.title) for link in row.links.all()] if row.pk else []


def _plain(value: Any) -> str:
    """As files hold it, which end lines and cells in their own ways."""
    return str(value).replace("\r\n", "\n").replace("\r", "\n").strip()


def _short(value: Any) -> str:
    return Truncator(str(value)).chars(SHOWN)
