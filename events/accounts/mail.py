"""Digests: mails about changes in the agendas of an account, at most one a day."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.visitors import Account
from events.agenda.queries.changes import NEWS_FIELDS, NewsItem, agenda_news
from events.core import limits
from events.core.clock import Clock
from events.core.db.writing import serialized_write
from events.mail.outbox import queue_letter

# Less than a day, so that one that is sent each morning may come a little earlier than the day before.
DIGEST_TTL = dt.timedelta(days=1)
DIGESTS_OFF_SIGNER = Signer(salt="hallway.digests.off")
ALERTS_OFF_SIGNER = Signer(salt="hallway.alerts.off")


@dataclass(frozen=True)
class DigestPart:
    agenda: Agenda
    items: list[NewsItem]

    @property
    def upto(self) -> dt.datetime:
        return max(item.upto for item in self.items)


def send_digests(now: dt.datetime) -> int:
    """Send what is due; return the number of letters. An account over its limit does not stop the others."""
    return sum(send_digest(account, now) for account in accounts_due().iterator())


def accounts_due() -> QuerySet[Account]:
    since = Coalesce("digested_at", "created_at")
    changed = Agenda.objects.annotate(since=since).filter(
        conference__status="published",
        bookmarks__removed_at=None,
        bookmarks__event__changes__field__in=NEWS_FIELDS,
        bookmarks__event__changes__at__gt=F("since"),
    )
    wanted = Account.objects.filter(wants_digests=True, user__is_active=True, visitor__in=changed.values("visitor"))
    return wanted.select_related("user").order_by("pk")


def send_digest(account: Account, now: dt.datetime) -> bool:
    """At most one a day, also if two processes send at once; no change is mailed twice."""
    parts = digest_parts(account, now)
    if not parts:
        return False
    with serialized_write():
        if not limits.DIGESTS.allows(visitor=str(account.pk)):
            return False
        for part in parts:
            Agenda.objects.filter(pk=part.agenda.pk).update(digested_at=part.upto)
        off = off_url(account, DIGESTS_OFF_SIGNER)
        context = {"parts": parts, "off": off, "site": settings.SITE_URL}
        text = render_to_string("account/digest_letter.txt", context).strip() + "\n"
        queue_letter(account.mailbox, digest_subject(parts), text, headers=list_headers(off), expires_at=now + DIGEST_TTL)
    return True


def digest_parts(account: Account, now: dt.datetime) -> list[DigestPart]:
    known = Agenda.objects.filter(visitor=account.visitor_id, conference__status="published")
    parts = [digest_part(agenda, now) for agenda in known.select_related("conference").order_by("conference__start", "pk")]
    return [part for part in parts if part.items]


def digest_part(agenda: Agenda, now: dt.datetime) -> DigestPart:
    """Without changes that were seen on the pages or mailed before. Times are those of the venue."""
    clock = Clock(now=now, venue_zone=agenda.conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(agenda.conference.zone):
        items = agenda_news(agenda, clock).items
    return DigestPart(agenda, [item for item in items if agenda.digested_at is None or item.upto > agenda.digested_at])


def digest_subject(parts: list[DigestPart]) -> str:
    count = sum(len(part.items) for part in parts)
    names = ", ".join(part.agenda.conference.name for part in parts)
    return f"{names}: {count} change{'' if count == 1 else 's'} in your agenda"


def off_url(account: Account, signer: Signer) -> str:
    """The address that ends one kind of mail, without signing in."""
    return f"{settings.SITE_URL}{reverse('events:digests-off', args=[signer.sign(str(account.pk))])}"


def list_headers(off: str) -> dict[str, str]:
    """RFC 8058: a mail program shows a button that ends this mail."""
    return {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }


def unsign_account(word: str, signer: Signer = DIGESTS_OFF_SIGNER) -> Account | None:
    try:
        key = signer.unsign(word)
    except BadSignature:
        return None
    return Account.objects.filter(pk=key).first()
