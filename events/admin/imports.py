"""Imports there were: read, never edited or deleted."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.admin.previews import COUNTS, context_of
from events.models import ImportRun


@admin.register(ImportRun)
class ImportRunAdmin(HallwayAdmin):
    change_form_template = "admin/import_run.html"
    list_display = ["started_at", "file_name", "conference", "who", "format", "outcome", "told"]
    list_display_links = ["started_at", "file_name"]
    list_filter = ["conference", "outcome", "format"]
    search_fields = ["file_name", "user_name", "digest", "slug"]
    list_select_related = ["conference"]
    date_hierarchy = "started_at"
    ordering = ["-started_at", "-pk"]
    fields = ["conference", "who", ("started_at", "finished_at"), "file_name", ("size", "digest"), "format", "outcome", "reason"]
    readonly_fields = ["who"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ImportRun | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        # A list of a hundred needs no report of two thousand lines each.
        return rows if getattr(request.resolver_match, "kwargs", {}).get("object_id") else rows.defer("report")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        run = self.get_object(request, object_id)
        context = context_of(request, {name: getattr(run, name) for name in COUNTS}, run.report) if run else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @admin.display(description="who", ordering="user_name")
    def who(self, run: ImportRun) -> str:
        return run.user_name or "the command line"

    @admin.display(description="what")
    def told(self, run: ImportRun) -> str:
        return run.summary if run.outcome == "done" else run.reason[:120]
