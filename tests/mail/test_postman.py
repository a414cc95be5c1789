"""Sending what is in the outbox, with mail servers that are well and others that are not."""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
import threading
import time
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from events.mail.outbox import POSTMAN, Postman, deliver, queue_letter
from events.models import Letter

NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
SECRET = "7GK2M-X4PQZ"


class Away(BaseEmailBackend):
    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError(SECRET)


class Unknown(BaseEmailBackend):
    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPRecipientsRefused({"ada@example.org": (550, b"no such user")})


class Full(BaseEmailBackend):
    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPRecipientsRefused({"ada@example.org": (452, b"mailbox full")})


def use(settings: Settings, backend: type) -> None:
    settings.LETTER_BACKEND = f"{__name__}.{backend.__name__}"


@pytest.mark.django_db
def test_deliver_sends_what_is_due_and_keeps_nothing_of_it() -> None:
    queue_letter("ada@example.org", "Moved", "To Hall 2.", headers={"X-Kind": "digest"})

    sent = deliver()

    letter = mail.outbox[0]
    assert (sent, len(mail.outbox), Letter.objects.count()) == (1, 1, 0)
    assert (letter.to, letter.subject, letter.body) == (["ada@example.org"], "Moved", "To Hall 2.")
    assert letter.message()["X-Kind"] == "digest"


@pytest.mark.django_db
def test_mail_server_that_is_away_costs_nothing_but_time(settings: Settings) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        queue_letter("ada@example.org", "Moved", "To Hall 2.")
        locmem, settings.LETTER_BACKEND = settings.LETTER_BACKEND, f"{__name__}.Away"
        tries = [deliver(), deliver()]
        clock.shift(HOUR)
        settings.LETTER_BACKEND = locmem

        assert (tries, deliver(), len(mail.outbox), Letter.objects.count()) == ([0, 0], 1, 1, 0)


@pytest.mark.django_db
def test_nothing_of_a_letter_is_in_the_log(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    use(settings, Away)
    caplog.set_level(logging.DEBUG, "events.mail")
    letter = queue_letter("ada@example.org", f"Your code {SECRET}", SECRET)

    deliver()

    assert caplog.messages == [f"Letter {letter.pk} was not sent, attempt 1: ConnectionRefusedError"]
    assert Letter.objects.get().problem == "ConnectionRefusedError"


@pytest.mark.django_db
@pytest.mark.parametrize(("backend", "left"), [(Unknown, 0), (Full, 1)], ids=["no such mailbox", "mailbox full"])
def test_letter_is_given_up_when_the_mailbox_does_not_exist(settings: Settings, backend: type, left: int) -> None:
    use(settings, backend)
    queue_letter("ada@example.org", "Moved", "To Hall 2.")

    deliver()

    assert Letter.objects.count() == left


@pytest.mark.django_db
def test_what_is_too_late_is_not_sent() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        queue_letter("ada@example.org", "Your code", SECRET, expires_at=NOON + HOUR)
        clock.shift(HOUR)

        assert (deliver(), mail.outbox, Letter.objects.count()) == (0, [], 0)


@pytest.mark.django_db
def test_subject_is_one_line() -> None:
    queue_letter("ada@example.org", "Moved\r\nBcc: eve@example.org", "To Hall 2.")

    deliver()

    assert mail.outbox[0].message()["Subject"] == "Moved Bcc: eve@example.org"


@pytest.mark.django_db
def test_what_django_mails_goes_through_the_outbox(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "events.mail.outbox.OutboxBackend"

    mail.send_mail("Broken", "See the log.", None, ["a@example.org", "b@example.org"])

    assert list(Letter.objects.order_by("to").values_list("to", "subject", "text")) == [
        ("a@example.org", "Broken", "See the log."),
        ("b@example.org", "Broken", "See the log."),
    ]


@pytest.mark.django_db(transaction=True)
def test_letter_of_a_change_that_was_undone_is_not_sent() -> None:
    with transaction.atomic():
        queue_letter("ada@example.org", "Moved", "To Hall 2.")
        transaction.set_rollback(True)

    assert Letter.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_postman_comes_when_a_letter_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    postman = Postman()
    monkeypatch.setattr("events.mail.outbox.POSTMAN", postman)

    with transaction.atomic():
        queue_letter("ada@example.org", "Moved", "To Hall 2.")
        before = len(mail.outbox)

    until = time.monotonic() + 20
    while (Letter.objects.exists() or postman._thread) and time.monotonic() < until:
        time.sleep(0.02)
    assert (before, len(mail.outbox), Letter.objects.count(), postman._thread) == (0, 1, 0, None)
    assert POSTMAN._thread is None


class Hanging(BaseEmailBackend):
    """Takes the connection and then says nothing, until a test lets it go on."""

    begun, may_go_on = threading.Event(), threading.Event()

    def send_messages(self, messages: Any) -> int:
        self.begun.set()
        self.may_go_on.wait(60)
        return len(messages)


@pytest.mark.django_db(transaction=True)
def test_mail_server_that_hangs_keeps_no_page_waiting(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    postman = Postman()
    monkeypatch.setattr("events.mail.outbox.POSTMAN", postman)
    use(settings, Hanging)

    queue_letter("ada@example.org", "Moved", "To Hall 2.")
    hangs = Hanging.begun.wait(20)
    answers = [
        Client().get("/account/sign-in/").status_code,
        Client().post("/account/sign-in/", {"mailbox": "eve@example.org"}).status_code,
    ]
    stored = Letter.objects.filter(to="eve@example.org").count()
    Hanging.may_go_on.set()

    until = time.monotonic() + 20
    while (Letter.objects.exists() or postman._thread) and time.monotonic() < until:
        time.sleep(0.02)
    assert (hangs, answers, stored) == (True, [200, 302], 1)
    assert (Letter.objects.count(), postman._thread) == (0, None)
