"""What somebody handed in, at the secret address that its sender was given: how it stands, saying it anew, taking it back."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.desk_forms import SAME, DeskForm, NoteForm
from events.desk_social import SocialForm
from events.http import Request, by_origin, in_conference
from events.models import Conference, Proposal, ProposalKind
from events.models.proposed import plain, said, standing
from events.queries import desk as queries
from events.views.calendar_answers import unstored
from events.views.desk import CLOSED, ask, is_closed, propose_url, remember_sent, sent, tokens_of

OVER = "Nothing was changed: it is decided, or was taken back. What you wrote is still here, to be copied."
"""What is over stays as it was decided."""
FORGOTTEN = "Forgotten in this browser. Who has its address still finds it."


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def proposal(request: Request, conference: Conference, token: str) -> HttpResponse:
    """GET says how it stands; POST takes it back as it was shown, or has this browser forget it."""
    found = queries.proposal_of(conference, token)
    if found is None:
        return nothing_sent(request)
    if request.method != "POST":
        return render(request, "events/desk_proposal.html", page_of(found, request))
    if "forget" in request.POST:
        return forget(request, conference, token)
    version = request.POST.get("version", "")
    if version == str(found.version) and found.withdraw(found.version):
        messages.success(request, "Taken back. What is published stays as it is." if found.event_id else "Taken back.")
    else:
        messages.warning(request, "Nothing was taken back: it is not any more what you saw. Look at it now.")
    return redirect("events:proposal", conference.slug, token)


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def proposal_change(request: Request, conference: Conference, token: str) -> HttpResponse:
    """Say it anew; what was said anew meanwhile, here or by organisers, is shown first."""
    found = queries.proposal_of(conference, token)
    if found is None:
        return nothing_sent(request)
    form, fresh = form_for(request, found)
    context: dict[str, Any] = {
        "form": form,
        "proposal": found,
        "seen": f"{found.version}-{queries.fingerprint(fresh.get('base', found.base))}",
    }
    shut = "" if found.is_changeable else OVER
    shut = shut or (CLOSED if is_closed(conference) else "")
    if not form.is_bound:
        return redirect("events:proposal", conference.slug, token) if shut else ask(request, context)
    if shut:
        return ask(request, context | {"shut": shut}, status=422)
    if (problem := objection(form, context["seen"])) is not None:
        return ask(request, context | problem, status=422)
    if found.revise(found.version, **form.said, **fresh):
        messages.success(request, "Sent. The chairs will look at what you changed.")
    else:
        messages.warning(request, "Nothing was changed: somebody was quicker. Look at it now.")
    return redirect("events:proposal", conference.slug, token)


def objection(form: DeskForm, seen: str) -> dict[str, Any] | None:
    """What to say before a change is taken; nothing if it can be."""
    if not form.is_valid():
        return {}
    if form.cleaned_data["seen"] != seen:
        return {"stale": True}
    if not form.is_different:
        form.add_error(None, SAME)
        return {}
    return None


def forget(request: Request, conference: Conference, token: str) -> HttpResponse:
    """For who has sent it from a browser that others use."""
    messages.success(request, FORGOTTEN)
    response = redirect("events:social-list", conference.slug)
    remember_sent(response, conference, [it for it in tokens_of(request) if it != token])
    return response


def page_of(found: Proposal, request: Request) -> dict[str, Any]:
    own = {name: getattr(found, name) for name in ("message", "mailbox")}
    is_note = found.kind == ProposalKind.NOTE
    form = NoteForm(initial=own) if is_note else SocialForm(found.conference, was=said(found), initial=own)
    return {
        "proposal": found,
        "rows": form.kept_rows,
        "is_changeable": found.is_changeable and not is_closed(found.conference),
        "propose_url": another_url(request, found),
        "is_remembered": found.token in tokens_of(request),
        "about": queries.about_of(found.conference, found.page),
        "event": queries.led_to(found),
        "address": settings.SITE_URL + request.path,
    }


def another_url(request: Request, found: Proposal) -> str:
    """For who was told no, and may have a better one."""
    is_over = found.kind == ProposalKind.SOCIAL and not found.is_open and not found.is_changeable
    return propose_url(request, found.conference, None) if is_over and not is_closed(found.conference) else ""


def form_for(request: Request, found: Proposal) -> tuple[DeskForm, dict[str, Any]]:
    """The form with what is so far. Once published, that is what the event says, and what a change is compared with."""
    own = {name: getattr(found, name) for name in ("message", "mailbox")}
    if found.kind == ProposalKind.NOTE:
        return NoteForm(*sent(request), initial=own), {}
    event = found.public_event if found.is_edit and not found.is_open else None
    was = standing(event) if event else said(found)
    return SocialForm(found.conference, *sent(request), was=was, initial=own), {"base": plain(was)} if event else {}


def nothing_sent(request: Request) -> HttpResponse:
    """The same for one that was deleted and for one that never was."""
    return render(request, "events/desk_nothing.html", status=404)
