"""Many rows at once: new ones with their primary keys, their history, and rows that are deleted again.

Django's ``bulk_create`` composes an expression for every value and takes four times as long; ``writing.update_rows`` updates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from django.db import connection, models
from django.utils import timezone
from simple_history.utils import get_history_manager_for_model

PARAMETERS_PER_STATEMENT = 900
PKS_PER_STATEMENT = 500
"""Both are fewer than any database allows in one statement."""


def insert_rows(model: type[models.Model], rows: Sequence[Any]) -> None:
    """Insert rows that have no primary key, and give them one. References are taken from the columns (``room_id``).

    Without signals and history. The caller is in a transaction.
    """
    if not rows:
        return
    options: Any = model._meta
    for row, pk in zip(rows, _free_pks(model, len(rows)), strict=True):
        row.pk = pk
    quote, fields = connection.ops.quote_name, options.concrete_fields
    names = ", ".join(quote(field.column) for field in fields)
    # Names come from the model, values are parameters.
    statement = f"INSERT INTO {quote(options.db_table)} ({names}) VALUES "  # noqa: S608
    values = list(zip(*(_column_values(field, rows) for field in fields), strict=True))
    # Several rows in a statement: SQLite's full-text index writes to the disk after each statement that has triggers.
    step = max(1, PARAMETERS_PER_STATEMENT // len(fields))
    for start in range(0, len(values), step):
        some = values[start : start + step]
        _execute(statement + ", ".join([f"({_placeholders(fields)})"] * len(some)), [*chain.from_iterable(some)])


def _free_pks(model: type[models.Model], count: int) -> list[int]:
    options: Any = model._meta
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            cursor.execute(sequence, [options.db_table, options.pk.column, count])
            return [pk for (pk,) in cursor.fetchall()]
        # The last key that was ever used (AUTOINCREMENT): also that of a row that was deleted is not used again.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [options.db_table])
        (last,) = cursor.fetchone() or (0,)
    return list(range(last + 1, last + 1 + count))


def _column_values(field: Any, rows: Sequence[Any]) -> list[Any]:
    """Return what the database stores; most values are stored as they are."""
    plain = _plain_type(field)
    values: Iterator[Any]
    if type(field).pre_save is models.Field.pre_save:
        values = map(attrgetter(field.attname), rows)
    else:
        values = (field.pre_save(row, add=True) for row in rows)
    return [value if value is None or type(value) is plain else field.get_db_prep_save(value, connection) for value in values]


def _plain_type(field: Any) -> type | None:
    if isinstance(field, models.CharField | models.TextField):
        return str
    return int if isinstance(field, models.ForeignKey | models.IntegerField) else None


def insert_history(
    model: type[models.Model], rows: Sequence[Any], history_type: str, values: Mapping[str, Any] | None = None
) -> None:
    """Copy these stored rows to the history of their model: "+" for new ones, "~" for changed ones.

    ``values`` has columns in which the history differs from the rows.
    """
    if not rows:
        return
    history = get_history_manager_for_model(model).model
    user = history.get_default_history_user(rows[0])
    date = connection.ops.adapt_datetimefield_value(timezone.now())
    given = {**(values or {}), "history_date": date, "history_type": history_type, "history_user_id": user and user.pk}
    names = [field.column for field in history._meta.concrete_fields if not field.name.startswith("history_")]
    quote = connection.ops.quote_name
    copied = [quote(name) for name in names if name not in given]
    columns = ", ".join([*copied, *map(quote, given)])
    selected = ", ".join([*copied, *["%s"] * len(given)])
    for pks in _batches([row.pk for row in rows]):
        # Names come from the models, values are parameters.
        statement = (
            f"INSERT INTO {quote(history._meta.db_table)} ({columns}) SELECT {selected} "  # noqa: S608
            f"FROM {quote(model._meta.db_table)} WHERE id IN ({_placeholders(pks)}) ORDER BY id"
        )
        _execute(statement, [*given.values(), *pks])


def delete_rows(model: type[models.Model], column: str, pks: Sequence[int]) -> None:
    """Delete the rows with these keys in a column: without signals and history, and without asking who refers to them."""
    quote = connection.ops.quote_name
    for some in _batches(pks):
        table = quote(model._meta.db_table)
        _execute(f"DELETE FROM {table} WHERE {quote(column)} IN ({_placeholders(some)})", some)  # noqa: S608


def _batches(pks: Sequence[int]) -> Iterator[Sequence[int]]:
    return (pks[start : start + PKS_PER_STATEMENT] for start in range(0, len(pks), PKS_PER_STATEMENT))


def _placeholders(values: Sequence[object]) -> str:
    return ", ".join(["%s"] * len(values))


def _execute(statement: str, parameters: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
