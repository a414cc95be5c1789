"""The typed request, and its values for views: conference, clock, cookies, origin, small forms."""

from __future__ import annotations

import datetime as dt
import functools
import ipaddress
import re
import zoneinfo
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, cast

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from events.core.clock import Clock, PageClock, PageEnd, parse_at
from events.programme.models.changes import Attendance
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries.slugs import present_slug
from events.programme.rules.walking import NO_NEEDS, Need, Needs

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails


class DateConverter:
    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> dt.date:
        return dt.date.fromisoformat(value)

    def to_url(self, value: dt.date | str) -> str:
        return str(value)


ZONE_COOKIE = "hallway_zone"
START_COOKIE = "hallway_start"
WALKING_COOKIE = "hallway_walking"
ATTENDANCE_COOKIE = "hallway_attendance"
DISMISSED_COOKIE = "hallway_dismissed"
# Secret addresses of proposals (events.web.secret_cookies).
PROPOSALS_COOKIE = "hallway_desk"
MAX_COOKIE_DISMISSALS = 50
COOKIE_MAX_AGE = 60 * 60 * 24 * 365
START_SLUG_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")
# Of each its identity, and a digest of the words that were dismissed; older cookies have none.
ANNOUNCEMENT_KEYS_PATTERN = re.compile(r"[0-9a-f]{12}([0-9a-f]{6})?(\.[0-9a-f]{12}([0-9a-f]{6})?)*\Z")
PUBLIC_REDIRECT_CACHE_CONTROL = "public, max-age=86400"
P = ParamSpec("P")
DraftReader = Literal["", "organiser", "role", "guest"]


class Request(HttpRequest):
    """The attributes that middleware and decorators add to a request."""

    htmx: HtmxDetails
    conference: Conference
    clock: Clock
    # Set on pages about one event.
    event: Event
    # True while a page is rendered for the cache, without anything personal.
    shared: bool
    # Which part of a page a script asks for, "" for the whole page; on pages of ``page_cache``, which takes it out of ``GET``.
    part: str
    # The query as it was sent: ``page_cache`` leaves in ``GET`` only what pages read.
    sent_query: str
    # The placeholders of that page (events.agenda.page_cache).
    placeholders: list[Any]
    # When that page ends, and what it is about: None for everything (events.programme.rules.subjects).
    page_end: PageEnd
    subjects: frozenset[str] | None
    # Called with each visitor who gets that page (events.agenda.page_cache), or None.
    on_answer: Any
    # Of a public page, for events.web.metrics: "hit" if it was cached, else "miss"; the name of its view where none was called.
    page_cache_result: str
    cached_view: str
    # The visitor's Agenda or None by conference, once it was looked up (events.agenda.visitor).
    agendas: dict[int, Any]
    # Whether the visitor is known, once it was looked up (events.agenda.visitor).
    is_known: bool
    # Who sees drafts on this page: "organiser", "guest" or "" (events.staff.previews).
    sees_drafts: DraftReader
    # Set by Django's CSRF check.
    csrf_processing_done: bool


