"""What a request that failed is answered with."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.defaults import server_error

from events.http import next_url
from events.models.picks import AgendaGoneError
from events.models.writing import is_busy

logger = logging.getLogger("events.faults")

TRY_AGAIN = 30
"""Seconds, which an import at ICLR's size needs at most to write what it brings."""


def failed(request: HttpRequest) -> HttpResponse:
    """503 and when to come back while the database is busy; else the fault is ours. Neither page reads anything."""
    error = sys.exception()
    if not is_busy(error):
        return server_error(request)
    headers = {"Retry-After": str(TRY_AGAIN), "Cache-Control": "no-store"}
    response = HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    # Hundreds may be sent away while an import writes: a line each, where Django would log as many tracebacks.
    logger.warning("Too busy to answer: %s", error)
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response


class GoneAgendas:
    """Middleware: who changes an agenda while another device merges or deletes it hears that nothing was done."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AgendaGoneError):
            return None
        messages.warning(request, "Nothing was changed: your agenda was just merged or deleted. Look, and try once more.")
        if getattr(request, "htmx", False):
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        found = request.resolver_match.kwargs if request.resolver_match else {}
        return redirect(next_url(request, f"/{found.get('conference_slug', '')}"))
