"""What every answer goes through, besides Django's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import resolve
from django.views.defaults import page_not_found


class FormsByOrigin:
    """Middleware, before Django's own check of tokens: lets a form of ours without one through to views that allow it."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.method != "POST" or not getattr(view, "by_origin", False):
            return None
        origin = request.headers.get("Origin")
        if origin in {f"{request.scheme}://{request.get_host()}", settings.SITE_URL}:
            # What Django's check sets when it is content.
            setattr(request, "csrf_processing_done", True)  # noqa: B010
        elif (
            origin is None
            and "csrfmiddlewaretoken" not in request.POST
            and "Sec-Fetch-Site" not in request.headers
            and not getattr(request, "_dont_enforce_csrf_checks", False)
        ):
            return redirect(request.get_full_path())
        return None


class GZipPages(GZipMiddleware):
    """Middleware: pages and drawings travel compressed; calendars do not, because some clients give up on those."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_shown = response.headers.get("Content-Type", "").startswith(("text/html", "image/svg+xml"))
        return super().process_response(request, response) if is_shown else response


def straight_to_feeds(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Middleware: a calendar has no session, form or message, and thousands of them ask."""

    def middleware(request: HttpRequest) -> Any:
        if not request.path_info.startswith("/feeds/"):
            return get_response(request)
        # Refuses a host that is not ours, as the long way would.
        request.get_host()
        try:
            request.resolver_match = found = resolve(request.path_info)
            response = found.func(request, *found.args, **found.kwargs)
        except Http404 as nothing:
            # The same words while DEBUG is on: Django's own page would repeat the address.
            response = page_not_found(request, nothing)
        # A page that says what is wrong with a secret address has links and styles, and those would be told it.
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def private_by_default(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Middleware: a page may show somebody's picks, so no cache keeps it unless its view says so."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response

    return middleware
