"""Types of events, tracks and topics."""

from __future__ import annotations

from django.contrib import admin

from events.admin.base import HallwayAdmin
from events.models import EventType, Topic, Track


@admin.register(EventType)
class EventTypeAdmin(HallwayAdmin):
    list_display = ["name", "plural", "kind", "colour", "default_minutes", "position", "conference"]
    list_filter = ["conference", "kind"]
    search_fields = ["name", "plural"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "plural", "kind", "default_minutes", "colour", "icon", "position", "slug"]


@admin.register(Track)
class TrackAdmin(HallwayAdmin):
    list_display = ["name", "colour", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "colour", "position", "slug"]


@admin.register(Topic)
class TopicAdmin(HallwayAdmin):
    list_display = ["area", "subarea", "conference"]
    list_filter = ["conference"]
    search_fields = ["area", "subarea"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "area", "subarea"]
    fields = ["conference", "area", "subarea", "slug"]
