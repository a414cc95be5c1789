"""Bulk actions on events: looked at first, then all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from events.admin import clash_list
from events.admin.action_forms import ActionForm, CancelForm, MoveForm, RoomForm
from events.admin.impact import context_of, fingerprint
from events.admin.plans import Plan, named, plan_publishing
from events.models import Conference, Event
from events.queries.clashes import EventClash, new_clashes
from events.queries.impact import touches

AT_ONCE = 1000
NAMED = 8


class RefusedError(Exception):
    """Nothing was done, and why."""


@admin.action(description="Publish", permissions=["change"])
def publish(modeladmin: Any, request: HttpRequest, queryset: Any) -> None:
    with transaction.atomic():
        events = locked(modeladmin, request, queryset)
        plan = plan_publishing(events)
        carry_out(modeladmin, request, plan, "Published", "")
    hidden = Event.objects.filter(pk__in=plan.changed).exclude(pk__in=Event.objects.public()).count()
    if hidden:
        words = f"Attendees still see nothing of {hidden} of them: the conference, or the session they are in, is a draft."
        modeladmin.message_user(request, words, messages.WARNING)


@admin.action(description="Cancel …", permissions=["change"])
def cancel(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return ask(modeladmin, request, queryset, CancelForm)


@admin.action(description="Move by minutes …", permissions=["change"])
def move(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return ask(modeladmin, request, queryset, MoveForm)


@admin.action(description="Change room …", permissions=["change"])
def change_room(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    if queryset.order_by().values("conference").distinct().count() > 1:
        raise RefusedError("Choose events of one conference: rooms belong to one.")
    return ask(modeladmin, request, queryset, RoomForm)


@admin.action(description="Delete drafts …", permissions=["delete"])
def delete_drafts(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    """Drafts nobody ever saw; anything else is cancelled, so that calendars hear of it."""
    with transaction.atomic():
        events = locked(modeladmin, request, queryset)
        kept = [event for event in events if not modeladmin.has_delete_permission(request, event)]
        if "apply" in request.POST and not kept:
            modeladmin.log_deletions(request, modeladmin.model.objects.filter(pk__in=[event.pk for event in events]))
            for event in events:
                event.delete()
            modeladmin.message_user(request, f"Deleted {counted(len(events))}.", messages.SUCCESS)
            return None
    why = "attendees know of it, or it holds talks: cancel it, or move its talks first"
    context = {
        "heading": "Delete drafts",
        "button": "" if kept else "Delete them",
        "warning": "Nothing can be deleted as long as these are among them." if kept else "Deleting cannot be undone.",
        "skipped": [f"{named(event)}: {why}" for event in kept],
    }
    return page(modeladmin, request, "delete_drafts", events, context)


def ask(modeladmin: Any, request: HttpRequest, queryset: Any, form_class: type[ActionForm]) -> HttpResponse | None:
    """Show what is asked; when it is answered, and what it makes of agendas and rooms was seen, do it."""
    action = request.POST.get("action", "")
    with transaction.atomic():
        events = locked(modeladmin, request, queryset)
        inside = [event for event in within(events) if event.pk not in {chosen.pk for chosen in events}]
        form = form_class(request.POST if "apply" in request.POST else None, events=events, inside=len(inside))
        plan = form.planned(events, inside)
        clashes: list[EventClash] = []
        if plan and form.is_valid():
            permitted(modeladmin, request, plan.changed.values())
            if form.warns_of_clashes:
                clashes = new_clashes({event.conference for event in plan.changed.values()}, plan.changed)
            if is_settled(request, plan, clashes):
                carry_out(modeladmin, request, plan, form.done, form.reason_given)
                return None
    # What was held is free again: counting what it does to all agendas takes its time.
    shown = plan if plan and all(may_change(modeladmin, request, event) for event in plan.changed.values()) else Plan()
    context = {
        "heading": form.heading,
        "button": "Do it all the same" if clashes else form.button,
        "form": form,
        "impact": context_of(shown.changed),
        "clashes": clash_list.rows(clashes, request),
        "seen": fingerprint(shown.changed) if shown.changed else "",
    }
    # Read anew: the plan was made on the events in hand.
    stored = Event.objects.filter(pk__in=[event.pk for event in events]).in_order()
    return page(modeladmin, request, action, stored, context)


def is_settled(request: HttpRequest, plan: Plan, clashes: Sequence[EventClash]) -> bool:
    """Whether there is nothing to be shown first, or just this plan was sent from a page that showed it."""
    return request.POST.get("seen") == fingerprint(plan.changed) or not (clashes or touches(plan.changed))


def locked(modeladmin: Any, request: HttpRequest, queryset: Any) -> list[Event]:
    """The chosen events, held until the action is done; each one the organiser may change."""
    chosen = list(queryset.order_by().values_list("pk", flat=True)[: AT_ONCE + 1])
    if len(chosen) > AT_ONCE:
        raise RefusedError(f"Choose at most {AT_ONCE} events at once.")
    for conference in Conference.objects.filter(events__in=chosen).distinct().order_by("pk"):
        conference.hold()
    events = list(loaded(Q(pk__in=chosen)))
    permitted(modeladmin, request, events)
    return events


def loaded(which: Q) -> Any:
    return Event.objects.select_related("conference", "type", "day", "room", "session").filter(which).in_order()


def within(events: Sequence[Event]) -> list[Event]:
    """What is inside the events, and inside that."""
    keys = [event.pk for event in events]
    return list(loaded(Q(session__in=keys) | Q(session__session__in=keys)))


def permitted(modeladmin: Any, request: HttpRequest, events: Any) -> None:
    """Each event may be changed by this organiser."""
    if not all(may_change(modeladmin, request, event) for event in events):
        raise PermissionDenied


def may_change(modeladmin: Any, request: HttpRequest, event: Event) -> bool:
    """Through the list that shows its kind."""
    face = modeladmin.admin_site.get_model_admin(clash_list.face_of(event.type.kind))
    allowed: bool = face.has_change_permission(request, event)
    return allowed


def carry_out(modeladmin: Any, request: HttpRequest, plan: Plan, done: str, reason: str) -> None:
    """Write what is planned and tell attendees of all of it at once."""
    for event in plan.changed.values():
        event._change_reason = reason[:100] or None  # type: ignore[attr-defined]
        event.save_changed()
        modeladmin.log_change(request, event, f"{done}{f': {reason}' if reason else ''}")
    keys = list(plan.changed)
    Event.objects.filter(Q(pk__in=keys) | Q(session__in=keys) | Q(session__session__in=keys)).announce(reason=reason)
    if plan.changed:
        modeladmin.message_user(request, f"{done}: {listed(plan.said)}.", messages.SUCCESS)
    if plan.skipped:
        modeladmin.message_user(request, f"Left as they are: {listed(plan.skipped)}.", messages.WARNING)


def listed(words: Sequence[str]) -> str:
    """A few in words, and how many more."""
    more = len(words) - NAMED
    return "; ".join(words[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def counted(number: int) -> str:
    return f"{number} {'draft' if number == 1 else 'drafts'}"


def page(modeladmin: Any, request: HttpRequest, action: str, events: Any, context: dict[str, Any]) -> TemplateResponse:
    values = {
        **modeladmin.admin_site.each_context(request),
        "title": f"{context['heading']}: {len(events)} chosen",
        "opts": modeladmin.opts,
        "media": modeladmin.media,
        "events": events,
        "action": action,
        "checkbox": ACTION_CHECKBOX_NAME,
        **context,
    }
    request.current_app = modeladmin.admin_site.name
    return TemplateResponse(request, "admin/event_action.html", values)
