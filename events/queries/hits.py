"""What was found, as it stands now: each thing with where and when it is, and the words that found it marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from events.models import Amenity, Appearance, Authorship, Conference, Paper, Person, Room, Service, Thing
from events.queries.amenities import amenity_rows
from events.queries.cards import Plate, plate_of
from events.queries.hit_slots import HitSlot, slots_of_hits
from events.queries.matches import Match
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.words import Part, Phrase, marked, snippet

FIRST_PEOPLE = 3
FIRST_SLOTS = 4


@dataclass(frozen=True, slots=True)
class Hit:
    thing: str
    url: str
    title: list[Part]
    people: list[list[Part]] = field(default_factory=list)
    people_more: int = 0
    note: list[Part] = field(default_factory=list)
    slots: list[HitSlot] = field(default_factory=list)
    plate: Plate | None = None
    schedule_url: str = ""

    @property
    def label(self) -> str:
        return "Small comfort" if self.thing == Thing.AMENITY else Thing(self.thing).label

    @property
    def first_slots(self) -> list[HitSlot]:
        return self.slots[:FIRST_SLOTS]

    @property
    def slots_more(self) -> int:
        return max(0, len(self.slots) - FIRST_SLOTS)

    @property
    def only(self) -> HitSlot | None:
        """Its one time, if it has one time: most of what is found."""
        return self.slots[0] if len(self.slots) == 1 and self.thing in {"event", "paper"} else None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks: for what, and when."""

    conference: Conference
    wanted: Sequence[Phrase]
    clock: Clock


def hits_of(found: Iterable[Match], reader: Reader) -> list[Hit]:
    """The things as they are shown; one that is hidden by now is left out, whatever the index says."""
    found = list(found)
    asked: dict[str, list[int]] = defaultdict(list)
    for match in found:
        asked[match.thing].append(match.target)
    slots = slots_of_hits(asked, reader.conference, reader.clock)
    made: dict[tuple[str, int], Hit] = {}
    for make in (_events, _papers, _people, _rooms, _services, _amenities):
        made |= make(asked, slots, reader)
    return [made[match.thing, match.target] for match in found if (match.thing, match.target) in made]


def _events(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("event", [])
    if not keys:
        return {}
    names = _by_owner(_on_stage(keys))
    made = {}
    for key in keys:
        for slot in slots.get(("event", key), []):
            people = names.get(key, [])
            title, note = marked(slot.title, reader.wanted), _note(["", *slot.texts], reader)
            made["event", key] = Hit("event", slot.url, title, *_by(people, reader), note, [slot])
    return made


def _papers(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("paper", [])
    if not keys:
        return {}
    names = _by_owner(_authors(keys))
    made = {}
    for paper in _public_papers(keys, reader.conference.pk):
        paper.conference = reader.conference
        title, note = marked(paper.title, reader.wanted), _note([paper.tldr, paper.abstract], reader)
        own = slots.get(("paper", paper.pk), [])
        url = own[0].url if len(own) == 1 else carried(paper.get_absolute_url(), reader.clock)
        made["paper", paper.pk] = Hit("paper", url, title, *_by(names.get(paper.pk, []), reader), note, own)
    return made


def _people(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("person", [])
    if not keys:
        return {}
    made = {}
    for person in Person.objects.public().filter(pk__in=keys, conference=reader.conference).defer("imported"):
        person.conference = reader.conference
        url = carried(person.get_absolute_url(), reader.clock)
        note = marked(person.affiliation, reader.wanted) or snippet(person.bio, reader.wanted)
        made["person", person.pk] = Hit("person", url, marked(person.name, reader.wanted), note=note)
    return made


def _rooms(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("room", [])
    if not keys:
        return {}
    made = {}
    for room in Room.objects.filter(pk__in=keys, conference=reader.conference).select_related("zone__venue"):
        room.conference = reader.conference
        url = carried(room.get_absolute_url(), reader.clock)
        note = marked(f"{room.zone.name}, {room.zone.venue.name}", reader.wanted)
        plate = plate_of(room, reader.conference.slug)
        on_here = carried(f"{reverse('events:schedule', args=[reader.conference.slug])}?room={room.pk}", reader.clock)
        made["room", room.pk] = Hit("room", url, marked(room.name, reader.wanted), note=note, plate=plate, schedule_url=on_here)
    return made


def _services(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("service", [])
    if not keys:
        return {}
    related = ("zone__venue", "room__zone__venue")
    made = {}
    for service in Service.objects.filter(pk__in=keys, conference=reader.conference).select_related(*related):
        service.conference = reader.conference
        url = carried(service.get_absolute_url(), reader.clock)
        hours = slots.get(("service", service.pk), [])
        coming = [slot for slot in hours if not slot.is_past] or hours
        note = marked(service.location, reader.wanted) or snippet(service.description, reader.wanted)
        made["service", service.pk] = Hit("service", url, marked(service.name, reader.wanted), note=note, slots=coming)
    return made


def _amenities(
    asked: Mapping[str, list[int]], slots: Mapping[tuple[str, int], list[HitSlot]], reader: Reader
) -> dict[tuple[str, int], Hit]:
    keys = asked.get("amenity", [])
    if not keys:
        return {}
    made = {}
    for row in amenity_rows(Amenity.objects.filter(pk__in=keys), reader.conference, reader.clock):
        note = marked(row.where, reader.wanted) if row.where else snippet(row.amenity.note, reader.wanted)
        made["amenity", row.amenity.pk] = Hit("amenity", row.page, marked(row.amenity.name, reader.wanted), note=note)
    return made


def _by(people: Sequence[str], reader: Reader) -> tuple[list[list[Part]], int]:
    """The first people and whoever else was asked for, and how many more there are."""
    names = [marked(name, reader.wanted) for name in people]
    shown = [parts for index, parts in enumerate(names) if index < FIRST_PEOPLE or any(it.found for it in parts)]
    return shown, len(names) - len(shown)


def _note(texts: Sequence[str], reader: Reader) -> list[Part]:
    """The place in the first of these texts that was asked for; else the first, which says in a sentence what it is."""
    first, *_ = texts
    return next(filter(None, (snippet(text, reader.wanted) for text in texts if text)), [Part(first)] if first else [])


def _on_stage(events: list[int]) -> QuerySet[Appearance, Any]:
    appearances = Appearance.objects.filter(event__in=events)
    return appearances.order_by("event", "position", "pk").values_list("event", "person__name")


def _authors(papers: list[int]) -> QuerySet[Authorship, Any]:
    authorships = Authorship.objects.filter(paper__in=papers)
    return authorships.order_by("paper", "position", "pk").values_list("paper", "person__name")


def _public_papers(keys: list[int], conference: int) -> QuerySet[Paper]:
    return Paper.objects.public().filter(pk__in=keys, conference=conference).only("guid", "title", "tldr", "abstract")


def _by_owner(rows: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for key, name in rows:
        found[key].append(name)
    return found
