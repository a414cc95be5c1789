"""What can be found of a conference: every public thing with the words it is found by, and nothing that is hidden."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from events.models.amenities import Amenity
from events.models.conference import Conference
from events.models.event import Event
from events.models.papers import Authorship, Award, Level, Paper
from events.models.people import Appearance, Person
from events.models.services import Service
from events.models.venue import Room
from events.words import words

MOST_CHARACTERS = 100_000
EVENT_COLUMNS = (
    *("pk", "paper", "service", "type__kind", "day__date", "topic", "title", "abstract", "notes", "type__name"),
    *("track__name", "topic__area", "topic__subarea", "room__name", "room__zone__name", "place", "session__title", "board"),
    "audience",
)


@dataclass(frozen=True)
class Text:
    """One thing as people wrote it."""

    thing: str
    target: int
    facets: str
    title: str
    people: str
    rest: str

    @property
    def digest(self) -> str:
        said = f"{self.facets}\x1f{self.title}\x1f{self.people}\x1f{self.rest}"
        return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def fields(self) -> dict[str, str | int]:
        """One thing as the index holds it."""
        return {
            "thing": self.thing,
            "target": self.target,
            "facets": self.facets,
            **{name: " ".join(words(getattr(self, name)))[:MOST_CHARACTERS] for name in ("title", "people", "rest")},
        }


@dataclass
class Own:
    """What a thing is found by: its own words, and those of the events it is found instead of."""

    kinds: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    topics: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)

    def facets(self, conference_id: int) -> str:
        named = [("kind", self.kinds), ("day", self.days), ("topic", self.topics)]
        labels = [facet(name, value) for name, values in named for value in sorted(values)]
        return " ".join([facet("conference", conference_id), *labels])


Things = dict[tuple[str, int], Own]


def facet(name: str, value: object) -> str:
    """A word for the index that no text has in its facets: the kind, day or topic somebody may ask for."""
    return name[0] + "".join(it for it in str(value) if it.isalnum())


def texts_of(conference_id: int) -> Iterator[Text]:
    """Everything attendees may find; of a conference that is a draft, nothing."""
    conference = Conference.objects.public().filter(pk=conference_id).first()
    if conference is None:
        return
    things: Things = defaultdict(Own)
    _add_papers(things, conference)
    _add_events(things, conference)
    names = _add_people(things, conference)
    _add_places(things, conference)
    _add_awards(things, conference)
    _add_amenities(things, conference)
    for (thing, pk), own in things.items():
        title, *titles = dict.fromkeys(own.titles)
        people = "\n".join(names[person] for person in dict.fromkeys(own.people) if person in names)
        rest = "\n".join(dict.fromkeys(filter(None, [*own.texts, *titles])))
        yield Text(thing, pk, own.facets(conference_id), title, people, rest)


def _add_papers(things: Things, conference: Conference) -> None:
    papers = Paper.objects.public().filter(conference=conference)
    rows = papers.order_by("pk").values_list("pk", "topic", "title", "tldr", "abstract", "topic__area", "topic__subarea")
    for pk, topic, title, *texts in rows:
        things["paper", pk] = Own({"paper"}, set(), {str(topic)} if topic else set(), [title], [], [*texts])
    for pk, person in _pairs(Authorship.objects.filter(paper__in=papers), "paper"):
        things["paper", pk].people.append(person)


def _add_events(things: Things, conference: Conference) -> None:
    """Public events, as their public paper, as their service, or as themselves."""
    events = Event.objects.public().filter(conference=conference)
    services = set(Service.objects.filter(conference=conference).values_list("pk", flat=True))
    keys: dict[int, tuple[str, int]] = {}
    for pk, paper, service, kind, day, topic, title, *texts in events.order_by("pk").values_list(*EVENT_COLUMNS):
        key = ("service", service) if service in services else ("event", pk)
        key = keys[pk] = ("paper", paper) if ("paper", paper) in things else key
        own = things[key]
        own.titles.append(title)
        own.kinds.add(kind)
        own.days |= {f"{day:%Y%m%d}"} if day else set()
        own.topics |= {str(topic)} if topic else set()
        own.texts += texts
    # An event may have been published since they were read.
    for pk, person in _pairs(Appearance.objects.filter(event__in=events), "event"):
        if pk in keys:
            things[keys[pk]].people.append(person)
    for pk, name, level in Award.objects.public().filter(event__in=events).order_by("pk").values_list("event", "name", "level"):
        things[keys[pk]].texts.append(_won(name, level))


def _add_people(things: Things, conference: Conference) -> dict[int, str]:
    """Those who are named by anything public, and what they are called."""
    named = {person for own in things.values() for person in own.people}
    people = Person.objects.filter(conference=conference).order_by("pk").values_list("pk", "name", "affiliation", "bio")
    names = {}
    for pk, name, *texts in people:
        if pk in named:
            names[pk] = name
            things["person", pk] = Own({"person"}, titles=[name], texts=[*texts])
    return names


def _add_places(things: Things, conference: Conference) -> None:
    rooms = Room.objects.filter(conference=conference).order_by("pk")
    for pk, name, *texts in rooms.values_list("pk", "name", "zone__name", "zone__venue__name", "description"):
        things["room", pk] = Own({"room"}, titles=[name], texts=[*texts])
    services = Service.objects.filter(conference=conference).order_by("pk")
    for pk, name, *texts in services.values_list("pk", "name", "description", "place", "zone__name", "room__name"):
        own = things["service", pk]
        own.kinds.add("service")
        own.titles.insert(0, name)
        own.texts += texts


def _add_amenities(things: Things, conference: Conference) -> None:
    """Small comforts by what they are, and by where: under the day of their event, if they are at one."""
    shown = set(Event.objects.public().filter(conference=conference).exclude(amenities=None).values_list("pk", flat=True))
    names = ("service__name", "service__place", "room__name", "zone__name", "event__title")
    rows = Amenity.objects.filter(conference=conference).order_by("pk")
    for pk, event, day, name, *texts in rows.values_list("pk", "event", "event__day__date", "name", "note", *names):
        if event is None or event in shown:
            days = {f"{day:%Y%m%d}"} if day else set[str]()
            things["amenity", pk] = Own({"amenity"}, days, titles=[name], texts=[*texts])


def _add_awards(things: Things, conference: Conference) -> None:
    rows = Award.objects.public().filter(conference=conference).order_by("pk").values_list("paper", "name", "level")
    for paper, name, level in rows:
        if ("paper", paper) in things:
            things["paper", paper].texts.append(_won(name, level))


def _won(name: str, level: str) -> str:
    return f"{name}, {Level(level).label}"


def _pairs(rows: Any, owner: str) -> Any:
    return rows.order_by(owner, "position", "pk").values_list(owner, "person")
