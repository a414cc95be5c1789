"""A restored backup continues with numbers above those that calendars have seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core import mail
from django.core.management import call_command

from events.mail.outbox import deliver
from events.models import Conference, Letter
from tests.calendars.life import MINUTE, lives

pytestmark = pytest.mark.django_db


def test_command_raises_all_numbers_above_those_seen_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = str(tmp_path / "backup.json")
    with lives() as (life, clock):
        addresses = [life.feed, "/demo/schedule.ics", f"/demo/events/{life.guid}.ics"]
        call_command("dumpdata", "events", exclude=["events.StaffMember"], output=backup, verbosity=0)
        for title in ["Opening, and after", "Ends here 👩‍👧"]:
            clock.shift(MINUTE)
            life.edited("title", title)
        before = [life.seen(address) for address in addresses]

        Conference.objects.all().delete()
        call_command("loaddata", backup, verbosity=0)
        clock.shift(MINUTE)
        call_command("after_restore")
        restored = [life.seen(address) for address in addresses]
        for title in ["Another", "And another"]:
            clock.shift(MINUTE)
            life.edited("title", title)
        after = [life.seen(address) for address in addresses]

    assert capsys.readouterr().out.startswith("Calendars and caches will fetch everything again: demo.\n")
    assert {seen.etag for seen in before}.isdisjoint(seen.etag for seen in [*restored, *after])
    assert all(new.newest > old.newest for old, new in zip(before, restored, strict=True))
    assert [new.lines["UID"] for new in after] == [old.lines["UID"] for old in before]
    assert all(old.sequence < new.sequence < newest.sequence for old, new, newest in zip(before, restored, after, strict=True))


def test_command_says_when_there_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("after_restore")

    assert capsys.readouterr().out.splitlines() == [
        "Calendars and caches will fetch everything again: none.",
        "Letters of the backup that will not be sent: 0.",
    ]


def test_letters_that_were_waiting_are_not_sent_a_second_time(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(2):
        Letter.objects.create(to=f"ada{number}@example.org", subject="A seat for you", text="…")

    call_command("after_restore")

    assert (deliver(), mail.outbox) == (0, [])
    assert capsys.readouterr().out.splitlines()[1] == "Letters of the backup that will not be sent: 2."
