"""Looking at another moment: the address carries it from page to page."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlencode, urlsplit

from django.utils import timezone

from events.schedule.clock import Clock


def carried(url: str, clock: Clock) -> str:
    """The address, with ``?at=`` while the visitor looks at a moment that is not now; twice is as once."""
    path, hash_, fragment = url.partition("#")
    if not clock.pinned or "at" in parse_qs(urlsplit(path).query):
        return url
    at = clock.now.astimezone(clock.venue_zone).strftime("%Y-%m-%dT%H:%M")
    return f"{path}{'&' if '?' in path else '?'}{urlencode({'at': at}, safe=':')}{hash_}{fragment}"


def told(clock: Clock) -> Clock:
    """The clock for what is told from some moment on: looking ahead does not tell it early."""
    return replace(clock, now=min(clock.now, timezone.now()))
