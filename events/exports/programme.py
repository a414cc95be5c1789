"""The public programme read as ScheduleData: plain values with keys as references."""

from __future__ import annotations

import dataclasses
import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast

from events.core.parsing.cells import key_of
from events.core.parsing.errors import ScheduleParseError
from events.programme.addresses import page_name
from events.programme.data.place import AmenityData, AreaData, PlanData, RoomData, ServiceData, VenueData, ZoneData
from events.programme.data.schedule import (
    AppearanceData,
    AwardData,
    ConferenceData,
    DayData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    PersonData,
    ScheduleData,
    TopicData,
    TrackData,
)
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.papers import Authorship, Award, Link, Paper
from events.programme.models.people import Appearance, Person
from events.programme.queries.public_names import only_public
from events.venue.models import PlanArea
from events.venue.rules.checked_plans import checked_plan

logger = logging.getLogger("events.exports")
RowValues = dict[str, Any]
Rows = dict[int, RowValues]
Children = dict[int, list[tuple[Any, ...]]]
T = TypeVar("T")

REFERENCE_FIELDS = frozenset({"type", "day", "room", "track", "topic", "session", "paper", "service", "venue", "zone", "event"})
"""Fields that refer to another row by its key."""
CHILD_FIELDS = frozenset({"people", "links", "authors", "areas"})
_DATA_COLUMNS: dict[type[Any], tuple[str, ...]] = {}


def data_columns(kind: type[Any]) -> tuple[str, ...]:
    """Return the fields of a data class that are columns: no keys, references and children."""
    if kind not in _DATA_COLUMNS:
        names = (field.name for field in dataclasses.fields(kind))
        _DATA_COLUMNS[kind] = tuple(name for name in names if name not in {"key", *REFERENCE_FIELDS, *CHILD_FIELDS})
    return _DATA_COLUMNS[kind]


def data_from_row(kind: type[T], row: RowValues, **more: Any) -> T:
    return kind(**{name: row[name] for name in data_columns(kind)} | more)


def rows_by_pk(queryset: QuerySet[Any], kind: type[Any], *more: str) -> Rows:
    """Return the columns of ``kind`` and ``more``, by primary key in the order of the queryset; guids as text."""
    columns = [name for name in data_columns(kind) if name != "guid"]
    if "guid" not in data_columns(kind):
        return {row["pk"]: row for row in queryset.values("pk", *columns, *more)}
    rows = {row["pk"]: row for row in queryset.values("pk", *columns, *more, stored_guid=GUID_COLUMN)}
    for row in rows.values():
        row["guid"] = guid_text(row["stored_guid"])
    return rows


# To make a UUID of each guid took a twentieth of the time that an export takes.
GUID_COLUMN = Cast("guid", CharField())


def guid_text(stored: str) -> str:
    """Return the guid with dashes; SQLite stores it without."""
    return stored if "-" in stored else "-".join((stored[:8], stored[8:12], stored[12:16], stored[16:20], stored[20:]))


def children_by_parent(queryset: QuerySet[Any], owner: str, *names: str) -> Children:
    grouped: Children = defaultdict(list)
    for row in queryset.order_by("position", "pk").values_list(owner, *names):
        grouped[row[0]].append(row[1:])
    return grouped


def keys_by_name(rows: Rows, name: str = "name") -> dict[int, str]:
    """Return a readable key for each row; rows of the same name are numbered."""
    keys: dict[int, str] = {}
    taken: set[str] = set()
    for pk, row in rows.items():
        stem, number = key_of(row[name]) or "x", 1
        key = stem
        while key in taken:
            number += 1
            key = f"{stem}-{number}"
        taken.add(key)
        keys[pk] = key
    return keys


@lru_cache(maxsize=1000)
def log_left_out(row: str, problem: str) -> None:
    """Log once in each process, because exports are requested all the time."""
    logger.error("%s is left out of exports: %s", row, problem)


def distinct_pks(values: Iterable[Any]) -> set[Any]:
    return {value for value in values if value is not None}


MAX_PEOPLE_BY_KEY = 400
"""Up to so many people are filtered by primary key; for more, all people are read."""


@dataclass(frozen=True)
class Selection:
    """Public events and papers, with the date that decides which recordings are linked."""

    conference: Conference
    events: EventQuerySet
    papers: QuerySet[Paper]
    today: dt.date


