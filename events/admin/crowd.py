"""How full rooms are expected to be, what would help, and staff's word of how full they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from events.admin.clash_list import change_url, face_of
from events.admin.scope import usual_conference
from events.models import Conference, CrowdReport, Event, Room, RoomState
from events.queries.crowd import said_words
from events.queries.pressure import PressureRow, day_to_show, days_of, pressure_of
from events.schedule.clock import Clock

TAKE_BACK = "nothing"


@dataclass(frozen=True)
class Mover:
    """An event as the page names it, and where its room can be changed after a look at what that does."""

    title: str
    url: str
    move_url: str
    key: int


class RoomPressure(admin.ModelAdmin):
    """Adds the page to the rooms; only who may see all events reads how many have them."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("pressure/", wrap(self.pressure_view), name="events_room_pressure"),
            path("<int:key>/report/", wrap(self.report_view), name="events_room_report"),
            *super().get_urls(),
        ]

    def pressure_view(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perms(["events.view_room", "events.view_event"]):
            raise PermissionDenied
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        conference = usual_conference(request)
        if conference is None:
            raise Http404
        with timezone.override(conference.zone):
            return TemplateResponse(request, "admin/pressure.html", self._context(request, conference)).render()

    def _context(self, request: HttpRequest, conference: Conference) -> dict[str, Any]:
        clock = Clock(timezone.now(), conference.zone)
        days = days_of(conference)
        day = day_to_show(days, request.GET.get("day", ""), clock.today)
        found = pressure_of(day, clock) if day else None
        return {
            **self.admin_site.each_context(request),
            "title": "Room pressure",
            "opts": self.opts,
            "conference": conference,
            "conferences": Conference.objects.all(),
            "days": days,
            "found": found,
            "rows": [(row, _mover(row.event), _said(row)) for row in found.rows] if found else [],
            "swaps": [(_mover(it.a), _mover(it.b), it) for it in found.swaps] if found else [],
            "states": [*reversed(RoomState.choices), (TAKE_BACK, "Take back")],
            "may_report": self.has_change_permission(request),
            "checkbox": ACTION_CHECKBOX_NAME,
        }

    def report_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Staff's word; it stands against all that attendees say."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        room = get_object_or_404(Room, pk=key)
        state = request.POST.get("state", "")
        if state == TAKE_BACK:
            CrowdReport.take_back_as_staff(room)
            messages.success(request, f"{room}: what attendees say counts again.")
        elif state in RoomState.values:
            CrowdReport.say_as_staff(room, state)
            messages.success(request, f"{room}: {RoomState(state).label.lower()}, for the next 15 minutes.")
        else:
            messages.error(request, f"“{state[:40]}” says nothing of how full {room} is: use the buttons.")
        back, page = request.POST.get("next", ""), reverse("admin:events_room_pressure")
        return redirect(back if back.startswith(page) and url_has_allowed_host_and_scheme(back, allowed_hosts=None) else page)


def _mover(event: Event) -> Mover:
    face = face_of(event.type.kind)._meta.model_name
    return Mover(event.title, change_url(event.pk, event.type.kind), reverse(f"admin:events_{face}_changelist"), event.pk)


def _said(row: PressureRow) -> str:
    words = said_words(row.crowd)
    return f"{words[:1].upper()}{words[1:]}"
