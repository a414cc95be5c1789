"""What is inside an event that its form moves or cancels, and comes along."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest

from events.admin.base.times import TimeError, clock_time
from events.admin.programme.action_forms import ActionPlan, days_by_date, move_part, quoted_title, where_is
from events.admin.programme.actions import can_change_event, join_truncated, load_events, nested_events, save_and_log
from events.admin.programme.impact import takes_inside, time_and_place
from events.programme.models.event import Event
from events.programme.models.labels import Status

MOVING_FIELDS = frozenset({"day", "start", "end", "room", "place"})


def plan_inside(modeladmin: Any, request: HttpRequest, form: Any, formsets: list[Any]) -> ActionPlan:
    """Move or cancel what is inside, but for what is cancelled, or has other times or another status typed in its row.

    A row that is changed otherwise is saved by its formset: there its instance is moved, once it is to come along.
    """
    event, listed = form.instance, [formset for formset in formsets if issubclass(formset.model, Event)]
    changed = {"status"} if event.is_cancelled else MOVING_FIELDS
    if not changed & set(form.changed_data) or (listed and not any(it.initial_forms for it in listed)):
        return ActionPlan()
    typed = {row.instance.pk: row for formset in listed for row in formset.initial_forms if row.has_changed()}
    parts = []
    for part in nested_events([event]):
        row = typed.get(part.pk)
        planned = row.instance if row and takes_inside(request) else part
        if not planned.is_cancelled and can_change_event(modeladmin, request, planned):
            parts.append((planned, set(row.changed_data) if row else set()))
    return _plan_cancelling(parts) if event.is_cancelled else _plan_moving(event, parts)


def _plan_cancelling(parts: Sequence[tuple[Event, set[str]]]) -> ActionPlan:
    """Each part with the fields that are typed in its row."""
    plan = ActionPlan()
    for part, typed in parts:
        if part.status != Status.DRAFT and "status" not in typed:
            part.status = Status.CANCELLED
            plan.change(part, quoted_title(part))
    return plan


def _plan_moving(event: Event, parts: Sequence[tuple[Event, set[str]]]) -> ActionPlan:
    plan = ActionPlan()
    if not parts:
        return plan
    days, stored = days_by_date(), load_events(Q(pk=event.pk)).get()
    zone, shift = event.conference.zone, dt.timedelta()
    if event.start and stored.start:
        shift = clock_time(event.start, zone) - clock_time(stored.start, zone)
    for part, typed in parts:
        before = (part.day, part.start, where_is(part), time_and_place(part))
        try:
            move_part(part, event, dt.timedelta() if {"start", "end"} & typed else shift, where_is(stored), days)
        except TimeError as error:
            plan.skipped.append(str(error))
            continue
        if before[:3] != (part.day, part.start, where_is(part)):
            plan.change(part, f"{quoted_title(part)} {before[3]} → {time_and_place(part)}")
    return plan


def save_inside(modeladmin: Any, request: HttpRequest, plan: ActionPlan, reason: str) -> None:
    done = "Cancelled" if any(part.is_cancelled for part in plan.changed.values()) else "Moved"
    save_and_log(request, plan, f"{done} with what it is inside of{f': {reason}' if reason else ''}", reason)
    if plan.changed:
        modeladmin.message_user(request, f"{done} with it: {join_truncated(plan.descriptions)}.", messages.SUCCESS)
    for why in plan.skipped:
        modeladmin.message_user(request, why, messages.WARNING)
