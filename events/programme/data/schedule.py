"""ScheduleData, a whole programme as frozen values: the output of every parser and the input of sync."""

from __future__ import annotations

import dataclasses
import datetime as dt
import zoneinfo
from dataclasses import dataclass, field

from events.core.parsing.errors import ScheduleParseError
from events.programme.data.place import (
    AmenityData,
    PlanData,
    RoomData,
    RouteData,
    ServiceData,
    StartingPointData,
    VenueData,
    WalkData,
    ZoneData,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConferenceData:
    slug: str
    name: str
    title: str = ""
    series: str = ""
    edition: str = ""
    city: str = ""
    country: str = ""
    timezone: str
    start: dt.date
    end: dt.date
    colour: str = ""
    url: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactData:
    key: str
    label: str
    value: str
    note: str = ""
    source_url: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEditionData:
    key: str
    year: int
    place: str
    participants: int | None = None
    countries: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayData:
    key: str
    date: dt.date
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTypeData:
    key: str
    name: str
    plural: str = ""
    kind: str
    colour: str = ""
    icon: str = ""
    position: int = 0
    default_minutes: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackData:
    key: str
    name: str
    colour: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicData:
    key: str
    area: str
    subarea: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonData:
    """``guid`` is empty unless the source has one; as for papers and events, it is then computed from the key."""

    key: str
    guid: str = ""
    name: str
    sort_name: str = ""
    affiliation: str = ""
    bio: str = ""
    url: str = ""


LINK_KINDS = ("website", "paper", "code", "slides", "poster", "video", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkData:
    kind: str
    url: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperData:
    key: str
    guid: str = ""
    title: str
    tldr: str = ""
    abstract: str = ""
    topic: str = ""
    authors: tuple[str, ...] = ()
    links: tuple[LinkData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppearanceData:
    person: str
    role: str = "speaker"
    remote: bool = False


BOARD_PREFIX = "Board "
"""Begins the subtitle in exports of an event that has a board and no subtitle."""


_EVENT_TITLE_KEYS = ("title:", "session:", "talk:title:", "talk:session:")
TITLE_KEY_PREFIXES = (*_EVENT_TITLE_KEYS, *(f"paper:{prefix}" for prefix in _EVENT_TITLE_KEYS))
"""How keys begin that are made of a title, where a file has no ids: another title is another key."""


def is_title_key(*keys: str) -> bool:
    """Whether one of the keys is made of a title."""
    return any(key.startswith(TITLE_KEY_PREFIXES) for key in keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventData:
    """An event. Without a start, its time is to be announced; without a day, also its day."""

    key: str
    guid: str = ""
    title: str
    subtitle: str = ""
    language: str = ""
    type: str
    status: str = "confirmed"
    day: str = ""
    start: dt.datetime | None = None
    end: dt.datetime | None = None
    room: str = ""
    place: str = ""
    travel_minutes: int | None = None
    track: str = ""
    topic: str = ""
    session: str = ""
    position: int = 0
    paper: str = ""
    service: str = ""
    board: str = ""
    abstract: str = ""
    description: str = ""
    official: bool = False
    at_venue: bool | None = None
    audience: str = ""
    access_notes: str = ""
    signup_url: str = ""
    signup_state: str = ""
    signup_checked_at: dt.datetime | None = None
    signup_until: dt.datetime | None = None
    cost: str = ""
    capacity: int | None = None
    overflow_room: str = ""
    takes_questions: bool = False
    stream_url: str = ""
    recording_url: str = ""
    recording_from: dt.date | None = None
    recording_offset: int | None = None
    recording_license: str = ""
    do_not_record: bool | None = None
    notes: str = ""
    notes_source: str = ""
    export_number: int | None = None
    export_slug: str = ""
    logo_url: str = ""
    people: tuple[AppearanceData, ...] = ()
    links: tuple[LinkData, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardData:
    key: str
    name: str
    level: str = "winner"
    year: int
    paper: str = ""
    event: str = ""
    citation: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementData:
    key: str
    title: str
    text: str = ""
    audience: str = ""
    urgent: bool = False
    starts_at: dt.datetime
    until: dt.datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutEvent:
    """An event that is in the file and not among the ``events``, with the reason as a clause.

    One that ``is_hidden`` is not for attendees; of the others something cannot be read, and what is stored of them stays.
    Its key stands for all repetitions: “key#2” of a talk given twice, “key/20250424” of a series in a calendar.
    """

    key: str
    reason: str
    is_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleData:
    """A whole programme. References between rows are their ``key``s; times are aware.

    ``unread_times`` has the keys of events of which the file has a start or end that cannot be read.
    """

    conference: ConferenceData
    facts: tuple[FactData, ...] = ()
    past_editions: tuple[PastEditionData, ...] = ()
    days: tuple[DayData, ...] = ()
    types: tuple[EventTypeData, ...] = ()
    tracks: tuple[TrackData, ...] = ()
    topics: tuple[TopicData, ...] = ()
    venues: tuple[VenueData, ...] = ()
    zones: tuple[ZoneData, ...] = ()
    rooms: tuple[RoomData, ...] = ()
    walks: tuple[WalkData, ...] = ()
    services: tuple[ServiceData, ...] = ()
    plans: tuple[PlanData, ...] = ()
    starting_points: tuple[StartingPointData, ...] = ()
    routes: tuple[RouteData, ...] = ()
    people: tuple[PersonData, ...] = ()
    papers: tuple[PaperData, ...] = ()
    events: tuple[EventData, ...] = ()
    awards: tuple[AwardData, ...] = ()
    amenities: tuple[AmenityData, ...] = ()
    announcements: tuple[AnnouncementData, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    skipped: tuple[str, ...] = field(default=())
    left_out: tuple[LeftOutEvent, ...] = field(default=())
    unread_times: frozenset[str] = field(default=frozenset())

    def count(self) -> int:
        return sum(
            len(value)
            for part in dataclasses.fields(self)
            if part.name not in {"conference", "warnings", "skipped", "left_out", "unread_times"}
            for value in [getattr(self, part.name)]
        )


def load_time_zone(name: str, *, file: str = "") -> zoneinfo.ZoneInfo:
    """Raise ScheduleParseError for an unknown name."""
    try:
        return zoneinfo.ZoneInfo(name.strip())
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        shown = "".join(character for character in name[:60] if character.isprintable())
        raise ScheduleParseError(f"“{shown}” is not a time zone: write one as Europe/Vienna", file=file) from error
