"""The texts of an event's calendar entry: title, description with talks and directions, categories."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from events.calendars.ical import octets, shorten
from events.core.rendered_text import cached_plain_text
from events.core.spans import spoken_duration
from events.core.text import one_line
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.queries.changes import calendar_note
from events.venue.queries.maps import event_zone
from events.venue.queries.ways import TaxiStand, Ways, ways_from

MAX_LEG_CHARS = 200
MAX_LEGS_OCTETS = 600
MORE_LEGS = "…"


@dataclass(frozen=True)
class EntryDirections:
    """The visitor's route to an event, as lines of text; empty without a starting point."""

    start: str = ""
    head: str = ""
    legs: tuple[str, ...] = ()
    taxi: str = ""

    def lines(self, room: int) -> list[str]:
        """Return the head and as many legs as fit into ``room`` octets; an ellipsis stands for the rest."""
        left = min(MAX_LEGS_OCTETS, room) - octets(MORE_LEGS) - 1
        lines: list[str] = []
        for leg in self.legs:
            left -= octets(leg) + 1
            if left < 0:
                return [self.head, *lines, *([MORE_LEGS] if lines else [])]
            lines.append(leg)
        return [self.head, *lines]


NO_DIRECTIONS = EntryDirections()


class DirectionsWriter:
    """Writes the directions to many events of a conference; reads the routes once, on first use."""

    def __init__(self, conference: Conference, start: int | None) -> None:
        self.conference, self.start = conference, start

    @cached_property
    def ways(self) -> Ways:
        return ways_from(self.conference, self.start)

    def directions_to(self, event: Event) -> EntryDirections:
        zone = event_zone(event) if self.start else None
        if zone is None or zone.off_site:
            return NO_DIRECTIONS
        stand = self.ways.taxi(zone)
        taxi = taxi_line(stand) if stand else ""
        route_and_journey = self.ways.journey(zone)
        if route_and_journey is None:
            return EntryDirections(taxi=taxi)
        route, journey = route_and_journey
        end = "" if journey.walk else f" to {route.zone.name}"
        legs = [leg.instruction for leg in route.legs.all()]
        if journey.walk is None:
            legs.append(f"From there, follow the signs to {zone.name}.")
        elif journey.walk.minutes:
            legs.append(f"Walk on to {zone.name}, {spoken_duration(journey.walk.minutes)}.")
        head = one_line(f"Directions from {route.start.name}{end}: {', '.join(journey.facts)}")
        return EntryDirections(route.start.slug, head, tuple(numbered_legs(legs)), taxi)


def numbered_legs(legs: Sequence[str]) -> list[str]:
    return [f"{number}. {shorten(one_line(leg), MAX_LEG_CHARS)}" for number, leg in enumerate(legs, 1)]


def taxi_line(stand: TaxiStand) -> str:
    walk = f"{spoken_duration(stand.way.minutes)} on foot" if stand.way.minutes else ""
    return one_line("Taxi: " + ", ".join(filter(None, [stand.service.name, stand.service.place, walk])))


MAX_TALK_TITLE_CHARS = 150
MAX_TALKS_OCTETS = 1_200
MORE_TALKS = "… and {} more"


class ListedTalks(NamedTuple):
    text: str
    covered_talks: frozenset[int]
    """Ids of the talks whose line has their place and time: they need no separate entry."""


def listed_talks(session: Event) -> ListedTalks:
    talks = session.talks
    lines: list[str] = []
    room = MAX_TALKS_OCTETS - octets(MORE_TALKS.format(len(talks)))
    for talk in talks:
        text = talk_line(talk, session)
        room -= octets(text) + 1
        if room < 0:
            break
        lines.append(text)
    covered = frozenset(talk.pk for talk in talks[: len(lines)] if is_covered(talk, session))
    rest = [MORE_TALKS.format(len(talks) - len(lines))] if len(lines) < len(talks) else []
    return ListedTalks("\n".join([*lines, *rest]), covered)


def talk_line(talk: Event, session: Event) -> str:
    title = shorten(one_line(talk.title) or talk.type.name, MAX_TALK_TITLE_CHARS)
    cancelled = "Cancelled: " if talk.is_cancelled else ""
    where = "" if is_same_place(talk, session) else f" ({talk_place(talk)})"
    return one_line(" ".join(filter(None, [talk_hours(talk, session), cancelled + title + where])))


def talk_hours(talk: Event, session: Event) -> str:
    if talk.start is None or talk.end is None:
        return ""
    zone = session.conference.zone
    start, end = talk.start.astimezone(zone), talk.end.astimezone(zone)
    another_day = session.start is None or abs(talk.start - session.start) >= dt.timedelta(days=1)
    day = f"{start:%a} {start.day} {start:%b}, " if another_day else ""
    return f"{day}{start:%H:%M}–{end:%H:%M}"


def is_covered(talk: Event, session: Event) -> bool:
    """Return whether a talk needs no entry, because it is within the hours and in the room of the session.

    A session within a session needs one: it has talks to list.
    """
    if session.is_cancelled or talk.type.kind == Kind.SESSION or not is_same_place(talk, session):
        return False
    if talk.start is None or talk.end is None or session.start is None or session.end is None:
        return False
    return session.start <= talk.start and talk.end <= session.end


def is_same_place(talk: Event, session: Event) -> bool:
    return not talk_place(talk) or (talk.room_id, talk.place) == (session.room_id, session.place)


def talk_place(talk: Event) -> str:
    return ", ".join(filter(None, [talk.place, talk.room.name if talk.room else ""]))


MAX_SUMMARY_CHARS = 120
MAX_DESCRIPTION_OCTETS = 2_000
MAX_SOURCE_CHARS = 6_000
MAX_NAMED_PEOPLE = 8
REMOVED_PREFIX = "Not in my agenda any more: "


