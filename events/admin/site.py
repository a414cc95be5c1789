"""The site organisers see: its name, the order of its index, and what its look-ups say."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import BadRequest
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from events.admin.scope import label_of
from events.queries.proposals import waiting_count

INDEX = {
    "Programme": ["InvitedTalk", "Session", "Social", "Proposal", "Question", "Announcement", "Change"],
    "People and papers": ["Person", "Paper", "Award"],
    "Place": ["Venue", "Zone", "Room", "FloorPlan", "Walk", "Service", "Amenity", "StartingPoint", "Route"],
    "Settings": ["Conference", "ImportRun", "Day", "EventType", "Track", "Topic"],
}


class LookUp(AutocompleteJsonView):
    """Answers name what tells two of the same name apart."""

    def serialize_result(self, obj: models.Model, to_field_name: str) -> dict[str, str]:
        return {"id": str(getattr(obj, to_field_name)), "text": label_of(obj)}


class HallwayAdminSite(admin.AdminSite):
    site_header = "Hallway for organisers"
    site_title = "Hallway for organisers"
    index_title = "What would you like to change?"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps: list[Any] = list(super().get_app_list(request, app_label))
        ours = next((app for app in apps if app["app_label"] == "events"), None)
        if ours is None or app_label:
            return apps
        found = {model["object_name"]: model for model in ours["models"]}
        groups = []
        for name, names in INDEX.items():
            if models := [found[each] for each in names if each in found]:
                groups.append({**ours, "name": name, "app_label": name.partition(" ")[0].lower(), "models": models})
        return groups + [app for app in apps if app is not ours]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        waiting = waiting_count() if request.user.has_perm("events.view_proposal") else 0
        return super().index(request, {"proposals_waiting": waiting, **(extra_context or {})})

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """No row has a NUL in it, and PostgreSQL does not even look for one."""
        inner: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @wraps(inner)
        def without_nul(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if "%00" in request.GET.urlencode():
                raise BadRequest("No text has a NUL in it.")
            return inner(request, *args, **kwargs)

        return without_nul

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return cast(HttpResponse, LookUp.as_view(admin_site=self)(request))
