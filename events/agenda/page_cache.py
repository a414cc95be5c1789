"""The cache of public pages: bytes that are the same for all visitors, with placeholders for personal fragments.

The first request renders a page, which is current until something on it changes, begins or ends; by default until the
conference's revision or the minute changes.
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
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe

from events.agenda.kept import Kept, keep_bookmarks
from events.agenda.models.agenda import Agenda
from events.agenda.page_keys import MAX_QUERY_CHARS, page_key, page_query, split_part
from events.agenda.visitor import find_agenda, visitor_token
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import PageClock, PageEnd
from events.core.compression import compressed, decompressed
from events.core.spans import utc
from events.programme.models.conference import Conference
from events.programme.queries.revisions import known_revisions
from events.venue.queries.ways import starting_point_pks
from events.web.caching import has_own_cookie, share_without_cookies, shared_cache_control
from events.web.drafts import PREVIEW_COOKIE
from events.web.prefetching import add_speculation_rules
from events.web.request import Request, clock_of, dismissed_of, may_have_session, needs_of, start_of
from events.web.secret_cookies import secret_cookie_name
from events.web.style_preloads import add_style_preloads

T = TypeVar("T")
OnAnswer = Callable[[Request, Agenda | None], None]


@dataclass(frozen=True)
class Fragment:
    """``render(request, agenda, *arguments)`` returns HTML, or an empty string to show the default."""

    render: Callable[..., str]
    # Whether it is kept: until the agenda, the conference or the minute changes. One that sets ``request.subjects`` to what
    # it is about, besides the bookmarks, is kept until one of these changes, or until a moment that it asked the clock about.
    cached: bool = True
    # If False, the visitor's cookies decide, and ``agenda`` may be None.
    needs_agenda: bool = True
    # Whether it is for browsers with a token that opens no agenda of this conference.
    for_lost: bool = False


def visitor_key(request: Request, agenda: Agenda | None) -> Hashable:
    """What cached fragments depend on, besides their name, their arguments and ``visitor_version``.

    It has only ids of rows that were found and values that were recognised, never a text of the request.
    """
    clock = request.clock
    # In UTC, because Python takes both hours of a change of the clocks for equal within one zone.
    pinned = utc(clock.now) if clock.pinned else None
    return (
        *(request.conference.pk, agenda.pk if agenda else None),
        *(clock.zone.key, pinned, needs_of(request), start_pk(request, agenda)),
    )


def visitor_version(request: Request, agenda: Agenda | None, minute: int) -> Hashable:
    return request.conference.revision, agenda.revision if agenda else None, minute


def start_pk(request: Request, agenda: Agenda | None) -> int | None:
    """The id of the starting point in the browser's cookie; if there is none of that name, the agenda's."""
    slug = start_of(request)
    chosen = starting_point_pks(request.conference).get(slug) if slug else None
    return chosen or (agenda.start_id if agenda else None)


def once_per_request(request: Request, key: Hashable, read: Callable[[], T]) -> T:
    values: dict[Hashable, T] = request.__dict__.setdefault("_fragments", {})
    if key not in values:
        values[key] = read()
    return values[key]


VARY_HEADERS = {"Vary": "Cookie, Accept-Encoding"}
UNCACHED_HEADERS = ("Vary", "Cache-Control", "Content-Length")
_MARK_SECRET = secrets.token_hex(8)
_MARK_PATTERN = re.compile(f"\x02{_MARK_SECRET}:([0-9]+)\x03")


class Placeholder(NamedTuple):
    """A personal fragment with its arguments, and the HTML for visitors who have none."""

    fragment: Fragment
    arguments: tuple[object, ...]
    default: bytes = b""


PagePart = bytes | Placeholder


class Spot(NamedTuple):
    """Where a cached page has a personal fragment: its bytes from ``begin`` to ``end`` are for visitors who have none."""

    begin: int
    end: int
    fragment: Fragment
    arguments: tuple[object, ...]


def placeholder_mark(request: Request, placeholder: Placeholder) -> str:
    request.placeholders.append(placeholder)
    return f"\x02{_MARK_SECRET}:{len(request.placeholders) - 1}\x03"


def split_page(page: str, placeholders: list[Placeholder]) -> tuple[PagePart, ...]:
    pieces = _MARK_PATTERN.split(page)
    return tuple(placeholders[int(piece)] if number % 2 else piece.encode() for number, piece in enumerate(pieces))


def render_parts(request: Request, render: Callable[[], str]) -> tuple[PagePart, ...]:
    """Render HTML with placeholders of its own, for ``parts_html``: several pages may contain it."""
    of_page, request.placeholders = request.placeholders, []
    try:
        return split_page(render(), request.placeholders)
    finally:
        request.placeholders = of_page


def parts_html(request: Request, parts: tuple[PagePart, ...]) -> SafeString:
    """Write the parts into the page that is being rendered."""
    return mark_safe("".join(it.decode() if isinstance(it, bytes) else placeholder_mark(request, it) for it in parts))


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page until its end; ``gzipped`` and ``etag`` are those of the page without personal fragments.

    It is stored compressed only: to decompress a page takes a hundredth of the time of making it, and four times as many fit.
    """

    # As it was when the page was made.
    conference: Conference
    subjects: frozenset[str] | None
    made: float
    ends: float
    headers: dict[str, str]
    view_name: str
    # Whether a script asked for a part of the page.
    is_part: bool
    spots: tuple[Spot, ...]
    # Whether cookies change the page even without an agenda; the last, whether a token that opens none does.
    shows_choices: bool
    shows_lost: bool
    gzipped: bytes
    etag: str
    # Called with each visitor who gets the page.
    on_answer: OnAnswer | None

    @classmethod
    def from_response(cls, request: Request, response: HttpResponse) -> CachedPage:
        known_revisions(request.conference.pk).begin(request.conference.revision)
        body, spots = join_parts(split_page(response.text, request.placeholders))
        if not request.part:
            add_style_preloads(add_speculation_rules(response))
        headers = {name: value for name, value in response.headers.items() if name not in UNCACHED_HEADERS} | VARY_HEADERS
        return cls(
            conference=request.conference,
            subjects=request.subjects,
            made=request.page_end.made_at.timestamp(),
            # A page that does not say what it is about may show anything.
            ends=(request.page_end.next_minute if request.subjects is None else request.page_end.moment).timestamp(),
            headers=headers | (part_headers(request) if request.part else {}),
            view_name=request.resolver_match.view_name if request.resolver_match else "",
            is_part=bool(request.part),
            spots=spots,
            shows_choices=any(not placeholder.fragment.needs_agenda for placeholder in request.placeholders),
            shows_lost=any(placeholder.fragment.for_lost for placeholder in request.placeholders),
            # Made once, so as small as it gets: a tenth smaller than ``compressed``, in ten times as long.
            gzipped=gzip.compress(body, 6, mtime=0),
            etag=etag_of(body),
            on_answer=request.on_answer,
        )

    def is_current_for(self, request: Request) -> bool:
        """Whether it still holds. The revision comes with the visitor's agenda if there is one, to make one query fewer."""
        if not self.made <= timezone.now().timestamp() < self.ends:
            return False
        pk, agenda = self.conference.pk, find_agenda(request, self.conference)
        revision = agenda.public_revision if agenda else Conference.public_revision(pk)
        known = known_revisions(pk)
        return known.advance_to(pk, revision) is not None and known.holds(self.conference.revision, self.subjects)

    @property
    def seconds_left(self) -> int:
        return int(self.ends - timezone.now().timestamp())

    def response(self, request: Request) -> HttpResponse:
        """The page for this visitor, or 304."""
        token = visitor_token(request)
        agenda = find_agenda(request, self.conference) if token else None
        if self.on_answer is not None:
            self.on_answer(request, agenda)
        accepts_gzip = bool(re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
        has_choices = self.shows_choices and bool(start_of(request) or needs_of(request) or dismissed_of(request))
        if agenda is None and not has_choices and not (self.shows_lost and token):
            etag = self.etag
            body = self.gzipped if accepts_gzip else decompressed(self.gzipped)
        else:
            pieces = self._personal(request, agenda)
            etag = personal_etag(self.etag, pieces[1::2])
            body = compressed(pieces) if accepts_gzip else b"".join(pieces)
        headers = self.headers | {"ETag": etag} | ({"Content-Encoding": "gzip"} if accepts_gzip else {})
        if not has_own_cookie(request):
            # A browser that shows stale parts would always be one refresh late.
            headers["Cache-Control"] = shared_cache_control(self.seconds_left, stale=not self.is_part)
        response = HttpResponse(body, headers=headers)
        return cast(HttpResponse, get_conditional_response(request, etag=etag, response=response))

    def _personal(self, request: Request, agenda: Agenda | None) -> list[bytes]:
        """Return the page in pieces, of which every second is a fragment."""
        conference = copy(self.conference)
        conference.revision = max(conference.revision, known_revisions(conference.pk).revision)
        request.conference, request.clock = conference, clock_of(request, conference)
        kept_html = fragment_keeper(request, agenda)

        def html(spot: Spot, default: bytes) -> bytes:
            fragment, arguments = spot.fragment, spot.arguments
            if agenda is None and fragment.needs_agenda:
                return default
            if not fragment.cached:
                return fragment.render(request, agenda, *arguments).encode() or default
            return once_per_request(request, (fragment, arguments), lambda: kept_html(fragment, *arguments)) or default

        with timezone.override(request.clock.zone):
            return fill_spots(decompressed(self.gzipped), self.spots, html)


def fragment_keeper(request: Request, agenda: Agenda | None) -> Callable[..., bytes]:
    """Return a function that makes a fragment of this visitor, or takes it from the cache; sets the clock that notes moments."""
    conference = request.conference
    key, version = visitor_key(request, agenda), None
    if agenda:
        agenda.conference = conference
        version = agenda.revision, keep_bookmarks(agenda)
    # One end for all fragments of the request: they share what they found (``once_per_request``).
    request.page_end = PageEnd.of_page_made(timezone.now() if request.clock.pinned else request.clock.now)
    request.clock = PageClock.of_page(request.clock, request.page_end)

    def kept_html(fragment: Fragment, *arguments: object) -> bytes:
        def build() -> Kept[bytes]:
            request.subjects = None
            made = fragment.render(request, agenda, *arguments).encode()
            return Kept.until(request.page_end, made, conference, request.subjects)

        place = (fragment, arguments, key)
        return PROCESS_CACHE.get_or_build(place, build, lambda kept: kept.is_current(conference), version=version).value

    return kept_html


def join_parts(parts: tuple[PagePart, ...]) -> tuple[bytes, tuple[Spot, ...]]:
    """Return the page for visitors without an agenda or choices, and where its fragments are."""
    pieces: list[bytes] = []
    spots, begin = [], 0
    for part in parts:
        pieces.append(part if isinstance(part, bytes) else part.default)
        end = begin + len(pieces[-1])
        if isinstance(part, Placeholder):
            spots.append(Spot(begin, end, part.fragment, part.arguments))
        begin = end
    return b"".join(pieces), tuple(spots)


def fill_spots(body: bytes, spots: tuple[Spot, ...], html: Callable[[Spot, bytes], bytes]) -> list[bytes]:
    """Replace the bytes of each spot by ``html(spot, bytes)``; return what is between them, and these, in turns."""
    pieces: list[bytes] = []
    last = 0
    for spot in spots:
        pieces += [body[last : spot.begin], html(spot, body[spot.begin : spot.end])]
        last = spot.end
    return [*pieces, body[last:]]


def page_cache(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of a public page, outside ``conference_view``: personal parts must be placeholders."""

    @functools.wraps(view)
    def cached_view(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        uncached: list[HttpResponse] = []
        query, request.sent_query = page_query(request), request.META.get("QUERY_STRING", "")
        request.page_cache_result = "hit"

        def build() -> CachedPage | None:
            request.page_cache_result = "miss"
            # Views read no more than the key has, so that equal keys give equal pages.
            request.part, request.META["QUERY_STRING"] = split_part(query)
            request.GET = QueryDict(request.META["QUERY_STRING"])
            request.shared, request.placeholders, request.subjects, request.on_answer = True, [], None, None
            request.page_end = PageEnd.of_page_made(timezone.now())
            try:
                response = view(request, *args, **kwargs)
            finally:
                request.shared = False
            if response.status_code == 200:
                return CachedPage.from_response(request, response)
            uncached.append(response)
            return None

        if len(query) > MAX_QUERY_CHARS or is_for_one_visitor(request):
            page = build()
        else:
            key = page_key(request, query)
            page = PROCESS_CACHE.get_or_build(key, build, lambda page: page is not None and page.is_current_for(request))
        # A redirect was made as a shared page too, so it is the same for all.
        return page.response(request) if page else share_without_cookies(request, uncached[0])

    return cached_view


def page_cache_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer with a cached page before sessions, views and templates."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        # The views of cached pages look up whether a session or a message is behind the cookie.
        if request.method in {"GET", "HEAD"} and not any(name in request.COOKIES for name in OWN_PAGE_COOKIES):
            request = cast(Request, request)
            page = current_page(request)
            if page is not None:
                # Refuses a foreign host, as CommonMiddleware would.
                request.get_host()
                request.page_cache_result, request.cached_view = "hit", page.view_name
                return page.response(request)
        return get_response(request)

    return middleware


def current_page(request: Request) -> CachedPage | None:
    """The cached page; a query that is written as in its key needs no parsing."""
    sent = request.META.get("QUERY_STRING", "")
    page: CachedPage | None = PROCESS_CACHE.get(page_key(request, sent))
    if page is None and sent and (query := page_query(request)) != sent:
        page = PROCESS_CACHE.get(page_key(request, query))
    return page if page is not None and page.is_current_for(request) else None


def part_headers(request: Request) -> dict[str, str]:
    """A part is for scripts: a browser that opens its address, in a window instead of by a script, goes on to the page."""
    return {"Refresh": f"0; url={request.get_full_path()}", "X-Robots-Tag": "noindex"}


OWN_PAGE_COOKIES = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name, secret_cookie_name(PREVIEW_COOKIE))


def is_for_one_visitor(request: HttpRequest) -> bool:
    """True for signed-in users and for visitors with a waiting message: their pages are rendered each time.

    A cookie alone is not enough: its session must exist, its message must have our signature.
    """
    if may_have_session(request) and request.session.keys():
        return True
    return CookieStorage.cookie_name in request.COOKIES and len(get_messages(request)) > 0


def current_minute() -> int:
    return int(timezone.now().timestamp() // 60)


def personal_etag(page_etag: str, fragments: list[bytes]) -> str:
    """What is between the fragments has the ETag of the page; no fragment has a null byte."""
    return etag_of(b"\0".join([page_etag.encode(), *fragments]))


def etag_of(body: bytes) -> str:
    """Weak, because the same page is sent compressed or not."""
    return f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
