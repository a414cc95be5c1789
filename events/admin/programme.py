"""The programme: invited talks, sessions and what is in them, socials."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from events.admin.base import HallwayAdmin
from events.admin.clash_list import face_of
from events.admin.event_forms import EventForm
from events.admin.events import FILTERS, AppearanceInline, EventListAdmin, LinkInline, TalkInline, knew_of
from events.admin.sign_up import SignUpInline, WithSignUp
from events.admin.spreadsheets.event_sheets import InvitedTalkSheet, SessionSheet, SocialSheet
from events.admin.spreadsheets.pages import Spreadsheets
from events.models import Event, InvitedTalk, Session, Social

WHEN: Any = ("When and where", {"fields": ["day", ("start", "end"), "room", "place"]})
TELL: Any = ("Tell those who come", {"fields": ["reason"]})
WHO = ("official", "audience", "capacity", "cost", "access_notes", "takes_questions")
SIGN_UP = ("signup_url", "signup_state", "signup_checked_at", "signup_until")
RECORDING: Any = (
    "Stream and recording",
    {
        "fields": ["overflow_room", "stream_url", "recording_url", "recording_from", "recording_offset"],
        "classes": ["collapse"],
    },
)


class SessionForm(EventForm):
    kinds = Session.kinds


class InvitedTalkForm(EventForm):
    kinds = InvitedTalk.kinds


class SocialForm(EventForm):
    kinds = Social.kinds


@admin.register(InvitedTalk)
class InvitedTalkAdmin(Spreadsheets, EventListAdmin):
    sheet = InvitedTalkSheet
    form = InvitedTalkForm
    fieldsets = [
        (None, {"fields": ["conference", "type", "title", "status", "abstract", "track", "topic"]}),
        WHEN,
        TELL,
        ("In the hall", {"fields": ["takes_questions", "access_notes"]}),
        RECORDING,
        ("What was said", {"fields": ["notes", "notes_source"], "classes": ["collapse"]}),
        ("Paper and place in the programme", {"fields": ["paper", "session", "position"], "classes": ["collapse"]}),
    ]


@admin.register(Session)
class SessionAdmin(Spreadsheets, WithSignUp, EventListAdmin):
    sheet = SessionSheet
    form = SessionForm
    inlines = [TalkInline, SignUpInline, AppearanceInline, LinkInline]
    fieldsets = [
        (None, {"fields": ["conference", "type", "title", "status", "abstract", "track", "topic"]}),
        WHEN,
        TELL,
        ("Inside the programme", {"fields": ["session", "paper", "board", "service", "position"]}),
        ("Who may come", {"fields": WHO, "classes": ["collapse"]}),
        ("Sign-up", {"fields": SIGN_UP, "classes": ["collapse"]}),
        RECORDING,
        ("What was said", {"fields": ["notes", "notes_source"], "classes": ["collapse"]}),
    ]
    autocomplete_fields = ["room", "overflow_room", "session", "paper", "topic", "service"]


@admin.register(Social)
class SocialAdmin(Spreadsheets, WithSignUp, EventListAdmin):
    sheet = SocialSheet
    form = SocialForm
    inlines = [SignUpInline, AppearanceInline, LinkInline]
    list_display = [
        *("on_day", "at_time", "title", "type", "in_room", "in_status", "official", "at_venue"),
        *("signup_state", "people", "bookmarked"),
    ]
    list_filter = (*FILTERS, "official", "at_venue", "signup_state")
    fieldsets = [
        (None, {"fields": ["conference", "type", "title", "status", "abstract"]}),
        ("When and where", {"fields": ["day", ("start", "end"), "at_venue", "room", "place", "travel_minutes"]}),
        TELL,
        ("Who may come", {"fields": WHO}),
        ("Sign-up", {"fields": SIGN_UP}),
        ("In lists", {"fields": ["track", "position"], "classes": ["collapse"]}),
    ]
    autocomplete_fields = ["room"]


@admin.register(Event)
class EventLookUp(HallwayAdmin):
    """Events of every kind, to be looked up by other forms; each has its page in one of the three lists."""

    search_fields = ["title", "appearances__person__name", "board"]
    list_display = ["title", "day", "status"]
    list_filter = ["conference"]
    list_select_related = ["conference", "day", "type"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).in_order()

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return False

    def holds_public(self, obj: Event) -> bool:
        return knew_of(obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return redirect("admin:events_session_changelist")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect(self._face_url(request, object_id, "change"))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect(self._face_url(request, object_id, "history"))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect(self._face_url(request, object_id, "delete"))

    def _face_url(self, request: HttpRequest, object_id: str, page: str) -> str:
        event = self.get_object(request, unquote(object_id))
        if event is None:
            raise Http404
        if not self.has_view_permission(request, event):
            raise PermissionDenied
        return reverse(f"admin:events_{face_of(event.type.kind)._meta.model_name}_{page}", args=[event.pk])
