"""Conferences, their days, types of events, tracks and topics."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count
from django.http import HttpRequest

from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.admin.numbers import ConferenceNumbersAdmin
from events.admin.programme.import_impact import import_impact
from events.admin.programme.steps import ConferenceStepsAdmin
from events.admin.uploads.programme import ProgrammeUploadAdmin
from events.programme.models.conference import Conference, ConferenceHost, Day, Fact, PastEdition
from events.programme.models.event import Event
from events.programme.models.labels import Status


class DayInline(HallwayInline):
    model = Day
    fields = ["date", "title", "note"]


class FactInline(HallwayInline):
    model = Fact
    fields = ["label", "value", "note", "source_url", "position"]


class HostInline(HallwayInline):
    model = ConferenceHost
    fields = ["name"]
    verbose_name_plural = "Host names that lead here"


class PastEditionInline(HallwayInline):
    model = PastEdition
    fields = ["year", "place", "participants", "countries"]


def _time_zone_warning(conference: Conference, before: str) -> str:
    """Instants are not moved: they may have been imported in the right zone already."""
    noon = dt.datetime.combine(conference.start, dt.time(12), Conference(timezone=before).zone)
    now = noon.astimezone(conference.zone)
    return (
        f"Events keep their moment: 12:00 in the old time zone is {now:%H:%M} in {conference.timezone}. "
        "To keep the times on the clock instead, import the programme again or move the events."
    )


class ConferenceAdmin(ProgrammeUploadAdmin, ConferenceNumbersAdmin, ConferenceStepsAdmin):
    change_list_template = "admin/conference_list.html"
    change_form_template = "admin/conference_form.html"
    list_display = ["name", "slug", "start", "end", "place", "timezone", "status"]
    list_filter = ["status", "series"]
    search_fields = ["name", "title", "slug", "city"]
    list_select_related = False
    prepopulated_fields = {"slug": ["name"]}
    inlines = [DayInline, FactInline, PastEditionInline, HostInline]
    fieldsets = [
        (None, {"fields": ["name", "slug", "title", "series", "edition"]}),
        ("When and where", {"fields": [("start", "end"), "timezone", ("city", "country")]}),
        ("Appearance and texts", {"fields": ["colour", "url", "about"]}),
    ]

    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        return import_impact(slot_changes)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Another address, which people have shared, and the step to the public have pages that show what they do."""
        return [*super().get_readonly_fields(request, obj), *(["slug"] if obj else [])]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        # The slug is in addresses that people have shared.
        return {} if obj else dict(super().get_prepopulated_fields(request, obj))

    def save_model(self, request: HttpRequest, obj: Conference, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "timezone" in form.changed_data and obj.events.exclude(start=None).exists():
            self.message_user(request, _time_zone_warning(obj, form.initial["timezone"]), messages.WARNING)

    def is_delete_protected(self, obj: Conference) -> bool:
        return Event.objects.filter(conference=obj).exclude(status=Status.DRAFT, sequence=0).exists()


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


class EventTypeAdmin(HallwayAdmin):
    list_display = ["name", "plural", "kind", "colour", "default_minutes", "position", "conference"]
    list_filter = ["conference", "kind"]
    search_fields = ["name", "plural"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "plural", "kind", "default_minutes", "colour", "icon", "position", "slug"]


class TrackAdmin(HallwayAdmin):
    list_display = ["name", "colour", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "colour", "position", "slug"]


class TopicAdmin(HallwayAdmin):
    list_display = ["area", "subarea", "conference"]
    list_filter = ["conference"]
    search_fields = ["area", "subarea"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "area", "subarea"]
    fields = ["conference", "area", "subarea", "slug"]
