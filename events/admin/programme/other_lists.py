"""Which events of the other lists match the filters of a list: a room is rarely used by one kind alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse

from events.admin.base.visible import visible_to
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social

SEVERAL_VALUES = ("__in", "__isnull")
"""Lookups whose values in an address the admin reads in its way; no link of ours has one."""


@dataclass(frozen=True)
class OtherList:
    text: str
    url: str


def matches_elsewhere(request: HttpRequest, changelist: Any) -> list[OtherList]:
    """Those that the user may see, counted with one query; none without a filter."""
    admins = changelist.model_admin.admin_site
    others = [it for it in (Session, InvitedTalk, Social) if it is not changelist.model]
    others = [it for it in others if admins.get_model_admin(it).has_view_permission(request)]
    by_conference_alone = {f"{changelist.model_admin.conference_path}__id__exact"}
    if not others or not changelist.get_filters_params().keys() - by_conference_alone:
        return []
    filtered = _filtered(request, changelist, visible_to(request, Event.objects.all())).order_by()
    counts = dict(filtered.values_list("type__kind").annotate(count=Count("pk", distinct=True)))
    query = changelist.get_query_string(remove=["p", "o"])
    numbers = [(model, sum(counts.get(kind, 0) for kind in model.kinds)) for model in others]
    return [OtherList(_count_text(model, number), f"{_list_url(model)}{query}") for model, number in numbers if number]


def _filtered(request: HttpRequest, changelist: Any, events: Any) -> Any:
    """With the filters beside the list, those that only its address has, and its search."""
    params = changelist.get_filters_params()
    for choice in changelist.filter_specs:
        events = choice.queryset(request, events)
        params = {name: values for name, values in params.items() if name not in choice.expected_parameters()}
    if any(name.endswith(SEVERAL_VALUES) for name in params):
        return events.none()
    events = events.filter(**{name: values[-1] for name, values in params.items()})
    return changelist.model_admin.get_search_results(request, events, changelist.query)[0]


def _list_url(model: type[Event]) -> str:
    return reverse(f"admin:events_{model._meta.model_name}_changelist")


def _count_text(model: type[Event], number: int) -> str:
    options = model._meta
    return f"1 {options.verbose_name} matches" if number == 1 else f"{number} {options.verbose_name_plural} match"
