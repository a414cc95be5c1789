"""The desk, where anyone hands in a social, what is different about one, or a word on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from events.desk_forms import DeskForm, NoteForm
from events.desk_social import SocialForm
from events.http import Request, by_origin, find_agenda, in_conference, network_of, remember, retry_after
from events.models import Conference, Proposal, ProposalKind, limits
from events.models.proposals import are_taken
from events.models.proposed import plain, standing
from events.queries import desk as queries
from events.queries.desk import About
from events.queries.pinned import carried
from events.schedule.clock import programme_date
from events.views.calendar_answers import unstored

DESK_COOKIE = "hallway_desk"
TOKENS = re.compile(r"[A-Za-z0-9_-]{32}(\.[A-Za-z0-9_-]{32})*\Z")
MOST_REMEMBERED = 12
MOST_WAITING = 3
TOO_MANY_WAIT = "Three things of yours wait for the chairs. Change one of those, or wait until they have decided one."
TOO_MANY = "That is more than the desk takes in an hour. All you wrote is still here: wait for the next hour, and send it again."
CLOSED = "The desk is closed: nothing can be sent any more. What you wrote is still here, to be copied."
AS_IT_WAS = "This is how it looked then. By now the desk is closed: nothing can be sent."


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def social_propose(request: Request, conference: Conference) -> HttpResponse:
    """A new social, by whoever has one; ``?date=`` has the form begin with that day."""
    form = SocialForm(conference, *sent(request), initial={"date": request.GET.get("date", "")})
    return answer(request, conference, form, None)


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def missing(request: Request, conference: Conference) -> HttpResponse:
    """What is missing or wrong: on a social, said in its own form; on any other page, in words."""
    asked = request.POST if request.method == "POST" else request.GET
    about = queries.about_of(conference, asked.get("where", ""))
    if about is None or about.social is None:
        return answer(request, conference, NoteForm(*sent(request)), about)
    form = SocialForm(conference, *sent(request), was=standing(about.social), corrects=True)
    return answer(request, conference, form, about)


def sent(request: Request) -> tuple[Any, ...]:
    return (request.POST,) if request.method == "POST" else ()


def is_closed(conference: Conference) -> bool:
    """By the real clock, whatever moment is looked at: who writes, writes now."""
    return not are_taken(conference, programme_date(timezone.now(), conference.zone))


def answer(request: Request, conference: Conference, form: DeskForm, about: About | None) -> HttpResponse:
    if not form.is_bound and not are_taken(conference, request.clock.today):
        return render(request, "events/desk_over.html")
    own = queries.sent_by(conference, tokens_of(request))
    seen = queries.fingerprint(form.was or {}) if isinstance(form, SocialForm) else ""
    context: dict[str, Any] = {"form": form, "about": about, "own": own, "seen": seen}
    context["propose_url"] = propose_url(request, conference, about)
    if is_closed(conference):
        return ask(request, context | {"shut": CLOSED if form.is_bound else AS_IT_WAS}, status=422 if form.is_bound else 200)
    if not form.is_bound or not form.is_valid():
        return ask(request, context, status=422 if form.is_bound else 200)
    return receive(request, conference, form, context)


def receive(request: Request, conference: Conference, form: DeskForm, context: dict[str, Any]) -> HttpResponse:
    known = Proposal.objects.filter(guid=form.guid).select_related("conference").first()
    if known is not None:
        return sent_before(request, form, known, context)
    if doubt := doubts(request, conference, form, context):
        return ask(request, context | doubt, status=422)
    if problem := too_many(request, conference, context["own"]):
        return retry_after(ask(request, context | {"problem": problem}, status=429), limits.PROPOSALS.within)
    return take(request, conference, form, context["about"])


def propose_url(request: Request, conference: Conference, about: About | None) -> str:
    """From a day's schedule to a form that begins with that day."""
    query = {"date": about.date.isoformat()} if about and about.date else {}
    return carried(reverse("events:social-propose", args=[conference.slug], query=query), request.clock)


def sent_before(request: Request, form: DeskForm, known: Proposal, context: Mapping[str, Any]) -> HttpResponse:
    """By a double click, or once more after a lost answer: then it is there. After going back and changing it: then it is not."""
    if form.repeats(known):
        return redirect(known.url)
    form.begin_anew()
    return ask(request, {**context, "known": known}, status=422)


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


def too_many(request: Request, conference: Conference, own: list[Proposal]) -> str:
    """Counted by browser, by what of its own waits, and generously by address and in all."""
    if sum(it.is_open for it in own) >= MOST_WAITING:
        return TOO_MANY_WAIT
    agenda, network = find_agenda(request, conference), network_of(request)
    # Who has picked nothing yet may be a script.
    is_known = agenda is not None and bool(agenda.levels())
    allowed = limits.PROPOSALS.allows(
        visitor=request.META.get("CSRF_COOKIE"),
        newcomers=None if is_known else network,
        network=network,
        in_all=str(conference.pk),
    )
    return "" if allowed else TOO_MANY


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
    remember_sent(response, conference, [proposal.token, *kept])
    return response


def tokens_of(request: HttpRequest) -> list[str]:
    """What this browser handed in, by the secrets it was given for it."""
    cookie = request.COOKIES.get(DESK_COOKIE, "")
    return cookie.split(".")[:MOST_REMEMBERED] if TOKENS.match(cookie) else []


def remember_sent(response: HttpResponse, conference: Conference, tokens: list[str]) -> None:
    remember(response, DESK_COOKIE, ".".join(tokens[:MOST_REMEMBERED]), path=f"/{conference.slug}/")
