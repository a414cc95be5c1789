"""The admin with a site of our own."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class HallwayAdminConfig(AdminConfig):
    default_site = "events.admin.site.HallwayAdminSite"

    def ready(self) -> None:
        super().ready()
        # Autodiscovery finds this package imported already, before there were models: its modules register here.
        import_module("events.admin.registry")
