"""Who sees drafts on public pages, and the address of a preview link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from events.staff.models import PreviewLink
from events.staff.roles import confinement, organises_everything
from events.web.caching import no_store
from events.web.drafts import PREVIEW_COOKIE
from events.web.request import DraftReader, Request, csrf_by_origin, may_have_session
from events.web.secret_cookies import remember_secret, secret_cookie


class DraftsMiddleware:
    """Sets ``request.sees_drafts`` for views that show drafts."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        if getattr(view, "shows_drafts", False) and request.method in {"GET", "HEAD"}:
            cast(Request, request).sees_drafts = _draft_reader(request, kwargs.get("conference_slug", ""))


def _draft_reader(request: HttpRequest, slug: str) -> DraftReader:
    if may_have_session(request) and admin.site.has_permission(request):
        if organises_everything(cast(User, request.user)):
            return "organiser"
        confined = confinement(request.user)
        if confined and confined.names(slug):
            return "role"
    token = secret_cookie(request, PREVIEW_COOKIE)
    link = PreviewLink.objects.alive(token) if token else None
    return "guest" if link and link.conference.slug == slug else ""


@require_safe
@no_store
def preview_open(request: Request, conference_slug: str, token: str) -> HttpResponse:
    """Remember the link in this browser, and show the conference."""
    link = PreviewLink.objects.alive(token)
    # The conference may have another slug since.
    if link is None or not (link.conference.slug == conference_slug or link.conference.former_slugs.filter(slug=conference_slug)):
        raise Http404
    response = redirect(link.conference)
    remember_secret(request, response, PREVIEW_COOKIE, token, http_path=link.conference.get_absolute_url())
    return response


@csrf_by_origin
@require_POST
@no_store
def preview_leave(request: Request, conference_slug: str) -> HttpResponse:
    """Forget the link in this browser."""
    response = redirect("events:conference-list")
    remember_secret(request, response, PREVIEW_COOKIE, "", http_path=reverse("events:conference-detail", args=[conference_slug]))
    return response
