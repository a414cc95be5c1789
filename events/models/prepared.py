"""Queries composed once: for one that finds a row by its key, composing takes several times as long as the answer."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar, TypeVarTuple, cast

from django.db import DatabaseError, connections
from django.db.models import QuerySet, Value
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

from events.models.readable import NO_VALUE, is_about_a_value

Row = TypeVar("Row")
Values = TypeVarTuple("Values")
# These rows, and what their fields shall be.
Update: TypeAlias = tuple[QuerySet[Any], dict[str, Any]]


def prepared(compose: Callable[[*Values], QuerySet[Any, Row]]) -> Prepared[Row, *Values]:
    """Decorate what composes a query from values; called with values, it asks that query and gives the rows.

    It is composed once in each process, so it may compare with the values (never None) and look at nothing else.
    What it prefetches is not fetched.
    """
    return Prepared(compose)


def prepared_update(compose: Callable[[*Values], Update]) -> PreparedUpdate[*Values]:
    """The same for an update; called with values, it is made, and says of how many rows."""
    return PreparedUpdate(compose)


class Prepared(Generic[Row, *Values]):
    def __init__(self, compose: Callable[[*Values], QuerySet[Any, Row]]) -> None:
        self.compose = compose

    def __call__(self, *values: *Values) -> list[Row]:
        try:
            return self._rows(values)
        except (*NO_VALUE, DatabaseError) as error:
            if not is_about_a_value(error):
                raise
            return list(self.compose(*values))

    def first(self, *values: *Values) -> Row | None:
        return next(iter(self(*values)), None)

    def _rows(self, values: Sequence[object]) -> list[Row]:
        queryset, statement = self._composed
        compiler, parameters = statement.with_values(values)
        setattr(compiler, "as_sql", lambda: (statement.sql, parameters))  # noqa: B010
        asked: QuerySet[Any, Row] = QuerySet(queryset.model, cast(Any, _Asked(compiler)), queryset.db)
        asked._iterable_class = queryset._iterable_class
        return list(asked)

    @cached_property
    def _composed(self) -> tuple[QuerySet[Any, Row], Statement]:
        queryset = self.compose(*_holes_of(self.compose))
        return queryset, Statement.of(queryset.query, queryset.db)


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
        rows, changes = self.compose(*_holes_of(self.compose))
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        return Statement.of(query, rows.db)


class _Hole(Value):
    """Where a value will stand: its place among the values, instead of it."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]

    def filled(self, values: Sequence[object], compiler: SQLCompiler) -> Any:
        """The value, as this database takes it."""
        _, (stored,) = Value(values[self.value]).as_sql(compiler, compiler.connection)
        return stored


def _holes_of(compose: Callable[..., object]) -> Any:
    return [_Hole(place) for place, _ in enumerate(inspect.signature(compose).parameters)]


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

    def with_values(self, values: Sequence[object]) -> tuple[SQLCompiler, list[Any]]:
        compiler = copy.copy(self.compiler)
        # Every thread has a connection of its own.
        compiler.connection = connections[self.using]
        return compiler, [it.filled(values, compiler) if isinstance(it, _Hole) else it for it in self.parameters]


@dataclass(frozen=True)
class _Asked:
    """All that a QuerySet wants of its query when it fetches its rows."""

    compiler: SQLCompiler

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler
