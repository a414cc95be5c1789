"""The visitor of a request, and their agenda."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from events.agenda.models.agenda import Agenda, AgendaGoneError
from events.agenda.models.visitors import Visitor
from events.core.tokens import new_token
from events.programme.models.conference import Conference
from events.web.request import Request, next_url, start_of

VISITOR_COOKIE = "hallway"
VISITOR_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{32}\Z")


def visitor_token(request: HttpRequest) -> str:
    """The token in the visitor's cookie; empty before the first bookmark and for a malformed cookie."""
    token = request.COOKIES.get(VISITOR_COOKIE, "")
    return token if VISITOR_TOKEN_PATTERN.match(token) else ""


def find_visitor(request: HttpRequest) -> Visitor | None:
    return Visitor.objects.for_token(visitor_token(request))


def find_agenda(request: Request, conference: Conference) -> Agenda | None:
    """The visitor's agenda for this conference, read once per request; None while a page is rendered for all visitors."""
    if getattr(request, "shared", False):
        return None
    if not hasattr(request, "agenda"):
        agenda = Agenda.objects.for_token(visitor_token(request), conference)
        if agenda is not None:
            agenda.conference = conference
        request.agenda = agenda
    cached: Agenda | None = request.agenda
    return cached


def get_or_begin_agenda(request: Request, conference: Conference) -> tuple[Agenda, str]:
    """The agenda and the token for the cookie, both new for a first-time visitor."""
    token = visitor_token(request) or new_token()
    agenda = Agenda.begin(token, conference, start_of(request))
    request.agenda = agenda
    return agenda, token


def visitor_agenda(request: Request, conference: Conference) -> Agenda | None:
    agenda = find_agenda(request, conference)
    if agenda is not None:
        agenda.conference = conference
    return agenda


class AgendaGoneMiddleware:
    """Show a message when an agenda was merged or deleted by another device while this request changed it."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AgendaGoneError):
            return None
        messages.warning(request, "Nothing was changed: your agenda was just merged or deleted. Please check it and try again.")
        if getattr(request, "htmx", False):
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        kwargs = request.resolver_match.kwargs if request.resolver_match else {}
        return redirect(next_url(request, f"/{kwargs.get('conference_slug', '')}"))
