"""What is kept of a visitor: to take away, and to have deleted."""

from __future__ import annotations

import json

from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.http import (
    START_COOKIE,
    VISITOR_COOKIE,
    WALKING_COOKIE,
    ZONE_COOKIE,
    Request,
    find_visitor,
    in_conference,
    remember,
    visitor_token,
)
from events.models import Conference
from events.models.devices import forget
from events.queries import own_data as queries
from events.views.calendar_answers import UNSTORED, read_only, unlisted


@read_only
@unlisted
@in_conference
def data_export(request: Request, conference: Conference) -> HttpResponse:
    """At every conference of this site, because one cookie serves all."""
    data = queries.own_data(find_visitor(request))
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": 'attachment; filename="hallway-my-data.json"', "Cache-Control": UNSTORED}
    return HttpResponse(f"{text}\n", content_type="application/json", headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
@in_conference
def forget_me(request: Request, conference: Conference) -> HttpResponse:
    """GET says what there is, POST deletes it."""
    if request.method != "POST":
        response = render(request, "events/forget_me.html", {"kept": queries.kept(find_visitor(request))})
        response["Cache-Control"] = UNSTORED
        return response
    forget(visitor_token(request))
    messages.success(request, "Forgotten. Nothing of you is kept here any more.")
    response = redirect(conference)
    for name in (VISITOR_COOKIE, ZONE_COOKIE):
        remember(response, name, "")
    for name in (START_COOKIE, WALKING_COOKIE):
        remember(response, name, "", path=conference.get_absolute_url())
    return response
