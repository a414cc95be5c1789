"""The talks inside a session, as rows of its form, or as a link to their list where they are many."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html

from events.admin.base.clash_rows import event_change_url
from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.admin.base.scope import CONFERENCE_FILTER_PARAM
from events.admin.programme.forms import TalkForm
from events.programme.models.event import Event

MAX_TALKS_IN_FORM = 100
"""More make a page that takes seconds; from about 440 on, a form has more fields than Django accepts."""


class TalkInline(HallwayInline):
    """The events inside a session, with the most important fields."""

    model = Event
    form = TalkForm
    fk_name = "session"
    fields = ["start", "end", "title", "type", "status", "board", "whole"]
    readonly_fields = ["whole"]
    # Published talks are cancelled instead; drafts are deleted on their page.
    can_delete = False
    verbose_name = "talk inside"
    verbose_name_plural = "talks inside"

    def get_queryset(self, request: HttpRequest) -> Any:
        rows: Any = super().get_queryset(request).select_related("day", "conference", "type", "room", "session")
        return rows.in_order()

    @admin.display(description="everything else")
    def whole(self, event: Event) -> str:
        return format_html('<a href="{}">Open</a>', event_change_url(event.pk, event.type.kind)) if event.pk else "—"


class TalkInlineAdmin(HallwayAdmin):
    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        inlines = super().get_inlines(request, obj)
        return inlines if obj is None or _has_talk_rows(request, obj) else [it for it in inlines if it is not TalkInline]

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        event: Event | None = kwargs.get("obj")
        rows = [it.opts for it in context["inline_admin_formsets"]]
        if event and not any(isinstance(it, TalkInline) for it in rows):
            context |= {"talk_count": event.children.count(), "talks_url": talks_url(event)}
        return super().render_change_form(request, context, *args, **kwargs)


def _has_talk_rows(request: HttpRequest, event: Event) -> bool:
    """As the page was that sent the form: talks may be added or moved meanwhile."""
    if request.method == "POST":
        return "children-TOTAL_FORMS" in request.POST
    return event.children.count() <= MAX_TALKS_IN_FORM


def talks_url(event: Event) -> str:
    """The list of what is inside it, also if another conference is the current one."""
    query = {CONFERENCE_FILTER_PARAM: event.conference_id, "session__id__exact": event.pk}
    return reverse("admin:events_session_changelist", query=query)
