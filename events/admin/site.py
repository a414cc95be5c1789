"""The admin site: its title, the groups of its index, and its autocomplete."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from events.admin.base.current import choosable_conferences, current_conference, current_conference_view
from events.admin.base.keys import is_key
from events.admin.base.scope import label_of
from events.admin.base.visible import visible_to
from events.admin.dashboard import dashboard
from events.doctor.checks import installation_problems
from events.imports.models import FollowedSource
from events.staff.roles import confinement
from events.staff.second_factor import may_enter
from events.staff.sign_in import count_password, log_sign_in, password_accepted, remember_browser

INDEX_GROUPS = {
    "Programme": [
        "InvitedTalk",
        "Session",
        "Social",
        "Proposal",
        "Question",
        "Poll",
        "UncountedAgendas",
        "Announcement",
        "Change",
        "ChangeGroup",
    ],
    "People and papers": ["Person", "Paper", "Award"],
    "Place": ["Venue", "Zone", "Room", "FloorPlan", "Walk", "Service", "Amenity", "StartingPoint", "Route"],
    "Pages and sponsors": ["InfoPage", "Sponsor", "SponsorLevel"],
    "Settings": ["Conference", "FollowedSource", "ImportRun", "Day", "EventType", "Track", "Topic", "StaffMember"],
}

NO_ACCESS_TITLE = "Your role does not include this"


class LabelledAutocompleteView(AutocompleteJsonView):
    """Results have labels that tell rows of the same name apart."""

    def serialize_result(self, obj: models.Model, to_field_name: str) -> dict[str, str]:
        return {"id": str(getattr(obj, to_field_name)), "text": label_of(obj)}


class HallwayAdminSite(admin.AdminSite):
    site_header = "Hallway for organisers"
    site_title = "Hallway for organisers"
    index_title = "What would you like to change?"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps: list[Any] = list(super().get_app_list(request, app_label))
        app_of_events = next((app for app in apps if app["app_label"] == "events"), None)
        if app_of_events is None or app_label:
            return apps
        models_by_name = {model["object_name"]: model for model in app_of_events["models"]}
        groups = []
        for name, names in INDEX_GROUPS.items():
            if models := [models_by_name[each] for each in names if each in models_by_name]:
                groups.append({**app_of_events, "name": name, "app_label": name.partition(" ")[0].lower(), "models": models})
        return groups + [app for app in apps if app is not app_of_events]

    def has_permission(self, request: HttpRequest) -> bool:
        """Every page of the admin asks this."""
        return super().has_permission(request) and may_enter(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Never sign in by Django's own form, which knows no second factor and no limit."""
        return redirect("account_login")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The old password is a password that can be guessed: its tries are counted and logged like those of the sign-in."""
        if request.method != "POST":
            return super().password_change(request, extra_context)
        name = request.user.get_username()
        try:
            count_password(request, name)
        except ImmediateHttpResponse as refused:
            return refused.response
        response: Any = super().password_change(request, extra_context)
        if response.status_code == 302:
            password_accepted(request, name)
            log_sign_in(logging.WARNING, "password changed", request, name)
            remember_browser(request, response, cast(User, request.user))
        elif "old_password" in response.context_data["form"].errors:
            log_sign_in(logging.WARNING, "wrong password", request, name)
        return response

    def get_urls(self) -> list[Any]:
        choose = self.admin_view(current_conference_view)
        return [
            path("current-conference/", choose, name="current_conference"),
            path("lists/", self.admin_view(self.lists), name="lists"),
            path("r/<path:content_type_id>/<path:object_id>/", self.admin_view(self.view_on_site), name="view_on_site"),
            *super().get_urls(),
        ]

    def each_context(self, request: HttpRequest) -> Any:
        context = super().each_context(request)
        if context["has_permission"]:
            context |= {
                "current_conference": current_conference(request),
                "organised_conferences": choosable_conferences(request),
            }
        return context

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The state of the current conference. Django's own index is at ``lists``."""
        conference = current_conference(request)
        problems = installation_problems() if request.user.is_superuser else []
        context = {
            **self.each_context(request),
            "title": str(conference or "Welcome"),
            "installation_problems": problems,
            "followed": _followed(request),
            **dashboard(request, conference),
            **(extra_context or {}),
        }
        request.current_app = self.name
        with timezone.override(conference.zone if conference else None):
            return cast(TemplateResponse, TemplateResponse(request, "admin/start.html", context).render())

    def view_on_site(self, request: HttpRequest, content_type_id: str, object_id: str) -> HttpResponse:
        """The public page of a row. For holders of roles, of one that they see in a list."""
        if confinement(request.user) and not self._is_listed(request, content_type_id, object_id):
            raise Http404
        return cast(HttpResponse, shortcut(request, content_type_id, object_id))

    def _is_listed(self, request: HttpRequest, content_type_id: str, object_id: str) -> bool:
        key = int(content_type_id) if is_key(content_type_id) else 0
        kind = ContentType.objects.filter(pk=key).first()
        model_admin = next((it for model, it in self._registry.items() if kind and model is kind.model_class()), None)
        if model_admin is None or not model_admin.has_view_permission(request):
            return False
        return model_admin.get_object(request, object_id) is not None

    def lists(self, request: HttpRequest) -> TemplateResponse:
        return super().index(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Refuse NUL characters, on which PostgreSQL raises an error, and say what to do where a role does not allow it."""
        inner: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @wraps(inner)
        def without_nul(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if "%00" in request.GET.urlencode():
                raise BadRequest("The address contains a NUL character.")
            try:
                return inner(request, *args, **kwargs)
            except PermissionDenied:
                return self._no_access(request)

        return without_nul

    def _no_access(self, request: HttpRequest) -> HttpResponse:
        context = {**self.each_context(request), "title": NO_ACCESS_TITLE, "is_refused": True}
        request.current_app = self.name
        return TemplateResponse(request, "admin/no_access.html", context, status=HTTPStatus.FORBIDDEN)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return cast(HttpResponse, LabelledAutocompleteView.as_view(admin_site=self)(request))


def _followed(request: HttpRequest) -> QuerySet[FollowedSource]:
    rows = visible_to(request, FollowedSource.objects.for_organisers())
    return rows if request.user.has_perm("events.view_followedsource") else rows.none()
