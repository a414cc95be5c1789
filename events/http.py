"""What a request carries through the house: its conference, its clock, its visitor."""

from __future__ import annotations

import datetime as dt
import functools
import ipaddress
import re
import zoneinfo
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from events.models import Agenda, Attendance, Conference, Event, Visitor
from events.models.tokens import new_token
from events.schedule.clock import Clock, parse_at
from events.schedule.walking import ANY_WAY, Need, Needs

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

VISITOR_COOKIE = "hallway"
ZONE_COOKIE = "hallway_zone"
START_COOKIE = "hallway_start"
WALKING_COOKIE = "hallway_walking"
ATTENDANCE_COOKIE = "hallway_attendance"
YEAR = 60 * 60 * 24 * 365
SLUG = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}\Z")
P = ParamSpec("P")


class Request(HttpRequest):
    """A request as our views see it."""

    htmx: HtmxDetails
    conference: Conference
    clock: Clock
    event: Event
    """What the page is about, where that is one event."""
    shared: bool
    """True while a page is rendered for everybody."""
    placeholders: list[Any]
    """Of that page (``events.pages.page_cache``)."""


def in_conference(view: Callable[Concatenate[Request, Conference, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view its published conference, and show times in the visitor's zone while it works."""

    @functools.wraps(view)
    def with_conference(request: Request, conference_slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        conference = Conference.published(conference_slug)
        if conference is None:
            raise Http404
        # The clock first: when the address cannot be read, the page that says so has no conference to be about.
        request.clock = clock_of(request, conference)
        request.conference = conference
        with timezone.override(request.clock.zone):
            return view(request, conference, *args, **kwargs)

    return with_conference


def clock_of(request: HttpRequest, conference: Conference) -> Clock:
    """Now, or the moment ``?at=`` asks to look at; the visitor's own zone if they chose one."""
    pinned = parse_at(request.GET.get("at", ""), conference.zone)
    chosen = known_zone(request.COOKIES.get(ZONE_COOKIE, ""))
    return Clock(now=pinned or timezone.now(), venue_zone=conference.zone, chosen_zone=chosen, pinned=pinned is not None)


@functools.cache
def zone_names() -> tuple[str, ...]:
    """The zones people live in: Europe/Vienna, not EST5EDT; and UTC, which cautious browsers claim to be in."""
    legacy = ("Etc/", "SystemV/", "US/", "posix/", "right/")
    return tuple(
        sorted(name for name in zoneinfo.available_timezones() if name == "UTC" or ("/" in name and not name.startswith(legacy)))
    )


def known_zone(name: str) -> zoneinfo.ZoneInfo | None:
    return zoneinfo.ZoneInfo(name) if name in zone_names() else None


def needs_of(request: HttpRequest) -> Needs:
    """What the visitor wants of ways, as this browser remembers it; nobody wants anything of a page for everybody."""
    if getattr(request, "shared", False):
        return ANY_WAY
    return frozenset(need for need in Need if need in request.COOKIES.get(WALKING_COOKIE, "").split("."))


def attendance_of(request: HttpRequest) -> str:
    """How the visitor takes part, if they said so in this browser."""
    said = request.COOKIES.get(ATTENDANCE_COOKIE, "")
    return said if said and said in Attendance.values else ""


def start_of(request: HttpRequest) -> str:
    """The slug of where the visitor starts from, as this browser remembers it; there may be no such start."""
    slug = "" if getattr(request, "shared", False) else request.COOKIES.get(START_COOKIE, "")
    return slug if SLUG.match(slug) else ""


def visitor_token(request: HttpRequest) -> str:
    """The secret in the visitor's cookie; empty until the first bookmark, or when it is none of ours."""
    token = request.COOKIES.get(VISITOR_COOKIE, "")
    return token if TOKEN.match(token) else ""


def find_visitor(request: HttpRequest) -> Visitor | None:
    return Visitor.objects.of(visitor_token(request))


def find_agenda(request: HttpRequest, conference: Conference) -> Agenda | None:
    """The visitor's agenda for this conference, if there is one; looked up once a request.

    There is none while a page is rendered for everybody.
    """
    if getattr(request, "shared", False):
        return None
    if not hasattr(request, "_agenda"):
        agenda = Agenda.objects.of(visitor_token(request), conference)
        if agenda is not None:
            agenda.conference = conference
        setattr(request, "_agenda", agenda)  # noqa: B010
    found: Agenda | None = getattr(request, "_agenda")  # noqa: B009
    return found


def get_or_begin_agenda(request: HttpRequest, conference: Conference) -> tuple[Agenda, str]:
    """The agenda and the token to remember it by, both made now for a first-time visitor."""
    token = visitor_token(request) or new_token()
    agenda = Agenda.begin(token, conference, start_of(request))
    setattr(request, "_agenda", agenda)  # noqa: B010
    return agenda, token


def network_of(request: HttpRequest) -> str:
    """Where the request came from, as limits count it: whoever has one address of IPv6 has 2^64 of them."""
    # What our own proxy says, if there is one; anybody can write what stands before that.
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    try:
        address = ipaddress.ip_address(forwarded.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return ""
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


def retry_after(response: HttpResponse, wait: dt.timedelta) -> HttpResponse:
    response["Retry-After"] = str(int(wait.total_seconds()))
    return response


def remember(response: HttpResponse, name: str, value: str, *, path: str = "/") -> None:
    """Keep a choice in the browser for a year; an empty one is forgotten."""
    if value:
        response.set_cookie(name, value, max_age=YEAR, path=path, secure=settings.SECURE, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(name, path=path, samesite="Lax")


def next_url(request: HttpRequest, default: str) -> str:
    """Where the visitor came from and wants back to, if that is a page of ours."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    safe = url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)
    return url if safe and url.isprintable() else default


def by_origin(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Decorate a view whose form stands on pages that are the same for everybody, and so carry no token.

    So do views where people type for long: a token ends when they sign in elsewhere, and all they wrote with it.
    That the browser says the form is from our own pages is enough; one too old to say so is asked on the view's own page.
    """
    setattr(view, "by_origin", True)  # noqa: B010
    return view
