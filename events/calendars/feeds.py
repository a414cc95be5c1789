"""What a calendar address answers: whose entries, in bytes made only when they are asked for, and how to tell versions apart."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.core.cache import cache
from django.db.models import Max, Q
from django.urls import reverse

from events.calendars.entries import ENTRIES, written
from events.calendars.vcalendar import calendar, vtimezone
from events.models import Agenda, Conference, Event, Status
from events.models.event import EventQuerySet
from events.schedule.clock import DAY_CHANGE, programme_date

# Raise it when the same rows are written in other bytes, or calendars keep what they have.
FORMAT = 1
DAY_IN_SECONDS = 60 * 60 * 24


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
        """By start, then guid."""
        shown = self.shown().exclude(day=None)
        if self.shared:
            return [entry.vevent for entry in sorted(written(shown, transparent=self.transparent).values())]
        # What many people picked is written once as long as nothing public changes.
        version = (self.conference.pk, self.conference.revision, self.transparent, settings.SITE_URL)
        found = {pk: ENTRIES.get((pk, *version)) for pk in shown.values_list("pk", flat=True)}
        missing = [pk for pk, entry in found.items() if entry is None]
        made = written(Event.objects.filter(pk__in=missing), transparent=self.transparent) if missing else {}
        for pk, entry in made.items():
            ENTRIES.put((pk, *version), entry)
        return [entry.vevent for entry in sorted(entry for entry in (found | made).values() if entry)]


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
