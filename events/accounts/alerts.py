"""Alerts: mail at once about bookmarks that move or are cancelled shortly before they start, to those who asked for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from events.accounts.mail import ALERTS_OFF_SIGNER, list_headers, off_url
from events.accounts.rules import ALERT_FIELDS, ALERT_WINDOW, is_urgent
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, attended_q
from events.agenda.models.visitors import Account
from events.core import limits
from events.core.clock import Clock
from events.core.db.writing import serialized_write
from events.mail.outbox import queue_letter
from events.programme.models.event import Event
from events.programme.queries.changes import ChangeLine, change_line
from events.programme.queries.events import for_slots
from events.programme.rules.changes import MESSAGE_FIELD, FieldChange, NetChange, RecordedChange, net_changes


def follow_changes(changes: Sequence[RecordedChange]) -> None:
    """Mail after the commit, once for all changes of a transaction. What is lost with a process, the next call mails."""
    if any(is_urgent(it.field, it.old, it.new, it.start, it.at) for it in changes):
        transaction.on_commit(_send_alerts, robust=True)


def _send_alerts() -> None:
    send_alerts(timezone.now())


def send_alerts(now: dt.datetime) -> int:
    """Write what is due; return the number of letters. One query if nobody asked."""
    if not _accounts_asking().exists():
        return 0
    return sum(send_alert(due, now) for due in _agendas_due(now))


@dataclass
class DueAgenda:
    pk: int
    alerted_at: dt.datetime | None
    steps: list[FieldChange] = field(default_factory=list)
    # When the visitor last knew each event.
    since: dict[Any, dt.datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class AlertItem:
    event: Event
    lines: list[ChangeLine]

    @property
    def start(self) -> dt.datetime | None:
        return None if self.event.is_cancelled else self.event.start

    @property
    def place(self) -> str:
        return self.event.room.name if self.event.room else self.event.place


def _accounts_asking() -> QuerySet[Account]:
    return Account.objects.filter(wants_alerts=True, user__is_active=True)


def _agendas_due(now: dt.datetime) -> Iterable[DueAgenda]:
    """With the changes that their visitors have neither seen nor been mailed. Whether one is urgent is decided later."""
    changed = Bookmark.objects.filter(
        attended_q(),
        Q(event__changes__at__gt=now - ALERT_WINDOW) & Q(event__changes__at__gt=F("created_at")),
        agenda__visitor__in=_accounts_asking().values("visitor"),
        event__changes__field__in=ALERT_FIELDS,
    )
    columns = [f"event__changes__{name}" for name in ("field", "old", "new", "at", "reason")]
    rows = changed.order_by("agenda", "event__changes__at", "event__changes__pk")
    found: dict[int, DueAgenda] = {}
    for pk, alerted_at, event, created_at, seen_at, *change in rows.values_list(
        "agenda", "agenda__alerted_at", "event", "created_at", "seen_at", *columns
    ):
        known_at = max(it for it in (created_at, seen_at, alerted_at) if it)
        step = FieldChange(event, *change)
        if step.at > known_at:
            due = found.setdefault(pk, DueAgenda(pk, alerted_at))
            due.steps.append(step)
            due.since[event] = known_at
    return found.values()


def send_alert(due: DueAgenda, now: dt.datetime) -> bool:
    """No change is mailed twice, also if two processes send at once; what is over the limit is on the pages."""
    known = Agenda.objects.filter(pk=due.pk, visitor__account__in=_accounts_asking())
    # It may have ended meanwhile.
    agenda = known.select_related("conference", "visitor__account__user").first()
    items = alert_items(agenda, due, now) if agenda else []
    if agenda is None or not items:
        return False
    account = agenda.visitor.account
    with serialized_write():
        mine = Agenda.objects.filter(pk=due.pk, alerted_at=due.alerted_at).update(alerted_at=max(it.at for it in due.steps))
        if not mine or not limits.ALERTS.allows(visitor=str(account.pk)):
            return False
        off = off_url(account, ALERTS_OFF_SIGNER)
        with timezone.override(agenda.conference.zone):
            context = {"conference": agenda.conference, "items": items, "off": off, "site": settings.SITE_URL}
            text = render_to_string("account/alert_letter.txt", context).strip() + "\n"
        subject = alert_subject(agenda, items)
        queue_letter(account.mailbox, subject, text, headers=list_headers(off), expires_at=now + ALERT_WINDOW)
    return True


def alert_items(agenda: Agenda, due: DueAgenda, now: dt.datetime) -> list[AlertItem]:
    """The events with an urgent change, in their order. Times are those of the venue."""
    folds = net_changes(due.steps, due.since)
    events = for_slots(
        Event.objects.public().filter(pk__in=list(folds)), "type__name", "type__colour", "place", "room__name"
    ).in_order()
    clock = Clock(now=now, venue_zone=agenda.conference.zone)
    items = []
    with timezone.override(agenda.conference.zone):
        for event in events:
            event.conference = agenda.conference
            if _is_urgent(event, folds[event.pk]):
                items.append(AlertItem(event, [change_line(it, event, clock) for it in folds[event.pk]]))
    return items


def _is_urgent(event: Event, changes: Sequence[NetChange]) -> bool:
    # Where a cancelled event would have been matters to nobody.
    if event.is_cancelled and not any(it.field in {"status", MESSAGE_FIELD} for it in changes):
        return False
    return any(is_urgent(it.field, it.old, it.new, event.start, it.at) for it in changes)


def alert_subject(agenda: Agenda, items: Sequence[AlertItem]) -> str:
    if len(items) > 1:
        return f"{agenda.conference.name}: {len(items)} changes in your agenda, soon"
    event = items[0].event
    if event.is_cancelled:
        return f"{agenda.conference.name}: cancelled: {event.title}"
    return f"{agenda.conference.name}: changed: {event.title}"
