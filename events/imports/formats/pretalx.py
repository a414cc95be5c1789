"""pretalx's REST objects, of its current API and of the one until 2024; slots of the released schedule become events."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import load_json
from events.core.parsing.values import JsonObject
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document, Hints
from events.imports.formats.kinds import event_kind, title_kind
from events.imports.formats.services import EntryValues, room_key
from events.imports.formats.times import find_time_zone
from events.programme.data.schedule import AppearanceData, EventData, LinkData, ScheduleData

# An object is of the first sort whose keys it has: the order matters where one sort has all keys of another.
OBJECT_KEYS: dict[str, frozenset[str]] = {
    "schedules": frozenset({"version", "published"}),
    "slots": frozenset({"submission", "start"}),
    "submissions": frozenset({"code", "title"}),
    "events": frozenset({"slug", "date_from"}),
    "speakers": frozenset({"code", "name"}),
    "types": frozenset({"name", "default_duration"}),
    "tracks": frozenset({"name", "color"}),
    "rooms": frozenset({"name", "capacity"}),
}
STATUSES_BY_STATE = {"confirmed": "confirmed", "canceled": "cancelled"}


def recognises(document: Document) -> bool:
    return any(values.has_json_keys(content, "code", "title", "submission_type") for content in document.files.values())


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError for files without a programme, or with only one page of several."""
    return PretalxReader(PretalxObjects.from_document(document), hints, file=document.name).read()


@dataclass
class PretalxObjects:
    """The objects by sort, in the order of the files; others (answers, reviews, mails) are dropped unread."""

    events: list[JsonObject] = field(default_factory=list)
    schedules: list[JsonObject] = field(default_factory=list)
    submissions: list[JsonObject] = field(default_factory=list)
    slots: list[JsonObject] = field(default_factory=list)
    speakers: list[JsonObject] = field(default_factory=list)
    types: list[JsonObject] = field(default_factory=list)
    tracks: list[JsonObject] = field(default_factory=list)
    rooms: list[JsonObject] = field(default_factory=list)

    @classmethod
    def from_document(cls, document: Document) -> PretalxObjects:
        """Raise ScheduleParseError for malformed JSON, or for one page of several."""
        objects = cls()
        totals: Counter[str] = Counter()
        for name, content in document.files.items():
            if values.has_json_keys(content):
                objects._add_all(load_json(content, file=name), totals)
        for sort, total in totals.items():
            if (count := len(getattr(objects, sort))) < total:
                problem = f"holds {count} of {total} {sort}, one page of several: fetch all pages"
                raise ScheduleParseError(problem, file=document.name)
        return objects

    def _add_all(self, value: Any, totals: Counter[str]) -> None:
        top = values.as_object(value)
        if _object_sort(top):
            self._add(top)
            return
        parts = [value] if isinstance(value, list) or "results" in top else list(top.values())
        for part in parts:
            answer = values.as_object(part)
            listed = values.as_objects(answer.get("results") if "results" in answer else part) or [answer]
            for each in listed:
                self._add(each)
            if answer.get("next") and (sort := _object_sort(listed[0])):
                # A missing page must not look like events that were taken out of the programme.
                totals[sort] = max(totals[sort], values.as_int(answer.get("count")) or len(listed) + 1)

    def _add(self, value: JsonObject) -> None:
        if sort := _object_sort(value):
            getattr(self, sort).append(value)


def _object_sort(value: JsonObject) -> str:
    return next((sort for sort, keys in OBJECT_KEYS.items() if keys <= value.keys()), "")


