"""schedule.xml as the voc schema has it, which frab, pretalx and the apps of many conferences read.

Besides the events, links with the service "hallway" say what the schema has no place for: the session an event is
part of, its paper, its topic, its live stream and where to sign up; links of the paper have "hallway-paper". Our own
import reads them back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from events.exports.words import (
    GENERATOR,
    MINUTES_IN_DAY,
    TIMESLOT,
    Addresses,
    Hour,
    Timetable,
    acronym,
    bounds,
    instant,
    minutes,
    room_guid,
    slug,
    subtitle,
)
from events.importers.cells import colour, is_address
from events.importers.data import DayData, ScheduleData, TrackData

# XML 1.0, production 2: everything else may not even be escaped.
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SLUG = re.compile("[a-z][a-z0-9-]+")
LONGEST = 99 * MINUTES_IN_DAY
OWN = "hallway"
PAPERS = "hallway-paper"
BREAKS = {"\r": "&#13;"}


def schedule_xml(data: ScheduleData, at: Addresses, version: str) -> bytes:
    """Valid against voc_schedule.xml.xsd whatever the texts hold."""
    return "\n".join(["<?xml version='1.0' encoding='utf-8'?>", *_schedule(data, at, version), ""]).encode()


def _schedule(data: ScheduleData, at: Addresses, version: str) -> Iterator[str]:
    table = Timetable(data)
    yield "<schedule>"
    yield f"  <generator{_attributes(name=GENERATOR, system=at.site, version='1')}/>"
    yield _element("url", f"{at.conference}schedule.xml", 2)
    yield _element("version", version, 2)
    yield from _conference(data, at, len(table.days))
    for index, day in enumerate(table.days, start=1):
        yield from _day(table, at, day, index)
    yield "</schedule>"


def _conference(data: ScheduleData, at: Addresses, days: int) -> Iterator[str]:
    conference = data.conference
    yield "  <conference>"
    values = {
        "title": conference.title or conference.name,
        "acronym": acronym(conference.slug),
        "start": conference.start.isoformat(),
        "end": conference.end.isoformat(),
        "days": str(days),
        "timeslot_duration": TIMESLOT,
        "base_url": at.conference,
        "url": conference.url if is_address(conference.url) else at.conference,
        "time_zone_name": conference.timezone,
    }
    yield from (_element(name, value, 4) for name, value in values.items())
    if colour(conference.colour):
        yield f"    <color{_attributes(primary=conference.colour)}/>"
    yield from (_track(track) for track in data.tracks)
    yield "  </conference>"


def _track(track: TrackData) -> str:
    own = track.key if SLUG.fullmatch(track.key) else ""
    return f"    <track{_attributes(name=track.name, color=colour(track.colour), slug=own)}/>"


def _day(table: Timetable, at: Addresses, day: DayData, index: int) -> Iterator[str]:
    start, end = bounds(day, table.zone)
    yield f"  <day{_attributes(index=str(index), date=day.date.isoformat(), start=start, end=end)}>"
    for name, key, hours in table.rooms(day):
        fitting = [hour for hour in hours if minutes(hour) <= LONGEST]
        yield f"    <room name={_quoted(name)}{_attributes(guid=room_guid(table, key) if key else '')}>"
        for hour in fitting:
            yield from _event(table, at, hour)
        yield "    </room>"
    yield "  </day>"


def _event(table: Timetable, at: Addresses, hour: Hour) -> Iterator[str]:
    event = hour.event
    yield f"      <event{_attributes(guid=event.guid, id=str(hour.number))}>"
    values = {
        "date": instant(hour.start),
        "start": f"{hour.start:%H:%M}",
        "duration": duration(minutes(hour)),
        "room": ", ".join(filter(None, [event.place, hour.room if event.room else ""])),
        "slug": slug(hour, table),
        "url": at.event.format(event.guid),
        "title": event.title,
        "subtitle": subtitle(event),
        "track": table.track_name(event),
        "type": table.type_name(event),
        "abstract": event.abstract,
        "description": hour.paper.abstract if hour.paper else "",
    }
    yield from (_element(name, value, 8) for name, value in values.items())
    if is_address(event.recording_url):
        inside = f"<license/><optout>false</optout><url>{_text(event.recording_url)}</url>"
        yield f"        <recording>{inside}</recording>"
    yield from _persons(table, hour)
    yield from _links(table, at, hour)
    yield "      </event>"


def _persons(table: Timetable, hour: Hour) -> Iterator[str]:
    """Who is on stage has a number; who only wrote the paper has none."""
    on_stage = bool(hour.event.people)
    yield "        <persons>"
    for key in hour.people:
        person, number = table.people[key]
        named = _attributes(id=str(number) if on_stage else "", guid=person.guid)
        yield f"          <person{named}>{_text(person.name)}</person>"
    yield "        </persons>"


def _links(table: Timetable, at: Addresses, hour: Hour) -> Iterator[str]:
    event = hour.event
    yield "        <links>"
    if parent := table.events.get(event.session):
        yield _link(at.event.format(parent.guid), "session", parent.title)
    if hour.paper:
        yield _link(at.paper.format(hour.paper.guid), "paper", hour.paper.title)
    if topic := table.topics.get(event.topic):
        yield _link(at.topic.format(topic.key), "topic", " › ".join(filter(None, [topic.area, topic.subarea])))
    if event.stream_url:
        yield _link(event.stream_url, "stream", "Live stream")
    if event.signup_url:
        yield _link(event.signup_url, "signup", "Sign up")
    for link in event.links:
        yield _link(link.url, link.kind, link.title, service="")
    for link in hour.paper.links if hour.paper else ():
        yield _link(link.url, link.kind, link.title, service=PAPERS)
    yield "        </links>"


def _link(url: str, kind: str, title: str, *, service: str = OWN) -> str:
    return f"          <link{_attributes(href=url, type=kind, service=service)}>{_text(title)}</link>"


def duration(length: int) -> str:
    """Hours and minutes; from a hundred hours on days, hours and minutes, as pretalx has it.

    >>> duration(90), duration(24 * 60), duration(54 * 60), duration(200 * 60)
    ('01:30', '24:00', '54:00', '8:08:00')
    """
    hours, rest = divmod(length, 60)
    if hours < 100:
        return f"{hours:02}:{rest:02}"
    return f"{hours // 24}:{hours % 24:02}:{rest:02}"


def _element(name: str, text: str, indent: int) -> str:
    return f"{' ' * indent}<{name}>{_text(text)}</{name}>"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in values.items() if value)


def _quoted(text: str) -> str:
    return quoteattr(UNFIT.sub("", text))


def _text(text: str) -> str:
    return escape(UNFIT.sub("", text), BREAKS)
