"""Papers, who wrote them and what they won."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch
from django.http import HttpRequest

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.filters import InUse
from events.admin.spreadsheets.other_sheets import PaperSheet
from events.admin.spreadsheets.pages import Spreadsheets
from events.models import Authorship, Award, Link, Paper


class AuthorshipInline(HallwayInline):
    model = Authorship
    fields = ["person", "position"]
    autocomplete_fields = ["person"]
    verbose_name = "author"
    verbose_name_plural = "authors"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("person")


class PaperLinkInline(HallwayInline):
    model = Link
    fields = ["kind", "url", "title", "position"]


class AwardInline(HallwayInline):
    model = Award
    fields = ["name", "level", "year", "event", "position"]
    autocomplete_fields = ["event"]
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("event__conference", "event__day")


@admin.register(Paper)
class PaperAdmin(Spreadsheets, HallwayAdmin):
    sheet = PaperSheet
    change_list_template = "admin/list.html"
    list_display = ["title", "authors", "topic", "is_public", "conference"]
    list_filter = ["conference", "is_public", ("topic", InUse)]
    search_fields = ["title", "authorships__person__name"]
    list_select_related = ["conference", "topic"]
    ordering = ["-conference__start", "title"]
    autocomplete_fields = ["topic"]
    fields = ["conference", "title", "tldr", "abstract", "topic", "is_public"]
    inlines = [AuthorshipInline, PaperLinkInline, AwardInline]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        authors = Prefetch("authorships", queryset=Authorship.objects.select_related("person"))
        changelist.result_list = changelist.result_list.prefetch_related(authors)
        return changelist

    @admin.display(description="authors")
    def authors(self, paper: Paper) -> str:
        return ", ".join(authorship.person.name for authorship in paper.authorships.all()) or "—"


@admin.register(Award)
class AwardAdmin(HallwayAdmin):
    list_display = ["name", "level", "year", "paper", "event", "position", "conference"]
    list_filter = ["conference", "level", "year", "name"]
    search_fields = ["name", "paper__title", "event__title"]
    list_select_related = ["conference", "paper", "event"]
    ordering = ["-conference__start", "position"]
    autocomplete_fields = ["paper", "event"]
    fields = ["conference", ("name", "level", "year"), "paper", "event", "citation", "position"]
