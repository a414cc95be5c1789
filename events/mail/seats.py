"""A place after waiting, as a letter to whoever has an account."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from events.mail.outbox import post
from events.models import Account, Seat
from events.models.seats import on_promotion
from events.models.sign_up import closing

# Of what has no hour yet.
LIVES = dt.timedelta(days=2)


@on_promotion
def write_to(seats: Sequence[Seat]) -> None:
    """One letter for each place, written with what made it free; none to who has only an agenda, whom nobody knows."""
    promoted = Seat.objects.filter(pk__in=[seat.pk for seat in seats]).select_related("agenda", "sign_up__event__conference")
    by_visitor = {seat.agenda.visitor_id: seat for seat in promoted}
    accounts = Account.objects.filter(visitor__in=by_visitor, user__is_active=True).select_related("user").order_by("pk")
    for account in accounts:
        write(account.mailbox, by_visitor[account.visitor_id])


def write(mailbox: str, seat: Seat) -> None:
    event = seat.sign_up.event
    with timezone.override(event.conference.zone):
        text = render_to_string("account/place_letter.txt", {"event": event, "site": settings.SITE_URL}).strip() + "\n"
    subject = f"{event.conference.name}: you have a place: {event.title}"
    ends = closing(event) or timezone.now() + LIVES
    post(mailbox, subject, text, headers={"Auto-Submitted": "auto-generated"}, expires_at=max(ends, timezone.now() + LIVES / 2))
