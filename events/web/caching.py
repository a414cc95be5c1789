"""Headers of responses: Cache-Control, ETag with 304, robots and referrers, file names of downloads."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, cast
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_http_date_safe
from django.utils.text import slugify
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from events.core.text import one_line

PERSONAL_CACHE_CONTROL = "private, no-cache"
PUBLIC_CACHE_CONTROL = "public, max-age=300"
# For an address that names its version.
LASTING_CACHE_CONTROL = "public, max-age=31536000, immutable"
NO_STORE_CACHE_CONTROL = "private, no-store"
# For a permanent redirect whose target may move again, also back: a browser that keeps both ways would go in circles.
MOVED_CACHE_CONTROL = "no-cache"
# How the names of all our cookies begin, without the prefix of https. A page may be another for who has one: a proxy that keeps
# pages must pass such a request on (docs/operations.md).
OWN_COOKIES = ("hallway", "sessionid", "csrftoken", "messages")
# How long a proxy keeps a page for all who have none of these cookies, shows it while it fetches the next one, and while the site
# is away. Browsers ask each time, unless they take the second number for themselves.
SHARED_SECONDS, STALE_SECONDS, ERROR_SECONDS = 15, 60, 600
# Not allowed in file names by some file systems.
NOT_IN_FILE_NAMES = re.compile(r'[/\\:*?"<>|%]')
P = ParamSpec("P")


def has_own_cookie(request: HttpRequest) -> bool:
    return any(name.removeprefix("__Host-").startswith(OWN_COOKIES) for name in request.COOKIES)


def shared_cache_control(seconds: int = SHARED_SECONDS, *, stale: bool = True) -> str:
    """For a page that is the same for all without a cookie of ours, and lasts this many seconds."""
    ages = {"max-age": 0, "s-maxage": max(1, min(seconds, SHARED_SECONDS))}
    ages |= ({"stale-while-revalidate": STALE_SECONDS} if stale else {}) | {"stale-if-error": ERROR_SECONDS}
    return ", ".join(["public", *(f"{name}={age}" for name, age in ages.items())])


def shared_without_cookies(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let proxies keep a page or redirect for requests without a cookie of ours, where the view reads no more of the visitor."""

    @wraps(view)
    def with_header(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return share_without_cookies(request, view(request, *args, **kwargs))

    return with_header


def share_without_cookies(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Not an error: what is not found now may be public in a moment."""
    if response.status_code in {200, 302, 304} and not has_own_cookie(request):
        response["Cache-Control"] = shared_cache_control()
        patch_vary_headers(response, ["Cookie"])
    return response


def read_only(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Allow GET and HEAD; answer 405 to other methods. No CSRF check, which would answer a PROPFIND with 403."""
    return csrf_exempt(require_safe(view))


# What a script of another site asks before it sends If-None-Match, which the browser does not let it send unasked.
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
    "Access-Control-Max-Age": "86400",
}


def open_to_scripts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """``read_only`` for a public download: scripts of all sites may fetch it, ask whether it changed, and read its version.

    Put it above ``conference_view``, so that they can follow the redirect from a former address.
    """
    reading = read_only(view)

    @csrf_exempt
    @wraps(view)
    def with_headers(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_preflight = request.method == "OPTIONS"
        response = HttpResponse(status=204, headers=PREFLIGHT_HEADERS) if is_preflight else reading(request, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = "ETag, Last-Modified, Retry-After"
        return response

    return with_headers


def noindex(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Mark pages with a secret address: search engines do not list them, linked sites do not see the address."""

    @wraps(view)
    def with_headers(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        # Not "no-referrer": browsers would then send our forms without an Origin, and the CSRF check would refuse them.
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return with_headers


def no_store(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Mark as ``noindex`` and forbid storing, also in the browser: the computer may be shared."""

    @wraps(view)
    def with_headers(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response["Cache-Control"] = NO_STORE_CACHE_CONTROL
        return response

    return noindex(with_headers)


def clears_storage(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """After a change of whose agenda this browser has, let it delete what pages and the service worker stored: not cookies.

    The worker, which does so too, knows the addresses of these views (events/offline/worker.js).
    """

    @wraps(view)
    def with_header(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        if response.status_code == 302 and cast(HttpRequest, args[0]).method == "POST":
            response["Clear-Site-Data"] = '"storage"'
        return response

    cast(Any, with_header).clears_storage = True
    return with_header


def content_disposition(name: str) -> str:
    """Write the name in ASCII for old clients, and unchanged for others (RFC 6266)."""
    filename = " ".join(NOT_IN_FILE_NAMES.sub(" ", one_line(name)).split())[:80].strip(". ")
    return (
        f"attachment; filename=\"{slugify(name)[:80] or 'calendar'}.ics\"; filename*=UTF-8''{quote(filename or 'calendar')}.ics"
    )


ETAG_PATTERN = re.compile(r'(?:W/)?"(?P<tag>[^"]*)"')
# A proxy that compresses adds this to the ETag, and sends it back in If-None-Match.
COMPRESSION_SUFFIX = re.compile(r"[-;](gzip|br|zstd|deflate)\Z")


def is_current(headers: Mapping[str, str], etag: str, last_modified: Callable[[], dt.datetime | None]) -> bool:
    """Compare If-None-Match; only without it If-Modified-Since, which costs a query."""
    if "If-None-Match" in headers:
        return has_etag(headers["If-None-Match"], etag)
    since = parse_http_date_safe(headers.get("If-Modified-Since", ""))
    if since is None:
        return False
    newest = last_modified()
    return newest is not None and int(newest.timestamp()) <= since


def has_etag(header: str, etag: str) -> bool:
    """Search a header with a list of ETags, which may be weak or marked as compressed, or with ``*``."""
    return header.strip() == "*" or etag.strip('"') in etags_in(header)


def etags_in(header: str) -> list[str]:
    """Return them without quotation marks."""
    return [COMPRESSION_SUFFIX.sub("", match["tag"]) for match in ETAG_PATTERN.finditer(header)]
