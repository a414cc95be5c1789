"""How a calendar is answered: to whom, for how long, under which name; and 304 before anything is rendered."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import quote

from django.http import HttpResponse, HttpResponseNotModified
from django.utils.http import http_date
from django.utils.text import slugify
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from events.calendars.conditions import is_current
from events.calendars.feeds import Feed
from events.calendars.replaced import Notice
from events.calendars.text import one_line
from events.http import Request, find_agenda
from events.models import Agenda, Conference

PERSONAL = "private, no-cache"
PUBLIC = "public, max-age=300"
UNSTORED = "private, no-store"
# What some file system does not take in a name.
UNNAMEABLE = re.compile(r'[/\\:*?"<>|%]')
P = ParamSpec("P")


def read_only(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """GET and HEAD; anything else, also a PROPFIND without a CSRF token, is told so by 405."""
    return csrf_exempt(require_safe(view))


def unlisted(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """For what has or shows a secret address: no search engine lists it, no site that is linked hears of it."""

    @wraps(view)
    def without_traces(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        # Not "no-referrer": with it a browser sends our own forms without an origin, and they would be refused.
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return without_traces


def unstored(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Unlisted, and kept by nothing, not even the browser: the next one at this machine finds no trace of it."""

    @wraps(view)
    def without_copies(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(*args, **kwargs)
        response["Cache-Control"] = UNSTORED
        return response

    return unlisted(without_copies)


def own_agenda(request: Request, conference: Conference) -> Agenda | None:
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.conference = conference
    return agenda


def answer(request: Request, calendar: Feed | Notice, caching: str, *, download: bool = False) -> HttpResponse:
    """The calendar, or 304 before anything is rendered. Never compressed: that has broken subscriptions in Outlook.

    What is subscribed to stands for itself; what is downloaded gets a name to be saved under.
    """
    asked = request.method != "POST"
    if asked and is_current(request.headers, calendar.etag, lambda: calendar.last_modified):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(calendar.body, content_type="text/calendar; charset=utf-8")
        if calendar.last_modified:
            response["Last-Modified"] = http_date(calendar.last_modified.timestamp())
        if download:
            response["Content-Disposition"] = attachment(calendar.name)
    response["ETag"] = calendar.etag
    response["Cache-Control"] = caching
    response["X-Robots-Tag"] = "noindex"
    return response


def attachment(name: str) -> str:
    """A name in ASCII for old clients, and the real one."""
    real = " ".join(UNNAMEABLE.sub(" ", one_line(name)).split())[:80].strip(". ")
    return f"attachment; filename=\"{slugify(name)[:80] or 'calendar'}.ics\"; filename*=UTF-8''{quote(real or 'calendar')}.ics"
