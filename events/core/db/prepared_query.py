"""Queries whose SQL is composed once in each process, for the few that nearly every request needs.

Django takes ten times as long to compose a query for one row as SQLite takes to answer it. Prepared queries use private
parts of Django, which may change with any version: tests/core/db/test_prepared_query.py names the tested version.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, Generic, TypeVar, TypeVarTuple, cast
from uuid import UUID

from django.db import connections
from django.db.models import CharField, DateField, DateTimeField, Field, IntegerField, Model, QuerySet, UUIDField, Value
from django.db.models.sql.compiler import SQLCompiler

from events.core.fresh import nothing_is_kept

RowT = TypeVar("RowT", bound=object)
Values = TypeVarTuple("Values")
_Composed = tuple[QuerySet[Any, Any], str, SQLCompiler, str, Sequence[Any]]
# The possible types of values, with the fields that convert them for the database.
FIELD_BY_TYPE: dict[type, Field[Any, Any]] = {
    dt.date: DateField(),
    dt.datetime: DateTimeField(),
    int: IntegerField(),
    str: CharField(),
    UUID: UUIDField(),
}


KEY_COUNTS = (1, 2, 5, 10, 20)
"""Fewer keys are filled up with the last one: the database plans a statement for each number of keys, on each connection."""


def prepared(compose: Callable[[*Values], QuerySet[Any, RowT]]) -> PreparedQuery[RowT, *Values]:
    """Decorate a function that returns a queryset for its values; a call runs the query and returns a list of rows.

    The function is called with placeholders, once for each number of values: it may only compare columns with its values,
    which are never None or lists (``*keys`` for those of ``__in``, if there are few; a key may be repeated). Nothing is
    prefetched.
    """
    return PreparedQuery(compose)


class PreparedQuery(Generic[RowT, *Values]):
    def __init__(self, compose: Callable[[*Values], QuerySet[Any, RowT]]) -> None:
        self.compose = compose
        self._composed: dict[int, _Composed] = {}
        kinds = [parameter.kind for parameter in signature(compose).parameters.values()]
        self._single_values = len(kinds) - 1 if Parameter.VAR_POSITIONAL in kinds else None
        """How many values come before ``*keys``; None without keys."""

    def __call__(self, *given: *Values) -> list[RowT]:
        values = self._filled_up(given)
        count = len(values)
        if nothing_is_kept():
            composed = self._compose(count)
        else:
            if count not in self._composed:
                self._composed[count] = self._compose(count)
            composed = self._composed[count]
        queryset, using, compiler, sql, parameters = composed
        copy = object.__new__(type(compiler))
        # Each thread has its connection.
        connection = connections[using]
        copy.__dict__ |= compiler.__dict__
        copy.connection = connection
        filled = [value.filled(values, connection) if isinstance(value, QueryParameter) else value for value in parameters]
        setattr(copy, "as_sql", lambda: (sql, filled))  # noqa: B010
        rows: QuerySet[Any, RowT] = QuerySet(queryset.model, cast(Any, _CompiledQuery(copy)), using)
        rows._iterable_class = queryset._iterable_class
        return list(rows)

    def _filled_up(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        if self._single_values is None or not (keys := len(values) - self._single_values):
            return values
        missing = next((count - keys for count in KEY_COUNTS if count >= keys), 0)
        return values + values[-1:] * missing

    def first(self, *values: *Values) -> RowT | None:
        return next(iter(self(*values)), None)

    def _compose(self, count: int) -> _Composed:
        queryset = self.compose(*cast(Any, [QueryParameter(position) for position in range(count)]))
        compiler = queryset.query.get_compiler(queryset.db)
        sql, parameters = compiler.as_sql()
        # The columns are always the same, so their converters are looked up once.
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        setattr(compiler, "get_converters", lambda _: converters)  # noqa: B010
        return queryset, queryset.db, compiler, sql, parameters


def set_prefetched(row: Model, relation: str, related: list[Any]) -> None:
    """Give a row what ``prefetch_related`` would read, for example the rows of a prepared query, or none."""
    cache: dict[str, list[Any]] = row.__dict__.setdefault("_prefetched_objects_cache", {})
    cache[relation] = related


class QueryParameter(Value):
    """A placeholder for the value at its position, which becomes a parameter of the SQL."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]

    def filled(self, values: Sequence[Any], connection: Any) -> Any:
        value = values[self.value]
        return FIELD_BY_TYPE[type(value)].get_db_prep_value(value, connection)


@dataclass(frozen=True)
class _CompiledQuery:
    """The part of a Query that a QuerySet uses to fetch rows."""

    compiler: SQLCompiler

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler
