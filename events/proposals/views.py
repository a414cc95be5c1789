"""Propose a social, correct one, report a page; and the page of a sent proposal. No account is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from events.agenda.visitor import is_known, limited_network
from events.core import limits
from events.core.clock import Clock, programme_date, with_pinned_time
from events.mail.notices import tell_organisers
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.proposals import queries
from events.proposals.diff import comparable_values, proposed_values, values_of
from events.proposals.forms import NOTHING_CHANGED_MESSAGE, NoteForm, ProposalForm, SocialForm
from events.proposals.models import Proposal, ProposalKind, ProposalStatus, accepts_proposals, accepts_socials
from events.proposals.queries import PublicPage
from events.web.caching import no_store
from events.web.request import PROPOSALS_COOKIE, Request, conference_view, csrf_by_origin, network_of, retry_after
from events.web.secret_cookies import old_secret_cookie, remember_secret, secret_cookie

PROPOSAL_TOKENS_PATTERN = re.compile(r"[A-Za-z0-9_-]{32}(\.[A-Za-z0-9_-]{32})*\Z")
MAX_REMEMBERED_PROPOSALS = 12
MAX_OPEN_PROPOSALS = 3
TOO_MANY_OPEN_PROPOSALS_MESSAGE = (
    "Three of your proposals wait for the chairs. Change one of those, or wait until one is decided."
)
TOO_MANY_PROPOSALS_MESSAGE = "Too many proposals this hour. Everything you wrote is still here: send it again in an hour."
PROPOSALS_CLOSED_MESSAGE = "Proposals are closed. What you wrote is still here, so that you can copy it."


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def social_propose(request: Request, conference: Conference) -> HttpResponse:
    form = SocialForm(conference, *posted_data(request), initial={"date": request.GET.get("date", "")})
    return show_or_receive(request, conference, form, None)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def correction_propose(request: Request, conference: Conference) -> HttpResponse:
    """A correction of a social, in its form; a report of any other page, in words."""
    asked = request.POST if request.method == "POST" else request.GET
    about = queries.public_page(conference, asked.get("where", ""))
    if about is None or about.social is None:
        return show_or_receive(request, conference, NoteForm(*posted_data(request)), about)
    form = SocialForm(conference, *posted_data(request), current=values_of(about.social), corrects=True)
    return show_or_receive(request, conference, form, about)


def posted_data(request: Request) -> tuple[Any, ...]:
    return (request.POST,) if request.method == "POST" else ()


def is_proposing_closed(conference: Conference) -> bool:
    """By the real time, also while the page shows a pinned time."""
    return not accepts_proposals(conference, programme_date(timezone.now(), conference.zone))


def is_proposing_socials_closed(conference: Conference) -> bool:
    """By the real time, too."""
    clock = Clock(timezone.now(), conference.zone)
    return not accepts_socials(conference, clock, clock.today)


def show_or_receive(request: Request, conference: Conference, form: ProposalForm, about: PublicPage | None) -> HttpResponse:
    is_new_social = isinstance(form, SocialForm) and not form.corrects
    is_closed = is_proposing_socials_closed(conference) if is_new_social else is_proposing_closed(conference)
    if not form.is_bound and (is_closed or not is_open_at(request.clock, conference, is_new_social=is_new_social)):
        return render_proposals_closed(request, conference, is_new_social=is_new_social)
    my_proposals = queries.proposals_by_tokens(conference, remembered_tokens(request))
    seen = queries.form_fingerprint(form.current or {}) if isinstance(form, SocialForm) else ""
    context: dict[str, Any] = {
        "form": form,
        "until": proposals_until_text(conference) if is_new_social else "",
        "heading": "Propose a social" if is_new_social else "Something missing or wrong?",
        "about": about,
        "my_proposals": my_proposals,
        "seen": seen,
        "propose_url": "" if is_proposing_socials_closed(conference) else propose_url(request, conference, about),
    }
    if is_closed:
        return render_proposal_form(request, context | {"closed_message": PROPOSALS_CLOSED_MESSAGE}, status=422)
    if not form.is_bound or not form.is_valid():
        return render_proposal_form(request, context, status=422 if form.is_bound else 200)
    return receive_proposal(request, conference, form, context)


def proposals_until_text(conference: Conference) -> str:
    return conference.moment_text(conference.proposals_until) if conference.proposals_until else ""


def is_open_at(clock: Clock, conference: Conference, *, is_new_social: bool) -> bool:
    return accepts_socials(conference, clock, clock.today) if is_new_social else accepts_proposals(conference, clock.today)


def render_proposals_closed(request: Request, conference: Conference, *, is_new_social: bool) -> HttpResponse:
    """Say why. Corrections are accepted for longer than new socials."""
    socials = reverse("events:social-list", args=[conference.slug])
    report = reverse("events:missing", args=[conference.slug], query={"where": socials})
    takes_reports = is_new_social and accepts_proposals(conference, request.clock.today) and not is_proposing_closed(conference)
    context = {
        "is_over": request.clock.today > conference.end,
        "closed_at": proposals_until_text(conference),
        "report_url": with_pinned_time(report, request.clock) if takes_reports else "",
    }
    return render(request, "events/proposals/proposals_closed.html", context)


def receive_proposal(request: Request, conference: Conference, form: ProposalForm, context: dict[str, Any]) -> HttpResponse:
    known = queries.proposal_by_guid(form.guid)
    if known is not None:
        return handle_resubmission(request, form, known, context)
    if warnings := proposal_warnings(request, conference, form, context):
        return render_proposal_form(request, context | warnings, status=422)
    if problem := proposal_limit_message(request, conference, context["my_proposals"]):
        return retry_after(render_proposal_form(request, context | {"problem": problem}, status=429), limits.PROPOSALS.within)
    return send_proposal(request, conference, form, context["about"])


def propose_url(request: Request, conference: Conference, about: PublicPage | None) -> str:
    query = {"date": about.date.isoformat()} if about and about.date else {}
    return with_pinned_time(reverse("events:social-propose", args=[conference.slug], query=query), request.clock)


def handle_resubmission(request: Request, form: ProposalForm, known: Proposal, context: Mapping[str, Any]) -> HttpResponse:
    """The same values (a double click, a lost answer) lead to the proposal; other values get a new stamp, and are asked about."""
    if form.is_repeat_of(known):
        return redirect(known.url)
    form.renew_stamp()
    return render_proposal_form(request, {**context, "known": known}, status=422)


def proposal_warnings(request: Request, conference: Conference, form: ProposalForm, context: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(form, SocialForm):
        return {}
    if form.corrects:
        return {"stale": True} if form.cleaned_data["seen"] != context["seen"] else {}
    if request.POST.get("anyway") == "1":
        return {}
    hints = queries.duplicate_hints(conference, form.proposal_values, context["my_proposals"])
    return {"hints": hints} if hints else {}


def render_proposal_form(request: Request, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, "events/proposals/proposal_form.html", dict(context), status=status)


def proposal_limit_message(request: Request, conference: Conference, my_proposals: list[Proposal]) -> str:
    """Empty if it may be sent. Counted by browser, by its open proposals, by network and in all."""
    if sum(proposal.is_open for proposal in my_proposals) >= MAX_OPEN_PROPOSALS:
        return TOO_MANY_OPEN_PROPOSALS_MESSAGE
    known = is_known(request)
    allowed = limits.PROPOSALS.allows(
        visitor=request.META.get("CSRF_COOKIE"),
        newcomers=None if known else network_of(request),
        network=limited_network(request),
        in_all=f"known {conference.pk}" if known else str(conference.pk),
    )
    return "" if allowed else TOO_MANY_PROPOSALS_MESSAGE


def send_proposal(request: Request, conference: Conference, form: ProposalForm, about: PublicPage | None) -> HttpResponse:
    values = form.proposal_values | {"page": about.path if about else "", "event": about.event if about else None}
    if isinstance(form, SocialForm):
        values["base"] = comparable_values(form.current) if form.current else {}
    else:
        values["kind"] = ProposalKind.NOTE
    proposal = Proposal.send(conference, form.guid, **values)
    tell_organisers()
    messages.success(request, "Sent. The chairs will look at it.")
    response = redirect(proposal.url)
    others = [token for token in remembered_tokens(request) if token != proposal.token]
    remember_proposals(request, response, conference, [proposal.token, *others])
    return response


def remembered_tokens(request: HttpRequest) -> list[str]:
    cookie = secret_cookie(request, PROPOSALS_COOKIE) or old_secret_cookie(request, PROPOSALS_COOKIE)
    return cookie.split(".")[:MAX_REMEMBERED_PROPOSALS] if PROPOSAL_TOKENS_PATTERN.match(cookie) else []


def remember_proposals(request: Request, response: HttpResponse, conference: Conference, tokens: list[str]) -> None:
    joined = ".".join(tokens[:MAX_REMEMBERED_PROPOSALS])
    remember_secret(request, response, PROPOSALS_COOKIE, joined, http_path=f"/{conference.slug}/")


NOT_CHANGEABLE_MESSAGE = "Nothing was changed: it is decided or withdrawn. What you wrote is still here, so that you can copy it."
PROPOSAL_FORGOTTEN_MESSAGE = "Removed from this browser. Its link still works."


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def proposal_detail(request: Request, conference: Conference, token: str) -> HttpResponse:
    proposal = queries.proposal_by_token(conference, token)
    if proposal is None:
        return proposal_not_found(request)
    if request.method != "POST":
        return render(request, "events/proposals/proposal_detail.html", proposal_context(proposal, request))
    if "forget" in request.POST:
        return forget_proposal(request, conference, token)
    version = request.POST.get("version", "")
    if version == str(proposal.version) and proposal.withdraw(proposal.version):
        messages.success(request, "Withdrawn.")
    else:
        messages.warning(request, "Nothing was withdrawn: it has changed since you opened this page. Here is its current state.")
    return redirect("events:proposal", conference.slug, token)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def proposal_change(request: Request, conference: Conference, token: str) -> HttpResponse:
    """Change it. If it or its event was changed since the form was opened, that is shown first."""
    proposal = queries.proposal_by_token(conference, token)
    if proposal is None:
        return proposal_not_found(request)
    form, fresh = change_form(request, proposal)
    context: dict[str, Any] = {
        "form": form,
        "heading": "Change what you sent",
        "proposal": proposal,
        "seen": f"{proposal.version}-{queries.form_fingerprint(fresh.get('base', proposal.base))}",
    }
    closed_message = "" if proposal.is_changeable else NOT_CHANGEABLE_MESSAGE
    closed_message = closed_message or (PROPOSALS_CLOSED_MESSAGE if is_proposing_closed(conference) else "")
    if not form.is_bound:
        return redirect("events:proposal", conference.slug, token) if closed_message else render_proposal_form(request, context)
    if closed_message:
        return render_proposal_form(request, context | {"closed_message": closed_message}, status=422)
    if (problem := change_problem(form, context["seen"])) is not None:
        return render_proposal_form(request, context | problem, status=422)
    if proposal.revise(proposal.version, **form.proposal_values, **fresh):
        messages.success(request, "Sent. The chairs will look at what you changed.")
    else:
        messages.warning(request, "Nothing was changed: somebody else was faster. Here is its current state.")
    return redirect("events:proposal", conference.slug, token)


def change_problem(form: ProposalForm, seen: str) -> dict[str, Any] | None:
    """Context for what is wrong; None if the change can be stored."""
    if not form.is_valid():
        return {}
    if form.cleaned_data["seen"] != seen:
        return {"stale": True}
    if not form.has_changes:
        form.add_error(None, NOTHING_CHANGED_MESSAGE)
        return {}
    return None


def forget_proposal(request: Request, conference: Conference, token: str) -> HttpResponse:
    messages.success(request, PROPOSAL_FORGOTTEN_MESSAGE)
    response = redirect("events:social-list", conference.slug)
    remember_proposals(request, response, conference, [other for other in remembered_tokens(request) if other != token])
    return response


def proposal_context(proposal: Proposal, request: Request) -> dict[str, Any]:
    contact = {name: getattr(proposal, name) for name in ("message", "mailbox")}
    is_note = proposal.kind == ProposalKind.NOTE
    event = queries.resulting_event(proposal)
    form = (
        NoteForm(initial=contact)
        if is_note
        else SocialForm(proposal.conference, current=proposed_values(proposal), initial=contact)
    )
    return {
        "proposal": proposal,
        "rows": form.initial_rows,
        "is_changeable": proposal.is_changeable and not is_proposing_closed(proposal.conference),
        "propose_url": propose_another_url(request, proposal),
        "is_remembered": proposal.token in remembered_tokens(request),
        "about": queries.public_page(proposal.conference, proposal.page),
        "event": event,
        "status_line": status_line(proposal, event),
        "address": settings.SITE_URL + request.path,
    }


@dataclass(frozen=True)
class StatusLine:
    """``icon`` is the name of a drawing in icons.svg."""

    icon: str
    text: str


STATUS_LINES: dict[str, StatusLine] = {
    ProposalStatus.WAITING: StatusLine("clock", "Waiting for the chairs"),
    ProposalStatus.ASKED: StatusLine("circle-alert", "The chairs have a question"),
    ProposalStatus.PUBLISHED: StatusLine("check", "Published"),
    ProposalStatus.DECLINED: StatusLine("octagon-x", "Declined"),
    ProposalStatus.MERGED: StatusLine("check", "Merged into another proposal"),
    ProposalStatus.DONE: StatusLine("check", "The chairs have dealt with it"),
    ProposalStatus.WITHDRAWN: StatusLine("x", "You withdrew it"),
}
STATUS_LINES_OF_EDITS: dict[str, StatusLine] = {
    ProposalStatus.WAITING: StatusLine("clock", "Your change is waiting for the chairs"),
    ProposalStatus.DECLINED: StatusLine("octagon-x", "Your change was declined"),
}


def status_line(proposal: Proposal, event: Event | None) -> StatusLine:
    if proposal.status == ProposalStatus.MERGED and event:
        return StatusLine("check", f"Merged into {event.title}")
    lines = STATUS_LINES | STATUS_LINES_OF_EDITS if proposal.is_edit else STATUS_LINES
    return lines[proposal.status]


def propose_another_url(request: Request, proposal: Proposal) -> str:
    """Empty unless this social is over, and another one can be proposed."""
    is_over = proposal.kind == ProposalKind.SOCIAL and not proposal.is_open and not proposal.is_changeable
    is_possible = is_over and not is_proposing_socials_closed(proposal.conference)
    return propose_url(request, proposal.conference, None) if is_possible else ""


def change_form(request: Request, proposal: Proposal) -> tuple[ProposalForm, dict[str, Any]]:
    contact = {name: getattr(proposal, name) for name in ("message", "mailbox")}
    if proposal.kind == ProposalKind.NOTE:
        return NoteForm(*posted_data(request), initial=contact), {}
    event = proposal.public_event if proposal.is_edit and not proposal.is_open else None
    current = values_of(event) if event else proposed_values(proposal)
    form = SocialForm(proposal.conference, *posted_data(request), current=current, initial=contact)
    return form, {"base": comparable_values(current)} if event else {}


def proposal_not_found(request: Request) -> HttpResponse:
    return render(request, "events/proposals/nothing_to_correct.html", status=404)
