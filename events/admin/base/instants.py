"""Moments in lists and as fields that are only read: in the time zone of the row's conference, which is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.http import HttpRequest

from events.admin.base.times import instant_html
from events.programme.models.conference import Conference


def conference_of(row: Any) -> Conference | None:
    """The conference of a row, or of the event that it is about."""
    owner = row if getattr(row, "conference_id", None) else row.event if getattr(row, "event_id", None) else None
    return cast(Conference, owner.conference) if owner else None


@cache
def instant_column(field: models.DateTimeField) -> Callable[[Any], Any]:
    @admin.display(description=str(field.verbose_name), ordering=field.name, empty_value="—")
    def column(row: Any) -> Any:
        return instant_html(getattr(row, field.name), conference_of(row)) or None

    column.__name__ = field.name
    return column


class InstantColumns(admin.ModelAdmin):
    """Replaces the names of moments by columns that name the time zone."""

    def get_list_display(self, request: HttpRequest) -> Any:
        return [self._column(it) for it in super().get_list_display(request)]

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        links = super().get_list_display_links(request, list_display)
        return [self._column(it) for it in links] if links else links

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        names = super().get_readonly_fields(request, obj)
        return [*names, *(column for it in names if (column := self._column(it)) != it)]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        read = self.get_readonly_fields(request, obj) if self.has_change_permission(request, obj) else None
        return [(name, {**options, "fields": self._shown(options["fields"], read)}) for name, options in fieldsets]

    def _shown(self, fields: Any, read: Any) -> list[Any]:
        """``read`` has the fields that nobody edits; None if that is all of them."""
        return [
            self._shown(it, read) if isinstance(it, (list, tuple)) else self._column(it) if read is None or it in read else it
            for it in fields
        ]

    def _column(self, name: Any) -> Any:
        try:
            field = self.model._meta.get_field(name) if isinstance(name, str) else None
        except FieldDoesNotExist:
            return name
        return instant_column(field) if isinstance(field, models.DateTimeField) else name
