"""What was handed in is not kept longer than anybody needs it."""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command

from events.models import Proposal
from tests.factories import make_conference
from tests.proposals.proposing import make_note, make_proposal

pytestmark = pytest.mark.django_db
ADA = "ada@example.org"
STATUSES = ["waiting", "asked", "published", "declined", "merged", "done", "withdrawn"]


def message_on(day: dt.date) -> str:
    out = StringIO()
    with time_machine.travel(dt.datetime.combine(day, dt.time(12), dt.UTC), tick=False):
        call_command("forget_proposals", stdout=out)
    return out.getvalue().strip()


def test_month_after_the_conference_who_sent_what_is_forgotten() -> None:
    conference = make_conference()
    for status in STATUSES:
        make_proposal(conference, title=status, status=status, mailbox=ADA)
    later = make_proposal(make_conference(end=dt.date(2025, 6, 1)), title="later", status="declined", mailbox=ADA)

    assert message_on(dt.date(2025, 5, 28)) == "0 proposals deleted, 0 mail addresses deleted."
    assert message_on(dt.date(2025, 5, 29)) == "2 proposals deleted, 5 mail addresses deleted."
    assert message_on(dt.date(2025, 5, 30)) == "0 proposals deleted, 0 mail addresses deleted."

    kept = dict(Proposal.objects.exclude(pk=later.pk).values_list("title", "mailbox"))
    assert kept == dict.fromkeys(["waiting", "asked", "published", "merged", "done"], "")
    later.refresh_from_db()
    assert later.mailbox == ADA


def test_one_is_one() -> None:
    conference = make_conference()
    make_note(conference, status="withdrawn")
    make_note(conference, mailbox=ADA)

    assert message_on(dt.date(2025, 6, 1)) == "1 proposal deleted, 1 mail address deleted."
