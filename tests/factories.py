"""The smallest valid rows; a test says only what matters to it."""

from __future__ import annotations

import datetime as dt
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from events.models import (
    Agenda,
    Appearance,
    Authorship,
    Conference,
    CrowdReport,
    Day,
    Event,
    EventType,
    Paper,
    Person,
    Room,
    Venue,
    Visitor,
    Walk,
    Zone,
)

SINGAPORE = ZoneInfo("Asia/Singapore")
THURSDAY = dt.date(2025, 4, 24)
_number = count(1)


def make_conference(**fields: Any) -> Conference:
    values = {
        "slug": f"conf-{next(_number)}",
        "name": "ICLR 2025",
        "city": "Singapore",
        "timezone": "Asia/Singapore",
        "start": THURSDAY,
        "end": dt.date(2025, 4, 28),
        "status": "published",
    }
    return Conference.objects.create(**values | fields)


def make_day(conference: Conference, date: dt.date = THURSDAY, **fields: Any) -> Day:
    return Day.objects.get_or_create(conference=conference, date=date, defaults=fields)[0]


def make_type(conference: Conference, kind: str = "session", **fields: Any) -> EventType:
    name = fields.pop("name", kind.replace("-", " ").capitalize())
    return EventType.objects.get_or_create(conference=conference, name=name, defaults={"kind": kind, **fields})[0]


def make_zone(conference: Conference, name: str = "Hall 1", **fields: Any) -> Zone:
    venue = Venue.objects.get_or_create(conference=conference, name="Singapore EXPO")[0]
    return Zone.objects.get_or_create(conference=conference, venue=venue, name=name, defaults=fields)[0]


def make_room(conference: Conference, name: str = "Hall 1", zone: Zone | None = None, **fields: Any) -> Room:
    return Room.objects.create(conference=conference, zone=zone or make_zone(conference, name), name=name, **fields)


def make_walk(conference: Conference, origin: Zone, destination: Zone, minutes: int = 5, **fields: Any) -> Walk:
    return Walk.objects.create(conference=conference, origin=origin, destination=destination, minutes=minutes, **fields)


def at(clock: str, date: dt.date = THURSDAY, zone: ZoneInfo = SINGAPORE) -> dt.datetime:
    """A time of day in Singapore: ``at("09:30")``."""
    return dt.datetime.combine(date, dt.time.fromisoformat(clock), zone)


def make_event(conference: Conference, *, kind: str = "session", announce: bool = True, **fields: Any) -> Event:
    """A confirmed event; ``start`` and ``end`` may be "09:00" texts, which mean Thursday 24 April 2025 in Singapore."""
    day = fields.get("day") or make_day(conference)
    for name in ["start", "end"]:
        if isinstance(fields.get(name), str):
            fields[name] = at(fields[name], day.date)
    values = {
        "type": make_type(conference, kind),
        "title": f"Event {next(_number)}",
        "status": "confirmed",
        "day": day,
    }
    event = Event.objects.create(conference=conference, **values | fields)
    if announce and event.session:
        # Its session lists it, and is announced with it.
        Event.objects.filter(pk=event.pk).record_changes(quiet=True)
    elif announce:
        _announce_alone(event)
    if announce:
        event.refresh_from_db()
    return event


def forms_url(event: Event) -> str:
    """Where the addresses of its forms begin, such as that of the bookmark."""
    return f"/{event.conference.slug}/events/{event.guid}/"


def _announce_alone(event: Event) -> None:
    """What ``record_changes(quiet=True)`` makes of an event that nothing refers to yet, in two statements instead of ten."""
    event._prefetched_objects_cache = dict.fromkeys(["appearances", "children", "links"], ())
    seen = event.public_snapshot()
    if seen:
        Event.objects.filter(pk=event.pk).update(announced=seen, revised_at=timezone.now())
        event.conference.bump_revision()


def make_person(conference: Conference, name: str = "Ada Lovelace", **fields: Any) -> Person:
    return Person.objects.create(conference=conference, name=name, **fields)


def make_appearance(event: Event, person: Person, **fields: Any) -> Appearance:
    return Appearance.objects.create(event=event, person=person, **fields)


def make_paper(conference: Conference, *authors: Person, **fields: Any) -> Paper:
    paper = Paper.objects.create(conference=conference, **{"title": f"Paper {next(_number)}"} | fields)
    for position, person in enumerate(authors):
        Authorship.objects.create(paper=paper, person=person, position=position)
    return paper


def make_agenda(conference: Conference, *events: Event) -> tuple[Agenda, str]:
    """An agenda holding these events, and the token that its owner's cookie carries."""
    token = Visitor.objects.create().new_token()
    agenda = Agenda.begin(token, conference)
    for event in events:
        agenda.bookmark(event, on=True)
    agenda.refresh_from_db()
    return agenda, token


def make_known_agenda(conference: Conference, *events: Event) -> tuple[Agenda, str]:
    """An agenda that was begun a day ago: its visitor is known, if it holds an event."""
    agenda, token = make_agenda(conference, *events)
    agenda.created_at -= dt.timedelta(days=1)
    agenda.save(update_fields=["created_at"])
    return agenda, token


def visitor_of(token: str) -> Visitor:
    visitor = Visitor.objects.for_token(token)
    assert visitor is not None
    return visitor


def make_report(
    place: Event | Room, state: str = "full", said: str = "10:00", agenda: Agenda | None = None, **fields: Any
) -> Any:
    """A word about the room of an event, or of an empty room; staff's if it is no agenda's."""
    about = {"room": place} if isinstance(place, Room) else {"room": place.room, "event": place}
    values = {"conference": place.conference, "state": state, "at": at(said), "agenda": agenda, "by_staff": agenda is None}
    return CrowdReport.objects.create(**values | about | fields)
