"""What senders do with what they handed in."""

from __future__ import annotations

from uuid import uuid4

import pytest

from events.core.tokens import hash_token
from events.models import Conference, Proposal
from events.proposals.decisions import ask_back, decline, publish
from events.proposals.models import accepts_proposals
from tests.factories import THURSDAY, at, make_conference, make_event, make_type
from tests.proposals.proposing import chair, make_correction, make_note, make_proposal

pytestmark = pytest.mark.django_db
STATUSES = ["waiting", "asked", "published", "declined", "merged", "done", "withdrawn"]


def handed_in(conference: Conference | None = None, **said: object) -> Proposal:
    values = {"title": "Board games", "date": THURSDAY, "start": at("19:00"), "end": at("21:00")}
    conference = conference or make_conference()
    make_type(conference, "social")
    return Proposal.send(conference, uuid4(), **values | said)


def test_form_sent_twice_makes_one() -> None:
    conference, guid = make_conference(), uuid4()

    sent = [Proposal.send(conference, guid, title=title) for title in ("Board games", "Card games")]

    assert [it.title for it in sent] == ["Board games", "Board games"]
    assert Proposal.objects.count() == 1


def test_secret_is_kept_as_a_hash_and_made_again_by_the_key_of_the_site() -> None:
    proposal = handed_in()

    assert len(proposal.token) == 32
    assert proposal.token_hash == hash_token(proposal.token)
    assert proposal.token not in str(Proposal.objects.values().get())
    assert list(Proposal.objects.by_tokens([proposal.token, "x"])) == [proposal]
    assert proposal.url == f"/{proposal.conference.slug}/proposals/{proposal.token}/"


def test_secret_of_another_key_is_not_told(settings: object) -> None:
    proposal = handed_in()

    settings.SECRET_KEY = "another key, made when the old one got out to somebody"  # type: ignore[attr-defined]

    assert (proposal.token, proposal.url) == ("", "")


@pytest.mark.parametrize("status", STATUSES)
def test_sender_changes_what_is_not_over(status: str) -> None:
    proposal = handed_in(status=status)

    changed = proposal.revise(1, title="Card games")

    stored = Proposal.objects.get()
    assert changed == (status in {"waiting", "asked", "published"})
    assert (stored.title, stored.status, stored.version) == (
        ("Card games", "waiting", 2) if changed else ("Board games", status, 1)
    )


def test_change_of_what_was_not_shown_is_none() -> None:
    proposal = handed_in()
    proposal.revise(1, title="Card games")

    assert proposal.revise(1, title="Chess") is False

    assert (proposal.title, proposal.version) == ("Card games", 2)


@pytest.mark.parametrize("status", STATUSES)
def test_sender_takes_back_what_waits_and_is_forgotten(status: str) -> None:
    proposal = handed_in(status=status, mailbox="ada@example.org")

    gone = proposal.withdraw(1)

    stored = Proposal.objects.get()
    assert gone == (status in {"waiting", "asked"})
    assert (stored.status, stored.mailbox) == (("withdrawn", "") if gone else (status, "ada@example.org"))


def test_change_of_what_is_published_is_taken_back_alone() -> None:
    proposal = handed_in()
    publish(proposal, by=chair(), version=1)
    event = proposal.event
    proposal.revise(1, title="Card games")

    assert proposal.withdraw(2) is True

    assert (proposal.status, proposal.event) == ("published", event)


def test_correction_that_is_taken_back_is_over() -> None:
    proposal = make_correction(make_event(make_conference(), kind="social"), title="Card games")

    assert proposal.withdraw(1) is True

    assert (proposal.status, proposal.is_edit) == ("withdrawn", False)


def test_after_a_declined_change_there_may_be_another() -> None:
    proposal = handed_in()
    publish(proposal, by=chair(), version=1)
    proposal.revise(1, title="Card games")
    decline(proposal, by=chair(), version=2, answer="No.")

    assert (proposal.is_changeable, proposal.revise(2, title="Chess")) == (True, True)
    assert (proposal.status, proposal.title) == ("waiting", "Chess")


def test_what_was_asked_back_waits_again_when_it_is_answered() -> None:
    proposal = make_proposal(make_conference())
    ask_back(proposal, by=chair(), version=1, answer="Where?")

    # A form that was opened before the question does not answer it.
    assert not proposal.revise(1, place="Harbour")
    proposal.revise(2, place="Marina")

    assert (proposal.status, proposal.answer, proposal.place) == ("waiting", "Where?", "Marina")


def test_note_is_open_until_it_is_dealt_with() -> None:
    note = make_note(make_conference())

    assert list(Proposal.objects.open()) == [note]
    assert (note.is_open, note.is_changeable, note.is_edit) == (True, True, False)


@pytest.mark.parametrize(("days", "expected"), [(-300, True), (0, True), (30, True), (31, False)])
def test_proposals_are_taken_until_a_month_after(days: int, expected: bool) -> None:
    conference = make_conference()

    assert accepts_proposals(conference, conference.end.fromordinal(conference.end.toordinal() + days)) == expected
