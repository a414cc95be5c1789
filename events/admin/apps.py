"""The app config of Django's admin, with our site and our models."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.admin.apps import AdminConfig


class HallwayAdminConfig(AdminConfig):
    default_site = "events.admin.site.HallwayAdminSite"

    def ready(self) -> None:
        super().ready()
        from events.admin.registry import register_models  # noqa: PLC0415 - models cannot be imported while apps load

        register_models(admin.site)
