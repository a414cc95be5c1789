"""Changes that were made at once, and the page that takes them back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.visible import visible_to
from events.admin.programme.actions import can_change_event
from events.admin.programme.import_impact import import_impact
from events.imports.sync.report import SyncError
from events.imports.sync.undo import UndoRefusedError, check_undo, slots_before, undo
from events.programme.models.changes import Change, ChangeGroup, ChangeGroupKind
from events.programme.models.event import Event

MAX_REASON_CHARS = 100


class ChangeGroupAdmin(HallwayAdmin):
    """Read only: rows are written by publications, bulk actions and imports."""

    list_display = ["at", "title", "events_of", "reason", "kind", "conference", "by", "undo_link"]
    list_display_links = ["title"]
    list_filter = ["conference", "kind"]
    search_fields = ["title", "note", "by"]
    list_select_related = ["conference"]
    date_hierarchy = "at"
    fields = ["conference", "kind", "title", "note", "at", "by", "undone_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ChangeGroup | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        changes = Change.objects.filter(group=OuterRef("pk"))
        counted = changes.order_by().values("group").annotate(count=Count("event", distinct=True))
        counts = {"event_count": Subquery(counted.values("count"))}
        first = {"first_event": Subquery(changes.order_by("pk").values("event__title")[:1])}
        return super().get_queryset(request).defer("edits").annotate(**counts, **first)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        changelist.result_list = list(changelist.result_list)
        _name_events_of_drafts(changelist.result_list)
        return changelist

    @admin.display(description="events")
    def events_of(self, group: Any) -> str:
        if not group.event_count:
            return "—"
        more = group.event_count - 1
        return f"“{group.first_event}”" + (f" and {more} more" if more else "")

    @admin.display(description="reason")
    def reason(self, group: ChangeGroup) -> str:
        return Truncator(group.note).chars(MAX_REASON_CHARS)

    def view_on_site(self, obj: ChangeGroup) -> str:
        return reverse("events:change-list", args=[obj.conference.slug])

    @admin.display(description="undo")
    def undo_link(self, group: ChangeGroup) -> SafeString | str:
        if group.undone_at:
            return "Taken back"
        if group.kind not in UNDOABLE_KINDS:
            return ""
        return format_html('<a href="{}">Undo …</a>', reverse("admin:events_changegroup_undo", args=[group.pk]))

    def get_urls(self) -> list[URLPattern]:
        take_back = self.admin_site.admin_view(self.undo_view)
        return [path("<int:pk>/undo/", take_back, name="events_changegroup_undo"), *super().get_urls()]

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        if request.method not in {"GET", "HEAD", "POST"}:
            return HttpResponseNotAllowed(["GET", "POST"])
        group = visible_to(request, ChangeGroup.objects.select_related("conference")).filter(pk=pk).first()
        if group is None:
            raise Http404
        if not self._may_undo(request, group):
            raise PermissionDenied
        try:
            if request.method == "POST":
                undo(group, by=request.user.get_username())
                self.message_user(request, f"Taken back: {group.title}.{_empty_conference_sentence(group)}", messages.SUCCESS)
                return redirect("admin:index")
            check_undo(group)
            refusal = ""
        except (UndoRefusedError, SyncError) as error:
            refusal = str(error)
        events = group.edits.get("events", {})
        new = sum(edit["before"] is None for edit in events.values())
        context = {
            **self.admin_site.each_context(request),
            "title": f"Take back: {group.title}",
            "opts": self.opts,
            "media": self.media,
            "original": group.conference,
            "group": group,
            "refusal": refusal,
            "changed_count": len(events) - new,
            "new_count": new,
            "impact": None if refusal else import_impact(slots_before(group), every_event=True),
            "other_count": sum(len(edits) for part, edits in group.edits.items() if part not in {"events", "conference"}),
        }
        request.current_app = self.admin_site.name
        status = 409 if request.method == "POST" else 200
        return TemplateResponse(request, "admin/change_group_undo.html", context, status=status)

    def _may_undo(self, request: HttpRequest, group: ChangeGroup) -> bool:
        if group.kind == ChangeGroupKind.IMPORT and request.user.has_perms(UNDO_PERMISSIONS):
            return True
        if group.edits.keys() - {"events"}:
            return False
        events = Event.objects.filter(pk__in=[int(pk) for pk in group.edits.get("events", {})]).select_related(
            "type", "conference"
        )
        return bool(events) and all(can_change_event(self, request, event) for event in events)


UNDO_PERMISSIONS = ["events.change_conference", "events.change_event", "events.add_event"]
UNDOABLE_KINDS = {ChangeGroupKind.ACTION, ChangeGroupKind.IMPORT}


def _name_events_of_drafts(groups: list[Any]) -> None:
    """A bulk action on drafts has no changes that attendees read, but what its undo needs; in two queries."""
    unnamed = [group.pk for group in groups if not group.event_count and group.kind == ChangeGroupKind.ACTION]
    edited = dict(ChangeGroup.objects.filter(pk__in=unnamed).values_list("pk", "edits__events"))
    keys = {pk: [int(key) for key in events] for pk, events in edited.items() if events}
    titles = dict(Event.objects.filter(pk__in=[events[0] for events in keys.values()]).values_list("pk", "title"))
    for group in groups:
        events = keys.get(group.pk)
        if events and events[0] in titles:
            group.event_count, group.first_event = len(events), titles[events[0]]


def _empty_conference_sentence(group: ChangeGroup) -> str:
    """With a space before it; empty unless an import was taken back that had brought all events."""
    if group.kind != ChangeGroupKind.IMPORT or Event.objects.filter(conference=group.conference_id).exists():
        return ""
    return f" {group.conference} stays, without events: delete it on its page if nobody needs it."