def conference_view(view: Callable[Concatenate[Request, Conference, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the published conference to the view and activate the visitor's time zone; else answer 404."""

    @functools.wraps(view)
    def with_conference(request: Request, conference_slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        conference = Conference.published(conference_slug)
        if conference is None:
            return _at_present_slug(request, conference_slug)
        # The clock first: if ``?at=`` raises, the error page is shown without a conference.
        request.clock = clock_of(request, conference)
        request.conference = conference
        with timezone.override(request.clock.zone):
            return view(request, conference, *args, **kwargs)

    return with_conference


def _at_present_slug(request: Request, former: str) -> HttpResponse:
    """Lead on to a published conference that had this slug; what is printed and subscribed to stays valid."""
    slug = present_slug(former) if request.method in {"GET", "HEAD"} else None
    if slug is None:
        raise Http404
    response = HttpResponsePermanentRedirect(request.get_full_path().replace(f"/{former}/", f"/{slug}/", 1))
    # The slug may be given up one day: nobody keeps this for longer.
    response["Cache-Control"] = PUBLIC_REDIRECT_CACHE_CONTROL
    return response


def clock_of(request: Request, conference: Conference) -> Clock:
    pinned = parse_at(request.GET.get("at", ""), conference.zone)
    chosen = known_zone(request.COOKIES.get(ZONE_COOKIE, ""))
    shared = getattr(request, "shared", False)
    now = pinned or (request.page_end.made_at if shared else timezone.now())
    clock = Clock(now=now, venue_zone=conference.zone, chosen_zone=chosen, pinned=pinned is not None)
    return PageClock.of_page(clock, request.page_end) if shared else clock


@functools.cache
def zone_names() -> tuple[str, ...]:
    """Return zones by place, as Europe/Vienna, not EST5EDT; and UTC, which browsers against fingerprinting report."""
    legacy = ("Etc/", "SystemV/", "US/", "posix/", "right/")
    return tuple(
        sorted(name for name in zoneinfo.available_timezones() if name == "UTC" or ("/" in name and not name.startswith(legacy)))
    )


def known_zone(name: str) -> zoneinfo.ZoneInfo | None:
    return zoneinfo.ZoneInfo(name) if name in zone_names() else None


def needs_of(request: HttpRequest) -> Needs:
    """Return the route preferences in the browser's cookie; none on shared pages."""
    if getattr(request, "shared", False):
        return NO_NEEDS
    return frozenset(need for need in Need if need in request.COOKIES.get(WALKING_COOKIE, "").split("."))


def attendance_of(request: HttpRequest) -> str:
    value = request.COOKIES.get(ATTENDANCE_COOKIE, "")
    return value if value and value in Attendance.values else ""


def dismissed_of(request: HttpRequest) -> list[str]:
    """Return the keys of announcements in the browser's cookie, the latest last; none on shared pages."""
    keys = "" if getattr(request, "shared", False) else request.COOKIES.get(DISMISSED_COOKIE, "")
    return keys.split(".")[-MAX_COOKIE_DISMISSALS:] if ANNOUNCEMENT_KEYS_PATTERN.match(keys) else []


def start_of(request: HttpRequest) -> str:
    """Return a slug from the browser's cookie, which may no longer exist; "" on shared pages."""
    slug = "" if getattr(request, "shared", False) else request.COOKIES.get(START_COOKIE, "")
    return slug if START_SLUG_PATTERN.match(slug) else ""


def network_of(request: HttpRequest) -> str:
    """Return the address that limits count; for IPv6 the /64 network, as one subscriber has 2^64 addresses; "" for none."""
    address = _forwarded_address(request) or _address(str(request.META.get("REMOTE_ADDR", "")))
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return str(address or "")


def _forwarded_address(request: HttpRequest) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    # Each proxy adds one entry at the end; a client can write all entries before those.
    entries = request.headers.get("X-Forwarded-For", "").split(",")
    if not 0 < settings.TRUSTED_PROXIES <= len(entries):
        return None
    return _address(entries[-settings.TRUSTED_PROXIES].strip())


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    # ::ffff:192.0.2.7 is IPv4 on a socket for both: as IPv6, all IPv4 would be one network.
    return (address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None) or address


def retry_after(response: HttpResponse, wait: dt.timedelta) -> HttpResponse:
    response["Retry-After"] = str(int(wait.total_seconds()))
    return response


def may_have_session(request: HttpRequest) -> bool:
    """Whether the cookie can be the key of a session: PostgreSQL refuses to look for one with a null byte."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return key.isascii() and key.isalnum()


def remember(response: HttpResponse, name: str, value: str, *, path: str = "/") -> None:
    if value:
        response.set_cookie(name, value, max_age=COOKIE_MAX_AGE, path=path, secure=settings.SECURE, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(name, path=path, samesite="Lax")


def next_url(request: HttpRequest, default: str) -> str:
    """Return the ``next`` parameter if it is a path of this site, else ``default``."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    safe = url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)
    return url if safe and url.isprintable() else default


def csrf_by_origin(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Let CsrfByOriginMiddleware check the Origin header instead of a token.

    For forms on shared pages, which have no token, and for long forms, whose token may expire while somebody types. A browser
    without Origin header gets the view's page, with a token.
    """
    cast(Any, view).csrf_by_origin = True
    return view


class TimeZoneForm(forms.Form):
    """An IANA name; empty for venue time."""

    zone = forms.CharField(max_length=60, required=False)

    def clean_zone(self) -> str:
        if "zone" not in self.data:
            raise forms.ValidationError("The time zone is missing: choose one from the list.")
        name: str = self.cleaned_data["zone"]
        if name and known_zone(name) is None:
            raise forms.ValidationError(f"“{name}” is not a time zone we know: choose one from the list.")
        return name


class AttendanceForm(forms.Form):
    """Empty deletes the choice."""

    attendance = forms.ChoiceField(choices=Attendance.choices, required=False)

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('attendance', ''))[:40]}” is not a choice: use one of these buttons."


class DismissForm(forms.Form):
    """The keys of one or more announcements, with dots between them."""

    announcement = forms.RegexField(ANNOUNCEMENT_KEYS_PATTERN, max_length=MAX_COOKIE_DISMISSALS * 19)

    def clean_announcement(self) -> list[str]:
        keys: str = self.cleaned_data["announcement"]
        return keys.split(".")

    @property
    def problem(self) -> str:
        return f"“{str(self.data.get('announcement', ''))[:40]}” is not an announcement: use one of these buttons."


class WalkingForm(forms.Form):
    """Route preferences; a field that is not sent does not change."""

    step_free = forms.ChoiceField(choices=[("1", "on"), ("0", "off")], required=False)
    dry = forms.ChoiceField(choices=[("1", "on"), ("0", "off")], required=False)

    def updated_needs(self, needs: Needs) -> Needs:
        sent = {Need.STEP_FREE: self.cleaned_data.get("step_free"), Need.DRY: self.cleaned_data.get("dry")}
        return frozenset(need for need in Need if (sent[need] == "1" if sent[need] else need in needs))
