"""The error page of a failed request, which differs while the database is busy."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from events.core.db.writing import is_busy

logger = logging.getLogger("events.errors")

# An import of ICLR's size writes for at most 30 seconds.
BUSY_RETRY_SECONDS = 30


def busy_or_server_error(request: HttpRequest) -> HttpResponse:
    """503 with Retry-After while the database is busy, else 500. Neither page reads the database."""
    error = sys.exception()
    if not is_busy(error):
        return server_error(request)
    headers = {"Retry-After": str(BUSY_RETRY_SECONDS), "Cache-Control": "no-store"}
    response = HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    # An import may turn hundreds away: one line each instead of Django's tracebacks.
    logger.warning("Too busy to answer: %s", error)
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response
