"""Host names of conferences: their addresses lead to the conference at SITE_URL.

The site itself stays at one address. So an agenda, whose cookie is for one host, and every address in calendars, exports and mail
are the same by whichever name somebody came.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port, validate_host
from django.urls import is_valid_path
from django.utils import timezone

from events.core.byte_cache import PROCESS_CACHE
from events.programme.queries.slugs import slug_by_host
from events.web.caching import PUBLIC_CACHE_CONTROL


def lead_to_conferences(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Redirect from the host of a conference; leave every other host to Django, which refuses unknown ones."""

    def middleware(request: HttpRequest) -> Any:
        host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
        if not host or request.method not in {"GET", "HEAD"} or validate_host(host, settings.ALLOWED_HOSTS):
            return get_response(request)
        slug = known_hosts().get(host)
        return _to_conference(request, slug) if slug else get_response(request)

    return middleware


def known_hosts() -> dict[str, str]:
    """The slugs by host, at most a minute old: anybody can ask for any name, again and again."""
    return PROCESS_CACHE.get_or_build(("hosts",), slug_by_host, version=timezone.now().replace(second=0, microsecond=0))


def _to_conference(request: HttpRequest, slug: str) -> HttpResponse:
    """Not for good: the name may lead to the next edition one day."""
    begin = "" if request.path_info.startswith(f"/{slug}/") or not is_valid_path(f"/{slug}{request.path_info}") else f"/{slug}"
    response = HttpResponseRedirect(f"{settings.SITE_URL}{begin}{request.get_full_path()}")
    response["Cache-Control"] = PUBLIC_CACHE_CONTROL
    return response
