"""Events as the entries of calendars: each kept as bytes until something public changes, none lost because of another."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from django.conf import settings

from events.byte_cache import CACHE
from events.calendars.style import Style
from events.calendars.talks import listed
from events.calendars.vevent import boundaries, vevent
from events.calendars.ways import Guide
from events.models import Event, Status
from events.models.event import EventQuerySet

logger = logging.getLogger("events.calendars")


@dataclass(frozen=True, order=True, slots=True)
class Entry:
    """One VEVENT's bytes, in the order of calendars."""

    start: dt.datetime
    guid: str
    vevent: bytes
    # The talks that it says all of, so that they need no entry beside it.
    told: frozenset[int] = frozenset()


def kept(events: EventQuerySet, style: Style, version: tuple[object, ...]) -> dict[int, Entry]:
    """By number; what many people picked is written once as long as nothing public changes."""
    styles = {pk: style.for_event(cancelled=status == Status.CANCELLED) for pk, status in events.values_list("pk", "status")}
    found: dict[int, Entry | None] = {pk: CACHE.get(("calendar entry", pk, own, *version)) for pk, own in styles.items()}
    missing = [pk for pk, entry in found.items() if entry is None]
    # Of the same events once more: one of them may have been hidden a moment ago.
    made = written(events.filter(pk__in=missing), style) if missing else {}
    for pk, entry in made.items():
        CACHE.put(("calendar entry", pk, styles[pk], *version), entry)
    return {pk: entry for pk, entry in (found | made).items() if entry}


def written(events: EventQuerySet, style: Style) -> dict[int, Entry]:
    guides: dict[int, Guide] = {}

    def write(event: Event) -> Entry:
        guide = guides.setdefault(event.conference_id, Guide(event.conference, style.start))
        return entry_of(event, vevent(event, style, site_url=settings.SITE_URL, way=guide.words(event)), style)

    return each(events, write)


def each(events: EventQuerySet, write: Callable[[Event], Entry | None]) -> dict[int, Entry]:
    """By number; what cannot be written is logged and left out."""
    entries = {}
    for event in events.for_calendars():
        try:
            entry = write(event)
        except Exception as error:  # noqa: BLE001 - one bad row must not take everybody's calendar away
            logger.error("Event %s is left out of calendars: %r", event.guid, error)
        else:
            if entry is not None:
                entries[event.pk] = entry
    return entries


def standing(entries: Mapping[int, Entry], *, alone: Container[int] = ()) -> dict[int, Entry]:
    """Those that have an entry of their own: a talk that its session tells of needs none, unless it must stand alone."""
    told = {pk for entry in entries.values() for pk in entry.told if pk not in alone}
    return {pk: entry for pk, entry in entries.items() if pk not in told}


def in_order(entries: Mapping[int, Entry]) -> list[bytes]:
    """By start, then guid."""
    return [entry.vevent for entry in sorted(entries.values())]


def entry_of(event: Event, body: bytes, style: Style) -> Entry:
    told = frozenset[int]() if style.brief else listed(event).told
    return Entry(begins(event), str(event.guid), body, told)


def begins(event: Event) -> dt.datetime:
    """Its start; what has only a day stands before that day's hours."""
    start, _ = boundaries(event)
    return start if isinstance(start, dt.datetime) else dt.datetime.combine(start, dt.time(), event.conference.zone)
