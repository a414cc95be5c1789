"""The letter to a visitor with an account who gets a seat after waiting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from events.agenda.models.visitors import Account
from events.mail.outbox import queue_letter
from events.programme.models.event import Event

# For an event without a time.
SEAT_LETTER_TTL = dt.timedelta(days=2)


def mail_promoted_visitors(event: Event, visitors: Collection[int], *, closes_at: dt.datetime | None) -> None:
    """Queue a letter for each visitor who has an account, in the transaction that gives the seats."""
    accounts = Account.objects.filter(visitor__in=visitors, user__is_active=True).select_related("user").order_by("pk")
    for account in accounts:
        mail_seat(account.mailbox, event, closes_at)


def mail_seat(mailbox: str, event: Event, closes_at: dt.datetime | None) -> None:
    now = timezone.now()
    with timezone.override(event.conference.zone):
        text = render_to_string("events/sign_up/seat_letter.txt", {"event": event, "site": settings.SITE_URL}).strip() + "\n"
    queue_letter(
        mailbox,
        f"{event.conference.name}: you have a place: {event.title}",
        text,
        headers={"Auto-Submitted": "auto-generated"},
        expires_at=max(closes_at or now + SEAT_LETTER_TTL, now + SEAT_LETTER_TTL / 2),
    )
