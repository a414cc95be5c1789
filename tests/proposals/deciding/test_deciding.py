"""Decisions of the chairs, each about the version they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from events.models import Change, Conference, Event, Proposal
from events.proposals.decisions import (
    OvertakenError,
    UnpublishableError,
    ask_back,
    deal_with,
    decline,
    merge_into,
    merge_into_event,
    publish,
)
from tests.factories import make_conference, make_event
from tests.proposals.proposing import chair, make_note, make_proposal, sender_changes

pytestmark = pytest.mark.django_db
Decision = Callable[..., Any]
DECISIONS = {
    "publish": publish,
    "ask": lambda it, **how: ask_back(it, answer="Which room?", **how),
    "decline": lambda it, **how: decline(it, answer="It is full.", **how),
    "merge": lambda it, **how: merge_into_event(it, make_event(it.conference, kind="social"), **how),
}


@pytest.mark.parametrize(
    ("name", "status", "answer", "version"),
    [
        ("publish", "published", "", 1),
        ("ask", "asked", "Which room?", 2),
        ("decline", "declined", "It is full.", 1),
        ("merge", "merged", "", 1),
    ],
)
def test_decision_is_kept_with_who_made_it(name: str, status: str, answer: str, version: int) -> None:
    proposal = make_proposal(make_conference(), answer="An older question")

    DECISIONS[name](proposal, by=chair(), version=1)

    stored = Proposal.objects.get()
    assert (stored.status, stored.answer, stored.decided_by, stored.version) == (status, answer, chair(), version)
    assert stored.decided_at is not None


@pytest.mark.parametrize("first", DECISIONS)
@pytest.mark.parametrize("second", DECISIONS)
def test_only_the_first_decision_counts(first: str, second: str) -> None:
    proposal = make_proposal(make_conference())
    DECISIONS[first](proposal, by=chair(), version=1)
    before = Proposal.objects.values().get()

    with pytest.raises(OvertakenError) as told:
        DECISIONS[second](proposal, by=chair("bob"), version=1)

    assert (told.value.now.decided_by, Proposal.objects.values().get()) == (chair(), before)


@pytest.mark.parametrize("name", DECISIONS)
def test_what_was_asked_back_is_decided_by_who_has_read_the_question(name: str) -> None:
    proposal = make_proposal(make_conference())
    ask_back(proposal, by=chair(), version=1, answer="Which day?")

    DECISIONS[name](proposal, by=chair("bob"), version=2)

    assert Proposal.objects.get().decided_by == chair("bob")


@pytest.mark.parametrize("name", DECISIONS)
def test_what_its_sender_changed_since_is_not_decided(name: str) -> None:
    proposal = make_proposal(make_conference())
    sender_changes(proposal, title="Something else")

    with pytest.raises(OvertakenError):
        DECISIONS[name](proposal, by=chair(), version=1)

    assert list(Proposal.objects.values_list("status", "version", "title")) == [("waiting", 2, "Something else")]
    assert Event.objects.filter(title__in=["Something else", "Board games"]).count() == 0


def test_published_many_times_it_is_one_event() -> None:
    proposal = make_proposal(make_conference())
    publish(proposal, by=chair(), version=1)

    for _ in range(3):
        with pytest.raises(OvertakenError):
            publish(proposal, by=chair(), version=1)

    assert Event.objects.count() == 1
    assert Change.objects.count() == 1


def test_published_anew_after_an_edit_it_is_still_one_event() -> None:
    proposal = make_proposal(make_conference())
    publish(proposal, by=chair(), version=1)
    sender_changes(proposal, title="Board games and tea")

    event = publish(proposal, by=chair(), version=2)

    assert list(Event.objects.values_list("pk", "title")) == [(event.pk, "Board games and tea")]
    assert proposal.is_edit


@pytest.mark.parametrize("status", ["withdrawn", "declined", "merged", "done", "published"])
def test_what_is_no_longer_open_is_not_published(status: str) -> None:
    proposal = make_proposal(make_conference(), status=status)

    with pytest.raises(OvertakenError):
        publish(proposal, by=chair(), version=1)

    assert Event.objects.count() == 0


def test_what_was_asked_back_may_be_published_all_the_same() -> None:
    proposal = make_proposal(make_conference(), status="asked")

    publish(proposal, by=chair(), version=1)

    assert list(Event.objects.values_list("title", "status")) == [("Board games", "confirmed")]


def test_note_is_dealt_with_and_makes_no_event() -> None:
    note = make_note(make_conference())

    deal_with(note, by=chair(), version=1, answer="Thank you.")

    assert (Proposal.objects.get().status, Proposal.objects.get().answer, Event.objects.count()) == ("done", "Thank you.", 0)


@pytest.mark.parametrize(
    ("make", "decide"),
    [
        pytest.param(make_note, publish, id="a note is not published"),
        pytest.param(make_proposal, deal_with, id="a social is not dealt with"),
    ],
)
def test_decision_that_does_not_fit_is_refused(make: Any, decide: Decision) -> None:
    proposal = make(make_conference())

    with pytest.raises(UnpublishableError):
        decide(proposal, by=chair(), version=1)

    assert (Proposal.objects.get().status, Event.objects.count()) == ("waiting", 0)


def test_proposal_is_merged_into_another() -> None:
    conference = make_conference()
    first, second = make_proposal(conference), make_proposal(conference)

    merge_into(second, first, by=chair(), version=1, answer="The same as an earlier one.")

    stored = Proposal.objects.get(pk=second.pk)
    assert (stored.status, stored.merged_into, stored.answer) == ("merged", first, "The same as an earlier one.")


@pytest.mark.parametrize("end", ["declined", "withdrawn"])
def test_what_was_merged_into_one_that_comes_to_nothing_waits_again(end: str) -> None:
    conference = make_conference()
    first, second = make_proposal(conference), make_proposal(conference)
    merge_into(second, first, by=chair(), version=1, answer="The same as an earlier one.")

    if end == "declined":
        decline(first, by=chair(), version=1, answer="It is full.")
    else:
        first.withdraw(1)

    second.refresh_from_db()
    assert (Proposal.objects.get(pk=first.pk).status, second.status, second.answer) == (end, "waiting", "")
    assert second.merged_into is None


def test_what_was_merged_into_one_that_is_published_stays_so() -> None:
    conference = make_conference()
    first, second = make_proposal(conference), make_proposal(conference)
    merge_into(second, first, by=chair(), version=1)
    publish(first, by=chair(), version=1)
    sender_changes(first, title="New")

    decline(first, by=chair(), version=2, answer="No.")

    assert Proposal.objects.get(pk=second.pk).status == "merged"


def test_two_are_not_merged_into_each_other() -> None:
    conference = make_conference()
    first, second = make_proposal(conference), make_proposal(conference)
    merge_into(second, first, by=chair(), version=1)

    with pytest.raises(UnpublishableError, match="can no longer be merged"):
        merge_into(first, second, by=chair(), version=1)

    assert Proposal.objects.get(pk=first.pk).status == "waiting"


def test_proposal_is_not_merged_into_one_of_another_conference() -> None:
    proposal, other = make_proposal(make_conference()), make_proposal(make_conference())

    with pytest.raises(UnpublishableError):
        merge_into(proposal, other, by=chair(), version=1)


def test_change_of_a_published_social_is_not_merged_away() -> None:
    proposal = make_proposal(make_conference())
    event = publish(proposal, by=chair(), version=1)
    sender_changes(proposal, title="New")

    with pytest.raises(UnpublishableError):
        merge_into_event(proposal, make_event(proposal.conference, kind="social"), by=chair(), version=2)

    assert (Proposal.objects.get().status, Proposal.objects.get().event) == ("waiting", event)


def test_decision_that_publishes_nothing_moves_no_page() -> None:
    conference = make_conference()
    revision = Conference.objects.get().revision

    decline(make_proposal(conference), by=chair(), version=1, answer="No.")
    ask_back(make_proposal(conference), by=chair(), version=1, answer="Where?")

    assert Conference.objects.get().revision == revision
