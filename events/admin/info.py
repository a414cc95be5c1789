"""Pages that organisers write, sponsors and their levels."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.admin.base.scope import InUseFilter
from events.programme.models.info_pages import PagePicture
from events.programme.models.sponsors import Sponsor


class PagePictureInline(HallwayInline):
    model = PagePicture
    fields = ["name", "photo", "alt", "position"]
    verbose_name_plural = "pictures (one that the text does not mention stands below it)"


class InfoPageAdmin(HallwayAdmin):
    list_display = ["title", "slug", "is_public", "position", "changed_at", "conference"]
    list_filter = ["conference", "is_public"]
    search_fields = ["title", "text", "slug"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "title"]
    prepopulated_fields = {"slug": ["title"]}
    filled_fields = ("position",)
    fields = ["conference", "title", "slug", "text", "is_public", "position"]
    inlines = [PagePictureInline]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        # The slug is in addresses that people have shared.
        return {} if obj else dict(super().get_prepopulated_fields(request, obj))


class SponsorLevelAdmin(HallwayAdmin):
    list_display = ["name", "in_overview", "position", "conference"]
    list_filter = ["conference"]
    search_fields = ["name"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "position", "name"]
    fields = ["conference", "name", "in_overview", "position"]


class SponsorAdmin(HallwayAdmin):
    list_display = ["name", "level", "booth", "has_logo", "position", "conference"]
    list_filter = ["conference", ("level", InUseFilter)]
    search_fields = ["name", "booth", "about"]
    list_select_related = ["conference", "level"]
    ordering = ["-conference__start", "level__position", "position", "name"]
    fields = ["conference", "level", "name", "url", "logo", "about", "booth", "position"]

    @admin.display(boolean=True, description="logo")
    def has_logo(self, sponsor: Sponsor) -> bool:
        return bool(sponsor.logo)
