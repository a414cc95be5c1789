"""Filters that offer what the list holds, of the conference that is chosen."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from events.admin.scope import FILTER, belongs_to_conference, find_conference
from events.models import Conference


def filtered_conference(request: HttpRequest) -> Conference | None:
    return find_conference(request.GET.get(FILTER))


class InUse(admin.RelatedFieldListFilter):
    """Days, rooms and the like that the list's rows have, of one conference once that is chosen."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin) -> Any:
        rows = model_admin.model._default_manager.all()
        chosen = filtered_conference(request)
        if chosen and belongs_to_conference(model_admin.model):
            rows = rows.filter(conference=chosen)
        used = models.Q(pk__in=rows.order_by().values(field.name))
        ordering = self.field_admin_ordering(field, request, model_admin)
        return field.get_choices(include_blank=False, ordering=ordering, limit_choices_to=used)