class PretalxNames:
    """The names of types, tracks, rooms and speakers.

    Adds rooms and tracks in the organisers' order, without hidden rooms.
    """

    def __init__(self, objects: PretalxObjects, builder: ScheduleBuilder, language: str) -> None:
        self.builder, self.language = builder, language
        self.by_id = {
            sort: {values.as_key(each.get("id")): each for each in getattr(objects, sort)}
            for sort in ("types", "tracks", "rooms")
        }
        self.people = {values.as_key(person.get("code")): person for person in objects.speakers}
        self.unknown_speakers: set[str] = set()
        for room in sorted(objects.rooms, key=_sort_position):
            if name := self._shown_name(room):
                seats = values.as_int(room.get("capacity")) or None
                number, description = values.as_key(room.get("id")), values.as_text(room.get("description"), language)
                builder.room(name, key=room_key(number), capacity=seats, description=description)
        for track in sorted(objects.tracks, key=_sort_position):
            builder.track(self._shown_name(track), colour=values.as_text(track.get("color")))

    def name_of(self, sort: str, value: Any) -> str:
        """Return the name of an object or of a number; until 2024 pretalx had names in several languages."""
        if isinstance(value, dict):
            return self._shown_name(value) if "name" in value else values.as_text(value, self.language)
        if isinstance(value, int):
            return self._shown_name(self.by_id[sort].get(values.as_key(value), {}))
        return values.as_text(value)

    def speaker_keys(self, speakers: Any) -> Iterable[str]:
        keys = (self._speaker(speaker) for speaker in speakers) if isinstance(speakers, list) else ()
        return dict.fromkeys(filter(None, keys))

    def _speaker(self, speaker: Any) -> str:
        code = values.as_key(speaker.get("code") if isinstance(speaker, dict) else speaker)
        person = self.people.get(code, {}) | values.as_object(speaker)
        name = values.as_text(person.get("name"))
        if code and not name:
            self.unknown_speakers.add(code)
        return self.builder.person(name, key=code, bio=values.as_text(person.get("biography"), self.language))

    def _shown_name(self, value: JsonObject) -> str:
        return "" if value.get("hidden") is True else values.as_text(value.get("name"), self.language)


def _sort_position(value: JsonObject) -> int:
    position = values.as_int(value.get("position"))
    return 10**9 if position is None else position


class PretalxSlots:
    """The slots of the released schedule; pretalx gives organisers those of every version.

    Raise ScheduleParseError where it is unknown which version is released.
    """

    def __init__(self, objects: PretalxObjects, *, file: str) -> None:
        slots = [*objects.slots, *(slot for each in objects.schedules for slot in values.as_objects(each.get("slots")))]
        versions = {number for slot in slots if (number := values.as_key(slot.get("schedule")))}
        released = _released_version(objects.schedules)
        if objects.schedules and not released:
            raise ScheduleParseError("holds no released version of the schedule: release one in pretalx first", file=file)
        if not released and len(versions) > 1:
            problem = f"holds the slots of {len(versions)} versions of the schedule: add the schedules, or take one version’s"
            raise ScheduleParseError(problem, file=file)
        self.listed = [slot for slot in slots if not released or values.as_key(slot.get("schedule")) in {"", released}]
        self.by_code: dict[str, list[JsonObject]] = defaultdict(list)
        for slot in self.listed:
            self.by_code[_submission_code(slot.get("submission"))].append(slot)
        self.nested = [slot for submission in objects.submissions for slot in _nested_slots(submission)]

    def for_submission(self, code: str, submission: JsonObject) -> list[JsonObject]:
        """Sort a submission's slots by time, so that their numbers stay when a version is released."""
        slots = self.by_code.get(code) or list(_nested_slots(submission))
        return sorted(slots, key=lambda slot: values.as_text(slot.get("start")))

    def without_submission(self) -> list[JsonObject]:
        return [slot for slot in self.listed if slot.get("submission") is None]

    def submissions(self) -> Iterator[JsonObject]:
        return (values.as_object(slot.get("submission")) for slot in self.listed if values.as_object(slot.get("submission")))

    def rooms(self) -> list[JsonObject]:
        rooms = (values.as_object(slot.get("room")) for slot in [*self.listed, *self.nested])
        return [room for room in rooms if "name" in room]

    def aware_starts(self) -> list[dt.datetime]:
        return times.datetimes(values.as_text(slot.get("start")) for slot in [*self.listed, *self.nested])


