"""Small comforts and where they are."""

from __future__ import annotations

from django.contrib import admin

from events.admin.base import HallwayAdmin
from events.models import Amenity


@admin.register(Amenity)
class AmenityAdmin(HallwayAdmin):
    list_display = ["name", "note", "event", "service", "room", "zone", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "note"]
    list_select_related = ["conference", "event", "service", "room", "zone"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["event", "service", "room", "zone"]
    fields = ["conference", "name", "note", "event", "service", "room", "zone", "position"]
