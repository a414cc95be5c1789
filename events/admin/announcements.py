"""Announcements, and the log of changes."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from events.admin.base.forms import HallwayForm
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.times import instant_text
from events.programme.models.changes import Announcement, Change
from events.programme.queries.changes import MOMENT_FIELDS

MAX_ANNOUNCEMENT_CHARS = 2_000


class AnnouncementForm(HallwayForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "text" in self.fields:
            self.fields["text"].help_text = f"At most {MAX_ANNOUNCEMENT_CHARS:,} characters."

    def clean_text(self) -> str:
        """An urgent one stands unfolded above the overview. A longer one of an import can be changed otherwise."""
        text: str = self.cleaned_data["text"]
        if len(text) > MAX_ANNOUNCEMENT_CHARS and text != self.instance.text.strip():
            raise ValidationError(
                f"Write at most {MAX_ANNOUNCEMENT_CHARS:,} characters; this text has {len(text):,}. "
                "Put what is longer on a page of the menu, and link it."
            )
        return text


class AnnouncementAdmin(HallwayAdmin):
    form = AnnouncementForm
    list_display = ["title", "is_shown", "audience", "urgent", "starts_at", "until", "conference"]
    list_filter = ["conference", "audience", "urgent"]
    search_fields = ["title", "text"]
    list_select_related = ["conference"]
    date_hierarchy = "starts_at"
    ordering = ["-starts_at"]
    fields = ["conference", "title", "text", "audience", "urgent", "starts_at", "until"]

    @admin.display(description="now", ordering="until")
    def is_shown(self, announcement: Announcement) -> str:
        now = timezone.now()
        if announcement.is_over(now):
            return "over"
        return "shown" if announcement.has_started(now) else "later"

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.is_over(timezone.now()):
            ended = instant_text(obj.until, obj.conference)
            self.message_user(request, f"“{obj}” ended on {ended}: only the page of announcements has it.", messages.WARNING)


class ChangeAdmin(HallwayAdmin):
    """Read only: rows are written when events are saved."""

    list_display = ["at", "event", "field", "was", "becomes", "reason"]
    list_display_links = ["event"]
    list_filter = ["event__conference", "field"]
    search_fields = ["event__title", "reason"]
    list_select_related = ["event__conference"]
    date_hierarchy = "at"
    fields = ["event", "field", "was", "becomes", "reason", "at"]
    readonly_fields = ["was", "becomes"]

    @admin.display(description="old", ordering="old")
    def was(self, change: Change) -> str:
        return _value_text(change, change.old)

    @admin.display(description="new", ordering="new")
    def becomes(self, change: Change) -> str:
        return _value_text(change, change.new)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Change | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _value_text(change: Change, value: str) -> str:
    """Snapshots store moments as ISO 8601 in UTC."""
    is_moment = value and change.field in MOMENT_FIELDS
    return instant_text(dt.datetime.fromisoformat(value), change.event.conference) if is_moment else value
