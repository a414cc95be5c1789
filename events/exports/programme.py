"""A conference's public programme, read from its rows into the plain values that importers make.

Drafts, hidden papers and what only they mention are not in it; a recording has no link before its date.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from events.exports.reading import Row, children, columns, distinct, keys_by_name, made, report, rows_of
from events.importers.data import (
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
from events.importers.errors import ScheduleParseError
from events.importers.place import AmenityData, AreaData, PlanData, RoomData, ServiceData, VenueData, ZoneData
from events.importers.plans import sound
from events.models import Amenity, Appearance, Authorship, Award, Conference, Event, Link, Paper, Person, PlanArea
from events.models.event import EventQuerySet

FEW = 400
"""So many people are asked for by name; more, and all are read."""


@dataclass(frozen=True)
class Selection:
    """Public events and papers of a conference, on a date of its programme."""

    conference: Conference
    events: EventQuerySet
    papers: QuerySet[Paper]
    today: dt.date


def whole_programme(conference: Conference, today: dt.date) -> Selection:
    return Selection(conference, public_events(conference), public_papers(conference), today)


def part_of_programme(conference: Conference, events: EventQuerySet, today: dt.date) -> Selection:
    """Some events, and the papers that they show."""
    shown = public_papers(conference).filter(pk__in=events.order_by().values("paper"))
    return Selection(conference, events, shown, today)


def public_events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


def public_papers(conference: Conference) -> QuerySet[Paper]:
    return Paper.objects.public().filter(conference=conference).order_by("title", "pk")


def programme(selection: Selection) -> ScheduleData:
    """All of it, in a constant number of queries."""
    return _Reading(selection).data()


class _Reading:
    """The rows of each part by primary key, and the keys by which the parts refer to each other."""

    def __init__(self, selection: Selection) -> None:
        self.selection, self.conference = selection, selection.conference
        shown, papers = selection.events, selection.papers
        refs = [
            f"{name}_id" for name in ("type", "day", "room", "overflow_room", "track", "topic", "session", "paper", "service")
        ]
        self.events = rows_of(shown.in_order(), EventData, *refs)
        self.papers = rows_of(papers, PaperData, "topic_id")
        inside = {"event__in": shown.order_by().values("pk")}, {"paper__in": papers.order_by().values("pk")}
        self.stage = children(Appearance.objects.filter(**inside[0]), "event_id", "person_id", "role", "remote")
        self.authors = children(Authorship.objects.filter(**inside[1]), "paper_id", "person_id")
        self.links = children(Link.objects.filter(**inside[0]), "event_id", "kind", "url", "title")
        self.paper_links = children(Link.objects.filter(**inside[1]), "paper_id", "kind", "url", "title")
        self.people = self._people()
        self._read_labels()
        self._read_place()
        self.keys = self._keys()

    def _people(self) -> dict[int, Row]:
        wanted = {it[0] for found in [*self.stage.values(), *self.authors.values()] for it in found}
        people = Person.objects.filter(conference=self.conference).order_by("sort_key", "pk")
        rows = rows_of(people.filter(pk__in=wanted) if len(wanted) <= FEW else people, PersonData)
        return {pk: row for pk, row in rows.items() if pk in wanted}

    def _read_labels(self) -> None:
        """Days are all public; types, tracks and topics only once something public carries them."""

        def used(name: str) -> set[int]:
            return distinct(row[f"{name}_id"] for row in self.events.values())

        conference = self.conference
        topics = used("topic") | distinct(row["topic_id"] for row in self.papers.values())
        self.days = rows_of(conference.days.order_by("date"), DayData)
        self.types = _only(rows_of(conference.types.order_by("position", "name", "pk"), EventTypeData, "slug"), used("type"))
        self.tracks = _only(rows_of(conference.tracks.order_by("position", "name", "pk"), TrackData, "slug"), used("track"))
        self.topics = _only(rows_of(conference.topics.order_by("area", "subarea", "pk"), TopicData, "slug"), topics)

    def _read_place(self) -> None:
        conference = self.conference
        self.venues = rows_of(conference.venues.order_by("pk"), VenueData)
        self.zones = rows_of(conference.zones.order_by("position", "name", "pk"), ZoneData, "venue_id")
        self.rooms = rows_of(conference.rooms.order_by("position", "name", "pk"), RoomData, "zone_id")
        self.services = rows_of(conference.services.order_by("position", "name", "pk"), ServiceData, "zone_id", "room_id")
        self.plans = rows_of(conference.plans.order_by("position", "name", "pk"), PlanData, "venue_id")
        areas = PlanArea.objects.filter(plan__conference=conference)
        self.areas = children(areas, "plan_id", "room_id", "zone_id", "service_id", "label", "points")

    def _keys(self) -> dict[str, dict[int, str]]:
        by_guid = {"session": self.events, "event": self.events, "paper": self.papers, "person": self.people}
        by_slug = {"type": self.types, "track": self.tracks, "topic": self.topics}
        by_name = {"venue": self.venues, "zone": self.zones, "room": self.rooms, "service": self.services, "plan": self.plans}
        return {
            "day": {pk: row["date"].isoformat() for pk, row in self.days.items()},
            **{name: {pk: row["guid"] for pk, row in rows.items()} for name, rows in by_guid.items()},
            **{name: {pk: row["slug"] for pk, row in rows.items()} for name, rows in by_slug.items()},
            **{name: keys_by_name(rows) for name, rows in by_name.items()},
        }

    def data(self) -> ScheduleData:
        conference = {name: getattr(self.conference, name) for name in columns(ConferenceData)}
        return ScheduleData(
            conference=made(ConferenceData, conference),
            days=self._part("day", DayData, self.days),
            types=self._part("type", EventTypeData, self.types),
            tracks=self._part("track", TrackData, self.tracks),
            topics=self._part("topic", TopicData, self.topics),
            venues=self._part("venue", VenueData, self.venues),
            zones=self._part("zone", ZoneData, self.zones, "venue"),
            rooms=self._part("room", RoomData, self.rooms, "zone"),
            services=self._part("service", ServiceData, self.services, "zone", "room"),
            plans=tuple(self._plans()),
            people=self._part("person", PersonData, self.people),
            papers=tuple(self._paper(pk, row) for pk, row in self.papers.items()),
            events=tuple(self._event(pk, row) for pk, row in self.events.items()),
            awards=tuple(self._awards()),
            amenities=tuple(self._amenities()),
        )

    def _part(self, name: str, kind: type[Any], rows: dict[int, Row], *refs: str) -> tuple[Any, ...]:
        return tuple(made(kind, row, key=self.keys[name][pk], **self._refs(row, *refs)) for pk, row in rows.items())

    def _refs(self, row: Row, *names: str) -> dict[str, str]:
        """By name, the key of the row it refers to; none of what is not public."""
        return {name: self.keys[name].get(row[f"{name}_id"] or 0, "") for name in names}

    def _paper(self, pk: int, row: Row) -> PaperData:
        authors = tuple(self.keys["person"][person] for (person,) in self.authors[pk] if person in self.people)
        more = {**self._refs(row, "topic"), "authors": authors, "links": _links(self.paper_links[pk])}
        return made(PaperData, row, key=row["guid"], **more)

    def _plans(self) -> Iterator[PlanData]:
        """Those that can be drawn, and so be read again."""
        for pk, row in self.plans.items():
            try:
                yield sound(self._plan(pk, row))
            except ScheduleParseError as error:
                report(f"FloorPlan {pk}", str(error))

    def _plan(self, pk: int, row: Row) -> PlanData:
        places = ("room", "zone", "service")
        areas = tuple(
            AreaData(
                **{name: self.keys[name].get(it or 0, "") for name, it in zip(places, found, strict=False)},
                label=label,
                points=points,
            )
            for *found, label, points in self.areas[pk]
        )
        return made(PlanData, row, key=self.keys["plan"][pk], **self._refs(row, "venue"), areas=areas)

    def _event(self, pk: int, row: Row) -> EventData:
        refs = self._refs(row, "type", "day", "room", "track", "topic", "session", "paper", "service")
        people = tuple(
            AppearanceData(person=self.keys["person"][person], role=role, remote=remote)
            for person, role, remote in self.stage[pk]
            if person in self.people
        )
        refs["overflow_room"] = self.keys["room"].get(row["overflow_room_id"] or 0, "")
        more: dict[str, Any] = {**refs, "people": people, "links": _links(self.links[pk])}
        if row["recording_from"] and row["recording_from"] > self.selection.today:
            more["recording_url"] = ""
        return made(EventData, row, key=row["guid"], **more)

    def _awards(self) -> Iterator[AwardData]:
        """Those of papers and talks that are in the programme."""
        awards = Award.objects.public().filter(conference=self.conference).filter(~Q(paper=None) | ~Q(event=None))
        rows = rows_of(awards.order_by("position", "pk"), AwardData, "paper_id", "event_id")
        keys = keys_by_name(rows)
        for pk, row in rows.items():
            refs = self._refs(row, "paper", "event")
            if any(refs.values()):
                yield made(AwardData, row, key=keys[pk], **refs)

    def _amenities(self) -> Iterator[AmenityData]:
        """What is anywhere but at an event that is not in the programme."""
        places = ("event", "service", "room", "zone")
        found = Amenity.objects.filter(conference=self.conference).order_by("position", "name", "pk")
        rows = rows_of(found, AmenityData, *(f"{name}_id" for name in places))
        rows = {pk: row for pk, row in rows.items() if row["event_id"] is None or row["event_id"] in self.events}
        keys = keys_by_name(rows)
        for pk, row in rows.items():
            yield made(AmenityData, row, key=keys[pk], **self._refs(row, *places))


def _only(rows: dict[int, Row], used: set[int]) -> dict[int, Row]:
    return {pk: row for pk, row in rows.items() if pk in used}


def _links(found: list[tuple[Any, ...]]) -> tuple[LinkData, ...]:
    return tuple(LinkData(kind=kind, url=url, title=title) for kind, url, title in found if url)