def _released_version(schedules: list[JsonObject]) -> str:
    published = [
        (values.as_text(each.get("published")), values.as_key(each.get("id"))) for each in schedules if each.get("published")
    ]
    return max(published, default=("", ""))[1]


def _nested_slots(submission: JsonObject) -> Iterator[JsonObject]:
    """Yield the slots inside a submission: a list, or until 2024 a single one."""
    yield from values.as_objects(submission.get("slots"))
    if slot := values.as_object(submission.get("slot")):
        yield slot


def _submission_code(submission: Any) -> str:
    return values.as_key(values.as_object(submission).get("code") if isinstance(submission, dict) else submission)


class PretalxReader:
    """Reads no e-mail addresses, availabilities, answers, notes and scores; counts rejected submissions without names."""

    def __init__(self, objects: PretalxObjects, hints: Hints, *, file: str) -> None:
        self.event = objects.events[0] if objects.events else {}
        self.language = values.as_text(self.event.get("locale")) or "en"
        self.slots = PretalxSlots(objects, file=file)
        zone_name = values.as_text(self.event.get("timezone"))
        zone, warning = find_time_zone(zone_name, hints, moments=self.slots.aware_starts(), file=file)
        self.builder = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.builder.warn(warning)
        submissions = [*self.slots.submissions(), *objects.submissions]
        self.submissions = {values.as_key(submission.get("code")): submission for submission in submissions}
        objects.rooms += self.slots.rooms()
        tracks = (values.as_object(submission.get("track")) for submission in self.submissions.values())
        objects.tracks += [track for track in tracks if "name" in track]
        self.entries = EntryValues(self.builder)
        self.names = PretalxNames(objects, self.builder, self.language)
        self.hidden: Counter[str] = Counter()

    def read(self) -> ScheduleData:
        for code, submission in values.limit_events(self.submissions.items(), file=self.builder.file):
            if code:
                self._add_submission(code, submission)
        for (title, start, end), rooms in self._breaks().items():
            self._add_break(title, start, end, rooms)
        for state, count in self.hidden.most_common():
            self.builder.skip(f"submissions {state}", f"{count} left out; only confirmed ones are shown")
        if unknown := self.names.unknown_speakers:
            self.builder.warn(f"speakers of whom only the code is known: {len(unknown)}; add the speakers to the file")
        return self.builder.build(
            name=self._text(self.event.get("name")),
            start=times.parse_leading_date(values.as_text(self.event.get("date_from"))),
            end=times.parse_leading_date(values.as_text(self.event.get("date_to"))),
            colour=cells.parse_colour(values.as_text(self.event.get("primary_color"))),
        )

    def _text(self, value: Any) -> str:
        return values.as_text(value, self.language)

    def _add_submission(self, code: str, submission: JsonObject) -> None:
        slots, state = self.slots.for_submission(code, submission), values.as_text(submission.get("state")).lower()
        shown = [slot for slot in slots if slot.get("is_visible") is not False]
        status = STATUSES_BY_STATE.get(state, "" if state or not slots else "confirmed")
        if not status:
            self._hide(code, f"in state {cells.quoted(state)}")
        elif slots and not shown:
            self._hide(code, "in hidden slots")
        elif status == "cancelled" and not shown:
            # The import cancels what was published and is missing now; what never was published stays unknown.
            self._hide(code, "in state “canceled” without a slot")
        else:
            for slot in shown or [{}]:
                self._add_talk(code, submission, slot, status)

    def _hide(self, code: str, where: str) -> None:
        self.hidden[where] += 1
        self.builder.leave_out(code, f"it is {where}", is_hidden=True)

    def _add_talk(self, code: str, submission: JsonObject, slot: JsonObject, status: str) -> None:
        title = self._text(submission.get("title"))
        location = f"submission {code}, {cells.quoted(title)}"
        start, end = self._times(slot, submission, location)
        type_name = self.names.name_of("types", submission.get("submission_type"))
        seats = submission.get("attendee_signup_capacity") if submission.get("attendee_signup_required") is True else None
        key = self.builder.event(
            EventData(
                key=code,
                title=title,
                language=values.as_text(submission.get("content_locale")),
                type=self.builder.type_of(event_kind(type_name) if type_name else title_kind(title), type_name, title=title),
                status=status,
                start=start,
                end=end,
                room=self.builder.room(self.names.name_of("rooms", slot.get("room"))),
                track=self.builder.track(self.names.name_of("tracks", submission.get("track"))),
                abstract=self._text(submission.get("abstract")).strip(),
                description=self._text(submission.get("description")).strip(),
                do_not_record=values.as_flag(submission.get("do_not_record")),
                logo_url=self._absolute_url(values.as_text(submission.get("image"))),
                capacity=values.as_int(seats) or None,
            ),
            location=location,
        )
        if key:
            people = tuple(AppearanceData(person=person) for person in self.names.speaker_keys(submission.get("speakers")))
            self.builder.add_details(key, people=people, links=self._links(submission, location))

    def _times(self, slot: JsonObject, submission: JsonObject, location: str) -> tuple[dt.datetime | None, dt.datetime | None]:
        start, end = (self.entries.time(slot.get(name), f"its {name}", location) for name in ("start", "end"))
        minutes = values.as_int(slot.get("duration")) or values.as_int(submission.get("duration"))
        if start and not end and minutes and minutes < 10**5:
            end = start + dt.timedelta(minutes=minutes)
        return (start, end) if start else (None, None)

    def _absolute_url(self, address: str) -> str:
        return values.absolute_url(address, values.as_text(self.event.get("custom_domain")))

    def _links(self, submission: JsonObject, location: str) -> tuple[LinkData, ...]:
        links: dict[str, LinkData] = {}
        for resource in values.as_objects(submission.get("resources")):
            if resource.get("is_public") is False:
                continue
            title = self._text(resource.get("description"))
            address = values.as_text(resource.get("resource") or resource.get("link"))
            for link in self.builder.link(
                self._absolute_url(address), kind=values.link_kind(title), title=title, location=location
            ):
                links[link.url] = link
        return tuple(links.values())

    def _breaks(self) -> dict[tuple[str, dt.datetime, dt.datetime | None], list[str]]:
        """Return rooms by title and times: a break that is in every room is one event."""
        rooms: dict[tuple[str, dt.datetime, dt.datetime | None], list[str]] = {}
        for title, slot in self._break_slots():
            start, end = self._times(slot, {}, f"break {cells.quoted(title)}")
            if start:
                rooms.setdefault((title, start, end), []).append(self.names.name_of("rooms", slot.get("room")))
        return rooms

    def _break_slots(self) -> Iterator[tuple[str, JsonObject]]:
        for slot in self.slots.without_submission():
            title = self._text(slot.get("description")).strip()
            if title and slot.get("is_visible") is not False and slot.get("slot_type") != "blocker":
                yield title, slot

    def _add_break(self, title: str, start: dt.datetime, end: dt.datetime | None, rooms: list[str]) -> None:
        kind = "social" if event_kind(title) == "social" else "break"
        # pretalx numbers its slots anew with every release: a break is known by its title and day.
        key = f"break-{cells.key_of(title)[:80]}-{start.astimezone(self.builder.zone):%Y-%m-%d}"
        names = list(dict.fromkeys(filter(None, rooms)))
        self.builder.event(
            EventData(
                key=key,
                title=title,
                type=self.builder.type(kind),
                start=start,
                end=end,
                room=self.builder.room(names[0]) if len(names) == 1 else "",
                place=", ".join(names) if len(names) > 1 else "",
            ),
            location=f"break {cells.quoted(title)}",
        )
