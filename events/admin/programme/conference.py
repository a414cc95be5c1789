"""Conferences, their days, types of events, tracks and topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from events.admin.base.current import choose_conference
from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.admin.base.pickers import HexColourInput, IconInput, LineColourInput, PictureAdmin
from events.admin.base.times import long_date
from events.admin.base.visible import visible_to
from events.admin.numbers import ConferenceNumbersAdmin
from events.admin.programme.actions import apply_plan, check_permissions
from events.admin.programme.conference_forms import ConferenceForm, DayForm, TypeForm
from events.admin.programme.copying import CopyEditionAdmin
from events.admin.programme.import_impact import import_impact
from events.admin.programme.new_dates import NewDatesAdmin
from events.admin.uploads.programme import ProgrammeUploadAdmin
from events.core.time_zones import find_zone, zone_city
from events.programme.models.beginning import make_usual_types
from events.programme.models.conference import Conference, ConferenceHost, Day, Fact, PastEdition


class DayInline(HallwayInline):
    model = Day
    form = DayForm
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


def with_question(fields: Sequence[Any]) -> list[Any]:
    return [it for name in fields for it in ([name, "keep"] if name == "timezone" else [name])]


class ConferenceAdmin(ProgrammeUploadAdmin, ConferenceNumbersAdmin, CopyEditionAdmin, NewDatesAdmin, PictureAdmin):
    form = ConferenceForm
    pictures = {"colour": HexColourInput}
    filled_fields = ()
    change_list_template = "admin/conference_list.html"
    change_form_template = "admin/conference_form.html"
    list_display = ["name", "address", "start", "end", "place", "timezone", "status"]
    list_filter = ["status", "series"]
    search_fields = ["name", "title", "slug", "city"]
    list_select_related = False
    prepopulated_fields = {"slug": ["name"]}
    inlines = [DayInline, FactInline, PastEditionInline, HostInline]
    fieldsets = [
        (None, {"fields": ["name", "slug", "title", "series", "edition"]}),
        ("When and where", {"fields": [("start", "end"), ("city", "country"), "timezone"]}),
        ("Proposals", {"fields": ["proposals_until"]}),
        ("Appearance and texts", {"fields": ["colour", "logo", "header_picture", "header_alt", "icon", "url", "about"]}),
    ]
    add_fieldsets: ClassVar[list[tuple[str | None, dict[str, Any]]]] = [
        (None, {"fields": ["name", ("start", "end"), ("city", "country"), "timezone", "copy_from"]}),
        ("More", {"fields": ["slug", "title", "series", "edition", "colour", "url", "about"], "classes": ["collapse"]}),
    ]

    @admin.display(description="address", ordering="slug")
    def address(self, conference: Conference) -> str:
        return conference.slug

    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        return import_impact(slot_changes)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Another address, which people have shared, and the step to the public have pages that show what they do."""
        series = [] if request.user.has_perm("events.add_conference") else ["series"]
        return [*super().get_readonly_fields(request, obj), *(["slug", *series] if obj else [])]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        # The slug is in addresses that people have shared.
        return {} if obj else dict(super().get_prepopulated_fields(request, obj))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new one needs a name, dates and a place; everything else can follow. Another time zone asks what stays."""
        if obj is None:
            return self._offered(request)
        sets = super().get_fieldsets(request, obj)
        if find_zone(request.POST.get("timezone", obj.timezone)) == obj.timezone or not obj.events.exclude(start=None).exists():
            return sets
        return [(name, {**part, "fields": with_question(part["fields"])}) for name, part in sets]

    def _offered(self, request: HttpRequest) -> Any:
        (name, first), *rest = self.add_fieldsets
        has_others = visible_to(request, Conference.objects.all()).exists()
        return [(name, {**first, "fields": [it for it in first["fields"] if has_others or it != "copy_from"]}), *rest]

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return super().get_inlines(request, obj) if obj else []

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        conference: Conference = form.instance
        if not change:
            make_usual_types(conference)
        if not change or {"start", "end"} & set(form.changed_data):
            before = Conference(start=form.initial["start"], end=form.initial["end"]) if change else None
            self.follow_dates(request, conference, before)

    def response_add(self, request: HttpRequest, obj: Conference, post_url_continue: str | None = None) -> HttpResponse:
        source = request.POST.get("copy_from")
        response = super().response_add(request, obj, post_url_continue)
        if source and "_popup" not in request.POST:
            return redirect(reverse("admin:events_conference_copy", args=[obj.pk], query={"source": source}))
        return response

    def save_model(self, request: HttpRequest, obj: Conference, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            choose_conference(request, obj)
        if obj.has_clocks_of_elsewhere and {"city", "country", "timezone"} & set(form.changed_data):
            text = (
                f"{obj.place} has other clocks than {obj.timezone}: attendees read all times as “{obj.zone_name}”. "
                "If the events take place there, choose its time zone."
            )
            self.message_user(request, text, messages.WARNING)
        if form.moves:
            check_permissions(self, request, form.moves.changed.values())
            apply_plan(self, request, form.moves, f"Moved to the clocks of {zone_city(obj.timezone)}", "")

    def why_protected(self, obj: Conference) -> str:
        return "it has events. Open it: its “Delete” shows all that goes, and asks for its name" if obj.events.exists() else ""


class DayAdmin(HallwayAdmin):
    form = DayForm
    list_display = ["date", "title", "conference", "event_count"]
    list_filter = ["conference"]
    search_fields = ["title", "note", "date"]
    list_select_related = ["conference"]
    date_hierarchy = "date"
    ordering = ["-conference__start", "date"]
    fields = ["conference", "date", "title", "note"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(events_on_it=Count("events"))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        conference = obj.conference
        if not conference.start <= obj.date <= conference.end:
            dates = f"{long_date(conference.start)} to {long_date(conference.end)}"
            text = f"{long_date(obj.date)} is outside the dates of {conference} ({dates}): correct the day, or these dates."
            messages.warning(request, text)

    @admin.display(description="events", ordering="events_on_it")
    def event_count(self, day: Any) -> int:
        count: int = day.events_on_it
        return count


class EventTypeAdmin(PictureAdmin):
    form = TypeForm
    pictures = {"colour": LineColourInput, "icon": IconInput}
    list_display = ["name", "plural", "kind", "colour", "default_minutes", "position", "conference"]
    list_filter = ["conference", "kind"]
    search_fields = ["name", "plural"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "plural", "kind", "default_minutes", "colour", "icon", "position", "slug"]


class TrackAdmin(PictureAdmin):
    pictures = {"colour": HexColourInput}
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
