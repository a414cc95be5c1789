"""The error page of a failed request, which differs while the database or its disk is out of order."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Concatenate, NamedTuple, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.views.defaults import page_not_found

from events.core.db.faults import DatabaseFault, database_fault
from events.programme.models.conference import Conference
from events.web.request import Request, clock_of

P = ParamSpec("P")
logger = logging.getLogger("events.errors")

NOT_SAVED = "The site can show pages, but cannot save anything at the moment. What you have just sent could not be saved."


class FaultPage(NamedTuple):
    """``wait`` is ``retry_seconds`` in words; ``remedy`` is for the log."""

    title: str
    text: str
    retry_seconds: int
    wait: str
    remedy: str


FAULT_PAGES = {
    # An import of ICLR's size writes for at most 30 seconds.
    DatabaseFault.BUSY: FaultPage(
        "Too busy right now",
        "The site is very busy, so this could not be done. Nothing was changed, and your bookmarks are safe.",
        *(30, "half a minute"),
        "Too busy to answer",
    ),
    # A connection may be lost between a commit and its answer.
    DatabaseFault.AWAY: FaultPage(
        "The programme cannot be reached",
        "The site cannot reach its database at the moment. If you were saving something, look whether it was saved "
        "before you send it again.",
        *(10, "ten seconds"),
        "The database does not answer: is it running, and is DATABASE_URL right?",
    ),
    DatabaseFault.FULL: FaultPage(
        "Nothing can be saved right now", NOT_SAVED, *(300, "five minutes"), "The disk is full: free space on it"
    ),
    DatabaseFault.READ_ONLY: FaultPage(
        "Nothing can be saved right now",
        NOT_SAVED,
        *(300, "five minutes"),
        "The database cannot be written: its files and their folder must belong to the user of the service "
        "(chown), on a disk that is mounted for writing; on PostgreSQL it must not be a standby",
    ),
    DatabaseFault.DAMAGED: FaultPage(
        "The programme cannot be read",
        "The site cannot read its database at the moment. If you were saving something, look whether it was saved "
        "before you send it again.",
        *(300, "five minutes"),
        "The database's files cannot be read: free space on their disk, check their owner and the disk, else restore a backup",
    ),
}


def in_conference(view: Callable[Concatenate[Request, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep the header and the menu of the conference that the address begins with, also where no view answered."""

    @functools.wraps(view)
    def with_conference(request: Request, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        conference = Conference.published(request.path_info.split("/")[1])
        if conference is None:
            return view(request, *args, **kwargs)
        if not hasattr(request, "conference"):
            request.conference, request.clock = conference, clock_of(request, conference)
        with timezone.override(request.clock.zone):
            return view(request, *args, **kwargs)

    return with_conference


@in_conference
def not_found(request: Request, exception: Exception) -> HttpResponse:
    return page_not_found(request, exception)


@in_conference
def csrf_failed(request: Request, reason: str = "") -> HttpResponse:
    """Django's own view would not know the request's conference."""
    return render(request, "403_csrf.html", status=403)


@in_conference
def nothing_to_open(request: Request) -> HttpResponse:
    return render(request, "405.html", status=405)


def explain_form_addresses(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Show a page where Django sends an empty one: to somebody who loads the address of a form's answer once more."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or request.method != "GET":
            return response
        page = nothing_to_open(request)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    return middleware


def fault_or_server_error(request: HttpRequest) -> HttpResponse:
    """503 with Retry-After while the database or its disk is out of order, else 500. Neither page reads the database."""
    error = sys.exception()
    fault = database_fault(error)
    if fault is None:
        return HttpResponseServerError(render_to_string("500.html", {"style": _style_address()}))
    page = FAULT_PAGES[fault]
    headers = {"Retry-After": str(page.retry_seconds), "Cache-Control": "no-store"}
    response = HttpResponse(
        render_to_string("503.html", {**page._asdict(), "style": _style_address()}), status=503, headers=headers
    )
    # Hundreds may be turned away: one line each instead of Django's tracebacks.
    level = logging.WARNING if fault is DatabaseFault.BUSY else logging.ERROR
    logger.log(level, "%s: %s", page.remedy, " ".join(str(error).split()))
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response


def _style_address() -> str:
    """Its address; empty if the static files were not collected, which may be the error."""
    try:
        return static("events/css/web/core.css")
    except ValueError:
        return ""
