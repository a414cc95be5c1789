"""The visitor of a request, and their agenda."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.agenda.models.agenda import Agenda, AgendaGoneError
from events.agenda.models.counting import is_known_visitor
from events.agenda.models.visitors import AccessToken, Visitor
from events.core import limits
from events.core.db.writing import serialized_write
from events.core.tokens import hash_token
from events.programme.models.conference import Conference
from events.web.request import Request, network_of, next_url, retry_after, start_of
from events.web.secret_cookies import old_secret_cookie, remember_secret, secret_cookie

# On https its name has a prefix (events.web.secret_cookies).
VISITOR_COOKIE = "hallway"
# The visitor before somebody signed in here without adding this browser's agenda to their account. Signing out gives it back.
FORMER_COOKIE = "hallway_former"
VISITOR_TOKEN_PATTERN = re.compile(r"s?[A-Za-z0-9_-]{32}\Z")
# The form of tokens from before the prefix: no newer token is accepted in a cookie that a sub-domain can set.
OLD_VISITOR_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{32}\Z")
RENEW_COOKIE_AFTER = dt.timedelta(days=30)


def visitor_token(request: HttpRequest) -> str:
    """The token in the visitor's cookie; empty before the first bookmark and for a malformed cookie."""
    if token := secret_cookie(request, VISITOR_COOKIE):
        return token if VISITOR_TOKEN_PATTERN.match(token) else ""
    token = old_secret_cookie(request, VISITOR_COOKIE)
    return token if OLD_VISITOR_TOKEN_PATTERN.match(token) else ""


def find_visitor(request: HttpRequest) -> Visitor | None:
    return Visitor.objects.for_token(visitor_token(request))


def has_lost_agenda(request: HttpRequest) -> bool:
    """Whether the token of the browser opens nothing any more, for example because an older backup was restored."""
    return bool(visitor_token(request)) and find_visitor(request) is None


def find_agenda(request: Request, conference: Conference) -> Agenda | None:
    """The visitor's agenda for this conference, read once per request; None while a page is rendered for all visitors."""
    if getattr(request, "shared", False):
        return None
    found = agendas_of(request)
    if conference.pk not in found:
        found[conference.pk] = Agenda.objects.for_token(visitor_token(request), conference)
    agenda = found[conference.pk]
    if agenda is not None:
        agenda.conference = conference
    return agenda


def agendas_of(request: HttpRequest) -> dict[int, Agenda | None]:
    """Return what was read for this request, by conference: a kept page may be of one that had this address before."""
    found: dict[int, Agenda | None] = request.__dict__.setdefault("agendas", {})
    return found


def get_or_begin_agenda(request: Request, conference: Conference) -> tuple[Agenda, str]:
    """The agenda and the token for the cookie, both new for a first-time visitor and for a token that we never issued.

    Every new agenda begins here, because they are counted. Raises TooManyAgendasError above the limit, and AgendaGoneError
    for a token that has just ended, by a merge for example.
    """
    token = visitor_token(request)
    if existing := find_agenda(request, conference):
        return existing, token
    if not limits.NEW_AGENDAS.allows(network=limited_network(request)):
        raise TooManyAgendasError
    with serialized_write():
        if not AccessToken.objects.remembers(token):
            token = Visitor.objects.create().new_token()
        agenda = Agenda.begin(token, conference, start_of(request))
    agendas_of(request)[conference.pk] = agenda
    return agenda, token


def remember_visitor(request: Request, response: HttpResponse, token: str) -> None:
    """Set the visitor's cookie if the browser has another one; renew an old one, as it expires a year after it was set.

    A cookie is not set again on each response: if a merge ends its token, a response that was made before and arrives late
    would replace the new token.
    """
    if token == visitor_token(request):
        has_current_name = token == secret_cookie(request, VISITOR_COOKIE)
        if (has_current_name and not any(map(_is_old, agendas_of(request).values()))) or find_visitor(request) is None:
            return
    remember_secret(request, response, VISITOR_COOKIE, token)


def _is_old(agenda: Agenda | None) -> bool:
    since = agenda.token_created_at if agenda else None
    return since is not None and timezone.now() - since > RENEW_COOKIE_AFTER


def forget_visitor_cookies(request: HttpRequest, response: HttpResponse) -> None:
    """Delete it, and the one that was put aside."""
    for name in (VISITOR_COOKIE, FORMER_COOKIE):
        remember_secret(request, response, name, "")


def has_visitor_without_account(token: str) -> bool:
    return bool(token) and Visitor.objects.filter(tokens__token_hash=hash_token(token), account=None).exists()


def former_token(request: HttpRequest) -> str:
    """The token that was put aside in this browser; empty if it opens no visitor any more, or one that has an account by now."""
    token = secret_cookie(request, FORMER_COOKIE)
    return token if VISITOR_TOKEN_PATTERN.match(token) and has_visitor_without_account(token) else ""


def put_visitor_aside(request: HttpRequest, response: HttpResponse) -> bool:
    """Do so before the cookie changes to an account's. False without a visitor, and if an earlier one was put aside."""
    token = visitor_token(request)
    if not has_visitor_without_account(token) or former_token(request):
        return False
    remember_secret(request, response, FORMER_COOKIE, token)
    return True


def give_visitor_back(request: HttpRequest, response: HttpResponse) -> bool:
    """Set the visitor's cookie to the one that was put aside. Without such a one delete it, and return False."""
    token = former_token(request)
    remember_secret(request, response, VISITOR_COOKIE, token)
    if secret_cookie(request, FORMER_COOKIE):
        remember_secret(request, response, FORMER_COOKIE, "")
    return bool(token)


def is_known(request: Request) -> bool:
    """Whether the visitor is known, read once per request. Others are newcomers, and may be a script."""
    if not hasattr(request, "is_known"):
        request.is_known = is_known_visitor(visitor_token(request))
    return request.is_known


def limited_network(request: Request) -> str:
    """The identifier of the network in a limit. Known visitors count apart, so that strangers cannot lock them out.

    The network is its last word.
    """
    network = network_of(request)
    return f"known {network}" if is_known(request) else network


def agenda_mark(agenda: Agenda | None) -> str:
    """Whose agenda a browser shows, for its own use: the mark tells agendas apart and opens none; "" without one."""
    return salted_hmac("events.agenda.mark", str(agenda.pk), algorithm="sha256").hexdigest()[:24] if agenda else ""


AGENDA_GONE_MESSAGE = (
    "Nothing was changed: your agenda was just merged or deleted, or this browser was signed out. Please check it and try again."
    " If this repeats, wait five minutes."
)


class TooManyAgendasError(Exception):
    """Too many agendas were begun in the visitor's network. Nothing was written."""


class AgendaGoneMiddleware:
    """Show a message when another device merged or deleted the agenda that this request changed, or when none can begin."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, TooManyAgendasError):
            return retry_after(render(request, "429.html", status=429), limits.NEW_AGENDAS.within)
        if not isinstance(error, AgendaGoneError):
            return None
        messages.warning(request, AGENDA_GONE_MESSAGE)
        if getattr(request, "htmx", False):
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        kwargs = request.resolver_match.kwargs if request.resolver_match else {}
        return redirect(next_url(request, f"/{kwargs.get('conference_slug', '')}"))
