"""What attendees were told of changes, to be read; and announcements, to be written."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.models import Announcement, Change


@admin.register(Announcement)
class AnnouncementAdmin(HallwayAdmin):
    list_display = ["title", "audience", "urgent", "starts_at", "until", "conference"]
    list_filter = ["conference", "audience", "urgent"]
    search_fields = ["title", "text"]
    list_select_related = ["conference"]
    date_hierarchy = "starts_at"
    ordering = ["-starts_at"]
    fields = ["conference", "title", "text", "audience", "urgent", "starts_at", "until"]


@admin.register(Change)
class ChangeAdmin(HallwayAdmin):
    """Written when events are saved; nobody rewrites what attendees were told."""

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
