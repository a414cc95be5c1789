"""Middleware: CSRF by origin, compression, the shortcut to feeds, and private caching by default."""

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

from events.web.request import Request


class CsrfByOriginMiddleware:
    """Accepts forms without a token for views with ``csrf_by_origin``, if the Origin is this site.

    It must come before CsrfViewMiddleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_view(self, request: Request, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.method != "POST" or not getattr(view, "csrf_by_origin", False):
            return None
        origin = request.headers.get("Origin")
        if origin in {f"{request.scheme}://{request.get_host()}", settings.SITE_URL}:
            # CsrfViewMiddleware sets this after a successful check, and skips the check if it is set.
            request.csrf_processing_done = True
        elif (
            origin is None
            and "csrfmiddlewaretoken" not in request.POST
            and "Sec-Fetch-Site" not in request.headers
            and not getattr(request, "_dont_enforce_csrf_checks", False)
        ):
            return redirect(request.get_full_path())
        return None


class GZipPagesMiddleware(GZipMiddleware):
    """Compresses pages and drawings. Not calendars: compression has broken subscriptions in Outlook."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith(("text/html", "image/svg+xml"))
        return super().process_response(request, response) if is_page else response


def feed_shortcut(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Call feed views without the middleware below: calendars fetch often, without session, form or message."""

    def middleware(request: HttpRequest) -> Any:
        if not request.path_info.startswith("/feeds/"):
            return get_response(request)
        # Raises for a foreign host, as CommonMiddleware would.
        request.get_host()
        try:
            request.resolver_match = match = resolve(request.path_info)
            response = match.func(request, *match.args, **match.kwargs)
        except Http404 as error:
            # Also with DEBUG: Django's technical page would show the secret address.
            response = page_not_found(request, error)
        # An error page has links and styles, and their servers would get the secret address as referrer.
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def private_by_default(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Make responses private unless the view decides otherwise, as a page may show a visitor's bookmarks."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response

    return middleware
