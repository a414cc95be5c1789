"""What a request that failed is answered with."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from events.models.writing import is_busy

TRY_AGAIN = 30
"""Seconds, which an import at ICLR's size needs at most to write what it brings."""


def failed(request: HttpRequest) -> HttpResponse:
    """503 and when to come back while the database is busy; else the fault is ours. Neither page reads anything."""
    if not is_busy(sys.exception()):
        return server_error(request)
    headers = {"Retry-After": str(TRY_AGAIN), "Cache-Control": "no-store"}
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
