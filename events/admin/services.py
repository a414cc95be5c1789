"""Desks, lines and stands, with the hours at which they are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.event_forms import HoursForm
from events.models import CrowdReport, Event, RoomState, Service, Status
from events.models.crowd import whats_on
from events.queries.crowd_block import OF_A_LINE


def _report(state: RoomState, words: str) -> Callable[[admin.ModelAdmin[Service], HttpRequest, QuerySet[Service]], None]:
    """An action that says how long the lines at the chosen desks are, as of now."""

    @admin.action(permissions=["change"], description=f"Report: {words.lower()}")
    def report(modeladmin: admin.ModelAdmin[Service], request: HttpRequest, desks: QuerySet[Service]) -> None:
        now = timezone.now()
        told = [desk for desk in desks if whats_on(desk, now)]
        for desk in told:
            CrowdReport.say_as_staff(desk, state)
        if told:
            modeladmin.message_user(request, f"{words}, for the next 15 minutes: {', '.join(map(str, told))}.")
        if closed := [str(desk) for desk in desks if desk not in told]:
            problem = f"Nothing was noted of {', '.join(closed)}: not open now. Look at the opening hours."
            modeladmin.message_user(request, problem, messages.WARNING)

    report.__name__ = f"report_{state.value}"
    return report


@admin.action(permissions=["change"], description="Take back what staff reported")
def take_back(modeladmin: admin.ModelAdmin[Service], request: HttpRequest, desks: QuerySet[Service]) -> None:
    for desk in desks:
        CrowdReport.take_back_as_staff(desk)
    modeladmin.message_user(request, f"What attendees say counts again: {', '.join(map(str, desks))}.")


class HoursInline(HallwayInline):
    model = Event
    form = HoursForm
    fk_name = "service"
    fields = ["day", "start", "end", "title", "type", "status"]
    can_delete = False
    verbose_name = "opening hours"
    verbose_name_plural = "opening hours: none means that nobody has said"

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
    actions = [*(_report(state, words) for state, words in OF_A_LINE), take_back]

    def holds_public(self, obj: Service) -> bool:
        return obj.hours.exclude(status=Status.DRAFT, sequence=0).exists()
