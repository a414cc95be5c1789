"""What somebody handed in, at the secret address that its sender was given: how it stands, saying it anew, taking it back."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from events.desk_forms import DeskForm, NoteForm, SocialForm
from events.http import Request, in_conference
from events.models import Conference, Proposal, ProposalKind
from events.models.proposed import plain, said, standing
from events.queries import desk as queries
from events.views.calendar_answers import unstored
from events.views.desk import ask, sent

OVER = "Nothing was changed: the chairs have decided on it meanwhile."
"""What is over stays as it was decided."""


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def proposal(request: Request, conference: Conference, token: str) -> HttpResponse:
    """GET says how it stands; POST takes it back as it was shown."""
    found = queries.proposal_of(conference, token)
    if found is None:
        return nothing_sent(request)
    if request.method != "POST":
        return render(request, "events/desk_proposal.html", page_of(found, request))
    version = request.POST.get("version", "")
    if version == str(found.version) and found.withdraw(found.version):
        messages.success(request, "Taken back. What is published stays as it is." if found.event_id else "Taken back.")
    else:
        messages.warning(request, "Nothing was taken back: it is not any more what you saw. Look at it now.")
    return redirect("events:proposal", conference.slug, token)


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
@in_conference
def proposal_change(request: Request, conference: Conference, token: str) -> HttpResponse:
    """Say it anew; what was said anew meanwhile, here or by organisers, is shown first."""
    found = queries.proposal_of(conference, token)
    if found is None:
        return nothing_sent(request)
    if not found.is_changeable:
        messages.info(request, OVER)
        return redirect("events:proposal", conference.slug, token)
    form, fresh = form_for(request, found)
    context = {"form": form, "proposal": found, "seen": f"{found.version}-{queries.fingerprint(fresh.get('base', found.base))}"}
    if not form.is_bound:
        return ask(request, context)
    if not form.is_valid() or form.cleaned_data["seen"] != context["seen"]:
        return ask(request, context | {"stale": form.is_valid()}, status=422)
    if found.revise(found.version, **form.said, **fresh):
        messages.success(request, "Sent. The chairs will look at what you changed.")
    else:
        messages.warning(request, "Nothing was changed: somebody was quicker. Look at it now.")
    return redirect("events:proposal", conference.slug, token)


def page_of(found: Proposal, request: Request) -> dict[str, Any]:
    own = {name: getattr(found, name) for name in ("message", "mailbox")}
    is_note = found.kind == ProposalKind.NOTE
    form = NoteForm(initial=own) if is_note else SocialForm(found.conference, was=said(found), initial=own)
    return {
        "proposal": found,
        "rows": form.kept_rows,
        "about": queries.about_of(found.conference, found.page),
        "event": queries.led_to(found),
        "address": settings.SITE_URL + request.path,
    }


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
