"""Changes to one's agendas as a mail: on days when something changed, to those who want it."""

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

from events.mail.outbox import post
from events.models import Account, Agenda, limits
from events.models.writing import short_write
from events.queries.agenda_changes import NEWS, NewsItem, agenda_news
from events.schedule.clock import Clock

# Less than a day, so that one that is sent each morning may come a little earlier than the day before.
LIVES = dt.timedelta(days=1)
SIGNER = Signer(salt="hallway.digests.off")


@dataclass(frozen=True)
class Part:
    """What is new in one agenda."""

    agenda: Agenda
    items: list[NewsItem]

    @property
    def upto(self) -> dt.datetime:
        return max(item.upto for item in self.items)


def send_digests(now: dt.datetime) -> int:
    """How many letters were written. An account that can get none today does not keep the others from theirs."""
    return sum(send_digest(account, now) for account in wanting().iterator())


def wanting() -> QuerySet[Account]:
    """Whoever wants mail and has a pick that changed since they were written to last."""
    since = Coalesce("digested_at", "created_at")
    changed = Agenda.objects.annotate(since=since).filter(
        conference__status="published",
        bookmarks__removed_at=None,
        bookmarks__event__changes__field__in=NEWS,
        bookmarks__event__changes__at__gt=F("since"),
    )
    wanted = Account.objects.filter(wants_digests=True, user__is_active=True, visitor__in=changed.values("visitor"))
    return wanted.select_related("user").order_by("pk")


def send_digest(account: Account, now: dt.datetime) -> bool:
    """At most one a day, also where two send at once; what was said once is not said again."""
    parts = parts_of(account, now)
    if not parts:
        return False
    with short_write():
        if not limits.DIGESTS.allows(visitor=str(account.pk)):
            return False
        for part in parts:
            Agenda.objects.filter(pk=part.agenda.pk).update(digested_at=part.upto)
        off = settings.SITE_URL + reverse("events:digests-off", args=[SIGNER.sign(str(account.pk))])
        headers = {
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        context = {"parts": parts, "off": off, "site": settings.SITE_URL}
        text = render_to_string("account/digest_letter.txt", context).strip() + "\n"
        post(account.mailbox, subject_of(parts), text, headers=headers, expires_at=now + LIVES)
    return True


def parts_of(account: Account, now: dt.datetime) -> list[Part]:
    known = Agenda.objects.filter(visitor=account.visitor_id, conference__status="published")
    parts = [part_of(agenda, now) for agenda in known.select_related("conference").order_by("conference__start", "pk")]
    return [part for part in parts if part.items]


def part_of(agenda: Agenda, now: dt.datetime) -> Part:
    """Without what its holder has seen on the pages, and what was written before; in the venue's time."""
    clock = Clock(now=now, venue_zone=agenda.conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(agenda.conference.zone):
        items = agenda_news(agenda, clock).items
    return Part(agenda, [item for item in items if agenda.digested_at is None or item.upto > agenda.digested_at])


def subject_of(parts: list[Part]) -> str:
    count = sum(len(part.items) for part in parts)
    names = ", ".join(part.agenda.conference.name for part in parts)
    return f"{names}: {count} change{'' if count == 1 else 's'} in your agenda"


def account_of(word: str) -> Account | None:
    """Whose mail it is that a link in it turns off."""
    try:
        key = SIGNER.unsign(word)
    except BadSignature:
        return None
    return Account.objects.filter(pk=key).first()
