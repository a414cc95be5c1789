"""The app, and what it makes sure of after every migrate: groups, the search index, the hours on venues' clocks."""

from __future__ import annotations

import logging
from typing import Any

from django.apps import AppConfig
from django.db import connection
from django.db.models.signals import post_migrate

logger = logging.getLogger("events.clocks")


def make_groups(**kwargs: Any) -> None:
    """Groups need permissions, which Django makes only after migrating: the one place a signal is the way."""
    from events.models.roles import ensure_groups  # noqa: PLC0415 - models cannot be imported while apps load

    ensure_groups()


def make_search_index(**kwargs: Any) -> None:
    """A migration may have emptied it, or a restored backup may be older than the programme."""
    from events.models import Conference, SearchIndex  # noqa: PLC0415 - as above

    # Of a database that is only half migrated, the last migration makes the index.
    if SearchIndex._meta.db_table in connection.introspection.table_names():
        for conference in Conference.objects.values_list("pk", flat=True):
            SearchIndex.follow(conference)


def follow_time_zones(**kwargs: Any) -> None:
    """An update may have brought new time zone data, or a restored backup is older than those."""
    from events.models import Conference  # noqa: PLC0415 - as above

    # Of a database that is only half migrated, the last migration follows them.
    if has_table_of(Conference):
        for conference in Conference.objects.all():
            follow_zone(conference)


def has_table_of(model: Any) -> bool:
    """Whether the table is there, with all its columns."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return False
        columns = {it.name for it in connection.introspection.get_table_description(cursor, table)}
    return {field.column for field in model._meta.concrete_fields} <= columns


def follow_zone(conference: Any) -> None:
    try:
        conference.follow_zone()
    except Exception:
        # A row that cannot be moved must not keep the service from starting: nothing of this conference moved.
        logger.exception("The times of %s could not follow its time zone", conference)


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        from events.mail import seats  # noqa: F401, PLC0415 - whoever moves up on a list is written to

        post_migrate.connect(make_groups, sender=self)
        post_migrate.connect(follow_time_zones, sender=self)
        post_migrate.connect(make_search_index, sender=self)
