"""News of what somebody handed in: only from chairs, rarely, and in no word of whoever typed the address."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from events.models import Letter, Proposal
from events.proposals.decisions import ask_back, deal_with, decline, mail_decision, merge_into_event, publish
from tests.factories import THURSDAY, at, make_conference, make_event, make_type
from tests.proposals.proposing import chair, make_proposal
from tests.security import strings

pytestmark = pytest.mark.django_db
ADA = "ada@example.org"
NOW = dt.datetime(2025, 4, 20, 9, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _before_the_conference() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def handed_in(**said: Any) -> Proposal:
    conference = make_conference(slug=f"demo-{uuid4().hex[:6]}")
    make_type(conference, "social")
    values = {"title": "Board games", "date": THURSDAY, "start": at("19:00"), "end": at("21:00"), "mailbox": ADA}
    return Proposal.send(conference, uuid4(), **values | said)


def letter() -> Letter:
    return Letter.objects.get()


@pytest.mark.parametrize(
    ("decide", "said", "next_step"),
    [
        pytest.param(
            lambda it: ask_back(it, by=chair(), version=1, answer="Where?"),
            "They have a question",
            "Answer them here.",
            id="asked",
        ),
        pytest.param(
            lambda it: publish(it, by=chair(), version=1),
            "It is published: http",
            "Edit it, or write to the chairs, here.",
            id="published",
        ),
        pytest.param(
            lambda it: decline(it, by=chair(), version=1, answer="Where?"),
            "They will not publish it.",
            "Read what you sent here.",
            id="declined",
        ),
        pytest.param(
            lambda it: merge_into_event(it, make_event(it.conference, kind="social"), by=chair(), version=1),
            "It is the same as another one, and was merged into it: http",
            "Read what you sent here.",
            id="merged",
        ),
    ],
)
def test_letter_says_what_was_decided_and_where_to_read_it(decide: Any, said: str, next_step: str) -> None:
    proposal = handed_in()
    decide(proposal)

    mail_decision(proposal)

    assert (letter().to, letter().subject) == (ADA, "ICLR 2025: what you sent to the chairs")
    assert said in letter().text
    assert next_step in letter().text
    assert f"http://127.0.0.1:8000{proposal.url}" in letter().text
    assert ("Where?" in letter().text) == (proposal.status in {"asked", "declined"})
    assert letter().headers == {"Auto-Submitted": "auto-generated"}


def test_letter_on_a_note_thanks() -> None:
    note = handed_in(kind="note", title="", message="The room is wrong.")
    deal_with(note, by=chair(), version=1)

    mail_decision(note)

    assert "They have dealt with it. Thank you." in letter().text
    assert "The room is wrong." not in letter().text


def test_without_an_address_nothing_is_mailed() -> None:
    proposal = handed_in(mailbox="")
    publish(proposal, by=chair(), version=1)

    assert not mail_decision(proposal)
    assert Letter.objects.count() == 0


@pytest.mark.parametrize("text", strings.TEXTS.values(), ids=list(strings.TEXTS))
def test_no_word_of_whoever_typed_the_address_is_mailed(text: str) -> None:
    words = {name: f"planted {text[:60]}".replace("\x00", "") for name in ("title", "place", "host", "about", "message")}
    proposal = handed_in(**words)
    decline(proposal, by=chair(), version=1, answer="No.")

    mail_decision(proposal)

    assert ["planted" in letter().text, "planted" in letter().subject, "planted" in str(letter().headers)] == [False] * 3


def test_mailbox_gets_three_in_an_hour_however_it_is_written() -> None:
    boxes = ["ada@example.org", "ada+1@example.org", "a.d.a@example.org", "ada+2@example.org", "ada@example.org"]
    for mailbox in boxes:
        proposal = handed_in(mailbox=mailbox)
        decline(proposal, by=chair(), version=1, answer="No.")
        mail_decision(proposal)

    assert Letter.objects.count() == 3
    with time_machine.travel(NOW + dt.timedelta(hours=1, seconds=1), tick=False):
        mail_decision(proposal)
    assert Letter.objects.count() == 4


def test_letter_without_an_address_to_lead_to_says_how_it_is_found() -> None:
    proposal = make_proposal(make_conference(), mailbox=ADA)
    decline(proposal, by=chair(), version=1, answer="No.")

    mail_decision(proposal)

    assert "at the address that you got when you sent it" in letter().text
