"""Messages on rows with a name that another one has. Two people can share one, so nothing is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.db import models
from django.forms.models import BaseModelFormSet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from events.admin.base.scope import label_of
from events.admin.base.visible import visible_to
from events.core.parsing.cells import without_invisible
from events.programme.models.labels import EventType, Track
from events.programme.models.people import Person
from events.programme.models.venue import Room
from events.venue.models import Amenity

COMPARED_MODELS: dict[type[models.Model], tuple[str, ...]] = {
    Amenity: ("event", "service", "room", "zone"),
    EventType: (),
    Person: (),
    Room: (),
    Track: (),
}
"""Lists that are imported find these by their names; those with fields by them too: there is water in every zone."""
ZERO_WIDTH_SPACE = "\u200b"


def report_same_names(request: HttpRequest, form: Any, formsets: Iterable[BaseModelFormSet]) -> None:
    """``form`` and ``formsets`` were saved."""
    named = [form.instance] if "name" in form.changed_data else []
    for formset in formsets:
        named += formset.new_objects
        named += [row for row, fields in formset.changed_objects if "name" in fields]
    for row in named:
        if type(row) in COMPARED_MODELS and (other := _namesake(request, row)):
            link = reverse(f"admin:events_{other._meta.model_name}_change", args=[other.pk])
            text = 'There is a second {} of the name “{}”: <a href="{}">{}</a>. Lists that are imported cannot tell them apart: '
            text += "if they are the same, delete one; otherwise change a name."
            messages.warning(request, format_html(text, row._meta.verbose_name, row.name, link, label_of(other)))


def _namesake(request: HttpRequest, row: Any) -> models.Model | None:
    shared = {name: getattr(row, name) for name in ("conference", *COMPARED_MODELS[type(row)])}
    rows = visible_to(request, type(row)._default_manager.filter(**shared).exclude(pk=row.pk))
    names = _readings(row.name)
    same = next((key for key, name in rows.values_list("pk", "name") if names & _readings(name)), None)
    return rows.filter(pk=same).first() if same else None


def _readings(name: str) -> set[str]:
    """The name without capitals and invisible characters, of which one may stand for a blank."""
    texts = (name, name.replace(ZERO_WIDTH_SPACE, " "))
    return {" ".join(without_invisible(text).split()).casefold() for text in texts}
