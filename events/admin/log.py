"""Who changed what in the admin, for organisers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from events.admin.base.instants import InstantColumns
from events.admin.base.titles import PlainTitlesAdmin


class LogEntryAdmin(InstantColumns, PlainTitlesAdmin):
    """Read only: Django writes a row for each save, deletion and action. Field by field it is in the history of each row."""

    list_display = ("action_time", "user", "object_link", "content_type", "words")
    list_display_links = None
    list_filter = (
        "action_time",
        "action_flag",
        ("user", admin.RelatedOnlyFieldListFilter),
        ("content_type", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__username")
    date_hierarchy = "action_time"
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="what", ordering="object_repr")
    def object_link(self, entry: LogEntry) -> SafeString | str:
        url = None if entry.is_deletion() else entry.get_admin_url()
        return format_html('<a href="{}">{}</a>', url, entry.object_repr) if url else entry.object_repr

    @admin.display(description="change")
    def words(self, entry: LogEntry) -> str:
        return entry.get_change_message() or entry.get_action_flag_display()
