"""The cache of public pages: bytes that are the same for all visitors, with placeholders for personal fragments.

The first request renders a page, which is current until the conference's revision or the minute changes.
Template tags list its placeholders in the request and write a mark for each into the page. A mark contains a random
secret, so that no text of a page can imitate it.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.cache import get_conditional_response

from events.agenda.models.agenda import Agenda
from events.agenda.visitor import find_agenda, visitor_token
from events.core.byte_cache import PROCESS_CACHE
from events.programme.models.conference import Conference
from events.web.request import ZONE_COOKIE, Request, attendance_of, clock_of, known_zone, needs_of, start_of

T = TypeVar("T")


@dataclass(frozen=True)
class Fragment:
    """``render(request, agenda, *arguments)`` returns HTML, or an empty string to show the default."""

    render: Callable[..., str]
    # Whether it is stored until the agenda, the conference or the minute changes.
    cached: bool = True
    # If False, the visitor's cookies decide, and ``agenda`` may be None.
    needs_agenda: bool = True


def visitor_key(request: Request, agenda: Agenda | None, minute: int) -> Hashable:
    """Everything that cached fragments depend on, except their name and arguments."""
    clock = request.clock
    return (
        *(request.conference.pk, request.conference.revision, minute),
        *((agenda.pk, agenda.revision) if agenda else ()),
        *(clock.zone.key, clock.now if clock.pinned else None, needs_of(request), start_of(request)),
    )


def once_per_request(request: Request, key: Hashable, read: Callable[[], T]) -> T:
    values: dict[Hashable, T] = request.__dict__.setdefault("_fragments", {})
    if key not in values:
        values[key] = read()
    return values[key]


MAX_QUERY_CHARS = 1000
VARY_HEADERS = {"Vary": "Cookie, Accept-Encoding, HX-Request, HX-History-Restore-Request, HX-Boosted"}
UNCACHED_HEADERS = ("Vary", "Cache-Control", "Content-Length")
_MARK_SECRET = secrets.token_hex(8)
_MARK_PATTERN = re.compile(f"\x02{_MARK_SECRET}:([0-9]+)\x03")


class Placeholder(NamedTuple):
    """A personal fragment with its arguments, and the HTML for visitors who have none."""

    fragment: Fragment
    arguments: tuple[object, ...]
    default: bytes = b""


PagePart = bytes | Placeholder


def placeholder_mark(request: Request, placeholder: Placeholder) -> str:
    request.placeholders.append(placeholder)
    return f"\x02{_MARK_SECRET}:{len(request.placeholders) - 1}\x03"


def split_page(page: str, placeholders: list[Placeholder]) -> tuple[PagePart, ...]:
    pieces = _MARK_PATTERN.split(page)
    return tuple(placeholders[int(piece)] if number % 2 else piece.encode() for number, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page at one revision and minute; ``gzipped`` and ``etag`` are those of the page without personal fragments."""

    conference: Conference
    minute: int
    headers: dict[str, str]
    parts: tuple[PagePart, ...]
    # Whether cookies change the page even without an agenda.
    shows_choices: bool
    gzipped: bytes
    etag: str

    @classmethod
    def from_response(cls, request: Request, response: HttpResponse, minute: int) -> CachedPage:
        parts = split_page(response.text, request.placeholders)
        body = fill_parts(parts, lambda placeholder: placeholder.default)
        return cls(
            conference=request.conference,
            minute=minute,
            headers={name: value for name, value in response.headers.items() if name not in UNCACHED_HEADERS} | VARY_HEADERS,
            parts=parts,
            shows_choices=any(not placeholder.fragment.needs_agenda for placeholder in request.placeholders),
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
            body = self.gzipped if accepts_gzip else fill_parts(self.parts, lambda placeholder: placeholder.default)
        else:
            body = self._personal(request, agenda)
            etag = etag_of(body)
            # Fast rather than small: this runs for every visitor.
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
            fragment, arguments, default = placeholder
            if agenda is None and fragment.needs_agenda:
                return default
            if not fragment.cached:
                return fragment.render(request, agenda, *arguments).encode() or default

            def build() -> bytes:
                return PROCESS_CACHE.get_or_build(
                    (fragment, arguments, key), lambda: fragment.render(request, agenda, *arguments).encode()
                )

            return once_per_request(request, (fragment, arguments), build) or default

        with timezone.override(request.clock.zone):
            return fill_parts(self.parts, html)


def fill_parts(parts: tuple[PagePart, ...], html: Callable[[Placeholder], bytes]) -> bytes:
    return b"".join(part if isinstance(part, bytes) else html(part) for part in parts)


def page_cache(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of a public page, outside ``conference_view``: personal parts must be placeholders."""

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
                return CachedPage.from_response(request, response, minute)
            uncached.append(response)
            return None

        if not is_cacheable(request):
            page = build()
        else:
            page = PROCESS_CACHE.get_or_build(page_key(request), build, lambda page: page is not None and page.is_current)
        return page.response(request) if page else uncached[0]

    return cached_view


def page_cache_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer with a cached page before sessions, views and templates; after ``HtmxMiddleware``, by which pages differ."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"} and is_cacheable(request):
            page: CachedPage | None = PROCESS_CACHE.get(page_key(cast(Request, request)))
            if page is not None and page.is_current:
                # Refuses a foreign host, as CommonMiddleware would.
                request.get_host()
                return page.response(cast(Request, request))
        return get_response(request)

    return middleware


def page_key(request: Request) -> Hashable:
    """Everything that a public page depends on, except its conference and the minute."""
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
    """False for signed-in users and for visitors with a waiting message: their pages are rendered each time."""
    alone = settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES
    return not alone and len(request.META.get("QUERY_STRING", "")) <= MAX_QUERY_CHARS


def current_minute() -> int:
    return int(timezone.now().timestamp() // 60)


def etag_of(body: bytes) -> str:
    """Weak, because the same page is sent compressed or not."""
    return f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
