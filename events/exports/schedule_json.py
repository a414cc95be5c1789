"""schedule.json, version 1 of the voc schema, in the form of pretalx and frab.

Fields that the schema does not have are in ``generator.hallway``, which it allows and other programs ignore: kinds of types,
sessions, boards, papers, topics, sign-up, and events that have no time or are cancelled. With this part our import restores
the whole programme (``events.programme.data.hallway_part``).

c3voc's library turns ``schedule`` into schedule.xml, each key into an element in the same order. So there is nothing in it
that the schema of schedule.xml has not, as ``end`` and the type of a link.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any

from django.utils.encoding import iri_to_uri

from events.core.parsing.cells import parse_colour
from events.exports.values import (
    GENERATOR_NAME,
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
from events.programme.data import hallway_part
from events.programme.data.schedule import DayData, EventData, LinkData, ScheduleData

LABEL_SLUG_PATTERN = re.compile(r"[a-z][a-z0-9-]*[a-z0-9]")
JSON_TIMEZONE_PATTERN = re.compile(r"([A-Z][a-z]+/[A-Z][a-z]+.*)|.*UTC")
# Escaped backslashes are matched first and left unchanged, so that the letters after one are not read as a control character.
CONTROL_ESCAPES = re.compile(r"(\\\\)|\\u00[01][0-9a-f]")


def schedule_json(data: ScheduleData, at: ExportUrls, version: str) -> bytes:
    """Write JSON that is valid against voc_schedule_v1.schema.json for any texts."""
    table = Timetable(data)
    programme = {
        "url": f"{at.conference}schedule.json",
        "version": version,
        "base_url": at.conference,
        "conference": _json_conference(table, at),
    }
    document = {
        "$schema": "https://c3voc.de/schedule/schema.json",
        "schedule": programme,
        "generator": {
            "name": GENERATOR_NAME,
            "version": "1",
            "url": at.site,
            hallway_part.HALLWAY_KEY: _hallway_part(table),
        },
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return CONTROL_ESCAPES.sub(lambda match: match[1] or "", text).encode("utf-8", "ignore")


def _json_conference(table: Timetable, at: ExportUrls) -> dict[str, Any]:
    conference = table.data.conference
    optional = {
        "time_zone_name": conference.timezone if JSON_TIMEZONE_PATTERN.fullmatch(conference.timezone) else "",
        "logo": at.logo,
        "colors": {"primary": conference.colour} if parse_colour(conference.colour) else {},
    }
    return {
        "acronym": acronym(conference.slug),
        "title": conference.title or conference.name,
        "start": conference.start.isoformat(),
        "end": conference.end.isoformat(),
        "daysCount": len(table.days),
        "timeslot_duration": TIMESLOT_DURATION,
        **{name: value for name, value in optional.items() if value},
        "url": iri_to_uri(conference.url) or at.conference,
        "tracks": [_json_label(it.key, name=it.name, color=parse_colour(it.colour)) for it in table.data.tracks],
        "rooms": [_json_room(table, it.key, it.name, it.capacity, it.description) for it in table.data.rooms],
        "days": [_json_day(table, at, day, index) for index, day in enumerate(table.days, start=1)],
    }


def _json_label(key: str, **values: str) -> dict[str, str]:
    label = {"slug": key if LABEL_SLUG_PATTERN.fullmatch(key) else "", **values}
    return {name: value for name, value in label.items() if value or name == "name"}


def _json_room(table: Timetable, key: str, name: str, capacity: int | None, description: str) -> dict[str, Any]:
    more = {"capacity": capacity, "description": description or None}
    return {**_json_label(key, name=name), "guid": room_guid(table, key), **more}


def _json_day(table: Timetable, at: ExportUrls, day: DayData, index: int) -> dict[str, Any]:
    start, end = day_bounds(day, table.zone)
    rooms: dict[str, list[dict[str, Any]]] = {}
    for name, _, hours in table.rooms(day):
        rooms.setdefault(name, []).extend(_json_event(table, at, hour) for hour in hours)
    return {"index": index, "date": day.date.isoformat(), "day_start": start, "day_end": end, "rooms": rooms}


def _json_event(table: Timetable, at: ExportUrls, hour: ScheduledEvent) -> dict[str, Any]:
    event = hour.event
    hours, rest = divmod(duration_minutes(hour), 60)
    return {
        "guid": event.guid,
        "id": hour.number,
        "logo": iri_to_uri(event.logo_url) or None,
        "date": iso_datetime(hour.start),
        "start": f"{hour.start:%H:%M}",
        "duration": f"{hours:02}:{rest:02}",
        "room": hour.room,
        "slug": event_slug(hour, table),
        "url": at.event.format(event.guid),
        "title": event.title,
        "subtitle": subtitle(event),
        "track": table.track_name(event) or None,
        "type": table.type_name(event),
        "language": event.language or None,
        "abstract": event.abstract,
        "description": event.description or (hour.paper.abstract if hour.paper else ""),
        **_json_recording(event),
        "persons": [_json_person(table, at, key) for key in hour.people],
        "links": _json_links(hour),
    }


def _json_recording(event: EventData) -> dict[str, Any]:
    """Nothing is said of what is unknown. c3voc's library wants the licence first."""
    licence = {"recording_license": event.recording_license} if event.recording_license else {}
    return licence if event.do_not_record is None else {**licence, "do_not_record": event.do_not_record}


def _json_person(table: Timetable, at: ExportUrls, key: str) -> dict[str, str]:
    person, _ = table.people[key]
    more = {"biography": person.bio} if person.bio else {}
    return {"guid": person.guid, "name": person.name, **more, "url": at.person.format(person.guid)}


def _json_links(hour: ScheduledEvent) -> list[dict[str, str]]:
    event, paper = hour.event, hour.paper
    signup = LinkData(kind="website", url=event.signup_url, title="Sign up")
    live = LinkData(kind="video", url=event.stream_url, title="Live stream")
    recording = LinkData(kind="video", url=event.recording_url, title="Recording")
    links = [*event.links, *(paper.links if paper else ()), signup, live, recording]
    return [{"url": iri_to_uri(link.url) or "", "title": link.title} for link in links if link.url]


def _hallway_part(table: Timetable) -> dict[str, Any]:
    shown = {hour.event.guid: hour for day in table.days for _, _, hours in table.rooms(day) for hour in hours}
    shown_papers = {hour.event.paper for hour in shown.values() if not hour.event.description}
    parts = {
        name: [hallway_part.pack_row(row) for row in getattr(table.data, name)]
        for name in hallway_part.HALLWAY_PARTS
        if name not in {"events", "papers"}
    }
    events = [
        hallway_part.pack_row(event, _voc_fields(shown[event.guid]) if event.guid in shown else ()) for event in table.data.events
    ]
    papers = [hallway_part.pack_row(paper, {"abstract"} if paper.key in shown_papers else ()) for paper in table.data.papers]
    part = {
        "version": hallway_part.HALLWAY_VERSION,
        "conference": hallway_part.pack_row(table.data.conference),
        **parts,
        "papers": papers,
        "events": events,
    }
    return {name: value for name, value in part.items() if value}


def _voc_fields(hour: ScheduledEvent) -> tuple[str, ...]:
    """Fields that our import reads from the event of the schema; its description is the paper's abstract if there is one."""
    ends_with_minutes = hour.end == hour.start.astimezone(dt.UTC) + dt.timedelta(minutes=duration_minutes(hour))
    more = [*(["end"] if ends_with_minutes else []), *([] if hour.event.paper else ["description"])]
    return (*hallway_part.VOC_EVENT_FIELDS, *more)
