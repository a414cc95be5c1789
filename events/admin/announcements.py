"""Announcements, and the log of changes."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from events.admin.base.model_admin import HallwayAdmin
from events.programme.models.changes import Change


class AnnouncementAdmin(HallwayAdmin):
    list_display = ["title", "audience", "urgent", "starts_at", "until", "conference"]
    list_filter = ["conference", "audience", "urgent"]
    search_fields = ["title", "text"]
    list_select_related = ["conference"]
    date_hierarchy = "starts_at"
    ordering = ["-starts_at"]
    fields = ["conference", "title", "text", "audience", "urgent", "starts_at", "until"]


class ChangeAdmin(HallwayAdmin):
    """Read only: rows are written when events are saved."""

    list_display = ["at", "event", "field", "old", "new", "reason"]
    list_display_links = ["event"]
    list_filter = ["event__conference", "field"]
    search_fields = ["event__title", "reason"]
    list_select_related = ["event__conference"]
    date_hierarchy = "at"
    fields = ["event", "field", "old", "new", "reason", "at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Change | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
