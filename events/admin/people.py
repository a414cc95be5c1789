"""People, with where they appear."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.admin.spreadsheets.other_sheets import PersonSheet
from events.admin.spreadsheets.pages import Spreadsheets
from events.models import Person


@admin.register(Person)
class PersonAdmin(Spreadsheets, HallwayAdmin):
    sheet = PersonSheet
    change_list_template = "admin/list.html"
    list_display = ["name", "affiliation", "events_of", "papers_of", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "affiliation"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "sort_key", "pk"]
    fields = ["conference", ("name", "sort_name"), "affiliation", "bio", "url", "photo", "photo_alt"]

    def get_queryset(self, request: HttpRequest) -> Any:
        counts = {"event_count": Count("appearances", distinct=True), "paper_count": Count("authorships", distinct=True)}
        return super().get_queryset(request).annotate(**counts)

    @admin.display(description="events", ordering="event_count")
    def events_of(self, person: Any) -> int:
        count: int = person.event_count
        return count

    @admin.display(description="papers", ordering="paper_count")
    def papers_of(self, person: Any) -> int:
        count: int = person.paper_count
        return count
