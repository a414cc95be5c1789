"""Cookies that are secrets. Only this host can set them, where the site has https."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from events.web.request import remember

# Browsers from before the prefix send the old name. A sub-domain of another owner can set that name too, so it ends.
OLD_NAMES_UNTIL = dt.datetime(2027, 7, 1, tzinfo=dt.UTC)


def secret_cookie_name(name: str) -> str:
    """On https browsers take the prefix from this host alone, for all its paths (RFC 6265bis, 4.1.3.2)."""
    return f"__Host-{name}" if settings.SECURE else name


def secret_cookie(request: HttpRequest, name: str) -> str:
    return request.COOKIES.get(secret_cookie_name(name), "")


def old_secret_cookie(request: HttpRequest, name: str) -> str:
    """The cookie under its name without the prefix; empty on http, beside one with the prefix, and when old names have ended."""
    if not settings.SECURE or secret_cookie_name(name) in request.COOKIES or timezone.now() >= OLD_NAMES_UNTIL:
        return ""
    return request.COOKIES.get(name, "")


def remember_secret(request: HttpRequest, response: HttpResponse, name: str, value: str, *, http_path: str = "/") -> None:
    """Set the cookie, or delete it if ``value`` is empty. The prefix allows no path, so ``http_path`` is for http only."""
    if not settings.SECURE:
        remember(response, name, value, path=http_path)
        return
    remember(response, secret_cookie_name(name), value)
    if name in request.COOKIES:
        remember(response, name, "", path=http_path)
