"""Queries composed once: for one that finds a row by its key, composing takes several times as long as the answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar, TypeVarTuple, cast

from django.db import connections
from django.db.models import Field, QuerySet, Value
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")
Values = TypeVarTuple("Values")
# These rows, and what their fields shall be.
Update: TypeAlias = tuple[QuerySet[Any], dict[str, Any]]
# The length of each value that is a list.
Shape: TypeAlias = tuple[int | None, ...]
LONGEST = 64
_FIELDS: dict[type, Field[Any, Any] | None] = {}


def prepared(compose: Callable[[*Values], QuerySet[Any, Row]]) -> Prepared[Row, *Values]:
    """Decorate what composes a query from values; called with values, it asks that query and gives the rows.

    It is composed once in each process, so it may compare with the values (never None) and look at nothing else.
    A value may be a list to look up ``in`` ("session__pk__in", not "session__in"): in an empty one nothing is found, and
    nothing is asked. What it prefetches is not fetched.
    """
    return Prepared(compose)


def prepared_update(compose: Callable[[*Values], Update]) -> PreparedUpdate[*Values]:
    """The same for an update; called with values, it is made, and says of how many rows."""
    return PreparedUpdate(compose)


class Prepared(Generic[Row, *Values]):
    def __init__(self, compose: Callable[[*Values], QuerySet[Any, Row]]) -> None:
        self.compose = compose
        self._composed: dict[Shape, tuple[QuerySet[Any, Row], Statement]] = {}

    def __call__(self, *values: *Values) -> list[Row]:
        lengths = [len(it) for it in values if isinstance(it, list)]
        if 0 in lengths:
            return []
        if any(it > LONGEST for it in lengths):
            return list(self.compose(*values))
        return self._rows([_padded(it) for it in values])

    def first(self, *values: *Values) -> Row | None:
        return next(iter(self(*values)), None)

    def _rows(self, values: Sequence[object]) -> list[Row]:
        queryset, statement = self._statement(_shape(values))
        compiler, parameters = statement.with_values(values)
        setattr(compiler, "as_sql", lambda: (statement.sql, parameters))  # noqa: B010
        asked: QuerySet[Any, Row] = QuerySet(queryset.model, cast(Any, _Asked(compiler)), queryset.db)
        asked._iterable_class = queryset._iterable_class
        return list(asked)

    def _statement(self, shape: Shape) -> tuple[QuerySet[Any, Row], Statement]:
        if shape not in self._composed:
            queryset = self.compose(*_holes_of(shape))
            statement = Statement.of(queryset.query, queryset.db)
            statement.read_alike()
            self._composed[shape] = queryset, statement
        return self._composed[shape]


class PreparedUpdate(Generic[*Values]):
    def __init__(self, compose: Callable[[*Values], Update]) -> None:
        self.compose = compose

    def __call__(self, *values: *Values) -> int:
        compiler, parameters = self._statement.with_values(values)
        with compiler.connection.cursor() as cursor:
            cursor.execute(self._statement.sql, parameters)
            return int(cursor.rowcount)

    @cached_property
    def _statement(self) -> Statement:
        rows, changes = self.compose(*_holes_of([None] * len(inspect.signature(self.compose).parameters)))
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        return Statement.of(query, rows.db)


class _Hole(Value):
    """Where a value will stand: its place among the values, and in a list its place there, instead of it."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]

    def filled(self, values: Sequence[object], compiler: SQLCompiler) -> Any:
        """The value, as this database takes it."""
        place, inside = self.value
        value: Any = values[place]
        return _stored(value if inside is None else value[inside], compiler.connection)


def _stored(value: Any, connection: Any) -> Any:
    """As the field of its type would keep it."""
    kind = type(value)
    if kind not in _FIELDS:
        _FIELDS[kind] = getattr(Value(value), "_output_field_or_none")  # noqa: B009
    field = _FIELDS[kind]
    return field.get_db_prep_value(value, connection) if field else value


def _holes_of(shape: Sequence[int | None]) -> Any:
    return [
        _Hole((place, None)) if length is None else [_Hole((place, inside)) for inside in range(length)]
        for place, length in enumerate(shape)
    ]


def _shape(values: Sequence[object]) -> Shape:
    return tuple(len(it) if isinstance(it, list) else None for it in values)


def _padded(value: object) -> object:
    """A list, as long as the next power of two, so that few lengths come to be composed; in a list twice is as good as once."""
    if not isinstance(value, list):
        return value
    length = 1 << (len(value) - 1).bit_length()
    return value + value[-1:] * (length - len(value))


@dataclass(frozen=True)
class Statement:
    """A query as SQL, and what tells values to the database and rows from its answer."""

    using: str
    compiler: SQLCompiler
    sql: str
    parameters: Sequence[Any]

    @classmethod
    def of(cls, query: Any, using: str) -> Statement:
        compiler = query.get_compiler(using)
        return cls(using, compiler, *compiler.as_sql())

    def read_alike(self) -> None:
        """Every answer has the same columns: how each becomes a value is found out once."""
        columns = [it[0] for it in self.compiler.select[: self.compiler.col_count]]
        converters = self.compiler.get_converters(columns)
        setattr(self.compiler, "get_converters", lambda _: converters)  # noqa: B010

    def with_values(self, values: Sequence[object]) -> tuple[SQLCompiler, list[Any]]:
        compiler = object.__new__(type(self.compiler))
        compiler.__dict__ |= self.compiler.__dict__
        # Every thread has a connection of its own.
        compiler.connection = connections[self.using]
        return compiler, [it.filled(values, compiler) if isinstance(it, _Hole) else it for it in self.parameters]


@dataclass(frozen=True)
class _Asked:
    """All that a QuerySet wants of its query when it fetches its rows."""

    compiler: SQLCompiler

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler
