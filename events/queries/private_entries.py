"""What somebody has to do besides the programme, as it stands in their own agenda among the picks."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils import timezone

from events.models import Agenda, PrivateEntry
from events.schedule.clock import Clock, programme_date
from events.schedule.slots import Slot


@dataclass(frozen=True)
class PrivateCard:
    """Stands where the card of an event would; nobody knows the way to it or from it."""

    entry: PrivateEntry
    day: dt.date
    url: str

    is_private = True
    line = "break"
    type_slug = "private"
    plate = None

    @property
    def key(self) -> tuple[str, int]:
        return "private", self.entry.pk

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
    def ends_next_day(self) -> bool:
        return timezone.localtime(self.end).date() > timezone.localtime(self.start).date()

    @property
    def slot(self) -> Slot:
        return Slot(key=self.key, start=self.start, end=self.end)


def private_cards(
    agenda: Agenda, clock: Clock, after: dt.datetime | None = None, before: dt.datetime | None = None
) -> list[PrivateCard]:
    """All that are there, or those of a stretch of time; of their holder's eyes only."""
    if not agenda.besides.entries:
        return []
    entries = agenda.private_entries.filter(removed_at=None)
    if after and before:
        entries = entries.filter(end__gt=after, start__lt=before)
    slug = agenda.conference.slug
    return [PrivateCard(it, programme_date(it.start, clock.venue_zone), _url(slug, it)) for it in entries]


def private_entry(agenda: Agenda | None, guid: UUID) -> PrivateEntry | None:
    return agenda.private_entries.filter(removed_at=None, guid=guid).first() if agenda else None


def _url(slug: str, entry: PrivateEntry) -> str:
    return reverse("events:private-entry", args=[slug, entry.guid])
