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
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
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
from events.programme.data.schedule import DayData, EventData, PaperData, ScheduleData
from events.programme.rules.days import board_key

LABEL_SLUG_PATTERN = re.compile(r"[a-z][a-z0-9-]*[a-z0-9]")
JSON_TIMEZONE_PATTERN = re.compile(r"([A-Z][a-z]+/[A-Z][a-z]+.*)|.*UTC")
# Escaped backslashes are matched first and left unchanged, so that the letters after one are not read as a control character.
CONTROL_ESCAPES = re.compile(r"(\\\\)|\\u00[01][0-9a-f]")


@dataclass(frozen=True)
class EventPieces:
    """An event in its day and room, if it has a time, and in ``generator.hallway``; ``place`` is where, in which order.

    The others are what the rest of the file depends on; ``shown_paper`` is the paper whose abstract stands at the event.
    """

    place: list[Any] | None
    in_room: bytes
    in_hallway: bytes
    track: str
    number: int | None
    slug: str
    shown_paper: str

    @property
    def also_in(self) -> list[Any]:
        return [self.track, self.number, self.slug, self.shown_paper]


@dataclass(frozen=True)
class JsonFrame:
    """All but the events, as JSON texts: objects without their last brace where more follows.

    ``people`` and ``papers`` are lists of ``generator.hallway``, and ``rest`` all else of it.
    """

    conference: bytes
    days: Mapping[str, bytes]
    room_keys: Sequence[str]
    rest: bytes
    people: bytes
    papers: bytes


@dataclass(frozen=True)
class JsonPieces:
    """The file in pieces; the events by guid, in the order of ``generator.hallway``."""

    frame: JsonFrame
    events: Mapping[str, EventPieces]

    def parts(self, at: ExportUrls, version: str) -> Iterator[bytes]:
        """Yield the file, which is large, in parts that are joined once or not at all."""
        head = {"$schema": "https://c3voc.de/schedule/schema.json"}
        schedule = {"url": f"{at.conference}schedule.json", "version": version, "base_url": at.conference}
        generator = {"name": GENERATOR_NAME, "version": "1", "url": at.site}
        yield from (_opened(head), b',"schedule":', _opened(schedule), b',"conference":', self.frame.conference)
        yield b',"days":['
        yield from self._days()
        yield b"]}}"
        yield from (b',"generator":', _opened(generator), f',"{hallway_part.HALLWAY_KEY}":'.encode(), self.frame.rest)
        for part, texts in (("people", self.frame.people), ("papers", self.frame.papers)):
            if texts:
                yield from (f',"{part}":'.encode(), texts)
        if self.events:
            yield from (b',"events":[', b",".join(event.in_hallway for event in self.events.values()), b"]")
        yield b"}}}"

    def _days(self) -> Iterator[bytes]:
        by_day: dict[str, list[tuple[tuple[Any, ...], bytes]]] = defaultdict(list)
        order = {key: position for position, key in enumerate(self.frame.room_keys)}
        for event in self.events.values():
            if event.place:
                day, room_key, room, *rest = event.place
                by_day[day].append(((order.get(room_key, len(order)), room, *rest), event.in_room))
        for day_index, (day, head) in enumerate(self.frame.days.items()):
            rooms: dict[str, list[bytes]] = {}
            for (_, room, *_), text in sorted(by_day[day], key=itemgetter(0)):
                rooms.setdefault(room, []).append(text)
            yield from (b"," if day_index else b"", head, b',"rooms":{')
            for room_index, (room, texts) in enumerate(rooms.items()):
                yield from (b"," if room_index else b"", _json(room), b":[", b",".join(texts), b"]")
            yield b"}}"


def schedule_json(data: ScheduleData, at: ExportUrls, version: str) -> bytes:
    """Write JSON that is valid against voc_schedule_v1.schema.json for any texts."""
    table = Timetable(data)
    events = event_pieces(table, at)
    frame = json_frame(data, at, json_rows(data.people), json_papers(data.papers, shown_papers(events)))
    return b"".join(JsonPieces(frame, events).parts(at, version))


def json_frame(data: ScheduleData, at: ExportUrls, people: bytes, papers: bytes) -> JsonFrame:
    """Return the frame with these texts; people, papers and events of ``data`` are not looked at."""
    table = Timetable(data)
    return JsonFrame(
        conference=_opened(_json_conference(table, at)),
        days={day.key: _opened(_json_day(table, day, index)) for index, day in enumerate(table.days, start=1)},
        room_keys=[room.key for room in data.rooms],
        rest=_opened(_rest_of_hallway(data)),
        people=people,
        papers=papers,
    )


