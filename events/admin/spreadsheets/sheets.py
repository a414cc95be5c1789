"""A sheet: the rows of one list and conference, as django-import-export takes them in and hands them out."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.utils.text import Truncator
from import_export.resources import ModelResource
from import_export.results import Result, RowResult

from events.admin.spreadsheets.columns import Column
from events.admin.spreadsheets.names import folded
from events.admin.spreadsheets.people import People
from events.importers.cells import quoted
from events.models import Conference
from events.sync.report import Difference, Line

SHOWN = 300


class Sheet(ModelResource):
    """Read by import-export row by row; written by ``store`` once every row is known to be good.

    A row of the file is the row of the conference with the same identifier, else the one of the same name, else a new one.
    """

    identifier: ClassVar[str] = "guid"
    title: ClassVar[str] = "name"
    noun: ClassVar[str]

    class Meta:
        fields = ()
        use_transactions = True
        use_bulk = True
        batch_size = None
        skip_diff = True
        skip_unchanged = True
        report_skipped = True
        clean_model_instances = True

    def __init__(self, conference: Conference, user: Any, file_name: str = "") -> None:
        super().__init__()
        self.conference, self.user, self.file_name = conference, user, file_name
        self.people = People(conference, may_add=user.has_perm("events.add_person"))
        self.fields = {column.column_name: column for column in self.columns()}
        self.lines: list[Line] = []
        self.clashes: list[str] = []
        self.differences: list[Difference] = []
        self.before: dict[str, Any] = {}
        self.row = 0
        self.planned: dict[int, Any] = {}
        self.refused: dict[int, ValidationError] = {}

    # What each list says for itself.

    @abstractmethod
    def columns(self) -> list[Column]:
        """What each column of the list is called, and which field it is."""

    @abstractmethod
    def stored(self) -> Any:
        """The rows of this list, with what the columns show."""

    @abstractmethod
    def store(self, made: list[Any], changed: list[Any], reason: str) -> None:
        """Write new and changed rows, and tell attendees of all of it at once."""

    def complete(self, instance: Any, row: Mapping[str, str], errors: dict[str, str]) -> None:
        """What follows from several columns together."""

    def names_of(self, instance: Any) -> tuple[Any, ...]:
        """What tells a row from others of the same title."""
        return (folded(getattr(instance, self.title)),)

    def names_in(self, row: Mapping[str, str]) -> tuple[Any, ...]:
        return (folded(row.get(self.title, "")),)

    @property
    def known_columns(self) -> list[str]:
        """``key`` is what our seed files call a row: it finds the row again, and is not kept."""
        return ["key", *self.fields]

    def get_import_fields(self) -> list[Any]:
        return [field for field in self.fields.values() if field.column_name != self.identifier]

    def get_import_id_fields(self) -> list[str]:
        # Which row is meant is found out below; import-export asks no more.
        return ["id"]

    # Which row is meant.

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        rows = [dict(zip(dataset.headers, values, strict=True)) for values in dataset]
        if self.title not in dataset.headers and self.identifier not in dataset.headers:
            raise ValueError(f"The file has neither a column “{self.title}” nor “{self.identifier}”: it is to name its rows.")
        stored = list(self.stored())
        left = self._match_identifiers(rows, stored)
        found = {row.pk for row in self.planned.values()}
        self._match_names(rows, left, [row for row in stored if row.pk not in found])

    def _match_identifiers(self, rows: Sequence[Mapping[str, str]], stored: Sequence[Any]) -> list[int]:
        """Places of the rows that name no row by its identifier or key."""
        known = {str(getattr(row, self.identifier)): row for row in stored}
        keys = {row.source_key: row for row in stored if row.source_key}
        taken: dict[Any, int] = {}
        left = []
        for place, row in enumerate(rows, start=1):
            given, key = row.get(self.identifier, "").lower(), row.get("key", "")
            found = known.get(given) if given else keys.get(key)
            if given and found is None:
                self._refuse(
                    place, self.identifier, f"{quoted(given)} is no {self.noun} of {self.conference}: {self.elsewhere(given)}"
                )
            elif found is None:
                left.append(place)
            elif found.pk in taken:
                self._refuse(place, self.identifier, "This row means the same as one above it: delete one.")
            else:
                taken[found.pk] = place
                self.planned[place] = found
        return left

    def elsewhere(self, given: str) -> str:
        return f"empty the {self.identifier} to add it as a new one."

    def _match_names(self, rows: Sequence[Mapping[str, str]], left: Iterable[int], stored: Iterable[Any]) -> None:
        exact: dict[Any, list[Any]] = defaultdict(list)
        loose: dict[str, list[Any]] = defaultdict(list)
        for row in stored:
            exact[self.names_of(row)].append(row)
            loose[folded(getattr(row, self.title))].append(row)
        waiting: dict[str, list[int]] = defaultdict(list)
        for place in left:
            same, name = exact[self.names_in(rows[place - 1])], folded(rows[place - 1].get(self.title, ""))
            if len(same) == 1 and same[0] in loose[name]:
                self.planned[place] = same[0]
                loose[name].remove(same[0])
            else:
                waiting[name].append(place)
        for name, places in waiting.items():
            self._settle(rows, places, loose[name])

    def _settle(self, rows: Sequence[Mapping[str, str]], places: list[int], found: list[Any]) -> None:
        for place in places:
            title = rows[place - 1].get(self.title, "")
            if not found:
                self.planned[place] = self.init_instance()
            elif len(found) == len(places) == 1:
                self.planned[place] = found[0]
            else:
                words = (
                    f"{quoted(title)} may be any of several ({len(found)} of {self.conference}, {len(places)} in this file): "
                    f"say which by the column {self.identifier}, as the export does."
                )
                self._refuse(place, self.title, words)

    def _refuse(self, place: int, column: str, words: str) -> None:
        self.refused[place] = ValidationError({column: words})

    def init_instance(self, row: Any = None) -> Any:
        return self._meta.model(conference=self.conference)

    def before_import_row(self, row: Mapping[str, str], **kwargs: Any) -> None:
        place = kwargs["row_number"]
        self.row = self.people.row = kwargs["numbers"][place - 1]
        if place in self.refused:
            raise self.refused[place]
        self.instance = self.planned[place]

    def get_or_init_instance(self, instance_loader: Any, row: Any) -> tuple[Any, bool]:
        return self.instance, self.instance.pk is None

    def after_init_instance(self, instance: Any, new: bool, row: Any, **kwargs: Any) -> None:
        self.before = {} if new else self.values(instance)

    def values(self, instance: Any) -> dict[str, Any]:
        return {field.column_name: field.export(instance) for field in self.get_import_fields()}

    # What it says.

    def import_instance(self, instance: Any, row: Mapping[str, str], **kwargs: Any) -> None:
        errors: dict[str, str] = {}
        for field in self.get_import_fields():
            name = field.column_name
            # What a cell says already is not read anew: it may be less exact than what is stored.
            if name in row and (name not in self.before or _plain(row[name]) != _plain(self.before[name])):
                try:
                    self.import_field(field, instance, row, **kwargs)
                except ValueError as error:
                    errors[name] = str(error)
        if not row.get(self.title, getattr(instance, self.title)):
            errors[self.title] = "It is empty: every row needs one."
        self.complete(instance, row, errors)
        if errors:
            raise ValidationError(errors)

    def skip_row(self, instance: Any, original: Any, row: Any, import_validation_errors: Any = None) -> bool:
        if import_validation_errors:
            return False
        after = self.values(instance)
        self.differences = [
            Difference(name, _shown(self.before.get(name, "")), _shown(value))
            for name, value in after.items()
            if value != self.before.get(name, "")
        ]
        return instance.pk is not None and not self.differences

    def validate_instance(self, instance: Any, import_validation_errors: Any = None, validate_unique: bool = True) -> None:
        errors = dict(import_validation_errors or {})
        columns = {field.attribute: name for name, field in self.fields.items()}
        relations = {field.name for field in instance._meta.concrete_fields if field.is_relation}
        try:
            instance.clean_fields(exclude=relations | {"guid", "imported", "announced"})
        except ValidationError as error:
            for name, words in error.error_dict.items():
                errors.setdefault(columns.get(name, name), words)
        if errors:
            raise ValidationError(errors)

    def after_import_row(self, row: Any, row_result: RowResult, **kwargs: Any) -> None:
        if row_result.import_type == RowResult.IMPORT_TYPE_SKIP:
            return
        verb = "created" if row_result.is_new() else "changed"
        guid = str(getattr(self.instance, "guid", "")) if verb == "changed" else ""
        title = Truncator(str(self.instance)).chars(SHOWN)
        self.lines.append(Line(verb, title, self.noun, guid, tuple(self.differences), f"row {self.row}"))

    # Written at once, or not at all.

    def bulk_create(self, *args: Any, **kwargs: Any) -> None:
        """Nothing yet: a later row may be wrong."""

    def bulk_update(self, *args: Any, **kwargs: Any) -> None:
        """Nothing yet either."""

    def after_import(self, dataset: Any, result: Result, **kwargs: Any) -> None:
        if not result.has_errors() and not result.has_validation_errors():
            self.check_together()
            self.clashes = self.new_clashes()
            if kwargs["write"]:
                self.store(self.create_instances, self.update_instances, kwargs["reason"])

    def new_clashes(self) -> list[str]:
        """Rooms and people in two places at once, which are not now; in sentences."""
        return []

    def check_together(self) -> None:
        """What only shows when all rows are known; ValueError in words."""


def _plain(value: Any) -> str:
    """As files hold it, which end lines and cells in their own ways."""
    return str(value).replace("\r\n", "\n").replace("\r", "\n").strip()


def _shown(value: Any) -> str:
    return Truncator(str(value)).chars(SHOWN)
