"""The figures for Prometheus, at an address that is a secret."""

from __future__ import annotations

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import Http404, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from events.pages.queries.metrics import database_metrics
from events.web.caching import noindex
from events.web.metrics import request_metrics
from events.web.request import Request

# The format that Prometheus and its relatives all read.
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@require_safe
@noindex
def metrics(request: Request, token: str) -> HttpResponse:
    """Not found without METRICS_TOKEN. While the database is away, what it knows is left out."""
    if not (settings.METRICS_TOKEN and constant_time_compare(token, settings.METRICS_TOKEN)):
        raise Http404
    figures = request_metrics()
    try:
        figures += database_metrics()
    except DatabaseError:
        figures += b"# The database does not answer: mail and imports are left out.\n"
    return HttpResponse(figures, CONTENT_TYPE, headers={"Cache-Control": "no-store"})
