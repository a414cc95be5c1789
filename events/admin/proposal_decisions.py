"""A decision as it comes from the page: made, or refused with words that say what to do."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest

from events.admin import proposal_words as words
from events.admin.impact import fingerprint
from events.admin.proposal_forms import DecisionForm
from events.admin.proposal_page import changed_since, decisions, planned_by, room_taken
from events.admin.publish_form import PublishForm
from events.models import Proposal
from events.models.publishing import UnpublishableError
from events.queries.impact import touches
from events.queries.proposals import merged_into

CHANGED = "The sender changed it since you opened it: look again. Nothing of yours was done."
NOT_CHOSEN = "Nothing was done: choose what to do with it."
LOOK_AGAIN = "Nothing was done: that button was not of this page. Look at it as it is now, and choose."
LOOK_FIRST = "Nothing is published yet: look at what it does to those who have it, then press the button again."
PUT_RIGHT = "Nothing was done: put right what is marked below."


class NotDoneError(Exception):
    """Nothing was decided, and what the page says of it."""

    def __init__(self, notice: str, form: DecisionForm | None = None, *, status: int = 200) -> None:
        super().__init__(notice)
        self.notice, self.form, self.status = notice, form, status


class Done(NamedTuple):
    """What was done, what is to be seen to now, and whom else it concerns."""

    told: str
    warning: str
    merged: list[Proposal]


def decide(request: HttpRequest, proposal: Proposal) -> Done:
    """Do what was chosen with a proposal as it is now; whoever calls has its conference in hold."""
    form_class = decisions(proposal, request.user).get(request.POST.get("decision", ""))
    if not proposal.is_open or request.POST.get("version", str(proposal.version)) != str(proposal.version):
        raise overtaken(proposal)
    if form_class is None:
        raise NotDoneError(NOT_CHOSEN)
    form = form_class(request.POST, proposal=proposal)
    if not form.is_valid():
        raise NotDoneError(LOOK_AGAIN) if "version" in form.errors else NotDoneError(PUT_RIGHT, form)
    warning, merged = _before_publishing(request, proposal, form) if isinstance(form, PublishForm) else ("", [])
    try:
        told = form.act(request.user)
    except UnpublishableError as error:
        form.add_error(None, str(error))
        raise NotDoneError("Nothing was done.", form) from error
    return Done(told, warning, merged)


def overtaken(now: Proposal) -> NotDoneError:
    """Who was quicker: another chair, or the sender."""
    ended = f"{words.decided(now) or now.get_status_display()}. Nothing of yours was done."
    return NotDoneError(CHANGED if now.is_open else ended, status=409)


def _before_publishing(request: HttpRequest, proposal: Proposal, form: PublishForm) -> tuple[str, list[Proposal]]:
    """Go on only over a social that stands as it was shown, and with what touches nobody or was seen."""
    if changed := changed_since(proposal.event, request.POST.get("event_version", "")):
        raise NotDoneError(f"{changed} Nothing of yours was done: look again.", status=409)
    plan = form.plan()
    planned = planned_by(proposal, plan)
    if planned and request.POST.get("seen") != fingerprint(planned) and touches(planned):
        raise NotDoneError(LOOK_FIRST, form)
    # Who was merged into it waits for it to be published, and that is once.
    return room_taken(request, plan, proposal), [] if planned else merged_into(proposal)
