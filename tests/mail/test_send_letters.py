"""Sending the outbox from the command line."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.test import Client

from events.mail.outbox import queue_letter
from events.models import CrowdReport
from tests.factories import at, make_agenda, make_conference, make_report, make_room


@pytest.mark.django_db
def test_send_letters_sends_what_is_due(capsys: pytest.CaptureFixture[str]) -> None:
    queue_letter("ada@example.org", "Moved", "To Hall 2.")

    call_command("send_letters")

    assert (capsys.readouterr().out, len(mail.outbox)) == ("1 letter sent.\n", 1)


@pytest.mark.django_db
def test_send_letters_leaves_nothing_of_who_never_came_back() -> None:
    with time_machine.travel(dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC), tick=False) as clock:
        Client().post("/account/sign-in/", {"mailbox": "ada@example.org"})
        clock.shift(dt.timedelta(days=1))

        call_command("send_letters")

    assert (Session.objects.count(), mail.outbox) == (0, [])


@pytest.mark.django_db
def test_send_letters_forgets_who_stood_where_three_hours_ago() -> None:
    conference = make_conference()
    room = make_room(conference)
    for said in ("10:00", "10:01"):
        make_report(room, "full", said, make_agenda(conference)[0])

    with time_machine.travel(at("10:00") + dt.timedelta(hours=3), tick=False):
        call_command("send_letters")

    assert list(CrowdReport.objects.values_list("at", flat=True)) == [at("10:01")]


@pytest.mark.django_db
def test_watching_letters_forgets_every_hour_too(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = make_conference()
    room = make_room(conference)
    hours = iter([0.0, 3599.0, 3600.0])
    kept = []

    def sleep(seconds: float) -> None:
        kept.append(CrowdReport.objects.count())
        if len(kept) == 1:
            make_report(room, "full", "10:00", make_agenda(conference)[0])
        if len(kept) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("events.management.commands.send_letters.time.sleep", sleep)
    monkeypatch.setattr("events.management.commands.send_letters.time.monotonic", lambda: next(hours, 3600.0))
    with pytest.raises(KeyboardInterrupt):
        call_command("send_letters", watch=True)

    assert kept == [0, 1, 0, 0]
