"""Bulk actions on events. They show a preview first and change all events or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html

from events.admin.base.clash_rows import clash_rows, proxy_of_kind
from events.admin.programme.action_forms import (
    ActionForm,
    ActionPlan,
    CancelForm,
    ChangeRoomForm,
    MoveForm,
    TakePlaceForm,
    plan_publishing,
    quoted_title,
)
from events.admin.programme.impact import has_impact, impact_context, plan_fingerprint, sign_up_notes, time_and_place
from events.admin.programme.more_action_forms import (
    BackToDraftForm,
    ChangeDayForm,
    ChangeTrackForm,
    ChangeTypeForm,
    RepeatForm,
)
from events.imports.sync.edits import edits_of
from events.imports.sync.foreign import EVENT_TABLE
from events.imports.sync.plan_rows import stored_rows
from events.programme.models.bulk_saving import save_changed_events
from events.programme.models.changes import ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.repeating import save_twins
from events.programme.queries.clashes import EventClash, new_clashes

MAX_EVENTS_PER_ACTION = 1000
MAX_NAMED_EVENTS = 8
DELETE_WARNING = (
    "Deleting cannot be taken back: there is no undo. Texts, links and lists of people go with a draft; "
    "the people, papers and rooms themselves stay."
)


class ActionRefusedError(Exception):
    """The action was refused; the message says why."""


@admin.action(description="Publish", permissions=["change"])
def publish(modeladmin: Any, request: HttpRequest, queryset: Any) -> None:
    with transaction.atomic():
        events = lock_events(modeladmin, request, queryset)
        plan = plan_publishing(events)
        apply_plan(modeladmin, request, plan, "Published", "")
    hidden = Event.objects.filter(pk__in=plan.changed).exclude(pk__in=Event.objects.public()).count()
    if hidden:
        text = f"Attendees do not see {hidden} of them yet: the conference, or the session they are in, is a draft."
        modeladmin.message_user(request, text, messages.WARNING)


@admin.action(description="Cancel …", permissions=["change"])
def cancel(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, queryset, CancelForm)


@admin.action(description="Takes place after all …", permissions=["change"])
def take_place(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, queryset, TakePlaceForm)


@admin.action(description="Move by minutes …", permissions=["change"])
def move(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, queryset, MoveForm)


@admin.action(description="Change room …", permissions=["change"])
def change_room(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, of_one_conference(queryset, "room"), ChangeRoomForm)


@admin.action(description="Change day …", permissions=["change"])
def change_day(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, of_one_conference(queryset, "day"), ChangeDayForm)


@admin.action(description="Change type …", permissions=["change"])
def change_type(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, of_one_conference(queryset, "type"), ChangeTypeForm)


@admin.action(description="Change track …", permissions=["change"])
def change_track(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, of_one_conference(queryset, "track"), ChangeTrackForm)


@admin.action(description="Back to draft …", permissions=["change"])
def back_to_draft(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, queryset, BackToDraftForm)


@admin.action(description="Copy to other days …", permissions=["add"])
def repeat(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    return confirm_action(modeladmin, request, of_one_conference(queryset, "day"), RepeatForm)


def of_one_conference(events: Any, what: str) -> Any:
    if events.order_by().values("conference").distinct().count() > 1:
        raise ActionRefusedError(f"Choose events of one conference only: each {what} belongs to one.")
    return events


@admin.action(description="Delete drafts …", permissions=["delete"])
def delete_drafts(modeladmin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
    """Delete drafts that were never published. Others are cancelled instead, so that calendars show it."""
    with transaction.atomic():
        events = lock_events(modeladmin, request, queryset)
        protected = [event for event in events if not modeladmin.has_delete_permission(request, event)]
        if "apply" in request.POST and not protected:
            modeladmin.log_deletions(request, modeladmin.model.objects.filter(pk__in=[event.pk for event in events]))
            for event in events:
                event.delete()
            modeladmin.message_user(request, f"Deleted {draft_count_text(len(events))}.", messages.SUCCESS)
            return None
    context = {
        "heading": "Delete drafts",
        "button": "" if protected else "Delete them",
        "warning": "Nothing is deleted while these are selected." if protected else DELETE_WARNING,
        "gone": [] if protected else what_goes(events),
        "skipped": [f"{quoted_title(event)}: {why_protected(event)}" for event in protected],
    }
    return action_page(modeladmin, request, "delete_drafts", events, context)


def why_protected(event: Event) -> str:
    """Say why the event is no draft that can be deleted, and what to do instead; empty if it can be."""
    if event.children.exists():
        return "it contains talks: move its talks first"
    if event.sequence > 0 or event.announced or (event.status != Status.DRAFT and not event.conference.is_draft):
        return "it was published: cancel it instead"
    return "it is no draft: take it back to a draft first" if event.status != Status.DRAFT else ""


def what_goes(events: Sequence[Event]) -> list[tuple[Event, str]]:
    """Each draft with its time and place, and how many people and links go with it."""
    parts = {"people_count": Count("appearances", distinct=True), "link_count": Count("links", distinct=True)}
    counted = Event.objects.filter(pk__in=[event.pk for event in events]).annotate(**parts).values_list("pk", *parts)
    counts = {pk: numbers for pk, *numbers in counted}
    texts = {event.pk: [time_and_place(event), *_count_texts(*counts[event.pk])] for event in events}
    return [(event, ", ".join(filter(None, texts[event.pk]))) for event in events]


def _count_texts(people: int, links: int) -> list[str]:
    return [_count_text(people, "person", "people"), _count_text(links, "link", "links")]


def _count_text(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""


def confirm_action(
    modeladmin: Any,
    request: HttpRequest,
    queryset: Any,
    form_class: Callable[..., ActionForm],
    applied: Callable[[list[Event]], HttpResponse | None] = lambda made: None,
) -> HttpResponse | None:
    """Show the form and the preview; apply the plan once the answers are complete and its impact was shown.

    ``applied`` takes the new events, and says where to go; without it, back to the list.
    """
    action = request.POST.get("action", "")
    with transaction.atomic():
        events = lock_events(modeladmin, request, queryset, reaches_inside=getattr(form_class, "reaches_inside", False))
        inside = [event for event in nested_events(events) if event.pk not in {chosen.pk for chosen in events}]
        form = form_class(request.POST if "apply" in request.POST else None, events=events, inside=len(inside))
        form.limit_kinds(changeable_kinds(modeladmin, request))
        plan = form.try_plan(events, inside)
        clashes: list[EventClash] = []
        if plan and form.is_valid():
            check_permissions(modeladmin, request, [*plan.changed.values(), *(twin for _, twin in plan.made)])
            if form.warns_of_clashes:
                clashes = new_clashes({event.conference for event in plan.changed.values()}, plan.changed)
            if can_apply_now(request, plan, clashes):
                return applied(apply_plan(modeladmin, request, plan, form.done, form.reason_given))
    # Outside the transaction, because counting all agendas takes time and would hold the locks.
    shown = (
        plan if plan and all(can_change_event(modeladmin, request, event) for event in plan.changed.values()) else ActionPlan()
    )
    context = {
        "heading": form.heading,
        "button": "Do it anyway" if clashes else form.button,
        "form": form,
        "impact": impact_context(shown.changed),
        "notes": sign_up_notes(shown.changed),
        "clashes": clash_rows(clashes, request),
        "seen": plan_fingerprint(shown.changed) if shown.changed else "",
    }
    # Loaded again, because the plan has changed the loaded events.
    stored = Event.objects.filter(pk__in=[event.pk for event in events]).in_order()
    return action_page(modeladmin, request, action, stored, context)


def can_apply_now(request: HttpRequest, plan: ActionPlan, clashes: Sequence[EventClash]) -> bool:
    """Whether the plan has no impact and no clashes, or the page that was sent had shown them."""
    return request.POST.get("seen") == plan_fingerprint(plan.changed) or not (clashes or has_impact(plan.changed))


def lock_events(modeladmin: Any, request: HttpRequest, queryset: Any, *, reaches_inside: bool = False) -> list[Event]:
    """The chosen events; their conferences are locked until the transaction ends."""
    chosen = list(queryset.order_by().values_list("pk", flat=True)[: MAX_EVENTS_PER_ACTION + 1])
    if len(chosen) > MAX_EVENTS_PER_ACTION:
        remedy = " Choose the sessions only: what is inside comes along." if reaches_inside else ""
        raise ActionRefusedError(f"Choose at most {MAX_EVENTS_PER_ACTION} events at once.{remedy}")
    for conference in Conference.objects.filter(events__in=chosen).distinct().order_by("pk"):
        conference.lock()
    events = list(load_events(Q(pk__in=chosen)))
    check_permissions(modeladmin, request, events)
    return events


def load_events(which: Q) -> Any:
    return Event.objects.select_related("conference", "type", "day", "room", "session").filter(which).in_order()


def nested_events(events: Sequence[Event]) -> list[Event]:
    """Events inside these events, two levels deep."""
    return list(load_events(Q(pk__in=Event.objects.keys_inside([event.pk for event in events]))))


def check_permissions(modeladmin: Any, request: HttpRequest, events: Any) -> None:
    if not all(can_change_event(modeladmin, request, event) for event in events):
        raise PermissionDenied


def can_change_event(modeladmin: Any, request: HttpRequest, event: Event) -> bool:
    """Whether the user may change it in the list that contains its kind."""
    proxy_admin = modeladmin.admin_site.get_model_admin(proxy_of_kind(event.type.kind))
    allowed: bool = proxy_admin.has_change_permission(request, event)
    return allowed


def changeable_kinds(modeladmin: Any, request: HttpRequest) -> list[Kind]:
    proxies = {kind: modeladmin.admin_site.get_model_admin(proxy_of_kind(kind)) for kind in Kind}
    return [kind for kind, proxy_admin in proxies.items() if proxy_admin.has_change_permission(request)]


def apply_plan(modeladmin: Any, request: HttpRequest, plan: ActionPlan, done: str, reason: str) -> list[Event]:
    """Save the planned events, and record their changes as one entry for each conference, which can be taken back.

    Return the new events.
    """
    notes = sign_up_notes(plan.changed)
    before = {conference: stored_rows(EVENT_TABLE, conference, pks) for conference, pks in _by_conference(plan).items()}
    save_and_log(request, plan, f"{done}{f': {reason}' if reason else ''}", reason)
    made = save_twins(plan.made)
    for twin in made:
        modeladmin.log_addition(request, twin, done)
    for conference, rows in before.items():
        keys, by = [*rows, *(twin.pk for twin in made if twin.conference_id == conference.pk)], request.user.get_username()
        edits = {"events": edits_of(EVENT_TABLE, rows, stored_rows(EVENT_TABLE, conference, keys))}
        kind = ChangeGroupKind.ACTION
        group = ChangeGroup.objects.create(conference=conference, kind=kind, title=done, note=reason, by=by, edits=edits)
        shown = {*keys, *Event.objects.keys_inside(keys)}
        Event.objects.filter(pk__in=shown).record_changes(reason=reason, group=group)
        url = reverse("admin:events_changegroup_undo", args=[group.pk])
        sentence = f"{done}: {join_truncated(plan.descriptions)}."
        modeladmin.message_user(request, format_html('{} <a href="{}">Undo …</a>', sentence, url), messages.SUCCESS)
    if plan.skipped:
        modeladmin.message_user(request, f"Unchanged: {join_truncated(plan.skipped)}.", messages.WARNING)
    for note in notes[:MAX_NAMED_EVENTS]:
        modeladmin.message_user(request, note, messages.WARNING)
    return made


def save_and_log(request: Any, plan: ActionPlan, message: str, reason: str) -> None:
    save_changed_events(plan.changed.values(), reason)
    if plan.changed:
        LogEntry.objects.log_actions(request.user.pk, plan.changed.values(), CHANGE, message)


def _by_conference(plan: ActionPlan) -> dict[Conference, list[int]]:
    found: dict[Conference, list[int]] = {}
    for event in plan.changed.values():
        found.setdefault(event.conference, []).append(event.pk)
    for event, _ in plan.made:
        found.setdefault(event.conference, [])
    return found


def join_truncated(texts: Sequence[str]) -> str:
    more = len(texts) - MAX_NAMED_EVENTS
    return "; ".join(texts[:MAX_NAMED_EVENTS]) + (f"; and {more} more" if more > 0 else "")


def draft_count_text(number: int) -> str:
    return f"{number} {'draft' if number == 1 else 'drafts'}"


def leave_url(modeladmin: Any, request: HttpRequest) -> str:
    """The list as it was filtered, where its actions are sent to; the list, for the pages that have an address."""
    url = reverse(f"admin:{modeladmin.opts.app_label}_{modeladmin.opts.model_name}_changelist")
    return f"{url}?{request.META['QUERY_STRING']}" if request.path == url and request.META["QUERY_STRING"] else url


def action_page(modeladmin: Any, request: HttpRequest, action: str, events: Any, context: dict[str, Any]) -> TemplateResponse:
    values = {
        **modeladmin.admin_site.each_context(request),
        "title": f"{context['heading']}: {len(events)} chosen",
        "opts": modeladmin.opts,
        "media": modeladmin.media,
        "events": events,
        "action": action,
        "checkbox": ACTION_CHECKBOX_NAME,
        "leave_url": leave_url(modeladmin, request),
        **context,
    }
    request.current_app = modeladmin.admin_site.name
    return TemplateResponse(request, "admin/event_action.html", values)
