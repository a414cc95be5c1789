"""Where mail is put; it is sent from there, and never while somebody waits for a page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from events.mail.postman import POSTMAN
from events.models import Letter
from events.models.writing import short_write


def post(
    to: str, subject: str, text: str, *, headers: dict[str, str] | None = None, expires_at: dt.datetime | None = None
) -> Letter:
    """Write a letter down; it leaves when what is being written with it is written."""
    one_line = " ".join(subject.split())[:200]
    with short_write():
        letter = Letter.objects.create(to=to, subject=one_line, text=text, headers=headers or {}, expires_at=expires_at)
        transaction.on_commit(POSTMAN.wake)
    return letter


class OutboxBackend(BaseEmailBackend):
    """What Django itself has to mail goes the same way, one letter to each, as plain text."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            for to in message.recipients():
                post(to, str(message.subject), str(message.body), headers=dict(message.extra_headers))
        return len(email_messages)
