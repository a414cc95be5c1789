"""Venues, zones and rooms, walks and directions, services and amenities."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from events.admin.base.model_admin import FORMFIELD_OVERRIDES, HallwayAdmin, HallwayInline
from events.admin.base.pickers import IconInput, PictureAdmin
from events.admin.base.scope import InUseFilter
from events.admin.crowd import RoomPressureAdmin, report_action, take_back
from events.admin.kept_files import KeptFileInput, KeptFilesAdmin
from events.admin.programme.conference_forms import TypeForm
from events.admin.programme.forms import OpeningHoursForm
from events.admin.room_board import RoomBoardAdmin
from events.admin.spreadsheets.other_sheets import RoomSheet
from events.admin.spreadsheets.pages import SpreadsheetAdmin
from events.core.photos import PhotoField
from events.crowd.queries.block import LINE_STATE_CHOICES
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.models.venue import Room, RoomState, Service, Venue, Zone
from events.screens.queries import screen_address_of
from events.venue.models import Leg


class WallScreenAdmin(HallwayAdmin):
    """A zone or room with a wall screen."""

    readonly_fields = ["wall_screen"]

    @admin.display(description="wall screen")
    def wall_screen(self, place: Zone | Room) -> str:
        if not place.pk:
            return "Available after saving."
        return format_html('<a href="{}">Open the wall screen</a>', screen_address_of(place))


class ZoneInline(HallwayInline):
    model = Zone
    fields = ["name", "letter", "off_site", "position"]
    show_change_link = True


class RoomInline(HallwayInline):
    model = Room
    fields = ["name", "floor", "capacity", "position"]
    show_change_link = True


class VenueAdmin(HallwayAdmin):
    list_display = ["name", "address", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "address"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "name"]
    fields = ["conference", "name", "address", ("latitude", "longitude"), "url", "about", "transport"]
    inlines = [ZoneInline]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        venue: Venue = form.instance
        if not change and not venue.zones.exists():
            # Rooms are in zones, and a small venue is one zone.
            Zone.objects.create(conference=venue.conference, venue=venue, name=venue.name[:100])
            self.message_user(request, f"Made with it: the zone “{venue.name[:100]}”, for its rooms.")


class ZoneAdmin(WallScreenAdmin):
    list_display = ["name", "letter", "venue", "off_site", "position", "conference"]
    list_filter = ["conference", ("venue", InUseFilter), "off_site"]
    search_fields = ["name", "venue__name"]
    list_select_related = ["conference", "venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["venue"]
    kept_fields = ("venue",)
    fields = ["conference", "venue", "name", "letter", "description", "off_site", "position", "wall_screen"]
    inlines = [RoomInline]


class RoomAdmin(RoomBoardAdmin, RoomPressureAdmin, SpreadsheetAdmin, WallScreenAdmin):
    sheet = RoomSheet
    kept_fields = ("zone",)
    change_list_template = "admin/room_list.html"
    list_display = ["name", "zone", "floor", "capacity", "position", "conference"]
    list_filter = ["conference", ("zone", InUseFilter)]
    search_fields = ["name", "zone__name", "floor"]
    list_select_related = ["conference", "zone__venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["zone"]
    fields = ["conference", "zone", "name", "floor", "capacity", "description", "position", "wall_screen"]
    actions = [report_action(state, state.label) for state in RoomState]


class WalkAdmin(HallwayAdmin):
    kept_fields = ("origin",)
    list_display = ["origin", "destination", "minutes", "minutes_back", "covered", "step_free", "conference"]
    list_display_links = ["origin", "destination"]
    list_filter = ["conference", "covered", "step_free"]
    search_fields = ["origin__name", "destination__name"]
    list_select_related = ["conference", "origin", "destination"]
    ordering = ["-conference__start", "origin__position", "destination__position"]
    autocomplete_fields = ["origin", "destination"]
    fields = ["conference", "origin", "destination", ("minutes", "minutes_back"), "covered", "step_free"]


class LegInline(HallwayInline):
    model = Leg
    formfield_overrides = {**FORMFIELD_OVERRIDES, PhotoField: {"widget": KeptFileInput}}
    template = "admin/edit_inline/stacked.html"
    fields = [
        ("position", "mode", "minutes"),
        "instruction",
        "sign",
        ("covered", "step_free", "gate_free"),
        ("photo", "photo_alt"),
    ]


class StartingPointAdmin(HallwayAdmin):
    list_display = ["name", "kind", "position", "conference"]
    list_filter = ["conference", "kind"]
    search_fields = ["name"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "slug", "kind", "description", "position"]


class RouteAdmin(KeptFilesAdmin):
    kept_fields = ("start", "zone")
    list_display = ["title", "start", "zone", "checked_on", "position", "conference"]
    list_filter = ["conference", ("start", InUseFilter), ("zone", InUseFilter)]
    search_fields = ["title", "start__name", "zone__name"]
    list_select_related = ["conference", "start", "zone"]
    date_hierarchy = "checked_on"
    ordering = ["-conference__start", "start__position", "position"]
    autocomplete_fields = ["start", "zone"]
    fields = ["conference", "start", "zone", "title", "description", "checked_on", "position"]
    inlines = [LegInline]


class AmenityAdmin(HallwayAdmin):
    list_display = ["name", "note", "event", "service", "room", "zone", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "note"]
    list_select_related = ["conference", "event", "service", "room", "zone"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["event", "service", "room", "zone"]
    fields = ["conference", "name", "note", "event", "service", "room", "zone", "position"]


class HoursInline(HallwayInline):
    model = Event
    form = OpeningHoursForm
    fk_name = "service"
    fields = ["day", "start", "end", "title", "type", "status"]
    can_delete = False
    verbose_name = "opening hours"
    verbose_name_plural = "opening hours (none: not announced)"

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request).select_related("day", "conference", "type")
        return rows.in_order()


class ServiceAdmin(PictureAdmin):
    form = TypeForm
    pictures = {"icon": IconInput}
    list_display = ["name", "zone", "room", "place", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "place"]
    list_select_related = ["conference", "zone", "room"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["zone", "room"]
    fields = ["conference", "name", "icon", "description", "zone", "room", "place", "position"]
    inlines = [HoursInline]
    actions = [*(report_action(state, label) for state, label in LINE_STATE_CHOICES), take_back]

    def why_protected(self, obj: Service) -> str:
        published = obj.hours.exclude(status=Status.DRAFT, sequence=0, announced={})
        return "its opening hours were published. Cancel them instead" if published.exists() else ""
