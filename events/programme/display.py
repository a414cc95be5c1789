"""Parts of an event as pages show them: people, room signs, badges, lines and bookmark buttons."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from events.core.clock import Clock, not_after_now, with_pinned_time
from events.core.time_zones import offset_text
from events.programme.addresses import event_url, guid_url
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.papers import Paper
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room


@dataclass(frozen=True, slots=True)
class PersonTag:
    name: str
    url: str
    role: str = ""
    remote: bool = False
    affiliation: str = ""
    photo: str = ""
    photo_alt: str = ""
    """Long lists leave the photo out."""


@dataclass(frozen=True, slots=True)
class RoomSign:
    name: str
    letter: str
    floor: str
    url: str
    key: int = 0


class Bookmarkable:
    """The base of rows with a bookmark button."""

    __slots__ = ()

    event: Event

    @property
    def key(self) -> int:
        return self.event.pk

    @property
    def element_id(self) -> str:
        return f"e-{self.event.guid}"

    @property
    def title(self) -> str:
        return self.event.title

    @property
    def language(self) -> str:
        return self.event.language

    @property
    def start(self) -> dt.datetime | None:
        return self.event.start

    @property
    def bookmark_url(self) -> str:
        return guid_url("events:bookmark-set", self.event.conference.slug, self.event.guid)

    @property
    def ics_url(self) -> str:
        return guid_url("events:event-calendar", self.event.conference.slug, self.event.guid)


@dataclass(slots=True)
class CardChild(Bookmarkable):
    """A child of a session, as a line on the session's card."""

    event: Event
    url: str


@dataclass(slots=True)
class EventLine(Bookmarkable):
    """An event beside the content of a page, with its time and place."""

    event: Event
    url: str
    plate: RoomSign | None

    @property
    def line(self) -> str:
        return self.event.type.line

    @property
    def type_slug(self) -> str:
        return self.event.type.slug

    @property
    def day(self) -> dt.date | None:
        return self.event.day.date if self.event.day else None

    @property
    def place(self) -> str:
        return location_text(self.event)


@dataclass(slots=True)
class BookmarkButton(Bookmarkable):
    event: Event
    bookmarked: bool


def location_text(event: Event) -> str:
    return event.place or ("" if event.room_id or event.service is None else event.service.location)


def room_sign(room: Room, slug: str) -> RoomSign:
    return RoomSign(room.name, room.zone.letter, room.floor, f"{_venue_url(slug)}#room-{room.pk}", room.pk)


@functools.lru_cache(maxsize=256)
def _venue_url(slug: str) -> str:
    return reverse("events:venue", args=[slug])


def public_paper(event: Event) -> Paper | None:
    return event.paper if event.paper and event.paper.is_public else None


def make_event_line(event: Event, clock: Clock) -> EventLine:
    plate = room_sign(event.room, event.conference.slug) if event.room else None
    return EventLine(event, _event_url(event, event, clock), plate)


def make_card_child(event: Event, clock: Clock) -> CardChild:
    return CardChild(event, _event_url(event, event, clock))


def people_of(event: Event, paper: Paper | None) -> list[PersonTag]:
    slug = event.conference.slug
    return appearance_tags(event.appearances.all(), slug) or (author_tags(paper, slug) if paper else [])


def appearance_tags(appearances: Iterable[Appearance], slug: str) -> list[PersonTag]:
    return [_person_tag(it.person, slug, role=it.role, remote=it.remote) for it in appearances]


def author_tags(paper: Paper, slug: str) -> list[PersonTag]:
    return [_person_tag(authorship.person, slug, role="author") for authorship in paper.authorships.all()]


def _person_tag(person: Person, slug: str, *, role: str, remote: bool = False) -> PersonTag:
    photo = person.photo.url if person.photo else ""
    return PersonTag(person.name, person_url(slug, person.guid), role, remote, person.affiliation, photo, person.photo_alt)


def person_url(slug: str, guid: UUID) -> str:
    return guid_url("events:person-detail", slug, guid)


def _event_url(target: Event, event: Event, clock: Clock) -> str:
    return with_pinned_time(event_url(event.conference.slug, target.pk, target.title), clock)


@dataclass(frozen=True, slots=True)
class Badge:
    name: str
    text: str
    # It can change while a page is open.
    live: bool = field(default=False, compare=False)


def is_recording_public(event: Event, clock: Clock) -> bool:
    return bool(event.recording_url) and (event.recording_from is None or event.recording_from <= not_after_now(clock).today)


def ends_next_day(start: dt.datetime | None, end: dt.datetime | None) -> bool:
    """Whether, in the current time zone, it ends on a later date than it starts."""
    return bool(start and end) and timezone.localtime(end).date() > timezone.localtime(start).date()


def zone_label(conference: Conference, zone: ZoneInfo, now: dt.datetime) -> str:
    """The name with the offset on that day: "Singapore time (UTC+8)"."""
    name = conference.zone_name if zone.key == conference.timezone else f"{zone.key.rpartition('/')[2].replace('_', ' ')} time"
    return f"{name} ({offset_text(now, zone)})"


def dates_text(start: dt.date, end: dt.date) -> str:
    """Return the days of a conference, as "24–28 April 2025" or "30 April – 2 May 2025"."""
    last = f"{end.day} {end:%B %Y}"
    if start == end:
        return last
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{last}"
    return f"{start.day} {start:%B}{'' if start.year == end.year else f' {start.year}'} – {last}"


def conference_dates(conference: Conference) -> str:
    return dates_text(conference.start, conference.end)
