"""Chairs who decide at the same moment, each in a thread and a connection of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from events.models import Appearance, Change, Event, Person, Proposal
from events.proposals.decisions import OvertakenError, UnpublishableError, decline, merge_into, publish
from tests.factories import make_conference
from tests.proposals.proposing import chair, make_correction, make_proposal
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def tried(decide: Callable[..., Any], proposal: Proposal, *args: Any, **how: Any) -> Callable[[], object]:
    """What it ends with: nothing but an answer or a word on why there is none."""
    mine = Proposal.objects.select_related("conference").get(pk=proposal.pk)

    def run() -> object:
        try:
            decide(mine, *args, **how)
        except (OvertakenError, UnpublishableError) as refused:
            return type(refused)
        return decide

    return run


def test_published_by_many_at_once_it_is_one_event() -> None:
    proposal = make_proposal(make_conference(), host="Ada Lovelace")
    chairs = [chair(f"chair-{number}") for number in range(8)]

    ended = at_once(*(tried(publish, proposal, by=each, version=1) for each in chairs))

    assert Counter(ended) == {publish: 1, OvertakenError: 7}
    assert [model.objects.count() for model in (Event, Change, Person, Appearance)] == [1, 1, 1, 1]
    assert Proposal.objects.get().event == Event.objects.get()


def test_one_of_two_chairs_decides() -> None:
    conference = make_conference()
    for number in range(8):
        proposal = make_proposal(conference, f"Social {number}")
        ada, bob = chair("ada"), chair("bob")

        ended = at_once(
            tried(publish, proposal, by=ada, version=1), tried(decline, proposal, by=bob, version=1, answer="It is full.")
        )

        proposal.refresh_from_db()
        by = {"published": ada, "declined": bob}
        assert sorted(it is OvertakenError for it in ended) == [False, True]
        assert proposal.decided_by == by[proposal.status]
        assert Event.objects.filter(title=proposal.title).exists() == (proposal.status == "published")


def test_change_of_the_sender_in_that_moment_is_either_published_or_waits() -> None:
    conference = make_conference()
    for number in range(8):
        proposal = make_proposal(conference, f"Social {number}")

        def change(pk: int = proposal.pk) -> int:
            # What its sender does: one statement about the version they saw.
            return Proposal.objects.filter(pk=pk, version=1).update(title="Changed", version=2, status="waiting")

        ended = at_once(tried(publish, proposal, by=chair(), version=1), change)

        proposal.refresh_from_db()
        public = list(Event.objects.filter(pk=proposal.event_id).values_list("title", flat=True))
        assert (proposal.version, proposal.status, ended[1]) == (2, "waiting", 1)
        assert public == ([f"Social {number}"] if ended[0] is publish else [])
        assert not Event.objects.filter(title="Changed").exists()


def test_two_that_are_merged_into_each_other_at_once_end_in_one() -> None:
    conference = make_conference()
    for _ in range(8):
        pair = [make_proposal(conference), make_proposal(conference)]

        ended = at_once(*(tried(merge_into, it, other, by=chair(), version=1) for it, other in [pair, pair[::-1]]))

        states = sorted(Proposal.objects.filter(pk__in=[it.pk for it in pair]).values_list("status", flat=True))
        assert Counter(ended) == {merge_into: 1, UnpublishableError: 1}
        assert states == ["merged", "waiting"]


def test_nothing_is_lost_in_one_that_is_taken_back_in_that_moment() -> None:
    conference = make_conference()
    for _ in range(8):
        first, second = make_proposal(conference), make_proposal(conference)

        at_once(tried(merge_into, second, first, by=chair(), version=1), lambda it=first: it.withdraw(1))

        second.refresh_from_db()
        assert (Proposal.objects.get(pk=first.pk).status, second.status, second.merged_into) == ("withdrawn", "waiting", None)


def test_change_approved_by_many_at_once_is_made_once() -> None:
    proposal = make_proposal(make_conference())
    event = publish(proposal, by=chair(), version=1)
    correction = make_correction(event, title="Night games")

    ended = at_once(*(tried(publish, correction, by=chair(f"chair-{number}"), version=1) for number in range(8)))

    assert Counter(ended) == {publish: 1, OvertakenError: 7}
    assert list(Change.objects.filter(field="title").values_list("new", flat=True)) == ["Night games"]