def event_pieces(table: Timetable, at: ExportUrls) -> dict[str, EventPieces]:
    shown = {hour.event.guid: hour for hour in table.hours()}
    pieces = {}
    for event in table.data.events:
        hour = shown.get(event.guid)
        pieces[event.guid] = EventPieces(
            place=_json_place(hour) if hour else None,
            in_room=_json(_json_event(table, at, hour)) if hour else b"",
            in_hallway=_json(hallway_part.pack_row(event, _voc_fields(hour) if hour else ())),
            track=event.track,
            number=event.export_number,
            slug=event.export_slug,
            shown_paper=_shown_paper(hour) if hour else "",
        )
    return pieces


def _json_place(hour: ScheduledEvent) -> list[Any]:
    """Return day, room and order, of values that JSON stores."""
    event, start = hour.event, hour.start.astimezone(dt.UTC).isoformat(timespec="microseconds")
    is_empty, parts = board_key(event.board)
    board = [is_empty, [part if isinstance(part, str) else list(part) for part in parts]]
    return [event.day, event.room, hour.room, start, event.position, board, event.guid]


def _shown_paper(hour: ScheduledEvent) -> str:
    """Return the paper whose abstract is the description of the event."""
    return "" if hour.event.description else hour.event.paper


ABSTRACT = frozenset({"abstract"})
# json.dumps would make an encoder for each value.
_JSON_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _json(value: Any) -> bytes:
    text = _JSON_ENCODER.encode(value)
    # Nearly no text has one, and to search for the pattern takes longer than to write the text.
    return (CONTROL_ESCAPES.sub(lambda match: match[1] or "", text) if "\\u00" in text else text).encode("utf-8", "ignore")


def _opened(value: dict[str, Any]) -> bytes:
    """Return an object that is not empty, without its last brace."""
    return _json(value)[:-1]


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
    }


def _json_label(key: str, **values: str) -> dict[str, str]:
    label = {"slug": key if LABEL_SLUG_PATTERN.fullmatch(key) else "", **values}
    return {name: value for name, value in label.items() if value or name == "name"}


def _json_room(table: Timetable, key: str, name: str, capacity: int | None, description: str) -> dict[str, Any]:
    more = {"capacity": capacity, "description": description or None}
    return {**_json_label(key, name=name), "guid": room_guid(table, key), **more}


def _json_day(table: Timetable, day: DayData, index: int) -> dict[str, Any]:
    start, end = day_bounds(day, table.zone)
    return {"index": index, "date": day.date.isoformat(), "day_start": start, "day_end": end}


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
        "url": at.event_page(event.guid),
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
    person = table.people[key]
    more = {"biography": person.bio} if person.bio else {}
    return {"guid": person.guid, "name": person.name, **more, "url": at.person.format(person.guid)}


def _json_links(hour: ScheduledEvent) -> list[dict[str, str]]:
    event, paper = hour.event, hour.paper
    links = [(link.url, link.title) for link in (*event.links, *(paper.links if paper else ()))]
    links += [(event.signup_url, "Sign up"), (event.stream_url, "Live stream"), (event.recording_url, "Recording")]
    return [{"url": iri_to_uri(url) or "", "title": title} for url, title in links if url]


def json_rows(rows: Sequence[Any]) -> bytes:
    """Return a list of ``generator.hallway``; nothing if it is empty."""
    return _json([hallway_part.pack_row(row) for row in rows]) if rows else b""


def json_papers(papers: Sequence[PaperData], shown: Container[str]) -> bytes:
    """Return the papers, without the abstracts that stand at events."""
    return _json([hallway_part.pack_row(it, ABSTRACT if it.key in shown else ()) for it in papers]) if papers else b""


def shown_papers(events: Mapping[str, EventPieces]) -> set[str]:
    return {event.shown_paper for event in events.values()}


def _rest_of_hallway(data: ScheduleData) -> dict[str, Any]:
    """Return everything but people, papers and events, which follow."""
    names = [name for name in hallway_part.HALLWAY_PARTS if name not in {"people", "papers", "events"}]
    parts = {name: [hallway_part.pack_row(row) for row in getattr(data, name)] for name in names}
    head = {"version": hallway_part.HALLWAY_VERSION, "conference": hallway_part.pack_row(data.conference)}
    return {**head, **{name: rows for name, rows in parts.items() if rows}}


def _voc_fields(hour: ScheduledEvent) -> tuple[str, ...]:
    """Fields that our import reads from the event of the schema; its description is the paper's abstract if there is one."""
    ends_with_minutes = hour.end == hour.start.astimezone(dt.UTC) + dt.timedelta(minutes=duration_minutes(hour))
    more = [*(["end"] if ends_with_minutes else []), *([] if hour.event.paper else ["description"])]
    return (*hallway_part.VOC_EVENT_FIELDS, *more)
