"""Filters of the lists of events."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from events.admin.base.scope import InUseFilter, filtered_conference
from events.admin.base.visible import visible_to
from events.core.languages import language_name
from events.programme.models.event import Event
from events.programme.models.labels import Kind


class LanguageFilter(admin.SimpleListFilter):
    """Offers the languages in use, once there is one."""

    title = "language"
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        events = visible_to(request, Event.objects.exclude(language="").order_by("language"))
        if conference := filtered_conference(request):
            events = events.filter(conference=conference)
        return [(tag, language_name(tag)) for tag in events.values_list("language", flat=True).distinct()]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(language=self.value()) if self.value() else queryset


class InsideFilter(admin.SimpleListFilter):
    title = "inside a session"
    parameter_name = "inside"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "No"), ("yes", "Yes")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(session__isnull=self.value() == "no") if self.value() else queryset


class BoardFilter(admin.SimpleListFilter):
    title = "poster board"
    parameter_name = "has_board"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Posters without a board"), ("yes", "With a board")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "no":
            return queryset.filter(board="", type__kind=Kind.POSTER)
        return queryset.exclude(board="") if self.value() else queryset


EVENT_LIST_FILTERS: tuple[Any, ...] = (
    "conference",
    ("day", InUseFilter),
    ("type", InUseFilter),
    ("track", InUseFilter),
    "status",
    ("room", InUseFilter),
    InsideFilter,
    LanguageFilter,
)
