"""The page of room pressure, and what staff report on how full rooms are and how long lines are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from events.admin.base.clash_rows import event_change_url, proxy_of_kind
from events.admin.base.scope import default_conference
from events.admin.base.visible import visible_to
from events.admin.room_board import WITHDRAWN_STATE, staff_name
from events.core.clock import Clock
from events.crowd.models import CrowdReport, current_event
from events.crowd.queries.pressure import PressureRow, day_to_show, pressure_days, pressure_of
from events.crowd.queries.reports import crowd_text
from events.crowd.rules import MAX_COUNTED_NEWCOMERS
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.venue import Room, RoomState, Service
from events.web.request import next_url


def report_action(state: RoomState, label: str) -> Callable[[Any, HttpRequest, Any], None]:
    """An admin action that reports how full rooms are now, or how long the lines of services."""

    @admin.action(permissions=["change"], description=f"Report: {label.lower()}")
    def report(modeladmin: Any, request: HttpRequest, places: QuerySet[Room] | QuerySet[Service]) -> None:
        now = timezone.now()
        # A line exists only while a service is open; a room can fill up at any time.
        reported = [place for place in places if isinstance(place, Room) or current_event(place, now)]
        for place in reported:
            CrowdReport.record_as_staff(place, state, by=staff_name(request))
        if reported:
            modeladmin.message_user(request, f"{label}, for the next 15 minutes: {', '.join(map(str, reported))}.")
        if closed := [str(place) for place in places if place not in reported]:
            problem = f"No report for {', '.join(closed)}: not open now. Check the opening hours."
            modeladmin.message_user(request, problem, messages.WARNING)

    report.__name__ = f"report_{state.value}"
    return report


@admin.action(permissions=["change"], description="Withdraw what staff reported")
def take_back(modeladmin: Any, request: HttpRequest, services: QuerySet[Service]) -> None:
    for service in services:
        CrowdReport.delete_staff_report(service)
    modeladmin.message_user(request, f"Reports of attendees count again: {', '.join(map(str, services))}.")


@dataclass(frozen=True)
class EventToMove:
    """``url`` opens the event; ``move_url`` is the list whose action changes its room."""

    title: str
    url: str
    move_url: str
    key: int


PRESSURE_PERMISSIONS = ("events.view_room", "events.view_event")


class RoomPressureAdmin(admin.ModelAdmin):
    """Adds the page to the admin of rooms. The page counts bookmarks, so it needs the permission to see all events."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("pressure/", wrap(self.pressure_view), name="events_room_pressure"),
            path("<int:key>/report/", wrap(self.report_view), name="events_room_report"),
            *super().get_urls(),
        ]

    def pressure_view(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perms(PRESSURE_PERMISSIONS):
            raise PermissionDenied
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        conference = default_conference(request)
        if conference is None:
            raise Http404
        with timezone.override(conference.zone):
            return TemplateResponse(request, "admin/pressure.html", self._context(request, conference)).render()

    def _context(self, request: HttpRequest, conference: Conference) -> dict[str, Any]:
        clock = Clock(timezone.now(), conference.zone)
        days = pressure_days(conference)
        day = day_to_show(days, request.GET.get("day", ""), clock.today)
        pressure = pressure_of(day, clock) if day else None
        return {
            **self.admin_site.each_context(request),
            "title": "Room pressure",
            "opts": self.opts,
            "conference": conference,
            "shown_conference": conference,
            "days": days,
            "pressure": pressure,
            "rows": [(row, _event_to_move(row.event), _crowd_text(row)) for row in pressure.rows] if pressure else [],
            "swaps": [(_event_to_move(swap.a), _event_to_move(swap.b), swap) for swap in pressure.swaps] if pressure else [],
            "states": [*reversed(RoomState.choices), (WITHDRAWN_STATE, "Withdraw")],
            "newcomer_limit": MAX_COUNTED_NEWCOMERS,
            "may_report": self.has_change_permission(request),
            "checkbox": ACTION_CHECKBOX_NAME,
        }

    def report_view(self, request: HttpRequest, key: int) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        room = get_object_or_404(visible_to(request, Room.objects.all()), pk=key)
        state = request.POST.get("state", "")
        if state == WITHDRAWN_STATE:
            CrowdReport.delete_staff_report(room)
            messages.success(request, f"{room}: the reports of attendees count again.")
        elif state in RoomState.values:
            CrowdReport.record_as_staff(room, state, by=staff_name(request))
            messages.success(request, f"{room}: {RoomState(state).label.lower()}, for the next 15 minutes.")
        else:
            messages.error(request, f"Nothing was reported on {room}: please use the buttons.")
        page = reverse("admin:events_room_pressure")
        back = next_url(request, page)
        return redirect(back if back.startswith(page) else page)


def _event_to_move(event: Event) -> EventToMove:
    model_name = proxy_of_kind(event.type.kind)._meta.model_name
    return EventToMove(
        event.title, event_change_url(event.pk, event.type.kind), reverse(f"admin:events_{model_name}_changelist"), event.pk
    )


def _crowd_text(row: PressureRow) -> str:
    text = crowd_text(row.crowd)
    return f"{text[:1].upper()}{text[1:]}"
