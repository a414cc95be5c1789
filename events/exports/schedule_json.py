"""schedule.json, version 1 of the voc schema, as pretalx and frab write it.

What the schema has no place for is in ``schedule.hallway``, which the schema allows and other programs pass over: kinds
of types, sessions, boards, papers, topics, sign-up, and events without an hour or cancelled. With it our own import
takes the programme back whole (``events.importers.own``).
"""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils.encoding import iri_to_uri

from events.exports.words import (
    GENERATOR,
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
from events.importers import own
from events.importers.cells import colour
from events.importers.data import DayData, LinkData, ScheduleData

SLUG = re.compile(r"[a-z0-9_-]+[a-z0-9]")
ZONE = re.compile(r"([A-Z][a-z]+/[A-Z][a-z]+.*)|.*UTC")
LINKS = {"paper": "paper", "slides": "slides", "video": "media", "website": "web"}
# Escaped backslashes are matched to be passed over, or the letters after one would be taken for a control character.
CONTROLS = re.compile(r"(\\\\)|\\u00[01][0-9a-f]")


def schedule_json(data: ScheduleData, at: Addresses, version: str) -> bytes:
    """Valid against voc_schedule_v1.schema.json whatever the texts hold."""
    table = Timetable(data)
    programme = {
        "version": version,
        "base_url": at.conference,
        "url": f"{at.conference}schedule.json",
        "conference": _conference(table, at),
        own.NAME: _own(table),
    }
    whole = {
        "$schema": "https://c3voc.de/schedule/schema.json",
        "generator": {"name": GENERATOR, "version": "1", "url": at.site},
        "schedule": programme,
    }
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return CONTROLS.sub(lambda found: found[1] or "", text).encode("utf-8", "ignore")


def _conference(table: Timetable, at: Addresses) -> dict[str, Any]:
    conference = table.data.conference
    optional = {
        "description": conference.about,
        "time_zone_name": conference.timezone if ZONE.fullmatch(conference.timezone) else "",
        "colors": {"primary": conference.colour} if colour(conference.colour) else {},
    }
    return {
        "acronym": acronym(conference.slug),
        "title": conference.title or conference.name,
        "start": conference.start.isoformat(),
        "end": conference.end.isoformat(),
        "daysCount": len(table.days),
        "timeslot_duration": TIMESLOT,
        **{name: value for name, value in optional.items() if value},
        "url": iri_to_uri(conference.url) or at.conference,
        "tracks": [_label(it.key, name=it.name, color=colour(it.colour)) for it in table.data.tracks],
        "rooms": [_room(table, it.key, it.name, it.capacity, it.description) for it in table.data.rooms],
        "days": [_day(table, at, day, index) for index, day in enumerate(table.days, start=1)],
    }


def _label(key: str, **values: str) -> dict[str, str]:
    named = {"slug": key if SLUG.fullmatch(key) else "", **values}
    return {name: value for name, value in named.items() if value or name == "name"}


def _room(table: Timetable, key: str, name: str, capacity: int | None, description: str) -> dict[str, Any]:
    more = {"capacity": capacity, "description": description or None}
    return {**_label(key, name=name), "guid": room_guid(table, key), **more}


def _day(table: Timetable, at: Addresses, day: DayData, index: int) -> dict[str, Any]:
    start, end = bounds(day, table.zone)
    rooms: dict[str, list[dict[str, Any]]] = {}
    for name, _, hours in table.rooms(day):
        rooms.setdefault(name, []).extend(_event(table, at, hour) for hour in hours)
    return {"index": index, "date": day.date.isoformat(), "day_start": start, "day_end": end, "rooms": rooms}


def _event(table: Timetable, at: Addresses, hour: Hour) -> dict[str, Any]:
    event = hour.event
    hours, rest = divmod(minutes(hour), 60)
    return {
        "guid": event.guid,
        "id": hour.number,
        "date": instant(hour.start),
        "start": f"{hour.start:%H:%M}",
        "end": instant(hour.end),
        "duration": f"{hours:02}:{rest:02}",
        "room": hour.room,
        "slug": slug(hour, table),
        "url": at.event.format(event.guid),
        "title": event.title,
        "subtitle": subtitle(event),
        "track": table.track_name(event) or None,
        "type": table.type_name(event),
        "language": None,
        "abstract": event.abstract,
        "description": hour.paper.abstract if hour.paper else "",
        "persons": [_person(table, at, key) for key in hour.people],
        "links": _links(hour),
    }


def _person(table: Timetable, at: Addresses, key: str) -> dict[str, str]:
    person, _ = table.people[key]
    more = {"biography": person.bio} if person.bio else {}
    return {"guid": person.guid, "name": person.name, **more, "url": at.person.format(person.guid)}


def _links(hour: Hour) -> list[dict[str, str]]:
    event, paper = hour.event, hour.paper
    asked = LinkData(kind="website", url=event.signup_url, title="Sign up")
    live = LinkData(kind="video", url=event.stream_url, title="Live stream")
    recording = LinkData(kind="video", url=event.recording_url, title="Recording")
    found = [*event.links, *(paper.links if paper else ()), asked, live, recording]
    return [{"url": iri_to_uri(it.url) or "", "title": it.title, "type": LINKS.get(it.kind, "related")} for it in found if it.url]


def _own(table: Timetable) -> dict[str, Any]:
    """Everything, apart from what stands in a day and a room already."""
    shown = {hour.event.guid: hour for day in table.days for _, _, hours in table.rooms(day) for hour in hours}
    told = {hour.event.paper for hour in shown.values()}
    parts = {
        name: [own.packed(row) for row in getattr(table.data, name)] for name in own.PARTS if name not in {"events", "papers"}
    }
    events = [own.packed(it, own.SAID_ELSEWHERE if it.guid in shown else ()) for it in table.data.events]
    papers = [own.packed(it, {"abstract"} if it.key in told else ()) for it in table.data.papers]
    whole = {"version": own.VERSION, "conference": own.packed(table.data.conference), **parts, "papers": papers, "events": events}
    return {name: value for name, value in whole.items() if value}
