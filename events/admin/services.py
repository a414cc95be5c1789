"""Desks, lines and stands, with the hours at which they are open."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.event_forms import HoursForm
from events.models import Event, Service, Status


class HoursInline(HallwayInline):
    model = Event
    form = HoursForm
    fk_name = "service"
    fields = ["day", "start", "end", "title", "type", "status"]
    can_delete = False
    verbose_name = "opening hours"
    verbose_name_plural = "opening hours: none means always there"

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request).select_related("day", "conference", "type")
        return rows.in_order()


@admin.register(Service)
class ServiceAdmin(HallwayAdmin):
    list_display = ["name", "zone", "room", "place", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "place"]
    list_select_related = ["conference", "zone", "room"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["zone", "room"]
    fields = ["conference", "name", "icon", "description", "zone", "room", "place", "position"]
    inlines = [HoursInline]

    def holds_public(self, obj: Service) -> bool:
        return obj.hours.exclude(status=Status.DRAFT, sequence=0).exists()