def whole_programme(conference: Conference, today: dt.date) -> Selection:
    return Selection(conference, exported_events(conference), exported_papers(conference), today)


def part_of_programme(conference: Conference, events: EventQuerySet, today: dt.date) -> Selection:
    shown = exported_papers(conference).filter(pk__in=events.order_by().values("paper"))
    return Selection(conference, events, shown, today)


def exported_events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


def exported_papers(conference: Conference) -> QuerySet[Paper]:
    return Paper.objects.public().filter(conference=conference).order_by("title", "pk")


def page_names(selection: Selection) -> Callable[[], dict[str, str]]:
    """Return what reads the last part of the addresses of events, by guid: once, and only if asked."""

    @cache
    def read() -> dict[str, str]:
        events = selection.events.order_by().values_list("guid", "pk", "title")
        return {str(guid): page_name(pk, title) for guid, pk, title in events}

    return read


def schedule_version(conference: Conference, newest: dt.datetime | None) -> str:
    """Return the version that a file names: when the newest of its events was changed, at the venue."""
    return f"{newest.astimezone(conference.zone):%Y-%m-%d %H:%M}" if newest else "nothing yet"


def programme_data(selection: Selection) -> ScheduleData:
    return ProgrammeReader(selection).data()


def data_of_events(selection: Selection) -> ScheduleData:
    """Return the events and what they show: no venues, zones and plans, no awards and amenities."""
    return ProgrammeReader(selection, only_events=True).data()


EXPORTED_PERSON_COLUMNS = tuple(name for name in data_columns(PersonData) if name != "guid")
EVENT_REF_COLUMNS = (
    *("type_id", "day_id", "room_id", "overflow_room_id", "track_id", "topic_id", "session_id", "paper_id", "service_id"),
)


@dataclass(frozen=True)
class EventState:
    """The columns of an event by which the others can be known to be as before: ``revised_at``, and what does not change it."""

    guid: str
    revised_at: dt.datetime
    position: int
    signup_checked_at: dt.datetime | None
    takes_questions: bool


def event_states(selection: Selection) -> Rows:
    """Return the columns of ``EventState`` and the primary keys of the rows that the events show."""
    return event_rows(selection, EventState)


def event_rows(selection: Selection, kind: type[Any]) -> Rows:
    more = {*EVENT_REF_COLUMNS, *data_columns(EventState)} - {"guid", *data_columns(kind)}
    return rows_by_pk(selection.events.in_order(), kind, *sorted(more))


