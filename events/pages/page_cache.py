"""Cache public pages as bytes, the same for everybody but for placeholders, where personal fragments are shown to each visitor.

A page is rendered by the first who asks for it, and is current until the conference's revision or the minute changes.
Meanwhile template tags list its placeholders in the request and write a mark for each into the page. A mark has a random
word in it, so that no text of a page can pretend to be one.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.cache import get_conditional_response

from events.byte_cache import CACHE
from events.http import ZONE_COOKIE, Request, attendance_of, clock_of, find_agenda, known_zone, needs_of, start_of, visitor_token
from events.models import Agenda, Conference
from events.pages.fragments import FRAGMENTS, once, visitor_key

MAX_QUERY_CHARS = 1000
VARY = {"Vary": "Cookie, Accept-Encoding, HX-Request, HX-History-Restore-Request, HX-Boosted"}
NOT_STORED = ("Vary", "Cache-Control", "Content-Length")
_WORD = secrets.token_hex(8)
_MARK = re.compile(f"\x02{_WORD}:([0-9]+)\x03")


class Placeholder(NamedTuple):
    """The name of a personal fragment with its arguments, and what is shown to visitors who have none."""

    name: str
    arguments: tuple[object, ...]
    default: bytes = b""


Part = bytes | Placeholder


def mark(request: Request, placeholder: Placeholder) -> str:
    request.placeholders.append(placeholder)
    return f"\x02{_WORD}:{len(request.placeholders) - 1}\x03"


def split(page: str, placeholders: list[Placeholder]) -> tuple[Part, ...]:
    """The page, cut at its marks."""
    pieces = _MARK.split(page)
    return tuple(placeholders[int(piece)] if number % 2 else piece.encode() for number, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page at one revision and minute; ``gzipped`` and ``etag`` are for visitors without anything personal."""

    conference: Conference
    minute: int
    headers: dict[str, str]
    parts: tuple[Part, ...]
    # Whether cookies alone make a difference, without an agenda.
    shows_choices: bool
    gzipped: bytes
    etag: str

    @classmethod
    def of(cls, request: Request, response: HttpResponse, minute: int) -> CachedPage:
        parts = split(response.text, request.placeholders)
        body = fill(parts, lambda placeholder: placeholder.default)
        return cls(
            conference=request.conference,
            minute=minute,
            headers={name: value for name, value in response.headers.items() if name not in NOT_STORED} | VARY,
            parts=parts,
            shows_choices=any(not FRAGMENTS[it.name].needs_agenda for it in request.placeholders),
            gzipped=gzip.compress(body, 6, mtime=0),
            etag=etag_of(body),
        )

    @property
    def is_current(self) -> bool:
        return self.minute == current_minute() and self.conference.is_current

    def response(self, request: Request) -> HttpResponse:
        """The page for this visitor, or 304."""
        agenda = find_agenda(request, self.conference) if visitor_token(request) else None
        accepts_gzip = bool(re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
        if agenda is None and not (self.shows_choices and (start_of(request) or needs_of(request))):
            etag = self.etag
            body = self.gzipped if accepts_gzip else fill(self.parts, lambda placeholder: placeholder.default)
        else:
            body = self._personal(request, agenda)
            etag = etag_of(body)
            # Fast rather than small: this is done for every visitor.
            body = gzip.compress(body, 1, mtime=0) if accepts_gzip else body
        headers = self.headers | {"ETag": etag} | ({"Content-Encoding": "gzip"} if accepts_gzip else {})
        response = HttpResponse(body, headers=headers)
        return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))

    def _personal(self, request: Request, agenda: Agenda | None) -> bytes:
        request.conference, request.clock = self.conference, clock_of(request, self.conference)
        if agenda:
            agenda.conference = self.conference
        key = visitor_key(request, agenda, self.minute)

        def html(placeholder: Placeholder) -> bytes:
            name, arguments, default = placeholder
            fragment = FRAGMENTS[name]
            if agenda is None and fragment.needs_agenda:
                return default
            if not fragment.cached:
                return fragment.render(request, agenda, *arguments).encode() or default

            def build() -> bytes:
                return CACHE.get_or_build((name, arguments, key), lambda: fragment.render(request, agenda, *arguments).encode())

            return once(request, (name, arguments), build) or default

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
    # As views see it: django-htmx decodes some values of its headers.
    is_htmx = "HTTP_HX_REQUEST" in request.META and bool(request.htmx)
    return (
        "page",
        request.path,
        request.META.get("QUERY_STRING", ""),
        zone if zone and known_zone(zone) else "",
        attendance_of(request),
        is_htmx and (request.htmx.boosted, request.htmx.history_restore_request),
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
