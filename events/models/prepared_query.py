"""Queries whose SQL is composed once in each process, for the few that nearly every request asks.

Django takes ten times as long to compose a query for one row as SQLite takes to answer it. What a prepared query does
is private to Django and may change with any version: tests/models/test_prepared_query.py says which one it was proven on.
"""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, TypeVarTuple, cast
from uuid import UUID

from django.db import connections
from django.db.models import CharField, DateTimeField, Field, IntegerField, QuerySet, UUIDField, Value
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=object)
Values = TypeVarTuple("Values")
# What values may be, and how they are stored.
FIELDS: dict[type, Field[Any, Any]] = {dt.datetime: DateTimeField(), int: IntegerField(), str: CharField(), UUID: UUIDField()}


def prepared(compose: Callable[[*Values], QuerySet[Any, Row]]) -> PreparedQuery[Row, *Values]:
    """Decorate a function that makes a queryset from values; calling it runs the query and returns a list of rows.

    The function is called once, with placeholders: it may only compare with its values, which are never None or lists.
    Nothing is prefetched.
    """
    return PreparedQuery(compose)


class PreparedQuery(Generic[Row, *Values]):
    def __init__(self, compose: Callable[[*Values], QuerySet[Any, Row]]) -> None:
        self.compose = compose

    def __call__(self, *values: *Values) -> list[Row]:
        queryset, using, compiler, sql, parameters = self._composed
        copy = object.__new__(type(compiler))
        # Every thread has a connection of its own.
        connection = connections[using]
        copy.__dict__ |= compiler.__dict__
        copy.connection = connection
        filled = [it.filled(values, connection) if isinstance(it, Placeholder) else it for it in parameters]
        setattr(copy, "as_sql", lambda: (sql, filled))  # noqa: B010
        rows: QuerySet[Any, Row] = QuerySet(queryset.model, cast(Any, _Query(copy)), using)
        rows._iterable_class = queryset._iterable_class
        return list(rows)

    def first(self, *values: *Values) -> Row | None:
        return next(iter(self(*values)), None)

    @cached_property
    def _composed(self) -> tuple[QuerySet[Any, Row], str, SQLCompiler, str, Sequence[Any]]:
        count = len(inspect.signature(self.compose).parameters)
        queryset = self.compose(*cast(Any, [Placeholder(place) for place in range(count)]))
        compiler = queryset.query.get_compiler(queryset.db)
        sql, parameters = compiler.as_sql()
        # Every answer has the same columns: how each becomes a value is worked out once.
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        setattr(compiler, "get_converters", lambda _: converters)  # noqa: B010
        return queryset, queryset.db, compiler, sql, parameters


class Placeholder(Value):
    """Stands for the value at its place, and becomes a parameter of the SQL."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]

    def filled(self, values: Sequence[Any], connection: Any) -> Any:
        """The value as the field of its type stores it."""
        value = values[self.value]
        return FIELDS[type(value)].get_db_prep_value(value, connection)


@dataclass(frozen=True)
class _Query:
    """What a QuerySet needs of its query to fetch rows."""

    compiler: SQLCompiler

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler
