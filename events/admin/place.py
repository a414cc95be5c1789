"""Venues, their zones and rooms, and how far they are apart."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.crowd import RoomPressure
from events.admin.filters import InUse
from events.admin.spreadsheets.other_sheets import RoomSheet
from events.admin.spreadsheets.pages import Spreadsheets
from events.models import CrowdReport, Room, RoomState, Venue, Walk, Zone
from events.queries.screens import address_of


def _report(state: RoomState) -> Callable[[admin.ModelAdmin[Room], HttpRequest, QuerySet[Room]], None]:
    """An action that says how full the chosen rooms are, as of now."""

    @admin.action(permissions=["change"], description=f"Report: {state.label.lower()}")
    def report(modeladmin: admin.ModelAdmin[Room], request: HttpRequest, rooms: QuerySet[Room]) -> None:
        told = [CrowdReport.say_as_staff(room, state).room for room in rooms]
        modeladmin.message_user(request, f"{state.label}, for the next 15 minutes: {', '.join(map(str, told))}.")

    report.__name__ = f"report_{state.value}"
    return report


report_open, report_filling, report_full = (_report(state) for state in RoomState)


class OnWalls(HallwayAdmin):
    """A place that a screen can be about."""

    readonly_fields = ["wall_screen"]

    @admin.display(description="wall screen")
    def wall_screen(self, place: Zone | Room) -> str:
        if not place.pk:
            return "There is one once this is saved."
        return format_html('<a href="{}">What a screen shows here now</a>', address_of(place))


class ZoneInline(HallwayInline):
    model = Zone
    fields = ["name", "letter", "off_site", "position"]
    show_change_link = True


class RoomInline(HallwayInline):
    model = Room
    fields = ["name", "floor", "capacity", "position"]
    show_change_link = True


@admin.register(Venue)
class VenueAdmin(HallwayAdmin):
    list_display = ["name", "address", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "address"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "name"]
    fields = ["conference", "name", "address", ("latitude", "longitude"), "url", "about", "transport"]
    inlines = [ZoneInline]


@admin.register(Zone)
class ZoneAdmin(OnWalls):
    list_display = ["name", "letter", "venue", "off_site", "position", "conference"]
    list_filter = ["conference", ("venue", InUse), "off_site"]
    search_fields = ["name", "venue__name"]
    list_select_related = ["conference", "venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["venue"]
    fields = ["conference", "venue", "name", "letter", "description", "off_site", "position", "wall_screen"]
    inlines = [RoomInline]


@admin.register(Room)
class RoomAdmin(RoomPressure, Spreadsheets, OnWalls):
    sheet = RoomSheet
    change_list_template = "admin/room_list.html"
    list_display = ["name", "zone", "floor", "capacity", "position", "conference"]
    list_filter = ["conference", ("zone", InUse)]
    search_fields = ["name", "zone__name", "floor"]
    list_select_related = ["conference", "zone__venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["zone"]
    fields = ["conference", "zone", "name", "floor", "capacity", "description", "position", "wall_screen"]
    actions = [report_open, report_filling, report_full]


@admin.register(Walk)
class WalkAdmin(HallwayAdmin):
    list_display = ["origin", "destination", "minutes", "minutes_back", "covered", "step_free", "conference"]
    list_display_links = ["origin", "destination"]
    list_filter = ["conference", "covered", "step_free"]
    search_fields = ["origin__name", "destination__name"]
    list_select_related = ["conference", "origin", "destination"]
    ordering = ["-conference__start", "origin__position", "destination__position"]
    autocomplete_fields = ["origin", "destination"]
    fields = ["conference", "origin", "destination", ("minutes", "minutes_back"), "covered", "step_free"]
