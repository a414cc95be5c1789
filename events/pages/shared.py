"""Serve public pages from bytes that are kept by the conference's revision and the minute.

A page is the same for everybody but for its holes (``events.pages.holes``). Its bytes are made once, by one of those
who ask at the same time, and are good until the conference's revision moves or the clock shows another minute.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from events.http import ZONE_COOKIE, Request, attendance_of, clock_of, find_agenda, known_zone, needs_of, start_of, visitor_token
from events.models import Agenda, Conference
from events.pages.holes import Own, Part, Pick, filled, own_html, parts_of
from events.shelf import Shelf

LONGEST_QUERY = 1000
HTMX_HEADERS = ("HX-Request", "HX-History-Restore-Request", "HX-Boosted")
OWN_HEADERS = ("Vary", "Cache-Control", "Content-Length", "Content-Type")


@dataclass(frozen=True)
class PublicPage:
    """One page as of one revision and minute; ``plain`` and ``zipped`` are what somebody without an agenda gets."""

    conference: Conference
    minute: int
    content_type: str
    headers: dict[str, str]
    parts: tuple[Part, ...]
    plain: bytes
    zipped: bytes
    etag: str

    @classmethod
    def of(cls, response: HttpResponse, conference: Conference, minute: int) -> PublicPage:
        parts = parts_of(response.text)
        plain = filled(parts, (), lambda own: own.blank)
        headers = {name: value for name, value in response.headers.items() if name not in OWN_HEADERS}
        content_type = response.headers["Content-Type"]
        return cls(conference, minute, content_type, headers, parts, plain, gzip.compress(plain, 6, mtime=0), etag_of(plain))

    @property
    def size(self) -> int:
        return 2 * len(self.plain) + len(self.zipped)

    @property
    def is_current(self) -> bool:
        return self.minute == this_minute() and self.conference.is_current

    def answer(self, request: Request) -> HttpResponse:
        """The page for this visitor, or that theirs is the same still."""
        agenda = find_agenda(request, self.conference) if visitor_token(request) else None
        zips = bool(re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")))
        if agenda is None and not self._knows(request):
            body, etag = self.zipped if zips else self.plain, self.etag
        else:
            body = self._filled(request, agenda)
            etag = etag_of(body)
            # Quickly rather than small: this is done for every visitor.
            body = gzip.compress(body, 1, mtime=0) if zips else body
        response = HttpResponse(body, content_type=self.content_type, headers=self.headers | {"ETag": etag})
        if zips:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(body))
        patch_vary_headers(response, ["Cookie", "Accept-Encoding", *HTMX_HEADERS])
        return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))

    @cached_property
    def _is_open(self) -> bool:
        return any(isinstance(part, Own) and part.is_open for part in self.parts)

    def _knows(self, request: Request) -> bool:
        """Whether something on the page goes by what this browser remembers, agenda or not."""
        return self._is_open and bool(start_of(request) or needs_of(request))

    def _filled(self, request: Request, agenda: Agenda | None) -> bytes:
        request.conference, request.clock = self.conference, clock_of(request, self.conference)
        marks_picks = agenda is not None and any(isinstance(part, Pick) for part in self.parts)
        picked = frozenset(agenda.picked_ids()) if agenda and marks_picks else frozenset()
        seen = state_of(request, agenda, self.minute) if agenda else None
        chosen = choice_of(request, agenda, self.minute)

        def own(part: Own) -> bytes:
            if agenda is None and not part.is_open:
                return part.blank
            if part.is_fleeting:
                return own_html(request, part.name, part.argument).encode() or part.blank

            def build() -> OwnHtml:
                return OwnHtml(own_html(request, part.name, part.argument).encode())

            key = (part.name, part.argument, chosen if part.is_open else seen)
            made = OWN_SHELF.get_or_build(key, lambda _: True, build)
            return made.html if made else b""

        with timezone.override(request.clock.zone):
            return filled(self.parts, picked, own)


def state_of(request: Request, agenda: Agenda, minute: int) -> Hashable:
    """All that a visitor's own part can depend on: it stays the same from page to page."""
    chosen = (request.clock.zone.key, request.GET.get("at"), needs_of(request))
    return (agenda.pk, agenda.revision, request.conference.revision, minute, *chosen)


def choice_of(request: Request, agenda: Agenda | None, minute: int) -> Hashable:
    """All that an open part can depend on; it is the same for all who chose the same."""
    start = start_of(request) or (agenda.start_id if agenda else None)
    chosen = (request.clock.zone.key, request.GET.get("at"), needs_of(request), start)
    return (request.conference.pk, request.conference.revision, minute, *chosen)


@dataclass(frozen=True, slots=True)
class OwnHtml:
    html: bytes

    @property
    def size(self) -> int:
        return len(self.html) + 500


SHELF: Shelf[PublicPage] = Shelf(settings.PAGE_CACHE_MB * 2**20)
OWN_SHELF: Shelf[OwnHtml] = Shelf(settings.PAGE_CACHE_MB * 2**18)


def shared(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a conference's page whose personal parts are all in holes; goes around ``in_conference``."""

    @functools.wraps(view)
    def with_shared(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        other: list[HttpResponse] = []

        def build() -> PublicPage | None:
            minute = this_minute()
            request.shared = True
            try:
                response = view(request, *args, **kwargs)
            finally:
                request.shared = False
            if response.status_code == 200:
                return PublicPage.of(response, request.conference, minute)
            other.append(response)
            return None

        page = SHELF.get_or_build(key_of(request), lambda page: page.is_current, build) if is_shareable(request) else build()
        return page.answer(request) if page else other[0]

    return with_shared


class PublicPages:
    """Middleware: what is on the shelf already needs no session, no view and no template."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"} and is_shareable(request):
            page = SHELF.get(key_of(request))
            if page is not None and page.is_current:
                # Refuses a host that is not ours, as the view's way would.
                request.get_host()
                return page.answer(cast(Request, request))
        return self.get_response(request)


def key_of(request: HttpRequest) -> Hashable:
    """Everything a public page depends on, besides its conference and the minute."""
    zone = request.COOKIES.get(ZONE_COOKIE, "")
    return (
        request.path,
        request.META.get("QUERY_STRING", ""),
        zone if zone and known_zone(zone) else "",
        attendance_of(request),
        *(request.headers.get(name) == "true" for name in HTMX_HEADERS),
    )


def is_shareable(request: HttpRequest) -> bool:
    """Not for somebody signed in or with a message waiting: their page is filled like any other, and not kept."""
    alone = settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES
    return not alone and len(request.META.get("QUERY_STRING", "")) <= LONGEST_QUERY


def this_minute() -> int:
    return int(timezone.now().timestamp() // 60)


def etag_of(body: bytes) -> str:
    """Weak, because the same page travels compressed or not."""
    return f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
