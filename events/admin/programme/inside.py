"""What is inside an event that its form moves, and comes along."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest

from events.admin.base.times import TimeError, clock_time
from events.admin.programme.action_forms import ActionPlan, days_by_date, move_part, quoted_title, where_is
from events.admin.programme.actions import can_change_event, join_truncated, load_events, nested_events, save_and_log
from events.admin.programme.impact import takes_inside, time_and_place
from events.programme.models.event import Event

MOVING_FIELDS = frozenset({"day", "start", "end", "room", "place"})


def plan_inside(modeladmin: Any, request: HttpRequest, form: Any, formsets: list[Any]) -> ActionPlan:
    """Move what is inside, but for what is cancelled, or has other times typed in its row of the form.

    A row that is changed otherwise is saved by its formset: there its instance is moved, once it is to come along.
    """
    plan, event = ActionPlan(), form.instance
    listed = [formset for formset in formsets if issubclass(formset.model, Event)]
    if (
        event.is_cancelled
        or not MOVING_FIELDS & set(form.changed_data)
        or (listed and not any(it.initial_forms for it in listed))
    ):
        return plan
    inside = nested_events([event])
    if not inside:
        return plan
    typed = {row.instance.pk: row for formset in listed for row in formset.initial_forms if row.has_changed()}
    days, stored = days_by_date(), load_events(Q(pk=event.pk)).get()
    zone, shift = event.conference.zone, dt.timedelta()
    if event.start and stored.start:
        shift = clock_time(event.start, zone) - clock_time(stored.start, zone)
    for part in inside:
        row = typed.get(part.pk)
        moved = row.instance if row and takes_inside(request) else part
        if moved.is_cancelled or not can_change_event(modeladmin, request, moved):
            continue
        before = (moved.day, moved.start, where_is(moved), time_and_place(moved))
        has_typed_times = row is not None and bool({"start", "end"} & set(row.changed_data))
        try:
            move_part(moved, event, dt.timedelta() if has_typed_times else shift, where_is(stored), days)
        except TimeError as error:
            plan.skipped.append(str(error))
            continue
        if before[:3] != (moved.day, moved.start, where_is(moved)):
            plan.change(moved, f"{quoted_title(moved)} {before[3]} → {time_and_place(moved)}")
    return plan


def save_inside(modeladmin: Any, request: HttpRequest, plan: ActionPlan, reason: str) -> None:
    save_and_log(request, plan, f"Moved with what it is inside of{f': {reason}' if reason else ''}", reason)
    if plan.changed:
        modeladmin.message_user(request, f"Moved with it: {join_truncated(plan.descriptions)}.", messages.SUCCESS)
    for why in plan.skipped:
        modeladmin.message_user(request, why, messages.WARNING)
