"""What a calendar address answers: whose entries, in bytes made only when they are asked for, and how to tell versions apart."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.conf import settings
from django.core.cache import cache
from django.db.models import Max, Q
from django.urls import reverse

from events.calendars.vcalendar import calendar, vtimezone
from events.calendars.vevent import boundaries, vevent
from events.models import Agenda, Conference, Event, Status
from events.models.event import EventQuerySet
from events.schedule.clock import DAY_CHANGE, programme_date
from events.shelf import Shelf

# Raise it when the same rows are written in other bytes, or calendars keep what they have.
FORMAT = 1
DAY_IN_SECONDS = 60 * 60 * 24

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


@dataclass(frozen=True, eq=False)
class Feed:
    """``etag`` costs nothing; ``last_modified`` a query; ``body`` the rows and their rendering.

    Which events those are is worked out only if somebody needs them: most calendars are told "not modified".
    """

    conference: Conference
    name: str
    page: str
    version: tuple[object, ...]
    shown: Callable[[], EventQuerySet]
    # Everything that is or was shown: what disappeared has changed the feed too.
    watched: Callable[[], EventQuerySet]
    changed_at: dt.datetime | None = None
    today: dt.date | None = None
    transparent: bool = False
    shared: bool = False

    @cached_property
    def etag(self) -> str:
        written_with = (FORMAT, settings.SITE_URL, settings.CALENDAR_PRODUCT, vtimezone(self.conference))
        return f'"{digest(*written_with, self.conference.pk, self.conference.revision, *self.version)}"'

    @cached_property
    def last_modified(self) -> dt.datetime | None:
        over = Q(status=Status.CANCELLED, day__date__lt=self.today) if self.today else Q(pk=None)
        newest = self.watched().aggregate(revised=Max("revised_at"), dropped=Max("day__date", filter=over))
        moments = [self.changed_at, newest["revised"], self.day_after(newest["dropped"])]
        return max((moment for moment in moments if moment), default=None)

    def day_after(self, day: dt.date | None) -> dt.datetime | None:
        """When this day of the programme was over, and what was cancelled on it dropped out."""
        return dt.datetime.combine(day + dt.timedelta(days=1), DAY_CHANGE, self.conference.zone) if day else None

    @property
    def body(self) -> bytes:
        if not self.shared:
            return self.render()
        # A restored database may count its revisions a second time; no moment comes back.
        key = f"calendar:{digest(self.etag, self.last_modified)}"
        return cache.get_or_set(key, self.render, DAY_IN_SECONDS) or b""

    def render(self) -> bytes:
        return calendar(self.conference, self.name, self.entries(), url=self.page)

    def entries(self) -> list[bytes]:
        """By start, then guid; a row that cannot be written is left out, whatever is wrong with it."""
        shown = self.shown().exclude(day=None)
        if self.shared:
            return [entry.vevent for entry in sorted(self.written(shown).values())]
        # What many people picked is written once as long as nothing public changes.
        version = (self.conference.pk, self.conference.revision, self.transparent, settings.SITE_URL)
        found = {pk: ENTRIES.get((pk, *version)) for pk in shown.values_list("pk", flat=True)}
        missing = [pk for pk, entry in found.items() if entry is None]
        made = self.written(Event.objects.filter(pk__in=missing)) if missing else {}
        for pk, entry in made.items():
            ENTRIES.put((pk, *version), entry)
        return [entry.vevent for entry in sorted(entry for entry in (found | made).values() if entry)]

    def written(self, events: EventQuerySet) -> dict[int, Entry]:
        entries = {}
        for event in rows(events.for_cards()):
            try:
                entry = vevent(event, transparent=self.transparent, site_url=settings.SITE_URL)
                entries[event.pk] = Entry(begins(event), str(event.guid), entry)
            except Exception as error:  # noqa: BLE001 - one bad row must not take everybody's calendar away
                report(event.pk, event.revised_at, repr(error))
        return entries


def agenda_feed(agenda: Agenda, now: dt.datetime) -> Feed:
    """The picks; what is cancelled stays until the end of its day, so that whoever has it sees why it is gone."""
    today = programme_date(now, agenda.conference.zone)
    return _personal(agenda, lambda: agenda.events.exclude(status=Status.CANCELLED, day__date__lt=today), today)


def agenda_download(agenda: Agenda) -> Feed:
    """The same once; importing never deletes, so everything cancelled is in it."""
    return _personal(agenda, lambda: agenda.events, None)


def _personal(agenda: Agenda, shown: Callable[[], EventQuerySet], today: dt.date | None) -> Feed:
    return Feed(
        conference=agenda.conference,
        name=f"{agenda.conference.name}: my agenda",
        page=address("events:agenda-detail", agenda.conference),
        version=("agenda", agenda.pk, agenda.revision, agenda.feed_serial, today),
        shown=shown,
        watched=lambda: Event.objects.filter(bookmarks__agenda=agenda),
        changed_at=agenda.changed_at,
        today=today,
    )


def empty_download(conference: Conference) -> Feed:
    """The agenda of somebody who has picked nothing: nothing, and not everything."""
    return Feed(
        conference=conference,
        name=f"{conference.name}: my agenda",
        page=address("events:agenda-detail", conference),
        version=("nothing",),
        shown=Event.objects.none,
        watched=Event.objects.none,
    )


def schedule_feed(conference: Conference, shown: EventQuerySet | None = None, asked: tuple[object, ...] = ()) -> Feed:
    """The whole programme, or those of its events that were asked for; it blocks nobody's time."""
    return Feed(
        conference=conference,
        name=conference.name,
        page=address("events:schedule", conference),
        version=("schedule", *asked),
        shown=lambda: Event.objects.public().filter(conference=conference) if shown is None else shown,
        watched=lambda: Event.objects.filter(conference=conference),
        transparent=True,
        # There are more choices than a cache should keep.
        shared=not asked,
    )


def event_calendar(event: Event) -> Feed:
    return Feed(
        conference=event.conference,
        name=event.title,
        page=settings.SITE_URL + event.get_absolute_url(),
        version=("event", event.guid),
        shown=lambda: Event.objects.public().filter(pk=event.pk),
        watched=lambda: Event.objects.filter(pk=event.pk),
    )


def address(name: str, conference: Conference) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[conference.slug])}"


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


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
