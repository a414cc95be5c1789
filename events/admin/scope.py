"""Which conference a form is about, and that it offers nothing of another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.http import HttpRequest, QueryDict

from events.admin.times import span_words
from events.admin.widgets import LookUpSelect, Related
from events.models import Conference, Event, Person

FILTER = "conference__id__exact"


def label_of(row: models.Model) -> str:
    """A row's name, and what tells it from another of the same name."""
    if isinstance(row, Event):
        when = f"{row.day}, {span_words(row.start, row.end, row.conference.zone)}" if row.day else "day to be announced"
        return f"{row.title} ({when})"
    if isinstance(row, Person) and row.affiliation:
        return f"{row.name} ({row.affiliation})"
    return str(row)


def belongs_to_conference(model: type[models.Model]) -> bool:
    try:
        return model._meta.get_field("conference").related_model is Conference
    except FieldDoesNotExist:
        return False


def find_conference(key: object) -> Conference | None:
    """The conference of this row number, whatever was sent as one."""
    if isinstance(key, Conference):
        return key
    text = str(key or "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        return None
    return Conference.objects.filter(pk=int(text)).first()


def asked_for(request: HttpRequest) -> Conference | None:
    """The conference that the address, or the list one comes from, is about."""
    came_from = QueryDict(request.GET.get("_changelist_filters", ""))
    return find_conference(request.GET.get("conference") or request.GET.get(FILTER) or came_from.get(FILTER))


def usual_conference(request: HttpRequest) -> Conference | None:
    return asked_for(request) or Conference.objects.first()


def narrow(fields: Mapping[str, forms.Field], conference: Conference | None) -> None:
    """Offer, and take, only rows of this conference."""
    conference = conference if conference and conference.pk else None
    for field in fields.values():
        if not isinstance(field, forms.ModelChoiceField) or field.queryset is None:
            continue
        rows = field.queryset
        if not belongs_to_conference(rows.model):
            continue
        if issubclass(rows.model, Event):
            rows = rows.select_related("conference", "day")
        field.queryset = rows.filter(conference=conference)
        field.error_messages["invalid_choice"] = "Choose one of this conference."
        field.label_from_instance = label_of  # type: ignore[method-assign, assignment]
        for control in (field.widget, look_up_of(field)):
            if isinstance(control, (Related, LookUpSelect)):
                control.conference_id = conference.pk if conference else None


def look_up_of(field: forms.Field) -> LookUpSelect | None:
    control: Any = getattr(field.widget, "widget", field.widget)
    return control if isinstance(control, LookUpSelect) else None
