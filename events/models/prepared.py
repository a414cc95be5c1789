"""Queries composed once: for one that finds a row by its key, composing takes several times as long as the answer."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, TypeVarTuple, cast

from django.db import DatabaseError, connections
from django.db.models import QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

from events.models.readable import NO_VALUE, is_about_a_value

Row = TypeVar("Row")
Values = TypeVarTuple("Values")


def prepared(compose: Callable[[*Values], QuerySet[Any, Row]]) -> Prepared[Row, *Values]:
    """Decorate what composes a query from values; called with values, it asks that query and gives the rows.

    It is composed once in each process, so it may compare with the values (never None) and look at nothing else.
    What it prefetches is not fetched.
    """
    return Prepared(compose)


class Prepared(Generic[Row, *Values]):
    def __init__(self, compose: Callable[[*Values], QuerySet[Any, Row]]) -> None:
        self.compose = compose

    def __call__(self, *values: *Values) -> list[Row]:
        try:
            return self._statement.rows(values)
        except (*NO_VALUE, DatabaseError) as error:
            if not is_about_a_value(error):
                raise
            return list(self.compose(*values))

    def first(self, *values: *Values) -> Row | None:
        return next(iter(self(*values)), None)

    @cached_property
    def _statement(self) -> Statement[Row]:
        holes = cast(Any, [_Hole(place) for place, _ in enumerate(inspect.signature(self.compose).parameters)])
        return Statement.of(self.compose(*holes))


class _Hole(Value):
    """Where a value will stand: its place among the values, instead of it."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


@dataclass(frozen=True)
class Statement(Generic[Row]):
    """A query as SQL, and what makes rows of its answer."""

    queryset: QuerySet[Any, Row]
    compiler: SQLCompiler
    sql: str
    parameters: Sequence[Any]

    @classmethod
    def of(cls, queryset: QuerySet[Any, Row]) -> Statement[Row]:
        compiler = queryset.query.get_compiler(queryset.db)
        return cls(queryset, compiler, *compiler.as_sql())

    def rows(self, values: Sequence[object]) -> list[Row]:
        compiler = copy.copy(self.compiler)
        # Every thread has a connection of its own.
        compiler.connection = connections[self.queryset.db]
        sql = self.sql, [self._filled(it, values, compiler) for it in self.parameters]
        setattr(compiler, "as_sql", lambda: sql)  # noqa: B010
        asked: QuerySet[Any, Row] = QuerySet(self.queryset.model, cast(Any, _Asked(compiler)), self.queryset.db)
        asked._iterable_class = self.queryset._iterable_class
        return list(asked)

    def _filled(self, parameter: Any, values: Sequence[object], compiler: SQLCompiler) -> Any:
        if not isinstance(parameter, _Hole):
            return parameter
        _, (stored,) = Value(values[parameter.value]).as_sql(compiler, compiler.connection)
        return stored


@dataclass(frozen=True)
class _Asked:
    """All that a QuerySet wants of its query when it fetches its rows."""

    compiler: SQLCompiler

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler
