"""Queue letters, and send them to the mail server in a background thread or from the command."""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
import threading
from collections.abc import Sequence

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection, transaction
from django.utils import timezone

from events.core.db.writing import serialized_write
from events.mail.models import Letter

MIN_WAIT_SECONDS = 1.0
MAX_WAIT_SECONDS = 60 * 60.0
PERMANENT_SMTP_CODE = 500

logger = logging.getLogger("events.mail")


def deliver() -> int:
    """Send due letters, delete expired ones, and return the number of sent ones. Failed letters are retried later."""
    Letter.objects.expired(timezone.now()).delete()
    sent = 0
    while (letter := Letter.objects.lock_next()) is not None:
        sent += send_letter(letter)
    return sent


def delete_expired_sessions() -> None:
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


def send_letter(letter: Letter) -> bool:
    """Delete the letter after sending. The log never has addresses or contents."""
    message = EmailMessage(letter.subject, letter.text, None, [letter.to], headers=letter.headers)
    try:
        get_connection(settings.LETTER_BACKEND).send_messages([message])
    except Exception as error:  # noqa: BLE001 - whatever fails, the letter is retried
        handle_send_error(letter, error)
        return False
    letter.delete()
    return True


def handle_send_error(letter: Letter, error: Exception) -> None:
    if is_permanent_error(error):
        logger.warning("%s is dropped: its mailbox does not exist or refuses it.", letter)
        letter.delete()
        return
    letter.retry_later(type(error).__name__)
    logger.warning("%s was not sent, attempt %d: %s", letter, letter.attempts, type(error).__name__)


def is_permanent_error(error: Exception) -> bool:
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        code >= PERMANENT_SMTP_CODE for code, _ in error.recipients.values()
    )


class Postman:
    """One thread per process, which ends when the outbox is empty. Another process sends the letters of a killed one."""

    def __init__(self) -> None:
        self.is_enabled = True
        self._lock = threading.Lock()
        self._wake_event = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        if not self.is_enabled:
            return
        with self._lock:
            self._wake_event.set()
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="postman", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no thread available: the next letter tries again
                    return
                self._thread = thread

    def _run(self) -> None:
        while True:
            self._wake_event.clear()
            delay = self._send_due()
            with self._lock:
                if delay is None and not self._wake_event.is_set():
                    self._thread = None
                    return
            self._wake_event.wait(delay)

    def _send_due(self) -> float | None:
        """Return the seconds until the next letter is due; None if the outbox is empty."""
        try:
            deliver()
            due = Letter.objects.next_due()
        except Exception as error:  # noqa: BLE001 - the database may be away for a moment
            logger.warning("The outbox cannot be read, next attempt in a minute: %s", type(error).__name__)
            return MAX_WAIT_SECONDS / 60
        finally:
            connection.close()
        if due is None:
            return None
        return min(max((due - timezone.now()).total_seconds(), MIN_WAIT_SECONDS), MAX_WAIT_SECONDS)


POSTMAN = Postman()


def queue_letter(
    to: str, subject: str, text: str, *, headers: dict[str, str] | None = None, expires_at: dt.datetime | None = None
) -> Letter:
    """Store a letter; it is sent after the current transaction commits."""
    subject = " ".join(subject.split())[:200]
    with serialized_write():
        letter = Letter.objects.create(to=to, subject=subject, text=text, headers=headers or {}, expires_at=expires_at)
        transaction.on_commit(POSTMAN.wake)
    return letter


class OutboxBackend(BaseEmailBackend):
    """EMAIL_BACKEND for Django's mail: one plain-text letter per recipient, in the outbox."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            for to in message.recipients():
                queue_letter(to, str(message.subject), str(message.body), headers=dict(message.extra_headers))
        return len(email_messages)
