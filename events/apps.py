"""The app, and the groups and the search index it makes sure of after every migrate."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db import connection
from django.db.models.signals import post_migrate


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


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        from events.mail import seats  # noqa: F401, PLC0415 - whoever moves up on a list is written to

        post_migrate.connect(make_groups, sender=self)
        post_migrate.connect(make_search_index, sender=self)
