"""Private entries as cards among the events of an agenda."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from events.agenda.models.agenda import Agenda
from events.agenda.models.private_entries import PrivateEntry
from events.core.clock import Clock, programme_date
from events.programme.rules.slots import TimeSlot


@dataclass(frozen=True)
class PrivateCard:
    """Has the attributes of an event's card that the agenda shows. Walks to and from it are unknown."""

    entry: PrivateEntry
    day: dt.date
    url: str
    is_on: bool

    is_private = True
    line = "break"
    type_slug = "private"
    plate = None

    @property
    def key(self) -> tuple[str, int]:
        return "private", self.entry.pk

    @property
    def element_id(self) -> str:
        return f"private-{self.entry.guid}"

    @property
    def title(self) -> str:
        return self.entry.title

    @property
    def place(self) -> str:
        return self.entry.place

    @property
    def start(self) -> dt.datetime:
        return self.entry.start

    @property
    def end(self) -> dt.datetime:
        return self.entry.end

    @property
    def minutes(self) -> int:
        return int((self.end - self.start) / dt.timedelta(minutes=1))

    @property
    def slot(self) -> TimeSlot:
        return TimeSlot(key=self.key, start=self.start, end=self.end)


def private_cards(
    agenda: Agenda, clock: Clock, after: dt.datetime | None = None, before: dt.datetime | None = None
) -> list[PrivateCard]:
    """All entries, or those that overlap a time; only for the visitor's own pages."""
    if not agenda.extras.entries:
        return []
    entries = agenda.private_entries.filter(removed_at=None)
    if after and before:
        entries = entries.filter(end__gt=after, start__lt=before)
    slug = agenda.conference.slug
    return [
        PrivateCard(it, programme_date(it.start, clock.venue_zone), _entry_url(slug, it), is_on=_is_on(it, clock))
        for it in entries
    ]


def _is_on(entry: PrivateEntry, clock: Clock) -> bool:
    return clock.has_come(entry.start) and not clock.has_come(entry.end)


def private_entry(agenda: Agenda | None, guid: UUID) -> PrivateEntry | None:
    return agenda.private_entries.filter(removed_at=None, guid=guid).first() if agenda else None


def _entry_url(slug: str, entry: PrivateEntry) -> str:
    return reverse("events:private-entry", args=[slug, entry.guid])