def summary(event: Event, *, removed: bool = False) -> str:
    """Return the title with additions at its end, as lists of clients show only the first words.

    Only a cancellation is put before the title.
    """
    before = REMOVED_PREFIX if removed else "Cancelled: " if event.is_cancelled else ""
    after = " *" if has_asterisk(event) else ""
    title = one_line(event.title) or event.type.name
    return before + shorten(title, MAX_SUMMARY_CHARS - len(before) - len(after)) + after


def description(event: Event, link: str, *, directions: str = "", way: EntryDirections = NO_DIRECTIONS) -> str:
    # As if they took place, while the session does not.
    talks = "" if event.is_cancelled else listed_talks(event).text
    rest = [one_line(event.subtitle), speakers_line(event), authors_line(event), *fact_lines(event)]
    first = "\n".join(filter(None, [change_line(event), when_and_where(event)]))
    left = MAX_DESCRIPTION_OCTETS - sum(octets(it) + 2 for it in [first, *rest, talks, link])
    head = "\n".join(filter(None, [first, directions_text(event, directions, way, left), *rest]))
    room = MAX_DESCRIPTION_OCTETS - octets(head) - octets(talks) - octets(link) - len("\n\n" * 3)
    about = "" if room <= len("…") else shorten(about_text(event), room, in_octets=True)
    return "\n\n".join(filter(None, [head, talks, about, link]))


def brief_description(event: Event, link: str) -> str:
    """Return a description for feeds of thousands of entries: no abstract, authors, talks and directions."""
    lines = [change_line(event), when_and_where(event), speakers_line(event), *fact_lines(event)]
    return "\n".join(filter(None, lines)) + f"\n\n{link}"


def change_line(event: Event) -> str:
    """Return why it is cancelled, or from where it was moved and why."""
    return one_line(calendar_note(event, event.conference.zone))


def when_and_where(event: Event) -> str:
    """Return the times at the venue: clients show those of an entry in the viewer's zone."""
    if event.start and event.end:
        zone = event.conference.zone
        when = f"{hours_text(event.start.astimezone(zone), event.end.astimezone(zone))} {event.conference.zone_name}"
    else:
        when = f"{date_text(event.day.date)}, time to be announced" if event.day else "Time to be announced"
    return one_line(", ".join(filter(None, [when, event.location])))


def directions_text(
    event: Event, directions: str, way: EntryDirections = NO_DIRECTIONS, room: int = MAX_DESCRIPTION_OCTETS
) -> str:
    zone = event.room.zone if event.room else None
    distance = f"{event.travel_minutes} min from the venue" if event.travel_minutes else ""
    if zone and not zone.off_site and not distance:
        page = f"{directions}?{urlencode({'from': way.start})}" if directions and way.start else directions
        if not way.head:
            return "\n".join(filter(None, [f"Directions: {page}" if page else "", way.taxi]))
        lines = way.lines(room - sum(octets(it) + 1 for it in (way.head, page, way.taxi)))
        return "\n".join(filter(None, [*lines, page, way.taxi]))
    address = zone.venue.address if zone and zone.off_site else ""
    where = one_line(", ".join(filter(None, [address, distance])))
    return f"Getting there: {where}" if where else ""


def hours_text(start: dt.datetime, end: dt.datetime) -> str:
    """Return one date for less than 24 hours, also past midnight; else both dates."""
    if end - start < dt.timedelta(days=1):
        return f"{date_text(start)}, {start:%H:%M}–{end:%H:%M}"
    return f"{date_text(start)}, {start:%H:%M} – {date_text(end)}, {end:%H:%M}"


def date_text(day: dt.date) -> str:
    return f"{day:%a} {day.day} {day:%b}"


def speakers_line(event: Event) -> str:
    """Return names only: the public snapshot has no other field of a person, so changes of it reach no calendar."""
    people = event.people_names
    return one_line(f"With {joined_names(people)}") if people else ""


def authors_line(event: Event) -> str:
    authors = event.paper.author_names if event.paper and event.paper.is_public else []
    return one_line(f"Paper by {joined_names(authors)}") if authors and authors != event.people_names else ""


def joined_names(people: list[str]) -> str:
    rest = len(people) - MAX_NAMED_PEOPLE
    return ", ".join(people[:MAX_NAMED_PEOPLE]) + (f" and {rest} more" if rest > 0 else "")


def fact_lines(event: Event) -> list[str]:
    return [kind_line(event), recording_line(event), asterisk_legend(event)]


def kind_line(event: Event) -> str:
    board = event.board.strip().lstrip("#").strip()
    track = event.track.name if event.track else ""
    return one_line(" · ".join(filter(None, [event.type.name, track, board and f"board #{board}"])))


def recording_line(event: Event) -> str:
    return "Not recorded" if event.do_not_record else ""


def asterisk_legend(event: Event) -> str:
    return "* Official, at the venue" if has_asterisk(event) else ""


def has_asterisk(event: Event) -> bool:
    return event.type.kind == Kind.SOCIAL and event.is_asterisked


def about_text(event: Event) -> str:
    paper = event.paper if event.paper and event.paper.is_public else None
    texts = [paper.tldr] if paper and paper.tldr else event.texts or ([paper.abstract] if paper else [])
    return "\n\n".join(cached_plain_text(text[:MAX_SOURCE_CHARS]) for text in texts)


def category_names(event: Event) -> list[str]:
    official = "Official at the venue (*)" if has_asterisk(event) else ""
    names = [one_line(name) for name in [event.type.name, event.track.name if event.track else "", official]]
    return list(dict.fromkeys(filter(None, names)))
