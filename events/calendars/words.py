"""What a calendar entry says in words: its title, and the lines of its description."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlencode

from events.calendars.talks import listed
from events.calendars.text import clean, octets, one_line, shorten
from events.calendars.ways import NOWHERE, WayWords
from events.models import Event, Kind
from events.text import plain

LONGEST_SUMMARY = 120
LONGEST_DESCRIPTION = 2_000
LONGEST_SOURCE = 6_000
MOST_NAMES = 8
GONE = "Not in my agenda any more: "


def summary(event: Event, *, gone: bool = False) -> str:
    """The title first: lists show little more than its first words."""
    before = GONE if gone else "Cancelled: " if event.is_cancelled else ""
    after = " *" if has_asterisk(event) else ""
    title = one_line(event.title) or event.type.name
    return before + shorten(title, LONGEST_SUMMARY - len(before) - len(after)) + after


def description(event: Event, link: str, *, directions: str = "", brief: bool = False, way: WayWords = NOWHERE) -> str:
    """Plain lines: venue time and place, the way there, people, what it is, its talks, what it is about, its page."""
    talks = "" if brief else listed(event).text
    rest = [*people(event, brief=brief), kind(event), legend(event)]
    left = LONGEST_DESCRIPTION - sum(octets(it) + 2 for it in [when_and_where(event), *rest, talks, link])
    head = "\n".join(filter(None, [when_and_where(event), "" if brief else way_there(event, directions, way, left), *rest]))
    room = LONGEST_DESCRIPTION - octets(head) - octets(talks) - octets(link) - len("\n\n" * 3)
    about = "" if brief or room <= len("…") else shorten(subject(event), room, in_octets=True)
    return "\n\n".join(filter(None, [head, talks, about, link]))


def when_and_where(event: Event) -> str:
    """Clients show the viewer's own zone: this line says what the clocks at the venue say."""
    if event.start and event.end:
        zone = event.conference.zone
        when = f"{hours(event.start.astimezone(zone), event.end.astimezone(zone))} {event.conference.zone_name}"
    else:
        when = f"{date(event.day.date)}, time to be announced" if event.day else "Time to be announced"
    return one_line(", ".join(filter(None, [when, event.location])))


def way_there(event: Event, directions: str, way: WayWords = NOWHERE, room: int = LONGEST_DESCRIPTION) -> str:
    """Where it is elsewhere, its address and how far that is; else the way to the venue, and the page that shows it."""
    zone = event.room.zone if event.room else None
    far = f"{event.travel_minutes} min from the venue" if event.travel_minutes else ""
    if zone and not zone.off_site and not far:
        page = f"{directions}?{urlencode({'from': way.start})}" if directions and way.start else directions
        if not way.head:
            return "\n".join(filter(None, [f"Way there: {page}" if page else "", way.taxi]))
        lines = way.lines(room - sum(octets(it) + 1 for it in (way.head, page, way.taxi)))
        return "\n".join(filter(None, [*lines, page, way.taxi]))
    address = zone.venue.address if zone and zone.off_site else ""
    where = one_line(", ".join(filter(None, [address, far])))
    return f"Way there: {where}" if where else ""


def hours(start: dt.datetime, end: dt.datetime) -> str:
    """A range within a day, or one that ends in the night, names one date; a longer one names both."""
    if end - start < dt.timedelta(days=1):
        return f"{date(start)}, {start:%H:%M}–{end:%H:%M}"
    return f"{date(start)}, {start:%H:%M} – {date(end)}, {end:%H:%M}"


def date(day: dt.date) -> str:
    return f"{day:%a} {day.day} {day:%b}"


def people(event: Event, *, brief: bool = False) -> Iterable[str]:
    """Who is on stage, and who wrote the paper: names only, which is all that a change of people announces."""
    if event.people_names:
        yield one_line(f"With {names(event.people_names)}")
    paper = event.paper
    authors = [authorship.person.name for authorship in paper.authorships.all()] if paper and paper.is_public else []
    if authors and authors != event.people_names and not brief:
        yield one_line(f"Paper by {names(authors)}")


def names(people: list[str]) -> str:
    rest = len(people) - MOST_NAMES
    return ", ".join(people[:MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def kind(event: Event) -> str:
    board = event.board.strip().lstrip("#").strip()
    track = event.track.name if event.track else ""
    return one_line(" · ".join(filter(None, [event.type.name, track, board and f"board #{board}"])))


def legend(event: Event) -> str:
    return "* Official, at the venue" if has_asterisk(event) else ""


def has_asterisk(event: Event) -> bool:
    return event.type.kind == Kind.SOCIAL and event.is_asterisked


def subject(event: Event) -> str:
    """The paper's one sentence if it has one, else an abstract, as plain text."""
    paper = event.paper if event.paper and event.paper.is_public else None
    texts = [paper.tldr if paper else "", event.abstract, paper.abstract if paper else ""]
    return as_plain(next(filter(None, texts), "")[:LONGEST_SOURCE])


@lru_cache(maxsize=4096)
def as_plain(markdown: str) -> str:
    """Kept, because thousands of agendas hold the same few hundred abstracts."""
    return clean(plain(markdown)).strip()


def categories(event: Event) -> list[str]:
    official = "Official at the venue (*)" if has_asterisk(event) else ""
    named = [one_line(name) for name in [event.type.name, event.track.name if event.track else "", official]]
    return list(dict.fromkeys(filter(None, named)))
