"""Middleware: CSRF by origin, compression, the shortcut to feeds, and headers of all pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import resolve
from django.utils.cache import patch_vary_headers
from django.views.defaults import page_not_found

from events.web.caching import PERSONAL_CACHE_CONTROL
from events.web.request import Request
from events.web.style_preloads import add_style_preloads

# What pages use, or passkeys will, is left to the site itself. Names that browsers do not know are a warning in their console.
DENIED_FEATURES = (
    "accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid identity-credentials-get"
    " idle-detection local-fonts magnetometer microphone midi payment picture-in-picture serial usb xr-spatial-tracking"
)
OWN_FEATURES = "clipboard-write publickey-credentials-create publickey-credentials-get screen-wake-lock"
PERMISSIONS_POLICY = ", ".join(
    [*(f"{name}=()" for name in DENIED_FEATURES.split()), *(f"{name}=(self)" for name in OWN_FEATURES.split())]
)
# Of all pages but one: scripts, styles and forms of this site only.
CONTENT_POLICY = "; ".join(
    (
        *("default-src 'self'", "img-src 'self' data:", "object-src 'none'"),
        *("base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"),
    )
)
# Of the one page that other sites may frame: it has no script, no form and nothing of a visitor.
EMBED_POLICY = "; ".join(
    (
        *("default-src 'none'", "style-src 'self'", "font-src 'self'", "img-src 'self'"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors *"),
    )
)
# No script runs in one of these, and the header is longer than some of them.
NO_DOCUMENTS = ("text/css", "text/javascript", "font/")


def isolate(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Deny pages content of elsewhere and what they do not use of the device, and other sites what is not meant for them."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        # Django's technical pages have styles and scripts inside.
        if not (settings.DEBUG and response.status_code in {404, 500}):
            response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        if not response.headers.get("Content-Type", "").startswith(NO_DOCUMENTS):
            response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        is_for_all = response.headers.get("Access-Control-Allow-Origin") == "*"
        response.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if is_for_all else "same-origin")
        return response

    return middleware


class FramePolicyMiddleware(XFrameOptionsMiddleware):
    """Forbids frames by X-Frame-Options too, on all but the page whose own content policy lets any site frame it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.headers.get("Content-Security-Policy") == EMBED_POLICY:
            return response
        return super().process_response(request, response)


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


FEEDS_PATH = "/feeds/"


def feed_shortcut(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Call feed views without the middleware below: calendars fetch often, without session, form or message."""

    def middleware(request: HttpRequest) -> Any:
        if not request.path_info.startswith(FEEDS_PATH):
            return get_response(request)
        # Raises for a foreign host, as CommonMiddleware would.
        request.get_host()
        try:
            request.resolver_match = match = resolve(request.path_info)
            response = match.func(request, *match.args, **match.kwargs)
        except Http404 as error:
            # Also with DEBUG: Django's technical page would show the secret address. With all headers of any other address.
            response = add_style_preloads(page_not_found(request, error))
        # An error page has links and styles, and their servers would get the secret address as referrer.
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def noindex_admin(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Mark the admin for search engines, errors too: robots.txt, which anybody can read, does not name its path."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        if request.path_info.startswith(f"/{settings.ADMIN_PATH}"):
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    return middleware


def private_by_default(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Make responses private unless the view decides otherwise, as a page may show a visitor's bookmarks.

    Private responses vary by cookie, for caches that store them in spite of it. Feeds do not: no view of them reads one.
    A response that sets a cookie is for one visitor, whatever its view says.
    """

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", PERSONAL_CACHE_CONTROL)
        if response.cookies and "public" in response.headers["Cache-Control"]:
            response.headers["Cache-Control"] = PERSONAL_CACHE_CONTROL
        is_private = "private" in response.headers["Cache-Control"] and not request.path_info.startswith(FEEDS_PATH)
        # Cached pages have it already, and reading the header takes longer than looking.
        if is_private and "Cookie" not in response.headers.get("Vary", ""):
            patch_vary_headers(response, ["Cookie"])
        if not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response

    return middleware
