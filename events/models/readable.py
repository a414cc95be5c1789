"""Rows that can be read, without those so broken that they cannot: one that was put in past Django takes no page away."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any, Self, TypeVar

from django.db import DatabaseError, DataError, models

Row = TypeVar("Row", bound=models.Model)

# Text that is no text, a date that is no date, a moment after the last year: what databases and Django make of them.
NO_VALUE = (DataError, ValueError, OverflowError, AttributeError)

logger = logging.getLogger("events.rows")


class ReadableQuerySet(models.QuerySet[Row]):
    """Asks once; only when an answer cannot be read, halve by halve, which leaves out the broken row alone."""

    _strict = False

    def strict(self) -> Self:
        """For whoever must know of a row that cannot be read: it raises."""
        found = self.all()
        found._strict = True
        return found

    def _clone(self) -> Self:
        found: Self = super()._clone()  # type: ignore[misc]
        found._strict = self._strict
        return found

    def _fetch_all(self) -> None:
        try:
            super()._fetch_all()
        except (*NO_VALUE, DatabaseError) as error:
            # Rows that stand for several have no number of their own.
            if self._strict or not is_about_a_value(error) or self.query.group_by or self.query.combinator:
                raise
            self._result_cache = self._readable()
            super()._fetch_all()

    def _readable(self) -> list[Any]:
        pks = list(self.strict().values_list("pk", flat=True))
        rows = self.strict()
        rows.query.clear_limits()
        return _halves(rows, pks)


def is_about_a_value(error: Exception) -> bool:
    """And not a database that is busy, or gone."""
    return isinstance(error, NO_VALUE) or "decode" in str(error)


def _halves(rows: ReadableQuerySet[Any], pks: list[Any]) -> list[Any]:
    try:
        return list(rows.filter(pk__in=pks)) if pks else []
    except (*NO_VALUE, DatabaseError) as error:
        if not is_about_a_value(error):
            raise
        if len(pks) == 1:
            report(f"{rows.model.__name__} {pks[0]}", repr(error))
            return []
    middle = len(pks) // 2
    return _halves(rows, pks[:middle]) + _halves(rows, pks[middle:])


@lru_cache(maxsize=1000)
def report(row: str, problem: str) -> None:
    """Say it once in each process: pages are asked for all the time."""
    logger.error("%s cannot be read and is left out: %s", row, problem)
