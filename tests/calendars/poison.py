"""Rows that no form would take, written past Django: the one place with a database's own SQL."""

from __future__ import annotations

import datetime as dt

from django.db import connection

from events.models import Event


def end_before_start(event: Event) -> None:
    assert event.start
    _without_constraint('UPDATE events_event SET "end" = %s WHERE id = %s', [event.start - dt.timedelta(hours=1), event.pk])


def make_unreadable(event: Event) -> None:
    """A row that fails while it is read: half a surrogate pair as UTF-8, or a moment that Python's calendar lacks."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("UPDATE events_event SET abstract = CAST(x'EDA080' AS TEXT) WHERE id = %s", [event.pk])
        else:
            cursor.execute("UPDATE events_event SET created_at = 'infinity' WHERE id = %s", [event.pk])


def _without_constraint(statement: str, values: list[object]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute(statement, values)
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
        else:
            # The test's transaction takes this back when it ends.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE events_event DROP CONSTRAINT IF EXISTS event_ends_after_start")
            cursor.execute(statement, values)


def without_a_date(event: Event) -> None:
    """A start that is no moment: as text where SQLite takes any, as the end of time on PostgreSQL."""
    if connection.vendor == "sqlite":
        _without_constraint("UPDATE events_event SET start = '2025-02-31 09:00', \"end\" = 'soon' WHERE id = %s", [event.pk])
    else:
        _without_constraint("UPDATE events_event SET start = 'infinity', \"end\" = 'infinity' WHERE id = %s", [event.pk])


def without_a_revision(event: Event) -> None:
    """Revised at no moment at all."""
    moment = "9999-13-41 09:00:00" if connection.vendor == "sqlite" else "infinity"
    _without_constraint("UPDATE events_event SET revised_at = %s WHERE id = %s", [moment, event.pk])
