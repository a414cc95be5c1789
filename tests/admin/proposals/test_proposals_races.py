"""Two chairs on the page of one proposal at the same moment."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Event, Letter, Proposal
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import url
from tests.admin.proposals.deciding import form_of, page_of
from tests.admin.test_races import at_once
from tests.factories import make_conference
from tests.proposals.proposing import make_proposal

pytestmark = pytest.mark.django_db(transaction=True)


def chairs() -> tuple[Client, Client]:
    return logged_in(staff("Barbara", "Social chairs")), logged_in(staff("Frances", "Social chairs"))


@pytest.mark.parametrize("second", ["publish", "decline", "merge"])
def test_one_chair_decides_and_the_other_gets_a_message(second: str) -> None:
    conference = make_conference()
    make_proposal(conference, "Another", created_at="2025-01-01T00:00Z")
    proposal = make_proposal(conference, "Chess", mailbox="sender@example.org")
    clients, decisions = chairs(), ("publish", second)
    other = Proposal.objects.get(title="Another").pk
    typed = {"publish": {}, "decline": {"answer": "It is full."}, "merge": {"other": other}}
    forms = [form_of(page_of(it, proposal), name) | typed[name] for it, name in zip(clients, decisions, strict=True)]
    address = url("change", "proposal", proposal.pk)

    answers = at_once(*(lambda it=it, form=form: it.post(address, form) for it, form in zip(clients, forms, strict=True)))

    proposal.refresh_from_db()
    won = next(form for answer, form in zip(answers, forms, strict=True) if answer.status_code == 302)
    ends = {"publish": "published", "decline": "declined", "merge": "merged"}
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    assert (proposal.status, Event.objects.count()) == (ends[won["decision"]], int(proposal.status == "published"))
    assert (LogEntry.objects.count(), Letter.objects.count()) == (1, 1)
    lost = next(answer for answer in answers if answer.status_code == 409)
    assert f"by {proposal.decided_by}, " in lost.context["notice"]
