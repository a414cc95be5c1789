"""A list of places for the host, at an address that is a secret."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from events.exports.escaping import escaped
from events.http import Request, in_conference
from events.models import Conference, SignUp
from events.queries import seats as queries
from events.queries.pinned import told
from events.views.calendar_answers import unstored

P = ParamSpec("P")


def untold(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """As unstored; and no link on the page says where it was followed, not even to ourselves: no form needs an origin here."""

    @wraps(view)
    def without_referrer(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = unstored(view)(*args, **kwargs)
        response["Referrer-Policy"] = "no-referrer"
        return response

    return without_referrer


@require_safe
@untold
@in_conference
def host_list(request: Request, conference: Conference, token: str) -> HttpResponse:
    own = own_list(conference, token)
    context = {
        "event": own.event,
        "sign_up": own,
        "rows": queries.host_rows(own),
        "token": token,
        "as_of": told(request.clock).now,
    }
    return render(request, "events/sign_up_list.html", context)


@require_safe
@untold
@in_conference
def host_table(request: Request, conference: Conference, token: str) -> HttpResponse:
    """The same for a spreadsheet, which takes no name for a formula."""
    own = own_list(conference, token)
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(own.event.title)[:60] or "list"}.csv"'
    writer = csv.writer(response)
    writer.writerows([escaped(cell) for cell in row] for row in queries.host_cells(queries.host_rows(own)))
    return response


def own_list(conference: Conference, token: str) -> SignUp:
    """Taken back, never made, or of a conference that is hidden: all say the same."""
    own = SignUp.objects.by_host(token)
    if own is None or own.event.conference_id != conference.pk:
        raise Http404
    own.event.conference = conference
    return own
