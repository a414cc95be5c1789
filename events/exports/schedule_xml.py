"""schedule.xml by the voc schema, which frab, pretalx and the apps of many conferences read.

What the schema has no field for is in links with the service "hallway": the session of an event, its paper, its topic, its
live stream and its sign-up, its board beside a subtitle, its type beside a slug of another system; links of the paper have
"hallway-paper". Our import reads these links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from events.core.parsing.cells import is_http_url, parse_colour
from events.exports.values import (
    GENERATOR_NAME,
    MINUTES_IN_DAY,
    TIMESLOT_DURATION,
    ExportUrls,
    ScheduledEvent,
    Timetable,
    acronym,
    day_bounds,
    duration_minutes,
    event_slug,
    iso_datetime,
    room_guid,
    subtitle,
)
from events.programme.data.schedule import BOARD_PREFIX, DayData, EventData, ScheduleData, TrackData

# XML 1.0, production 2: other characters are forbidden even as references.
XML_UNFIT_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XML_SLUG_PATTERN = re.compile("[a-z][a-z0-9-]+")
MAX_EVENT_MINUTES = 99 * MINUTES_IN_DAY
HALLWAY_SERVICE = "hallway"
HALLWAY_PAPER_SERVICE = "hallway-paper"
XML_ENTITIES = {"\r": "&#13;"}


def schedule_xml(data: ScheduleData, at: ExportUrls, version: str) -> bytes:
    """Write XML that is valid against voc_schedule.xml.xsd for any texts."""
    return "\n".join(["<?xml version='1.0' encoding='utf-8'?>", *_schedule(data, at, version), ""]).encode()


def _schedule(data: ScheduleData, at: ExportUrls, version: str) -> Iterator[str]:
    table = Timetable(data)
    yield "<schedule>"
    yield f"  <generator{_attributes(name=GENERATOR_NAME, system=at.site, version='1')}/>"
    yield _element("url", f"{at.conference}schedule.xml", 2)
    yield _element("version", version, 2)
    yield from _xml_conference(data, at, len(table.days))
    for index, day in enumerate(table.days, start=1):
        yield from _xml_day(table, at, day, index)
    yield "</schedule>"


def _xml_conference(data: ScheduleData, at: ExportUrls, days: int) -> Iterator[str]:
    conference = data.conference
    yield "  <conference>"
    values = {
        "title": conference.title or conference.name,
        "acronym": acronym(conference.slug),
        "start": conference.start.isoformat(),
        "end": conference.end.isoformat(),
        "days": str(days),
        "timeslot_duration": TIMESLOT_DURATION,
        "base_url": at.conference,
        "url": conference.url if is_http_url(conference.url) else at.conference,
        "time_zone_name": conference.timezone,
    }
    yield from (_element(name, value, 4) for name, value in values.items())
    if parse_colour(conference.colour):
        yield f"    <color{_attributes(primary=conference.colour)}/>"
    yield from (_track(track) for track in data.tracks)
    yield "  </conference>"


def _track(track: TrackData) -> str:
    slug = track.key if XML_SLUG_PATTERN.fullmatch(track.key) else ""
    return f"    <track{_attributes(name=track.name, color=parse_colour(track.colour), slug=slug)}/>"


def _xml_day(table: Timetable, at: ExportUrls, day: DayData, index: int) -> Iterator[str]:
    start, end = day_bounds(day, table.zone)
    yield f"  <day{_attributes(index=str(index), date=day.date.isoformat(), start=start, end=end)}>"
    for name, key, hours in table.rooms(day):
        fitting = [hour for hour in hours if duration_minutes(hour) <= MAX_EVENT_MINUTES]
        yield f"    <room name={_quoted(name)}{_attributes(guid=room_guid(table, key) if key else '')}>"
        for hour in fitting:
            yield from _xml_event(table, at, hour)
        yield "    </room>"
    yield "  </day>"


def _xml_event(table: Timetable, at: ExportUrls, hour: ScheduledEvent) -> Iterator[str]:
    event = hour.event
    yield f"      <event{_attributes(guid=event.guid, id=str(hour.number))}>"
    values = {
        "date": iso_datetime(hour.start),
        "start": f"{hour.start:%H:%M}",
        "duration": duration_text(duration_minutes(hour)),
        "room": ", ".join(filter(None, [event.place, hour.room if event.room else ""])),
        "slug": event_slug(hour, table),
        "url": at.event_page(event.guid),
        "title": event.title,
        "subtitle": subtitle(event),
        "track": table.track_name(event),
        "type": table.type_name(event),
        **({"language": event.language} if event.language else {}),
        # Beside a paper, whose abstract is the description, an event has one text.
        "abstract": join_texts(event.abstract, event.description) if hour.paper else event.abstract,
        "description": hour.paper.abstract if hour.paper else event.description,
        **({"logo": event.logo_url} if is_http_url(event.logo_url) else {}),
    }
    yield from (_element(name, value, 8) for name, value in values.items())
    yield from _recording(event)
    yield from _persons(table, hour)
    yield from _xml_links(table, at, hour)
    yield "      </event>"


def _recording(event: EventData) -> Iterator[str]:
    """An opt-out is always said; that there is none only if it is known, or if the schema asks beside a licence or address."""
    url = f"<url>{_text(event.recording_url)}</url>" if is_http_url(event.recording_url) else ""
    if url or event.recording_license or event.do_not_record is not None:
        opt_out = "true" if event.do_not_record else "false"
        licence = f"<license>{_text(event.recording_license)}</license>" if event.recording_license else "<license/>"
        yield f"        <recording>{licence}<optout>{opt_out}</optout>{url}</recording>"


def _persons(table: Timetable, hour: ScheduledEvent) -> Iterator[str]:
    """Number only people on stage, not authors of the paper."""
    on_stage = bool(hour.event.people)
    yield "        <persons>"
    for key in hour.people:
        person = table.people[key]
        named = _attributes(id=str(table.person_numbers[key]) if on_stage else "", guid=person.guid)
        yield f"          <person{named}>{_text(person.name)}</person>"
    yield "        </persons>"


def _xml_links(table: Timetable, at: ExportUrls, hour: ScheduledEvent) -> Iterator[str]:
    event = hour.event
    yield "        <links>"
    if parent := table.events.get(event.session):
        # With the guid, by which our import finds it; the page is one redirect away.
        yield _link(at.event.format(parent.guid), "session", parent.title)
    if hour.paper:
        yield _link(at.paper.format(hour.paper.guid), "paper", hour.paper.title)
    if topic := table.topics.get(event.topic):
        yield _link(at.topic.format(topic.key), "topic", " › ".join(filter(None, [topic.area, topic.subarea])))
    if event.guid in table.foreign_slugs:
        yield _link(at.type.format(event.type, table.kind(event)), "type", table.type_name(event))
    if event.subtitle and (event.board or event.subtitle.startswith(BOARD_PREFIX)):
        yield _link(at.event_page(event.guid), "board", event.board)
    if event.stream_url:
        yield _link(event.stream_url, "stream", "Live stream")
    if event.signup_url:
        yield _link(event.signup_url, "signup", "Sign up")
    for link in event.links:
        yield _link(link.url, link.kind, link.title, service="")
    for link in hour.paper.links if hour.paper else ():
        yield _link(link.url, link.kind, link.title, service=HALLWAY_PAPER_SERVICE)
    yield "        </links>"


def _link(url: str, kind: str, title: str, *, service: str = HALLWAY_SERVICE) -> str:
    return f"          <link{_attributes(href=url, type=kind, service=service)}>{_text(title)}</link>"


def join_texts(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def duration_text(length: int) -> str:
    """Write hours and minutes; from a hundred hours on days too, as pretalx does: "01:30", "54:00", "8:08:00"."""
    hours, rest = divmod(length, 60)
    if hours < 100:
        return f"{hours:02}:{rest:02}"
    return f"{hours // 24}:{hours % 24:02}:{rest:02}"


def _element(name: str, text: str, indent: int) -> str:
    return f"{' ' * indent}<{name}>{_text(text)}</{name}>"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in values.items() if value)


def _quoted(text: str) -> str:
    return quoteattr(XML_UNFIT_CHARACTERS.sub("", text))


def _text(text: str) -> str:
    return escape(XML_UNFIT_CHARACTERS.sub("", text), XML_ENTITIES)