class ProgrammeReader:
    """Reads a selection, of which ``keys`` has the key of each row by part and primary key.

    With ``states`` of its events only the rows that they show are read, until ``read_events``.
    """

    def __init__(self, selection: Selection, *, only_events: bool = False, states: Rows | None = None) -> None:
        self.selection, self.conference, self.only_events = selection, selection.conference, only_events
        shown, papers = selection.events, selection.papers
        self.events = event_rows(selection, EventData) if states is None else states
        self.papers = rows_by_pk(papers, PaperData, "topic_id")
        event_pks, paper_pks = shown.order_by().values("pk"), papers.order_by().values("pk")
        appearances = Appearance.objects.filter(event__in=event_pks)
        self.appearances = children_by_parent(appearances, "event_id", "person_id", "role", "remote")
        self.authors = children_by_parent(Authorship.objects.filter(paper__in=paper_pks), "paper_id", "person_id")
        self.links = self._links("event", event_pks) if states is None else {}
        self.paper_links = self._links("paper", paper_pks)
        self.people = self._people()
        self._read_labels()
        self._read_rooms()
        self.venues: Rows = {}
        self.zones: Rows = {}
        self.plans: Rows = {}
        self.areas: Children = {}
        if not only_events:
            self._read_venues()
        self.keys = self._keys()

    def read_events(self) -> None:
        self.events = event_rows(self.selection, EventData)
        self.links = self._links("event", self.selection.events.order_by().values("pk"))

    def _links(self, owner: str, pks: QuerySet[Any]) -> Children:
        return children_by_parent(Link.objects.filter(**{f"{owner}__in": pks}), f"{owner}_id", "kind", "url", "title")

    def _people(self) -> dict[int, tuple[str, ...]]:
        """Return guids and columns: a dictionary for each of 15,000 people would take as long again."""
        wanted = {person for rows in [*self.appearances.values(), *self.authors.values()] for person, *_ in rows}
        people = Person.objects.filter(conference=self.conference).order_by("sort_key", "pk")
        chosen = people.filter(pk__in=wanted) if len(wanted) <= MAX_PEOPLE_BY_KEY else people
        rows = chosen.values_list("pk", *EXPORTED_PERSON_COLUMNS, GUID_COLUMN)
        return {pk: (guid_text(guid), *values) for pk, *values, guid in rows if pk in wanted}

    def _read_labels(self) -> None:
        """Read all days, but only types, tracks and topics of something public."""

        def used(name: str) -> set[int]:
            return distinct_pks(row[f"{name}_id"] for row in self.events.values())

        conference = self.conference
        topics = used("topic") | distinct_pks(row["topic_id"] for row in self.papers.values())
        self.days = rows_by_pk(conference.days.order_by("date"), DayData)
        self.types = _used_rows(
            rows_by_pk(conference.types.order_by("position", "name", "pk"), EventTypeData, "slug"), used("type")
        )
        self.tracks = _used_rows(
            rows_by_pk(conference.tracks.order_by("position", "name", "pk"), TrackData, "slug"), used("track")
        )
        self.topics = _used_rows(rows_by_pk(conference.topics.order_by("area", "subarea", "pk"), TopicData, "slug"), topics)

    def _read_rooms(self) -> None:
        conference = self.conference
        self.rooms = rows_by_pk(only_public(conference.rooms.order_by("position", "name", "pk")), RoomData, "zone_id")
        self.services = rows_by_pk(conference.services.order_by("position", "name", "pk"), ServiceData, "zone_id", "room_id")

    def _read_venues(self) -> None:
        conference = self.conference
        self.venues = rows_by_pk(only_public(conference.venues.order_by("pk")), VenueData)
        self.zones = rows_by_pk(only_public(conference.zones.order_by("position", "name", "pk")), ZoneData, "venue_id")
        self.plans = rows_by_pk(conference.plans.public().order_by("position", "name", "pk"), PlanData, "venue_id")
        # A booth with words stays as words: no other program knows sponsors.
        areas = PlanArea.objects.exclude(sponsor__isnull=False, label="").filter(plan__in=list(self.plans))
        self.areas = children_by_parent(areas, "plan_id", "room_id", "zone_id", "service_id", "label", "points")

    def _keys(self) -> dict[str, dict[int, str]]:
        by_guid = {"session": self.events, "event": self.events, "paper": self.papers}
        by_slug = {"type": self.types, "track": self.tracks, "topic": self.topics}
        by_name = {"venue": self.venues, "zone": self.zones, "room": self.rooms, "service": self.services, "plan": self.plans}
        return {
            "day": {pk: row["date"].isoformat() for pk, row in self.days.items()},
            **{name: {pk: row["guid"] for pk, row in rows.items()} for name, rows in by_guid.items()},
            "person": {pk: guid for pk, (guid, *_) in self.people.items()},
            **{name: {pk: row["slug"] for pk, row in rows.items()} for name, rows in by_slug.items()},
            **{name: keys_by_name(rows) for name, rows in by_name.items()},
        }

    def data(self) -> ScheduleData:
        return dataclasses.replace(
            self.small_data(),
            people=self.people_data(),
            papers=self.paper_data(),
            events=tuple(self._event(pk, row) for pk, row in self.events.items()),
        )

    def small_data(self) -> ScheduleData:
        """Return all but people, papers and events, of which there are many."""
        conference = {name: getattr(self.conference, name) for name in data_columns(ConferenceData)}
        return ScheduleData(
            conference=data_from_row(ConferenceData, conference),
            days=self._part("day", DayData, self.days),
            types=self._part("type", EventTypeData, self.types),
            tracks=self._part("track", TrackData, self.tracks),
            topics=self._part("topic", TopicData, self.topics),
            venues=self._part("venue", VenueData, self.venues),
            zones=self._part("zone", ZoneData, self.zones, "venue"),
            rooms=self._part("room", RoomData, self.rooms, "zone"),
            services=self._part("service", ServiceData, self.services, "zone", "room"),
            plans=tuple(self._plans()),
            awards=() if self.only_events else tuple(self._awards()),
            amenities=() if self.only_events else tuple(self._amenities()),
        )

    def people_data(self) -> tuple[PersonData, ...]:
        names = ("guid", *EXPORTED_PERSON_COLUMNS)
        return tuple(PersonData(key=row[0], **dict(zip(names, row, strict=True))) for row in self.people.values())

    def paper_data(self) -> tuple[PaperData, ...]:
        return tuple(self._paper(pk, row) for pk, row in self.papers.items())

    def _part(self, name: str, kind: type[Any], rows: Rows, *refs: str) -> tuple[Any, ...]:
        return tuple(data_from_row(kind, row, key=self.keys[name][pk], **self._refs(row, *refs)) for pk, row in rows.items())

    def _refs(self, row: RowValues, *names: str) -> dict[str, str]:
        return {name: self.keys[name].get(row[f"{name}_id"] or 0, "") for name in names}

    def _paper(self, pk: int, row: RowValues) -> PaperData:
        authors = tuple(self.keys["person"][person] for (person,) in self.authors[pk] if person in self.people)
        more = {**self._refs(row, "topic"), "authors": authors, "links": _link_data(self.paper_links[pk])}
        return data_from_row(PaperData, row, key=row["guid"], **more)

    def _plans(self) -> Iterator[PlanData]:
        for pk, row in self.plans.items():
            try:
                yield checked_plan(self._plan(pk, row))
            except ScheduleParseError as error:
                log_left_out(f"FloorPlan {pk}", str(error))

    def _plan(self, pk: int, row: RowValues) -> PlanData:
        places = ("room", "zone", "service")
        areas = tuple(
            AreaData(
                **{name: self.keys[name].get(place or 0, "") for name, place in zip(places, place_pks, strict=True)},
                label=label,
                points=points,
            )
            for *place_pks, label, points in self.areas[pk]
            if self._are_read(room=place_pks[0], zone=place_pks[1])
        )
        return data_from_row(PlanData, row, key=self.keys["plan"][pk], **self._refs(row, "venue"), areas=areas)

    def _event(self, pk: int, row: RowValues) -> EventData:
        refs = self._refs(row, "type", "day", "room", "track", "topic", "session", "paper", "service")
        people = tuple(
            AppearanceData(person=self.keys["person"][person], role=role, remote=remote)
            for person, role, remote in self.appearances[pk]
            if person in self.people
        )
        refs["overflow_room"] = self.keys["room"].get(row["overflow_room_id"] or 0, "")
        more: dict[str, Any] = {**refs, "people": people, "links": _link_data(self.links[pk])}
        if row["recording_from"] and row["recording_from"] > self.selection.today:
            more["recording_url"] = ""
        return data_from_row(EventData, row, key=row["guid"], **more)

    def _are_read(self, **pks: int | None) -> bool:
        """Whether all these rows are shown: what stands at a place or an event that is not public is not public either."""
        return all(pk is None or pk in self.keys[name] for name, pk in pks.items())

    def _awards(self) -> Iterator[AwardData]:
        awards = Award.objects.public().filter(conference=self.conference).filter(~Q(paper=None) | ~Q(event=None))
        rows = rows_by_pk(awards.order_by("position", "pk"), AwardData, "paper_id", "event_id")
        keys = keys_by_name(rows)
        for pk, row in rows.items():
            refs = self._refs(row, "paper", "event")
            if any(refs.values()):
                yield data_from_row(AwardData, row, key=keys[pk], **refs)

    def _amenities(self) -> Iterator[AmenityData]:
        places = ("event", "service", "room", "zone")
        amenities = self.conference.amenities.order_by("position", "name", "pk")
        rows = rows_by_pk(amenities, AmenityData, *(f"{name}_id" for name in places))
        rows = {pk: row for pk, row in rows.items() if self._are_read(**{name: row[f"{name}_id"] for name in places})}
        keys = keys_by_name(rows)
        for pk, row in rows.items():
            yield data_from_row(AmenityData, row, key=keys[pk], **self._refs(row, *places))


def _used_rows(rows: Rows, used: set[int]) -> Rows:
    return {pk: row for pk, row in rows.items() if pk in used}


def _link_data(rows: list[tuple[Any, ...]]) -> tuple[LinkData, ...]:
    return tuple(LinkData(kind=kind, url=url, title=title) for kind, url, title in rows if url)
