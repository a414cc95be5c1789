"""Titles of lists and forms as a person says them: “Rooms” and “Add a room”, not “Select room to change”."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.text import capfirst

from events.admin.base.prefill import with_article


class PlainTitlesAdmin(admin.ModelAdmin):
    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = {"title": capfirst(str(self.opts.verbose_name_plural)), **(extra_context or {})}
        return super().changelist_view(request, context)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        name, names = str(self.opts.verbose_name), str(self.opts.verbose_name_plural)
        title = {} if object_id else {"title": f"Add {name if name == names else with_article(name)}"}
        return super().changeform_view(request, object_id, form_url, {**title, **(extra_context or {})})
