"""Sessions, invited talks and socials: their lists and forms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.forms.models import BaseModelFormSet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from events.admin.base.clash_rows import proxy_of_kind
from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.admin.base.times import short_date, span_text
from events.admin.base.visible import draft_part
from events.admin.programme.actions import (
    ActionRefusedError,
    back_to_draft,
    cancel,
    change_day,
    change_room,
    change_track,
    change_type,
    delete_drafts,
    move,
    publish,
    repeat,
    take_place,
    why_protected,
)
from events.admin.programme.clash_notice import clash_notice, may_clash, warn_of_new_clashes, warn_of_shared_boards
from events.admin.programme.duplicating import DuplicateAdmin
from events.admin.programme.event_filters import EVENT_LIST_FILTERS, BoardFilter
from events.admin.programme.fieldsets import (
    ABOUT_FIELDS,
    ABOUT_FIELDSET,
    AUDIENCE_FIELDS,
    EXPORT_FIELDSET,
    REASON_FIELDSET,
    RECORDING_CONSENT_FIELDS,
    RECORDING_FIELDSET,
    SIGN_UP_FIELDS,
    WHEN_AND_WHERE_FIELDSET,
)
from events.admin.programme.forms import EventForm
from events.admin.programme.impact import ConfirmImpactAdmin, sign_up_notes, takes_inside
from events.admin.programme.import_impact import import_impact
from events.admin.programme.inside import plan_inside, save_inside
from events.admin.programme.messages import MessageAdmin
from events.admin.programme.other_lists import matches_elsewhere
from events.admin.programme.papers import LinkInline
from events.admin.programme.talk_inline import TalkInline, TalkInlineAdmin, talks_url
from events.admin.sign_up import EventSignUpAdmin, SignUpInline
from events.admin.spreadsheets.event_sheets import InvitedTalkSheet, SessionSheet, SocialSheet
from events.admin.spreadsheets.pages import SpreadsheetAdmin
from events.agenda.models.bookmarks import Bookmark
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.event_relations import people_prefetches
from events.programme.models.labels import Kind, Status
from events.programme.models.people import Appearance
from events.programme.models.venue import Room
from events.programme.queries.clashes import bookings

MAX_SHOWN_PEOPLE = 3


def annotate_bookmark_count(events: Any) -> Any:
    live = Bookmark.objects.filter(event=OuterRef("pk"), removed_at=None).order_by().values("event").annotate(n=Count("pk"))
    return events.annotate(bookmark_count=Coalesce(Subquery(live.values("n"), output_field=models.IntegerField()), 0))


class EventColumns:
    @admin.display(description="day", ordering="day__date", empty_value="to be announced")
    def on_day(self, event: Event) -> str | None:
        return short_date(event.day.date) if event.day else None

    @admin.display(description="venue time", ordering="start")
    def at_time(self, event: Event) -> str:
        zone = event.conference.zone
        text = span_text(event.start, event.end, zone)
        if event.start is None:
            return text
        start = event.start.astimezone(dt.UTC).isoformat()
        return format_html(
            '<time datetime="{}">{}</time><span class="hallway-zone">{}</span>', start, text, event.conference.zone_name
        )

    @admin.display(description="room", ordering=F("room__name").asc(nulls_last=True))
    def in_room(self, event: Event) -> str:
        return event.room.name if event.room else event.place or "—"

    @admin.display(description="board", ordering="board")
    def on_board(self, event: Event) -> str:
        return event.board or ("none" if event.type.kind == Kind.POSTER else "")

    @admin.display(description="status", ordering="status")
    def in_status(self, event: Event) -> str:
        label = event.get_status_display().partition(":")[0]
        return format_html('<span class="hallway-status" data-status="{}">{}</span>', event.status, label)

    @admin.display(description="people")
    def people(self, event: Event) -> str:
        """As on cards: who appears in it, else the authors of its paper."""
        names = event.people_names or (event.paper.author_names if event.paper else [])
        more = len(names) - MAX_SHOWN_PEOPLE
        return ", ".join(names[:MAX_SHOWN_PEOPLE]) + (f" and {more} more" if more > 0 else "") or "—"

    @admin.display(description="bookmarked", ordering="bookmark_count")
    def bookmarked(self, event: Any) -> int:
        count: int = event.bookmark_count
        return count


class AppearanceInline(HallwayInline):
    model = Appearance
    fields = ["person", "role", "remote", "position"]
    autocomplete_fields = ["person"]
    verbose_name = "person"
    verbose_name_plural = "people"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("person")


class EventListAdmin(MessageAdmin, EventColumns, DuplicateAdmin, ConfirmImpactAdmin):
    """A list of events with the clashes above it, and the form of an event."""

    form = EventForm
    change_list_template = "admin/event_list.html"
    change_form_template = "admin/event_form.html"
    list_display = ["on_day", "at_time", "title", "type", "in_room", "track", "in_status", "people", "bookmarked"]
    list_display_links = ["title"]
    list_filter = EVENT_LIST_FILTERS
    list_select_related = ["conference", "day", "type", "track", "room", "session__session", "paper"]
    search_fields = ["title", "place", "board", "appearances__person__name", "paper__title", "paper__authorships__person__name"]
    search_help_text = "Title, place, board, people, authors or paper."
    date_hierarchy = "start"
    ordering = ["-conference__start", F("day__date").asc(nulls_last=True), F("start").asc(nulls_last=True), "position", "title"]
    autocomplete_fields = ["room", "overflow_room", "session", "paper", "topic"]
    inlines = [AppearanceInline, LinkInline]
    actions = [
        *(publish, back_to_draft, cancel, take_place, move),
        *(change_day, change_room, change_type, change_track, repeat, delete_drafts),
    ]
    kept_fields = ("day", "type", "room", "session")

    def get_queryset(self, request: HttpRequest) -> Any:
        return annotate_bookmark_count(super().get_queryset(request))

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        changelist.result_list = changelist.result_list.prefetch_related(*people_prefetches())
        # Called by the template: an export of the list does not show clashes.
        changelist.clash_notice = partial(clash_notice, request, changelist)
        changelist.matches_elsewhere = partial(matches_elsewhere, request, changelist)
        return changelist

    def get_actions(self, request: HttpRequest) -> Any:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> HttpResponse | None:
        try:
            return super().response_action(request, queryset, *args, **kwargs)
        except ActionRefusedError as error:
            self.message_user(request, str(error), messages.ERROR)
            return None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # Ten columns and a filter need the width of the sidebar.
        return super().changelist_view(request, {"is_nav_sidebar_enabled": False, **(extra_context or {})})

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        event: Event | None = kwargs.get("obj")
        return super().render_change_form(request, context | {"draft_part": draft_part(event) if event else ""}, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        # A change is saved in save_related, once the talks inside it are known.
        if not change:
            form.bookings_before = bookings(obj.conference).values()
            self._save(request, obj, form)

    def _save(self, request: HttpRequest, obj: Event, form: Any) -> None:
        obj._change_reason = form.cleaned_data.get("reason", "")[:100] or None  # type: ignore[attr-defined]
        obj.save_changed()
        for note in form.notes:
            self.message_user(request, note, messages.WARNING)

    def save_related(self, request: HttpRequest, form: Any, formsets: list[BaseModelFormSet], change: bool) -> None:
        if change:
            inside = plan_inside(self, request, form, formsets)
            form.notes += sign_up_notes(self.require_confirmation(request, form, formsets, inside))
            form.bookings_before = bookings(form.instance.conference).values() if may_clash(form, formsets) else None
            self._save(request, form.instance, form)
            if takes_inside(request):
                save_inside(self, request, inside, form.cleaned_data.get("reason", ""))
        super().save_related(request, form, formsets, change)
        if form.bookings_before is not None:
            warn_of_new_clashes(self, request, form.instance, form.bookings_before)
        warn_of_shared_boards(self, request, form, formsets)
        self._warn_of_talks_that_go_on(request, form.instance)
        self._warn_of_talks_outside(request, form.instance)
        self._warn_of_talks_elsewhere(request, form)
        self._warn_of_hidden_talks(request, form.instance)

    def record_changes(self, form: Any, formsets: list[BaseModelFormSet]) -> None:
        # Its own parts are rows of their own; of others (another person of the same name) a snapshot may show nothing.
        if any(formset.has_changed() and not issubclass(cast(type, formset.model), Event) for formset in formsets):
            form.instance.conference.bump_revision()
        form.instance.revise(reason=form.cleaned_data.get("reason", ""))

    def _warn_of_talks_that_go_on(self, request: HttpRequest, event: Event) -> None:
        """Attendees read “On now” at a talk of a cancelled session."""
        left = event.children.exclude(status__in=[Status.CANCELLED, Status.DRAFT]).count() if event.is_cancelled else 0
        if left:
            talks, them = ("1 talk inside is", "it") if left == 1 else (f"{left} talks inside are", "them")
            text = format_html('{} still on: <a href="{}">select and cancel {} too</a>.', talks, talks_url(event), them)
            self.message_user(request, text, messages.WARNING)

    def _warn_of_talks_outside(self, request: HttpRequest, event: Event) -> None:
        if event.start is None or event.end is None or event.is_cancelled:
            return
        inside = event.children.exclude(status=Status.CANCELLED).exclude(start=None)
        outside = inside.exclude(start__gte=event.start, end__lte=event.end).count()
        if outside:
            talks = "1 talk inside is" if outside == 1 else f"{outside} talks inside are"
            text = f"{talks} outside its time: select and move what is left behind."
            self.message_user(request, text, messages.WARNING)

    def _warn_of_talks_elsewhere(self, request: HttpRequest, form: Any) -> None:
        """Who moves a session to another room means what is in it too, but may not think of it."""
        event: Event = form.instance
        former = Room.objects.filter(pk=form.initial.get("room")).first() if "room" in form.changed_data else None
        left = event.children.filter(room=former).exclude(status=Status.CANCELLED).count() if former else 0
        if left:
            talks = "1 talk inside stays" if left == 1 else f"{left} talks inside stay"
            self.message_user(request, f"{talks} in {former}: select and move what is left.", messages.WARNING)

    def _warn_of_hidden_talks(self, request: HttpRequest, event: Event) -> None:
        """A talk that was left a draft in a session that everybody sees is easily forgotten."""
        hidden = [] if event.is_draft else list(event.children.filter(status=Status.DRAFT).values_list("title", flat=True))
        if hidden:
            named = f"“{hidden[0]}”" if len(hidden) == 1 else f"{len(hidden)} talks inside"
            text = f"Attendees do not see {named}: {'it is a draft' if len(hidden) == 1 else 'they are drafts'}."
            self.message_user(request, text, messages.WARNING)

    def why_protected(self, obj: Event) -> str:
        return why_protected(obj)


class SessionAdminForm(EventForm):
    kinds = Session.kinds


class InvitedTalkAdminForm(EventForm):
    kinds = InvitedTalk.kinds


class SocialAdminForm(EventForm):
    kinds = Social.kinds

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        room = cleaned.get("room")
        if room and cleaned.get("at_venue") is None:
            cleaned["at_venue"] = not room.zone.off_site
        return cleaned


class EventSpreadsheetAdmin(SpreadsheetAdmin):
    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        return import_impact(slot_changes)


class InvitedTalkAdmin(EventSpreadsheetAdmin, EventListAdmin):
    sheet = InvitedTalkSheet
    form = InvitedTalkAdminForm
    fieldsets = [
        ABOUT_FIELDSET,
        WHEN_AND_WHERE_FIELDSET,
        REASON_FIELDSET,
        ("In the hall", {"fields": ["takes_questions", "access_notes"]}),
        RECORDING_FIELDSET,
        ("Notes", {"fields": ["notes", "notes_source"], "classes": ["collapse"]}),
        ("Paper and position", {"fields": ["paper", "session", "position"], "classes": ["collapse"]}),
        EXPORT_FIELDSET,
    ]


class SessionAdmin(EventSpreadsheetAdmin, EventSignUpAdmin, TalkInlineAdmin, EventListAdmin):
    sheet = SessionSheet
    form = SessionAdminForm
    inlines = [TalkInline, SignUpInline, AppearanceInline, LinkInline]
    list_display = [
        *("on_day", "at_time", "title", "type", "in_room", "on_board", "track", "in_status"),
        *("people", "bookmarked"),
    ]
    list_filter = (*EVENT_LIST_FILTERS, BoardFilter)
    fieldsets = [
        ABOUT_FIELDSET,
        WHEN_AND_WHERE_FIELDSET,
        REASON_FIELDSET,
        ("Position in the programme", {"fields": ["session", "paper", "board", "service", "position"]}),
        ("Who can come", {"fields": AUDIENCE_FIELDS, "classes": ["collapse"]}),
        ("Sign-up", {"fields": SIGN_UP_FIELDS, "classes": ["collapse"]}),
        RECORDING_FIELDSET,
        ("Notes", {"fields": ["notes", "notes_source"], "classes": ["collapse"]}),
        EXPORT_FIELDSET,
    ]
    autocomplete_fields = ["room", "overflow_room", "session", "paper", "topic", "service"]


class SocialAdmin(EventSpreadsheetAdmin, EventSignUpAdmin, EventListAdmin):
    sheet = SocialSheet
    form = SocialAdminForm
    inlines = [SignUpInline, AppearanceInline, LinkInline]
    list_display = [
        *("on_day", "at_time", "title", "type", "in_room", "in_status", "official"),
        *("signup_state", "people", "bookmarked"),
    ]
    list_filter = (*EVENT_LIST_FILTERS, "official", "at_venue", "signup_state")
    fieldsets = [
        (None, {"fields": ABOUT_FIELDS}),
        ("When and where", {"fields": ["day", ("start", "end"), "at_venue", "room", "place", "travel_minutes"]}),
        REASON_FIELDSET,
        ("Who can come", {"fields": AUDIENCE_FIELDS}),
        ("Sign-up", {"fields": SIGN_UP_FIELDS}),
        ("Recording", {"fields": RECORDING_CONSENT_FIELDS, "classes": ["collapse"]}),
        ("In lists", {"fields": ["track", "position"], "classes": ["collapse"]}),
        EXPORT_FIELDSET,
    ]
    autocomplete_fields = ["room"]


class EventAutocompleteAdmin(HallwayAdmin):
    """Lets other forms search events of every kind. Its pages redirect to the three lists, with their filters and words."""

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

    def why_protected(self, obj: Event) -> str:
        return why_protected(obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return redirect(reverse("admin:events_session_changelist", query=request.GET))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect(self._proxy_url(request, object_id, "change"))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect(self._proxy_url(request, object_id, "history"))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect(self._proxy_url(request, object_id, "delete"))

    def _proxy_url(self, request: HttpRequest, object_id: str, page: str) -> str:
        event = self.get_object(request, unquote(object_id))
        if event is None:
            raise Http404
        if not self.has_view_permission(request, event):
            raise PermissionDenied
        return reverse(f"admin:events_{proxy_of_kind(event.type.kind)._meta.model_name}_{page}", args=[event.pk])
