"""The desk, where anyone hands in a social, what is different about one, or a word on a page."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.desk_forms import DeskForm, NoteForm, SocialForm
from events.http import Request, address_of, in_conference, remember
from events.models import Conference, Proposal, ProposalKind, Tally
from events.models.proposals import are_taken
from events.models.proposed import plain, standing
from events.models.tries import network_of
from events.queries import desk as queries
from events.queries.desk import About
from events.views.calendar_answers import unstored

DESK_COOKIE = "hallway_desk"
TOKENS = re.compile(r"[A-Za-z0-9_-]{32}(\.[A-Za-z0-9_-]{32})*\Z")
MOST_REMEMBERED = 12
MOST_WAITING = 3
HOUR = dt.timedelta(hours=1)
BY_BROWSER = 10
# A whole venue comes from one address.
BY_ADDRESS = 2_000
# More than chairs can read, and less than would fill a disk.
IN_ALL = 3_000
TOO_MANY_WAIT = "Three things of yours wait for the chairs. Change one of those, or wait until they have decided one."
TOO_MANY = "That is more than the desk takes in an hour. All you wrote is still here: wait for the next hour, and send it again."


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def social_propose(request: Request, conference: Conference) -> HttpResponse:
    """A new social, by whoever has one."""
    if not are_taken(conference, request.clock.today):
        return over(request)
    form = SocialForm(conference, *sent(request))
    return answer(request, conference, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def missing(request: Request, conference: Conference) -> HttpResponse:
    """What is missing or wrong: on a social, said in its own form; on any other page, in words."""
    if not are_taken(conference, request.clock.today):
        return over(request)
    asked = request.POST if request.method == "POST" else request.GET
    about = queries.about_of(conference, asked.get("where", ""))
    if about is None or about.social is None:
        return answer(request, conference, NoteForm(*sent(request)), about)
    form = SocialForm(conference, *sent(request), was=standing(about.social), corrects=True)
    return answer(request, conference, form, about)


def sent(request: Request) -> tuple[Any, ...]:
    return (request.POST,) if request.method == "POST" else ()


def over(request: Request) -> HttpResponse:
    return render(request, "events/desk_over.html", status=422 if request.method == "POST" else 200)


def answer(request: Request, conference: Conference, form: DeskForm, about: About | None) -> HttpResponse:
    own = queries.sent_by(conference, tokens_of(request))
    seen = queries.fingerprint(form.was or {}) if isinstance(form, SocialForm) else ""
    context: dict[str, Any] = {"form": form, "about": about, "own": own, "seen": seen}
    if not form.is_bound:
        return ask(request, context)
    if not form.is_valid():
        return ask(request, context, status=422)
    known = Proposal.objects.filter(guid=form.guid).select_related("conference").first()
    if known is not None:
        # Sent twice: by a double click, or once more after a lost answer.
        return redirect(known.url)
    if doubt := doubts(request, conference, form, context):
        return ask(request, context | doubt, status=422)
    if problem := too_many(request, conference, own):
        response = ask(request, context | {"problem": problem}, status=429)
        response["Retry-After"] = str(int(HOUR.total_seconds()))
        return response
    return take(request, conference, form, about)


def doubts(request: Request, conference: Conference, form: DeskForm, context: Mapping[str, Any]) -> dict[str, Any]:
    """What to show before it is taken: that the social was changed since, or what it may be one with."""
    if not isinstance(form, SocialForm):
        return {}
    if form.corrects:
        return {"stale": True} if form.cleaned_data["seen"] != context["seen"] else {}
    found = queries.hints(conference, form.said, context["own"]) if request.POST.get("anyway") != "1" else []
    return {"hints": found} if found else {}


def ask(request: Request, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, "events/desk_form.html", dict(context), status=status)


def too_many(request: HttpRequest, conference: Conference, own: list[Proposal]) -> str:
    """Counted by browser, by what of its own waits, and generously by address and in all."""
    if sum(it.is_open for it in own) >= MOST_WAITING:
        return TOO_MANY_WAIT
    browser = request.META.get("CSRF_COOKIE", "")
    counts = [
        not browser or Tally.allows("desk-browser", browser, most=BY_BROWSER, within=HOUR),
        Tally.allows("desk-address", network_of(address_of(request)), most=BY_ADDRESS, within=HOUR),
        Tally.allows("desk-conference", str(conference.pk), most=IN_ALL, within=HOUR),
    ]
    return "" if all(counts) else TOO_MANY


def take(request: Request, conference: Conference, form: DeskForm, about: About | None) -> HttpResponse:
    """Hand it to the chairs, and lead to where its sender follows it."""
    said = form.said | {"page": about.path if about else "", "event": about.event if about else None}
    if isinstance(form, SocialForm):
        said["base"] = plain(form.was) if form.was else {}
    else:
        said["kind"] = ProposalKind.NOTE
    proposal = Proposal.send(conference, form.guid, **said)
    messages.success(request, "Sent. The chairs will look at it.")
    response = redirect(proposal.url)
    kept = [it for it in tokens_of(request) if it != proposal.token]
    path = f"/{conference.slug}/"
    remember(response, DESK_COOKIE, ".".join([proposal.token, *kept][:MOST_REMEMBERED]), path=path)
    return response


def tokens_of(request: HttpRequest) -> list[str]:
    """What this browser handed in, by the secrets it was given for it."""
    cookie = request.COOKIES.get(DESK_COOKIE, "")
    return cookie.split(".")[:MOST_REMEMBERED] if TOKENS.match(cookie) else []
