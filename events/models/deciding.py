"""What chairs do with proposals: each decision is about the version they read, and made once."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from events.models.event import Event
from events.models.proposals import OPEN, Proposal, ProposalKind, ProposalStatus
from events.models.proposed import plain, said, standing
from events.models.publishing import Plan, UnpublishableError, carry_out, plan_of

LEADS_ON = (*OPEN, ProposalStatus.PUBLISHED)
"""What another one may be merged into."""


class OvertakenError(Exception):
    """Nothing was done: somebody decided it, or its sender changed it, after it was read."""

    def __init__(self, now: Proposal) -> None:
        super().__init__(f"{now} is {now.get_status_display().lower()}, version {now.version}")
        self.now = now


def publish(proposal: Proposal, *, by: Any, version: int, plan: Plan | None = None, reason: str = "") -> Event:
    """Make it an event, or make the change that it asks for; as it was sent unless a plan says otherwise."""
    with transaction.atomic():
        _decide(proposal, ProposalStatus.PUBLISHED, by, version, answer="")
        proposal.event = event = carry_out(proposal, plan or plan_of(proposal), reason)
        # As it stands now, corrections included: what its sender changes next is told by comparing with this.
        for name, value in standing(event).items():
            setattr(proposal, name, value)
        proposal.base = plain(said(proposal))
        proposal.save(update_fields=["event", "base", *said(proposal)])
    return event


def ask_back(proposal: Proposal, *, by: Any, version: int, words: str) -> None:
    with transaction.atomic():
        _decide(proposal, ProposalStatus.ASKED, by, version, answer=words)


def decline(proposal: Proposal, *, by: Any, version: int, words: str) -> None:
    """What is published of it already stays as it is; what was merged into it waits again."""
    with transaction.atomic():
        _decide(proposal, ProposalStatus.DECLINED, by, version, answer=words)
        if proposal.event_id is None:
            proposal.let_go()


def deal_with(proposal: Proposal, *, by: Any, version: int, words: str = "") -> None:
    """A note was read, and what it says was seen to."""
    with transaction.atomic():
        if proposal.kind != ProposalKind.NOTE:
            raise UnpublishableError("A social is published, merged or declined.")
        _decide(proposal, ProposalStatus.DONE, by, version, answer=words)


def merge_into_event(proposal: Proposal, event: Event, *, by: Any, version: int, words: str = "") -> None:
    """It is in the programme already: there is one social, and its sender is led to it."""
    with transaction.atomic():
        _refuse_to_merge(proposal, version)
        _decide(proposal, ProposalStatus.MERGED, by, version, answer=words, event=event)


def merge_into(proposal: Proposal, other: Proposal, *, by: Any, version: int, words: str = "") -> None:
    """Somebody else has sent the same; what becomes of theirs becomes of both."""
    with transaction.atomic():
        _refuse_to_merge(proposal, version)
        # Read while the conference is held: two that are merged into each other would lead nowhere.
        if not Proposal.objects.filter(pk=other.pk, conference=proposal.conference, status__in=LEADS_ON).exists():
            raise UnpublishableError(f"“{other}” is no longer there to be merged into: choose another one.")
        _decide(proposal, ProposalStatus.MERGED, by, version, answer=words, merged_into=other)


def _refuse_to_merge(proposal: Proposal, version: int) -> None:
    proposal.conference.hold()
    proposal.refresh_from_db()
    if proposal.status not in OPEN or proposal.version != version:
        raise OvertakenError(proposal)
    if proposal.event_id:
        raise UnpublishableError("It changes a social that is published: approve the change, or decline it.")


def _decide(proposal: Proposal, status: ProposalStatus, by: Any, version: int, **values: Any) -> None:
    """One statement says whether it was still open and what was read; of two chairs it lets one through."""
    # The conference first, as all who write its events do: nobody waits for another in a circle.
    proposal.conference.hold()
    values |= {"status": status, "decided_by": by, "decided_at": timezone.now()}
    waiting = Proposal.objects.filter(pk=proposal.pk, status__in=OPEN, version=version)
    decided = waiting.update(**values)
    proposal.refresh_from_db()
    if not decided:
        raise OvertakenError(proposal)
