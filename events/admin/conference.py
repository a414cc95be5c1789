"""Conferences and their days."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.programme_upload import ProgrammeUpload
from events.models import Conference, Day, Event, Fact, PastEdition, Status


class DayInline(HallwayInline):
    model = Day
    fields = ["date", "title", "note"]


class FactInline(HallwayInline):
    model = Fact
    fields = ["label", "value", "note", "source_url", "position"]


class PastEditionInline(HallwayInline):
    model = PastEdition
    fields = ["year", "place", "participants", "countries"]


def _what_clocks_show(conference: Conference, before: str) -> str:
    """Instants may have come from a file that said them rightly: they are not moved behind anybody's back."""
    noon = dt.datetime.combine(conference.start, dt.time(12), Conference(timezone=before).zone)
    now = noon.astimezone(conference.zone)
    return (
        f"No event moved: what was 12:00 by the old time zone is {now:%H:%M} by {conference.timezone}. "
        "Where the hours on the clock should have stayed, import the programme again or move the events."
    )


@admin.register(Conference)
class ConferenceAdmin(ProgrammeUpload, HallwayAdmin):
    change_list_template = "admin/conference_list.html"
    change_form_template = "admin/conference_form.html"
    list_display = ["name", "slug", "start", "end", "place", "timezone", "status"]
    list_filter = ["status", "series"]
    search_fields = ["name", "title", "slug", "city"]
    list_select_related = False
    prepopulated_fields = {"slug": ["name"]}
    inlines = [DayInline, FactInline, PastEditionInline]
    fieldsets = [
        (None, {"fields": ["name", "slug", "status", "title", "series", "edition"]}),
        ("When and where", {"fields": [("start", "end"), "timezone", ("city", "country")]}),
        ("Look and words", {"fields": ["colour", "url", "about"]}),
    ]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        # Addresses that people have shared stay.
        return {} if obj else dict(super().get_prepopulated_fields(request, obj))

    def save_model(self, request: HttpRequest, obj: Conference, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "timezone" in form.changed_data and obj.events.exclude(start=None).exists():
            self.message_user(request, _what_clocks_show(obj, form.initial["timezone"]), messages.WARNING)

    def holds_public(self, obj: Conference) -> bool:
        return Event.objects.filter(conference=obj).exclude(status=Status.DRAFT, sequence=0).exists()


@admin.register(Day)
class DayAdmin(HallwayAdmin):
    list_display = ["date", "title", "conference", "event_count"]
    list_filter = ["conference"]
    search_fields = ["title", "note", "date"]
    list_select_related = ["conference"]
    date_hierarchy = "date"
    ordering = ["-conference__start", "date"]
    fields = ["conference", "date", "title", "note"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(events_on_it=Count("events"))

    @admin.display(description="events", ordering="events_on_it")
    def event_count(self, day: Any) -> int:
        count: int = day.events_on_it
        return count
