"""Events as the entries of calendars: each kept as bytes until something public changes, none lost because of another."""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from events.calendars.vevent import boundaries, vevent
from events.models import Event
from events.models.event import EventQuerySet
from events.shelf import Shelf

logger = logging.getLogger("events.calendars")


@dataclass(frozen=True, order=True, slots=True)
class Entry:
    """One VEVENT's bytes, in the order of calendars."""

    start: dt.datetime
    guid: str
    vevent: bytes

    @property
    def size(self) -> int:
        return len(self.vevent) + 300


ENTRIES: Shelf[Entry] = Shelf(settings.PAGE_CACHE_MB * 2**18)


def written(events: EventQuerySet, *, transparent: bool) -> dict[int, Entry]:
    """By number; a row that cannot be written is left out, whatever is wrong with it."""
    entries = {}
    for event in rows(events.for_cards()):
        try:
            entry = vevent(event, transparent=transparent, site_url=settings.SITE_URL)
            entries[event.pk] = Entry(begins(event), str(event.guid), entry)
        except Exception as error:  # noqa: BLE001 - one bad row must not take everybody's calendar away
            report(event.pk, event.revised_at, repr(error))
    return entries


def begins(event: Event) -> dt.datetime:
    """Its start; what has only a day stands before that day's hours."""
    start, _ = boundaries(event)
    return start if isinstance(start, dt.datetime) else dt.datetime.combine(start, dt.time(), event.conference.zone)


def rows(events: EventQuerySet) -> list[Event]:
    """All of them in a few queries, without those so broken that they cannot even be read."""
    try:
        return list(events)
    except Exception:  # noqa: BLE001 - text that is no text, or a date that is no date, put in past Django
        return _readable(events, list(events.order_by("pk").values_list("pk", flat=True)))


def _readable(events: EventQuerySet, pks: list[int]) -> list[Event]:
    """Halve until the broken one stands alone."""
    try:
        return list(events.filter(pk__in=pks))
    except Exception as error:  # noqa: BLE001 - as above
        if len(pks) == 1:
            report(pks[0], None, repr(error))
            return []
    middle = len(pks) // 2
    return _readable(events, pks[:middle]) + _readable(events, pks[middle:])


@lru_cache(maxsize=1000)
def report(pk: int, revised_at: dt.datetime | None, problem: str) -> None:
    """Say it once in each process: calendars ask every hour."""
    logger.error("Event %s is left out of calendars: %s", pk, problem)
