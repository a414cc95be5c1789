"""Proposals as their senders leave them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from events.core.tokens import hash_token, new_token
from events.models import Conference, Event, Proposal
from events.proposals.diff import comparable_values, values_of
from tests.factories import THURSDAY, at, make_type


def make_proposal(conference: Conference, title: str = "Board games", **fields: Any) -> Proposal:
    """A social that somebody wants in the programme, on Thursday from 19:00 to 21:00."""
    make_type(conference, "social")
    times = {"date": THURSDAY, "start": at("19:00"), "end": at("21:00")}
    return Proposal.objects.create(conference=conference, token_hash=hash_token(new_token()), title=title, **times | fields)


def make_note(conference: Conference, message: str = "The room is wrong.", **fields: Any) -> Proposal:
    return Proposal.objects.create(
        conference=conference, token_hash=hash_token(new_token()), kind="note", message=message, **{"page": "/socials/"} | fields
    )


def make_correction(event: Event, **changes: Any) -> Proposal:
    """What somebody changes of a social, in the form that was filled with what it says."""
    seen = values_of(event)
    return Proposal.objects.create(
        conference=event.conference,
        token_hash=hash_token(new_token()),
        event=event,
        page=event.get_absolute_url(),
        base=comparable_values(seen),
        **seen | changes,
    )


def sender_changes(proposal: Proposal, **changes: Any) -> None:
    """Its sender sends it once more with other words."""
    changes = {"status": "waiting"} | changes
    Proposal.objects.filter(pk=proposal.pk).update(version=proposal.version + 1, **changes)
    proposal.refresh_from_db()


def chair(name: str = "ada") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_staff": True})[0]
