"""Pages that browsers fetch in advance, when somebody touches or points at a link (decision 042)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from events.web.caching import NO_STORE_CACHE_CONTROL

# Public pages that read nothing but the programme and the agenda. Few patterns, because a browser compares each link with all.
# Each ":name" stands for one segment of a path.
PREFETCHED_PAGES = (
    *("about", "agenda", "announcements", "awards", "changes", "papers", "people", "search", "services", "socials", "sponsors"),
    *("talks", "topics", "venue", "venue/directions"),
)
PREFETCHED_LISTS = ("events", "pages", "papers", "people", "schedule", "topics")
PREFETCHED_PATHS = (
    "/:conference/",
    f"/:conference/:page({'|'.join(PREFETCHED_PAGES)})/",
    f"/:conference/:list({'|'.join(PREFETCHED_LISTS)})/:item/",
)
# As long as a conference's address, but not one.
NEVER_PREFETCHED_PATHS = ("/account/*",)
# Within the page, or answered by a script with a part of it.
NEVER_PREFETCHED_LINKS = "[href^='#'], [hx-get], [hx-boost] a, [download], [target]"
SPECULATION_RULES = {
    "prefetch": [
        {
            "source": "document",
            "where": {
                "and": [
                    {"href_matches": list(PREFETCHED_PATHS)},
                    {"not": {"href_matches": list(NEVER_PREFETCHED_PATHS)}},
                    {"not": {"selector_matches": NEVER_PREFETCHED_LINKS}},
                ]
            },
            "eagerness": "moderate",
        }
    ]
}
WAITING_MESSAGE_TEXT = "This page has a message, which is for whoever opens it.\n"


def add_speculation_rules(response: HttpResponse) -> HttpResponse:
    response.headers["Speculation-Rules"] = f'"{reverse("events:speculation-rules")}"'
    return response


def is_prefetch(request: HttpRequest) -> bool:
    return request.headers.get("Sec-Purpose", "").startswith("prefetch")


def guard_prefetches(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Refuse a prefetch that would use up a waiting message, and drop the browser's prefetched pages when a form was sent.

    A page that was fetched before a bookmark does not show it, and browsers use what they prefetched for minutes.
    """

    def middleware(request: HttpRequest) -> Any:
        if request.COOKIES.get(CookieStorage.cookie_name) and is_prefetch(request):
            response = HttpResponse(WAITING_MESSAGE_TEXT, "text/plain; charset=utf-8", 503)
            response.headers["Cache-Control"] = NO_STORE_CACHE_CONTROL
            setattr(response, "_has_been_logged", True)  # noqa: B010
            return response
        response = get_response(request)
        if request.method == "POST":
            cleared = [response.headers.get("Clear-Site-Data", ""), '"prefetchCache"']
            response.headers["Clear-Site-Data"] = ", ".join(filter(None, cleared))
        return response

    return middleware
