"""The ways to the venue, leg by leg."""

from __future__ import annotations

from django.contrib import admin

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.filters import InUse
from events.models import Leg, Route, StartingPoint


class LegInline(HallwayInline):
    model = Leg
    template = "admin/edit_inline/stacked.html"
    fields = [
        ("position", "mode", "minutes"),
        "instruction",
        "sign",
        ("covered", "step_free", "gate_free"),
        ("photo", "photo_alt"),
    ]


@admin.register(StartingPoint)
class StartingPointAdmin(HallwayAdmin):
    list_display = ["name", "kind", "position", "conference"]
    list_filter = ["conference", "kind"]
    search_fields = ["name"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["conference", "name", "slug", "kind", "description", "position"]


@admin.register(Route)
class RouteAdmin(HallwayAdmin):
    list_display = ["title", "start", "zone", "checked_on", "position", "conference"]
    list_filter = ["conference", ("start", InUse), ("zone", InUse)]
    search_fields = ["title", "start__name", "zone__name"]
    list_select_related = ["conference", "start", "zone"]
    date_hierarchy = "checked_on"
    ordering = ["-conference__start", "start__position", "position"]
    autocomplete_fields = ["start", "zone"]
    fields = ["conference", "start", "zone", "title", "description", "checked_on", "position"]
    inlines = [LegInline]
