"""What a new form starts with, and what a new row gets by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.db import models
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from events.admin.base.visible import visible_to
from events.programme.models.conference import Conference, Day
from events.programme.models.venue import Venue, Zone

PRESELECTED_MODELS: tuple[type[models.Model], ...] = (Venue, Zone, Day)


def only_choices(request: HttpRequest, model: type[models.Model], conference: Conference | None) -> dict[str, Any]:
    """The day and the required references of a model, where the conference has one row only; not both ends of a walk."""
    found: dict[str, Any] = {}
    models_of_fields = Counter(field.related_model for field in model._meta.concrete_fields)
    for field in model._meta.concrete_fields:
        of = field.related_model
        if conference and of in PRESELECTED_MODELS and models_of_fields[of] == 1 and (of is Day or not field.null):
            rows = list(visible_to(request, of._default_manager.filter(conference=conference)).values_list("pk", flat=True)[:2])
            found |= {field.name: rows[0]} if len(rows) == 1 else {}
    return found


def with_kept_choices(request: HttpRequest, response: HttpResponse, names: Iterable[str], row: Any) -> HttpResponse:
    """After “Save and add another”, the next form has the same conference, and the same answers to ``names``."""
    if "_addanother" not in request.POST or "_popup" in request.POST or not isinstance(response, HttpResponseRedirect):
        return response
    values = {name: getattr(row, f"{name}_id", None) for name in ("conference", *names)}
    query = urlencode({name: value for name, value in values.items() if value})
    return HttpResponseRedirect(f"{response.url}{'&' if '?' in response.url else '?'}{query}") if query else response


def fill_position(row: Any) -> None:
    """A new label or place comes after those that are there. Events are in order of time."""
    fields = {field.name for field in row._meta.concrete_fields}
    if {"position", "conference"} <= fields and "start" not in fields and not row.position:
        others = type(row)._default_manager.filter(conference=row.conference_id)
        row.position = (others.aggregate(last=Max("position"))["last"] or 0) + 1


def with_article(noun: str) -> str:
    """
    >>> with_article("room"), with_article("event type")
    ('a room', 'an event type')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
