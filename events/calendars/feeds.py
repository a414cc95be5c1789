"""What a calendar address answers: whose entries, in bytes made only when they are asked for, and how to tell versions apart."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypedDict

from django.conf import settings
from django.core.cache import cache
from django.db.models import Subquery

from events.calendars.deadlines import deadlines
from events.calendars.entries import Entry, in_order, kept, standing, written
from events.calendars.links import Asked, address, person_address, schedule_address
from events.calendars.private import private
from events.calendars.style import ONE, PROGRAMME, Style, style_of
from events.calendars.vcalendar import calendar, vtimezone
from events.models import Agenda, Conference, Event, Kind, Level, Person, Status
from events.models.event import EventQuerySet
from events.models.feeds import CancelledIn
from events.schedule.clock import DAY_CHANGE, programme_date

# Raise it when the same rows are written in other bytes, or calendars keep what they have.
FORMAT = 2
DAY_IN_SECONDS = 60 * 60 * 24


class Named(TypedDict):
    conference: Conference
    title: str
    page: Callable[[], str]


@dataclass(frozen=True, eq=False)
class Feed:
    """``etag`` costs nothing; ``last_modified`` a query; ``body`` the rows and their rendering.

    Which events those are is worked out only if somebody needs them: most calendars are told "not modified".
    """

    conference: Conference
    title: str
    # Named only in a body.
    page: Callable[[], str]
    version: tuple[object, ...]
    shown: Callable[[], EventQuerySet]
    # Everything that is or was shown: what disappeared has changed the feed too.
    watched: Callable[[], EventQuerySet]
    # The choice it was asked for, named only in a body.
    words: Callable[[], str] = str
    # Its own address, where that is no secret.
    source: str = ""
    changed_at: dt.datetime | None = None
    today: dt.date | None = None
    style: Style = ONE
    shared: bool = False
    # What stands in it besides events.
    besides: Callable[[], dict[int, Entry]] = dict

    @cached_property
    def name(self) -> str:
        return ": ".join(filter(None, [self.title, self.words()]))

    @property
    def about(self) -> str:
        """What the calendar's own properties say of it."""
        return f"Times in the texts are {self.conference.zone_name}. Changes stand here first: {self.page()}"

    @cached_property
    def etag(self) -> str:
        written_with = (FORMAT, settings.SITE_URL, settings.CALENDAR_PRODUCT, vtimezone(self.conference))
        return f'"{digest(*written_with, self.conference.pk, self.conference.revision, *self.version)}"'

    @cached_property
    def last_modified(self) -> dt.datetime | None:
        """When any of it changed last; None where nobody can say, and then only the tag tells versions apart."""
        if self.style.start:
            # The ways from a start are no event's: of a route that was corrected only the revision knows.
            return None
        watched = self.watched()
        over = watched.filter(status=Status.CANCELLED, day__date__lt=self.today) if self.today else watched.none()
        changed = Conference.history.filter(id=self.conference.pk, history_type="~")
        newest = [latest(changed, "history_date"), latest(watched, "revised_at"), latest(over, "day__date")]
        renamed, revised, dropped = Conference.objects.values_list(*newest).get(pk=self.conference.pk)
        return max((it for it in [self.changed_at, renamed, revised, self.day_after(dropped)] if it), default=None)

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
        return calendar(self.conference, self.name, self.entries(), url=self.page(), about=self.about, source=self.source)

    def entries(self) -> list[bytes]:
        shown = self.shown().exclude(day=None)
        version = (self.conference.pk, self.conference.revision, settings.SITE_URL)
        found = written(shown, self.style) if self.shared else kept(shown, self.style, version)
        return in_order(standing(found) | self.besides())


def agenda_feed(agenda: Agenda, now: dt.datetime) -> Feed:
    """The picks; what is cancelled stays until the end of its day, so that whoever has it sees why it is gone."""
    today = programme_date(now, agenda.conference.zone)
    return Feed(
        **named_mine(agenda.conference),
        version=("agenda", agenda.pk, agenda.revision, agenda.feed_serial, today),
        shown=lambda: wanted(agenda).exclude(status=Status.CANCELLED, day__date__lt=today),
        watched=lambda: Event.objects.filter(bookmarks__agenda=agenda),
        changed_at=agenda.changed_at,
        today=today,
        style=style_of(agenda),
        besides=lambda: private(agenda, style_of(agenda)) | own_deadlines(agenda),
    )


def own_deadlines(agenda: Agenda) -> dict[int, Entry]:
    """Until when its holder can sign up for what is picked and goes on, if they want to have that."""
    return deadlines(wanted(agenda).exclude(status=Status.CANCELLED), style_of(agenda)) if agenda.feed_deadlines else {}


def wanted(agenda: Agenda) -> EventQuerySet:
    """What its holder means to attend, and wants to have in the calendar."""
    levels = [Level.MUST] if agenda.feed_must_only else [Level.MUST, Level.MAYBE]
    picks = agenda.bookmarks.filter(removed_at=None, level__in=levels)
    events = Event.objects.public().filter(pk__in=picks.values("event"))
    if not agenda.feed_breaks:
        events = events.exclude(type__kind=Kind.BREAK)
    if agenda.feed_cancelled == CancelledIn.DROPPED:
        events = events.exclude(status=Status.CANCELLED)
    return events


def named_mine(conference: Conference) -> Named:
    page = partial(address, "events:agenda-detail", conference)
    return Named(conference=conference, title=f"{conference.name}: my agenda", page=page)


def schedule_feed(
    conference: Conference, shown: EventQuerySet | None = None, asked: Asked = (), words: Callable[[], str] = str
) -> Feed:
    """The whole programme, or those of its events that were asked for; it blocks nobody's time."""
    return Feed(
        conference=conference,
        title=conference.name,
        words=words,
        page=partial(address, "events:schedule", conference),
        version=("schedule", *asked),
        shown=lambda: Event.objects.public().filter(conference=conference) if shown is None else shown,
        watched=lambda: Event.objects.filter(conference=conference),
        source=schedule_address(conference, asked),
        style=PROGRAMME,
        # There are more choices than a cache should keep.
        shared=not asked,
    )


def person_feed(person: Person, shown: EventQuerySet) -> Feed:
    """Where somebody is to be met; they are busy then, and so is who comes to hear them."""
    return Feed(
        conference=person.conference,
        title=f"{person.conference.name}: {person.name}",
        page=lambda: settings.SITE_URL + person.get_absolute_url(),
        version=("person", person.guid),
        shown=lambda: shown,
        watched=lambda: Event.objects.filter(conference=person.conference),
        source=person_address(person),
    )


def event_calendar(event: Event) -> Feed:
    return Feed(
        conference=event.conference,
        title=event.title,
        page=lambda: settings.SITE_URL + event.get_absolute_url(),
        version=("event", event.guid),
        shown=lambda: Event.objects.public().filter(pk=event.pk),
        watched=lambda: Event.objects.filter(pk=event.pk),
    )


def deadline_calendar(event: Event) -> Feed:
    """Until when one can sign up, to take away."""
    return Feed(
        conference=event.conference,
        title=f"Sign-up: {event.title}",
        page=lambda: settings.SITE_URL + event.get_absolute_url(),
        version=("sign-up", event.guid),
        shown=Event.objects.none,
        watched=lambda: Event.objects.filter(pk=event.pk),
        besides=lambda: deadlines(Event.objects.public().filter(pk=event.pk)),
    )


def latest(rows: Any, moment: str) -> Subquery:
    return Subquery(rows.order_by(f"-{moment}").values(moment)[:1])


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
