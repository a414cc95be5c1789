"""Refusal of requests that waited too long for a free thread: the server cannot tell that a visitor has left."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from events.web.caching import NO_STORE_CACHE_CONTROL

MAX_QUEUE_SECONDS = 15
LATE_RETRY_SECONDS = 10
# Later than any time in seconds, and earlier than any in milliseconds, that proxies write in our time.
FIRST_IN_MILLISECONDS = 1e11
START_PATTERN = re.compile(r"(t=)?(?P<moment>\d{1,15}(\.\d{1,9})?)", re.ASCII)
TEXT = "So many ask at once that this request waited too long. Nothing was changed. Ask again in a few seconds.\n"


def refuse_late(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer 503 at once to a GET that waited, since the proxy passed it on, for longer than most visitors do.

    Without this, each reload of an impatient crowd is one more page that nobody waits for. Forms are always worked for.
    """
    if not settings.BEHIND_PROXY:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> Any:
        began = request_start(request.META.get("HTTP_X_REQUEST_START", ""))
        if began is not None and time.time() - began > MAX_QUEUE_SECONDS and request.method in {"GET", "HEAD"}:
            headers = {"Retry-After": str(LATE_RETRY_SECONDS), "Cache-Control": NO_STORE_CACHE_CONTROL}
            return HttpResponse(TEXT, "text/plain; charset=utf-8", 503, headers=headers)
        return get_response(request)

    return middleware


def request_start(header: str) -> float | None:
    """Return the time that a proxy wrote (“t=1732400000.123”, also in milliseconds and without “t=”), in seconds since 1970."""
    match = START_PATTERN.fullmatch(header)
    if match is None:
        return None
    moment = float(match["moment"])
    return moment / 1000 if moment >= FIRST_IN_MILLISECONDS else moment
