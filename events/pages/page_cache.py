"""Cache public pages as bytes, the same for everybody but for their placeholders (``events.pages.placeholders``).

A page is rendered by the first who asks for it, and is current until the conference's revision or the minute changes.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from events.byte_cache import CACHE
from events.http import ZONE_COOKIE, Request, attendance_of, clock_of, find_agenda, known_zone, needs_of, start_of, visitor_token
from events.models import Agenda, Conference
from events.pages.fragments import FRAGMENTS, visitor_key
from events.pages.placeholders import Part, Placeholder, split

MAX_QUERY_CHARS = 1000
VARY = ("Cookie", "Accept-Encoding", "HX-Request", "HX-History-Restore-Request", "HX-Boosted")
HEADERS_PER_VISITOR = ("Vary", "Cache-Control", "Content-Length", "Content-Type")


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page at one revision and minute; ``gzipped`` and ``etag`` are for visitors without anything personal."""

    conference: Conference
    minute: int
    content_type: str
    headers: dict[str, str]
    parts: tuple[Part, ...]
    gzipped: bytes
    etag: str

    @classmethod
    def of(cls, request: Request, response: HttpResponse, minute: int) -> CachedPage:
        parts = split(response.text, request.placeholders)
        body = fill(parts, lambda placeholder: placeholder.default)
        headers = {name: value for name, value in response.headers.items() if name not in HEADERS_PER_VISITOR}
        gzipped = gzip.compress(body, 6, mtime=0)
        return cls(request.conference, minute, response.headers["Content-Type"], headers, parts, gzipped, etag_of(body))

    @property
    def is_current(self) -> bool:
        return self.minute == current_minute() and self.conference.is_current

    def response(self, request: Request) -> HttpResponse:
        """The page for this visitor, or 304."""
        agenda = find_agenda(request, self.conference) if visitor_token(request) else None
        accepts_gzip = bool(re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")))
        if agenda is None and not self._has_choices_of(request):
            etag = self.etag
            body = self.gzipped if accepts_gzip else fill(self.parts, lambda placeholder: placeholder.default)
        else:
            body = self._personal(request, agenda)
            etag = etag_of(body)
            # Fast rather than small: this is done for every visitor.
            body = gzip.compress(body, 1, mtime=0) if accepts_gzip else body
        response = HttpResponse(body, content_type=self.content_type, headers=self.headers | {"ETag": etag})
        if accepts_gzip:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(body))
        patch_vary_headers(response, VARY)
        return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))

    def _has_choices_of(self, request: Request) -> bool:
        """Whether the page shows something by the cookies of a visitor without an agenda."""
        return bool(start_of(request) or needs_of(request)) and any(
            isinstance(part, Placeholder) and not FRAGMENTS[part.name].needs_agenda for part in self.parts
        )

    def _personal(self, request: Request, agenda: Agenda | None) -> bytes:
        request.conference, request.clock = self.conference, clock_of(request, self.conference)
        if agenda:
            agenda.conference = self.conference
        key = visitor_key(request, agenda, self.minute)

        def html(placeholder: Placeholder) -> bytes:
            fragment = FRAGMENTS[placeholder.name]
            if agenda is None and fragment.needs_agenda:
                return placeholder.default

            def render() -> bytes:
                return fragment.render(request, agenda, *placeholder.arguments).encode()

            html = CACHE.get_or_build((*placeholder[:2], key), render) if fragment.cached else render()
            return html or placeholder.default

        with timezone.override(request.clock.zone):
            return fill(self.parts, html)


def fill(parts: tuple[Part, ...], html: Callable[[Placeholder], bytes]) -> bytes:
    return b"".join(part if isinstance(part, bytes) else html(part) for part in parts)


def page_cache(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of a conference's public page, outside ``in_conference``: what is personal must be in placeholders."""

    @functools.wraps(view)
    def cached_view(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        uncached: list[HttpResponse] = []

        def build() -> CachedPage | None:
            minute = current_minute()
            request.shared, request.placeholders = True, []
            try:
                response = view(request, *args, **kwargs)
            finally:
                request.shared = False
            if response.status_code == 200:
                return CachedPage.of(request, response, minute)
            uncached.append(response)
            return None

        if not is_cacheable(request):
            page = build()
        else:
            page = CACHE.get_or_build(page_key(request), build, lambda page: page is not None and page.is_current)
        return page.response(request) if page else uncached[0]

    return cached_view


def page_cache_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer with a cached page before sessions, views and templates; after ``HtmxMiddleware``, by which pages differ."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"} and is_cacheable(request):
            page: CachedPage | None = CACHE.get(page_key(cast(Request, request)))
            if page is not None and page.is_current:
                # Refuses a foreign host, as CommonMiddleware would.
                request.get_host()
                return page.response(cast(Request, request))
        return get_response(request)

    return middleware


def page_key(request: Request) -> Hashable:
    """Everything a public page depends on, besides its conference and the minute."""
    zone = request.COOKIES.get(ZONE_COOKIE, "")
    return (
        "page",
        request.path,
        request.META.get("QUERY_STRING", ""),
        zone if zone and known_zone(zone) else "",
        attendance_of(request),
        # As views see them: django-htmx decodes some values of these headers.
        bool(request.htmx) and (request.htmx.boosted, request.htmx.history_restore_request),
    )


def is_cacheable(request: HttpRequest) -> bool:
    """Not for visitors who are signed in or have a message waiting: their page is made for them and not stored."""
    alone = settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES
    return not alone and len(request.META.get("QUERY_STRING", "")) <= MAX_QUERY_CHARS


def current_minute() -> int:
    return int(timezone.now().timestamp() // 60)


def etag_of(body: bytes) -> str:
    """Weak, because the same page is sent compressed or not."""
    return f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
