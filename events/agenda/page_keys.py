"""What a kept page is found by: its path, the parameters that pages read, the zone and how the visitor attends."""

from __future__ import annotations

from collections.abc import Hashable
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict

from events.core.clock import MAX_PINNED_CHARS, read_at, written_at
from events.web.request import ZONE_COOKIE, Request, attendance_of, known_zone

PAGE_PARAMS = frozenset(
    (
        *("at", "award", "day", "floor", "kind", "language", "layer", "letter", "page", "part", "places", "q", "room", "sort"),
        *("start", "theme", "topic", "track", "type", "view", "whole", "zone"),
    )
)
"""All GET parameters that cached pages read. Others are removed before a view can read them."""
PART_PARAM = "part"
"""Names a part of the page for a script; views read it as ``request.part``, and links in the part lead to the page."""
MAX_QUERY_CHARS = 1000


def page_key(request: Request, query: str) -> Hashable:
    """Everything that a public page depends on, except its conference and the minute; ``query`` is from ``page_query``."""
    zone = request.COOKIES.get(ZONE_COOKIE, "")
    return (
        "page",
        request.path,
        query,
        zone if zone and known_zone(zone) else "",
        attendance_of(request),
    )


def page_query(request: HttpRequest) -> str:
    """Return the known parameters by name, in the one way of writing them; of ``at`` the time, if it can be read."""
    if not request.META.get("QUERY_STRING"):
        return ""
    names = sorted(PAGE_PARAMS & request.GET.keys())
    values = {name: _written_pinned(request.GET[name]) if name == "at" else request.GET.getlist(name) for name in names}
    return urlencode(values, doseq=True, safe=":")


def split_part(query: str) -> tuple[str, str]:
    """Return the part that a query of ``page_query`` asks for, and the query of its page."""
    values = QueryDict(query, mutable=True)
    part = values.get(PART_PARAM, "")
    values.pop(PART_PARAM, None)
    return str(part), urlencode(list(values.lists()), doseq=True, safe=":")


def _written_pinned(text: str) -> str:
    at = read_at(text)
    # The page quotes what it cannot read.
    return written_at(at) if at else text[:MAX_PINNED_CHARS]
