"""Senders and chairs at the same moment, each in a thread and a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from events.models import Event, Proposal
from events.proposals.decisions import OvertakenError, publish
from tests.factories import THURSDAY, at, make_conference, make_type
from tests.proposals.proposing import chair
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
SAID = {"title": "Board games", "date": THURSDAY, "start": at("19:00"), "end": at("21:00")}


def test_form_sent_by_a_dozen_at_once_makes_one() -> None:
    conference, guid = make_conference(), uuid4()

    sent = at_once(*[lambda: Proposal.send(conference, guid, **SAID).pk] * 12)

    assert Proposal.objects.count() == 1
    assert set(sent) == {Proposal.objects.get().pk}


def test_of_a_dozen_changes_of_one_version_one_is_made() -> None:
    proposal = Proposal.send(make_conference(), uuid4(), **SAID)

    def change(title: str) -> Callable[[], object]:
        return lambda: Proposal.objects.get(pk=proposal.pk).revise(1, title=title)

    done = at_once(*[change(f"Title {number}") for number in range(12)])

    proposal.refresh_from_db()
    assert sorted(done, key=bool) == [False] * 11 + [True]
    assert (proposal.version, proposal.title) == (2, f"Title {done.index(True)}")


@pytest.mark.parametrize("turn", range(6))
def test_change_and_decision_at_once_agree_on_what_is_published(turn: int) -> None:
    conference, ada = make_conference(), chair()
    make_type(conference, "social")
    proposal = Proposal.send(conference, uuid4(), **SAID)

    def decide() -> object:
        try:
            return publish(Proposal.objects.get(pk=proposal.pk), by=ada, version=1) and "published"
        except OvertakenError:
            return "overtaken"

    def change() -> object:
        return Proposal.objects.get(pk=proposal.pk).revise(1, title="Card games")

    decided, changed = at_once(decide, change)

    proposal.refresh_from_db()
    assert changed is True
    assert (proposal.status, proposal.version, proposal.title) == ("waiting", 2, "Card games")
    assert [it.title for it in Event.objects.all()] == (["Board games"] if decided == "published" else [])
