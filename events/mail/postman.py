"""Takes letters out of the outbox and hands them to the mail server."""

from __future__ import annotations

import logging
import smtplib
import threading

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.utils import timezone

from events.models import Letter

SOONEST = 1.0
LATEST = 60 * 60.0
NEVER_MIND = 500

logger = logging.getLogger("events.mail")


def deliver() -> int:
    """Send what is due, and throw away what is too late; how many were sent. What cannot be sent waits for another time."""
    Letter.objects.dead(timezone.now()).delete()
    sent = 0
    while (letter := Letter.objects.take()) is not None:
        sent += send(letter)
    return sent


def tidy() -> None:
    """Browsers that asked for a code and never came back: nothing of them stays."""
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


def send(letter: Letter) -> bool:
    """Nothing of a letter is kept once it is sent, nor written into the log when it is not."""
    message = EmailMessage(letter.subject, letter.text, None, [letter.to], headers=letter.headers)
    try:
        get_connection(settings.LETTER_BACKEND).send_messages([message])
    except Exception as error:  # noqa: BLE001 - whatever the mail server has, the letter waits
        refuse(letter, error)
        return False
    letter.delete()
    return True


def refuse(letter: Letter, error: Exception) -> None:
    if is_final(error):
        logger.warning("%s is given up: its mailbox does not exist or refuses it.", letter)
        letter.delete()
        return
    letter.put_back(type(error).__name__)
    logger.warning("%s was not sent, try %d: %s", letter, letter.attempts, type(error).__name__)


def is_final(error: Exception) -> bool:
    """The mail server knows the mailbox, and does not want it."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(code >= NEVER_MIND for code, _ in error.recipients.values())


class Postman:
    """One thread in each process, which ends when the outbox is empty; what a dying process leaves, another takes."""

    def __init__(self) -> None:
        self.on = True
        self._lock = threading.Lock()
        self._ring = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        if not self.on:
            return
        with self._lock:
            self._ring.set()
            if self._thread is None:
                thread = threading.Thread(target=self._walk, name="postman", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # this machine has no thread to spare: the next letter tries again
                    return
                self._thread = thread

    def _walk(self) -> None:
        while True:
            self._ring.clear()
            pause = self._round()
            with self._lock:
                if pause is None and not self._ring.is_set():
                    self._thread = None
                    return
            self._ring.wait(pause)

    def _round(self) -> float | None:
        """Send what there is; the seconds until there will be something again, if so."""
        try:
            deliver()
            due = Letter.objects.next_due()
        except Exception as error:  # noqa: BLE001 - the database may be away, and comes back
            logger.warning("The outbox cannot be read, and waits: %s", type(error).__name__)
            return LATEST / 60
        finally:
            connection.close()
        if due is None:
            return None
        return min(max((due - timezone.now()).total_seconds(), SOONEST), LATEST)


POSTMAN = Postman()
