"""The app, and the groups it makes sure of after every migrate."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


def make_groups(**kwargs: Any) -> None:
    """Groups need permissions, which Django makes only after migrating: the one place a signal is the way."""
    from events.models.roles import ensure_groups  # noqa: PLC0415 - models cannot be imported while apps load

    ensure_groups()


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        post_migrate.connect(make_groups, sender=self)
