"""What the three lists of events have in common."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, Prefetch
from django.forms.models import BaseModelFormSet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from events.admin import clash_list
from events.admin.actions import RefusedError, cancel, change_room, delete_drafts, move, publish
from events.admin.columns import EventColumns, with_bookmarks
from events.admin.confirming import Confirming
from events.admin.controls import HallwayInline
from events.admin.event_forms import EventForm, TalkForm
from events.admin.filters import InUse, filtered_conference
from events.models import Appearance, Conference, Event, Link, Status
from events.queries.clashes import clashes_among

CLASHES_AT_ONCE = 5
FILTERS: tuple[Any, ...] = ("conference", ("day", InUse), ("type", InUse), ("track", InUse), "status", ("room", InUse))


def knew_of(event: Event) -> bool:
    """Only a draft that nobody ever saw goes without a trace, and only if no talk is left without its session."""
    return event.status != Status.DRAFT or event.sequence > 0 or event.children.exists()


class AppearanceInline(HallwayInline):
    model = Appearance
    fields = ["person", "role", "remote", "position"]
    autocomplete_fields = ["person"]
    verbose_name = "person"
    verbose_name_plural = "people"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("person")


class LinkInline(HallwayInline):
    model = Link
    fields = ["kind", "url", "title", "position"]


class TalkInline(HallwayInline):
    """What is inside a session, in the few fields one changes from above."""

    model = Event
    form = TalkForm
    fk_name = "session"
    fields = ["start", "end", "title", "type", "status", "board", "position", "whole"]
    readonly_fields = ["whole"]
    # Talks attendees knew of are cancelled, and drafts have a page with a button.
    can_delete = False
    verbose_name = "talk inside"
    verbose_name_plural = "talks inside"

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request).select_related("day", "conference", "type", "room", "session")
        return rows.in_order()

    @admin.display(description="everything else")
    def whole(self, event: Event) -> str:
        return format_html('<a href="{}">Open</a>', clash_list.change_url(event.pk, event.type.kind)) if event.pk else "—"


class EventListAdmin(EventColumns, Confirming):
    """A list of events with what clashes above it, and their form."""

    form = EventForm
    change_list_template = "admin/event_list.html"
    change_form_template = "admin/event_form.html"
    list_display = ["on_day", "at_time", "title", "type", "in_room", "track", "in_status", "people", "bookmarked"]
    list_display_links = ["title"]
    list_filter = FILTERS
    list_select_related = ["conference", "day", "type", "track", "room", "session__session"]
    search_fields = ["title", "place", "board", "appearances__person__name", "paper__title"]
    search_help_text = "Title, place, board, people or paper."
    date_hierarchy = "start"
    ordering = ["-conference__start", F("day__date").asc(nulls_last=True), F("start").asc(nulls_last=True), "position", "title"]
    autocomplete_fields = ["room", "overflow_room", "session", "paper", "topic"]
    inlines = [AppearanceInline, LinkInline]
    actions = [publish, cancel, move, change_room, delete_drafts]

    def get_queryset(self, request: HttpRequest) -> Any:
        return with_bookmarks(super().get_queryset(request))

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        people = Prefetch("appearances", queryset=Appearance.objects.select_related("person"))
        changelist.result_list = changelist.result_list.prefetch_related(people)
        return changelist

    def get_actions(self, request: HttpRequest) -> Any:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> HttpResponse | None:
        try:
            return super().response_action(request, queryset, *args, **kwargs)
        except RefusedError as error:
            self.message_user(request, str(error), messages.ERROR)
            return None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = self._clashes(request) if request.method == "GET" else {}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def _clashes(self, request: HttpRequest) -> dict[str, Any]:
        chosen = filtered_conference(request)
        conferences = [chosen] if chosen else list(Conference.objects.all())
        rows = clash_list.rows(clashes_among(conferences), request)
        return {
            "clashes": rows[:CLASHES_AT_ONCE],
            "more_clashes": rows[CLASHES_AT_ONCE:],
            "clash_count": len(rows),
            # Nine columns and a filter need the width; the breadcrumbs lead back.
            "is_nav_sidebar_enabled": False,
        }

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        # What is changed waits until the talks inside it are known too.
        if not change:
            self._save(request, obj, form)

    def _save(self, request: HttpRequest, obj: Event, form: Any) -> None:
        obj._change_reason = form.cleaned_data.get("reason", "")[:100] or None  # type: ignore[attr-defined]
        obj.save_changed()
        for note in form.notes:
            self.message_user(request, note, messages.WARNING)

    def save_related(self, request: HttpRequest, form: Any, formsets: list[BaseModelFormSet], change: bool) -> None:
        if change:
            self.look_first(request, form, formsets)
            self._save(request, form.instance, form)
        super().save_related(request, form, formsets, change)
        self._tell_of_talks_outside(request, form.instance)

    def announce(self, form: Any, formsets: list[BaseModelFormSet]) -> None:
        form.instance.revise(reason=form.cleaned_data.get("reason", ""))

    def _tell_of_talks_outside(self, request: HttpRequest, event: Event) -> None:
        if event.start is None or event.end is None:
            return
        inside = event.children.exclude(status=Status.CANCELLED).exclude(start=None)
        outside = inside.exclude(start__gte=event.start, end__lte=event.end).count()
        if outside:
            talks = "1 talk inside is" if outside == 1 else f"{outside} talks inside are"
            words = f"{talks} not within its time: choose and move what is left behind."
            self.message_user(request, words, messages.WARNING)

    def holds_public(self, obj: Event) -> bool:
        return knew_of(obj)
