"""What a request that failed is answered with."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

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
