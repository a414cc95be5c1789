"""Entries of calendars: events, private entries and sign-up deadlines as VEVENT bytes, cached and sorted."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Count, Q
from django.urls import reverse

from events.agenda.models.agenda import Agenda
from events.calendars.description import DirectionsWriter, listed_talks
from events.calendars.queries import EntryRow, calendar_events, programme_events
from events.calendars.vevent import (
    DEADLINE_ENTRY_LENGTH,
    DEFAULT_STYLE,
    Style,
    boundaries,
    deadline_uid,
    deadline_vevent,
    private_vevent,
    vevent,
)
from events.core.byte_cache import PROCESS_CACHE
from events.core.kept_pieces import Pieces
from events.core.spans import utc
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.event_columns import CALENDAR_FIELDS, CALENDAR_TEXTS
from events.programme.models.labels import Status
from events.programme.participation import sign_up_deadline

logger = logging.getLogger("events.calendars")
T = TypeVar("T")

# Keys of deadlines in a dict of entries: events have positive ids, private entries small negative ones.
DEADLINE_KEY_OFFSET = 1 << 62


@dataclass(frozen=True, order=True, slots=True)
class CalendarEntry:
    """One VEVENT; sorts by start, then UID."""

    start: dt.datetime
    guid: str
    vevent: bytes
    # Ids of the talks that its description covers, which need no entry beside it.
    covered_talks: frozenset[int] = frozenset()


def cached_event_entries(rows: Iterable[EntryRow], style: Style, version: tuple[object, ...]) -> dict[int, CalendarEntry]:
    """Return entries by event id.

    All agendas with the same style share an entry until ``version`` changes, or what attendees see of the event.
    """
    styles, versions = {}, {}
    for pk, status, revised_at in rows:
        styles[pk] = style.for_event(cancelled=status == Status.CANCELLED)
        versions[pk] = (*version, revised_at)
    cached: dict[int, CalendarEntry | None] = {
        pk: PROCESS_CACHE.get(("calendar entry", pk, styles[pk]), versions[pk]) for pk in styles
    }
    missing = [pk for pk, entry in cached.items() if entry is None]
    # An event that was hidden since its row was read is not among them.
    new = event_entries(calendar_events(missing), style)
    for pk, entry in new.items():
        PROCESS_CACHE.put(("calendar entry", pk, styles[pk]), entry, versions[pk])
    return {pk: entry for pk, entry in (cached | new).items() if entry}


PIECE_COLUMNS = ("pk", *(name for name in CALENDAR_FIELDS if name not in CALENDAR_TEXTS))
"""All that a brief entry shows, but for names of people: a change of them raises ``revised_at``."""


def joined_event_entries(
    events: EventQuerySet, style: Style, zone: dt.tzinfo, kept: Pieces, version: tuple[object, ...]
) -> dict[str, bytes]:
    """Return brief entries by what they show, in their order; those in ``kept`` are not written."""
    keys = {row["pk"]: _piece_key(row, zone, (*version, style)) for row in events.values(*PIECE_COLUMNS)}
    missing = [pk for pk, key in keys.items() if key not in kept]
    written = written_by_event(programme_events(events, missing), lambda event: vevent(event, style, site_url=settings.SITE_URL))
    new = {keys[pk]: entry for pk, entry in written.items()}
    return {key: new.get(key) or kept[key] for key in sorted(keys.values()) if key in new or key in kept}


def _piece_key(row: Mapping[str, Any], zone: dt.tzinfo, version: tuple[object, ...]) -> str:
    """Begin with start and UID, the order of the file."""
    start = row["start"] or dt.datetime.combine(row["day__date"], dt.time(), zone)
    digest = hashlib.blake2b(repr((version, *row.values())).encode(), digest_size=16).hexdigest()
    return f"{utc(start).isoformat(timespec='microseconds')} {row['guid']} {digest}"


def event_entries(events: Iterable[Event], style: Style) -> dict[int, CalendarEntry]:
    writers: dict[int, DirectionsWriter] = {}

    def write(event: Event) -> CalendarEntry:
        directions = writers.setdefault(event.conference_id, DirectionsWriter(event.conference, style.start))
        return event_entry(event, vevent(event, style, site_url=settings.SITE_URL, way=directions.directions_to(event)))

    return written_by_event(events, write)


def written_by_event(events: Iterable[Event], write: Callable[[Event], T]) -> dict[int, T]:
    """Return what is written for each event, by its id. An event that cannot be written is logged and left out."""
    written = {}
    for event in events:
        try:
            written[event.pk] = write(event)
        except Exception as error:  # noqa: BLE001 - one bad row must not take everybody's calendar away
            logger.error("Event %s is left out of calendars: %r", event.guid, error)
    return written


def drop_covered_talks(entries: Mapping[int, CalendarEntry], *, alone: Container[int] = ()) -> dict[int, CalendarEntry]:
    covered = {pk for entry in entries.values() for pk in entry.covered_talks if pk not in alone}
    return {pk: entry for pk, entry in entries.items() if pk not in covered}


def sorted_vevents(entries: Mapping[int, CalendarEntry]) -> list[bytes]:
    return [entry.vevent for entry in sorted(entries.values())]


def event_entry(event: Event, body: bytes) -> CalendarEntry:
    return CalendarEntry(entry_start(event), str(event.guid), body, listed_talks(event).covered_talks)


def entry_start(event: Event) -> dt.datetime:
    start, _ = boundaries(event)
    return start if isinstance(start, dt.datetime) else dt.datetime.combine(start, dt.time(), event.conference.zone)


def private_calendar_entries(agenda: Agenda, style: Style) -> dict[int, CalendarEntry]:
    """Return entries by negative id, as the ids of events are positive. Removed entries are left out."""
    page = settings.SITE_URL + reverse("events:agenda-detail", args=[agenda.conference.slug])
    entries: dict[int, CalendarEntry] = {}
    if not agenda.extras.entries:
        return entries
    for entry in agenda.private_entries.filter(removed_at=None):
        try:
            entries[-entry.pk] = CalendarEntry(utc(entry.start), str(entry.guid), private_vevent(entry, style, page))
        except Exception as error:  # noqa: BLE001 - one bad row must not take the whole calendar away
            # Without the message, which may quote the entry: organisers read logs.
            logger.error("A private entry is left out of its calendar: %s", type(error).__name__)
    return entries


def events_with_deadline(events: EventQuerySet) -> EventQuerySet:
    """Annotate ``deadline_moved``: how often the deadline has changed."""
    moved = Count("changes", filter=Q(changes__field="signup_until"))
    shown = events.with_deadline().annotate(deadline_moved=moved).select_related("conference", "type", "sign_up")
    return shown.defer("announced", "imported")


def deadline_entries(events: EventQuerySet, style: Style = DEFAULT_STYLE) -> dict[int, CalendarEntry]:
    entries = written_by_event(events_with_deadline(events), lambda event: deadline_entry(event, style))
    return {pk - DEADLINE_KEY_OFFSET: entry for pk, entry in entries.items()}


def deadline_entry(event: Event, style: Style) -> CalendarEntry:
    deadline = sign_up_deadline(event)
    if deadline is None:
        raise ValueError("no sign-up deadline")
    end = utc(deadline)
    return CalendarEntry(end - DEADLINE_ENTRY_LENGTH, deadline_uid(event), deadline_vevent(event, end, style))
