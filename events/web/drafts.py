"""Pages that show drafts to organisers and to whoever opened a preview link."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from django.http import HttpRequest, HttpResponse

from events.programme.drafts import ALL_CONFERENCES, showing_drafts
from events.web.caching import NO_STORE_CACHE_CONTROL
from events.web.request import DraftReader, Request

PREVIEW_COOKIE = "hallway_preview"


def shows_drafts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of a public page, outside ``page_cache``. Nobody keeps a page with drafts: no process, proxy or browser.

    ``events.staff.previews`` decides who sees them. Views without this decorator never show any.
    """

    @functools.wraps(view)
    def view_with_drafts(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        reader = draft_reader(request)
        if not reader:
            return view(request, *args, **kwargs)
        # Guests, and those with a role, may not read of other conferences to come.
        with showing_drafts(ALL_CONFERENCES if reader == "organiser" else kwargs["conference_slug"]):
            response = view(request, *args, **kwargs)
        response["Cache-Control"] = NO_STORE_CACHE_CONTROL
        response["X-Robots-Tag"] = "noindex"
        del response["ETag"]
        return response

    cast(Any, view_with_drafts).shows_drafts = True
    return view_with_drafts


def draft_reader(request: HttpRequest) -> DraftReader:
    reader: DraftReader = getattr(request, "sees_drafts", "")
    return reader
