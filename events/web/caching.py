"""Headers of responses: Cache-Control, ETag with 304, robots and referrers, file names of downloads."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.http import parse_http_date_safe
from django.utils.text import slugify
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from events.core.text import one_line

PERSONAL_CACHE_CONTROL = "private, no-cache"
PUBLIC_CACHE_CONTROL = "public, max-age=300"
NO_STORE_CACHE_CONTROL = "private, no-store"
# Not allowed in file names by some file systems.
NOT_IN_FILE_NAMES = re.compile(r'[/\\:*?"<>|%]')
P = ParamSpec("P")


def read_only(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Allow GET and HEAD; answer 405 to other methods. No CSRF check, which would answer a PROPFIND with 403."""
    return csrf_exempt(require_safe(view))


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
    if header.strip() == "*":
        return True
    return etag.strip('"') in {COMPRESSION_SUFFIX.sub("", match["tag"]) for match in ETAG_PATTERN.finditer(header)}
