"""The board of rooms for a phone: helpers report how full what is on now is, with one press."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from events.admin.base.scope import default_conference
from events.admin.base.visible import visible_to
from events.core.clock import Clock
from events.crowd.models import CrowdReport
from events.crowd.queries.board import next_event, rooms_now
from events.programme.models.conference import Conference
from events.programme.models.venue import Room, RoomState

REPORT_PERMISSION = "events.add_crowdreport"
WITHDRAWN_STATE = "nothing"


class RoomBoardAdmin(admin.ModelAdmin):
    """Adds the board to the admin of rooms."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("board/", wrap(self.board_view), name="events_room_board"),
            path("<int:key>/board/", wrap(self.board_report_view), name="events_room_board_report"),
            *super().get_urls(),
        ]

    def board_view(self, request: HttpRequest) -> HttpResponse:
        _check_may_report(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        conference = default_conference(request)
        context = {
            **self.admin_site.each_context(request),
            "title": "Room board",
            "is_nav_sidebar_enabled": False,
            "conference": conference,
            "shown_conference": conference,
        }
        if conference is None:
            return TemplateResponse(request, "admin/room_board.html", context)
        with timezone.override(conference.zone):
            return TemplateResponse(request, "admin/room_board.html", context | _board_context(conference)).render()

    def board_report_view(self, request: HttpRequest, key: int) -> HttpResponse:
        _check_may_report(request)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        room = get_object_or_404(visible_to(request, Room.objects.select_related("conference")), pk=key)
        is_known = _report(request, room, request.POST.get("state", ""))
        if not getattr(request, "htmx", False):
            if not is_known:
                messages.error(request, f"Nothing was reported on {room}: please use the buttons.")
            board = reverse("admin:events_room_board", query={"conference": room.conference_id}, fragment=f"room-{room.pk}")
            return redirect(board)
        with timezone.override(room.conference.zone):
            context = _board_context(room.conference, room)
            return TemplateResponse(request, "admin/_board_rooms.html", context, status=200 if is_known else 422).render()


def staff_name(request: HttpRequest) -> str:
    """The user's name, or that of the account; of a mail address, only what is before the @."""
    full_name: str = getattr(request.user, "get_full_name", str)()
    return full_name or request.user.get_username().partition("@")[0]


def _check_may_report(request: HttpRequest) -> None:
    if not request.user.has_perm(REPORT_PERMISSION):
        raise PermissionDenied


def _report(request: HttpRequest, room: Room, state: str) -> bool:
    """Set the state, or withdraw it; return whether it is one of the buttons."""
    if state == WITHDRAWN_STATE:
        CrowdReport.delete_staff_report(room)
    elif state in RoomState.values:
        CrowdReport.record_as_staff(room, state, by=staff_name(request))
    else:
        return False
    return True


def _board_context(conference: Conference, only: Room | None = None) -> dict[str, Any]:
    now = timezone.now()
    rooms = rooms_now(conference, Clock(now, conference.zone))
    return {
        "conference": conference,
        "rooms": [it for it in rooms if only is None or it.room == only],
        "next_event": None if rooms else next_event(conference, now),
        "states": RoomState.choices,
        "withdrawn_state": WITHDRAWN_STATE,
        "now": now,
    }
