"""What can be found of a conference: every public thing with the words it is found by, and nothing that is hidden."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

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
class Slots:
    """What the events of one paper or service, or one event by itself, add to its words."""

    kinds: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    topics: set[int] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def facet(name: str, value: object) -> str:
    """A word for the index that no text has in its facets: the kind, day or topic somebody may ask for."""
    return name[0] + "".join(it for it in str(value) if it.isalnum())


def texts_of(conference_id: int) -> Iterator[Text]:
    """Everything attendees may find; of a conference that is a draft, nothing."""
    conference = Conference.objects.public().filter(pk=conference_id).first()
    if conference is None:
        return
    papers = {row[0]: row for row in _papers(conference)}
    authors = _people_by(Authorship.objects.filter(paper__in=Paper.objects.public().filter(conference=conference)), "paper")
    speakers = _people_by(Appearance.objects.filter(event__in=Event.objects.public().filter(conference=conference)), "event")
    named = {it for people in [*authors.values(), *speakers.values()] for it in people}
    people = {pk: rest for pk, *rest in _people(conference) if pk in named}
    names = {pk: name for pk, (name, *_) in people.items()}
    slots = _slots(conference, papers, speakers)
    won = _awards(conference)

    def found(thing: str, pk: int, title: str, by: Iterable[int], texts: Iterable[str | None], topic: int | None = None) -> Text:
        own = slots.get((thing, pk), Slots())
        everybody = dict.fromkeys([*by, *own.people])
        titles = [it for it in dict.fromkeys(own.titles) if it != title]
        kinds = own.kinds | ({thing} if thing != "event" else set())
        return Text(
            thing,
            pk,
            _facets(conference_id, kinds, own.days, own.topics | ({topic} if topic else set())),
            title,
            "\n".join(names[it] for it in everybody if it in names),
            "\n".join(dict.fromkeys(filter(None, [*texts, *titles, *own.texts, *won.get((thing, pk), [])]))),
        )

    for pk, title, tldr, abstract, topic, area, subarea in papers.values():
        yield found("paper", pk, title, authors.get(pk, []), [tldr, abstract, area, subarea], topic)
    for (thing, pk), own in slots.items():
        if thing == "event":
            yield found(thing, pk, own.titles[0], [], [])
    for pk, (name, affiliation, bio) in people.items():
        yield found("person", pk, name, [], [affiliation, bio])
    for pk, name, *texts in _rooms(conference):
        yield found("room", pk, name, [], texts)
    for pk, name, *texts in _services(conference):
        yield found("service", pk, name, [], texts)


def _facets(conference_id: int, kinds: set[str], days: set[str], topics: set[int]) -> str:
    named = (
        [("kind", it) for it in sorted(kinds)] + [("day", it) for it in sorted(days)] + [("topic", it) for it in sorted(topics)]
    )
    return " ".join([facet("conference", conference_id), *(facet(name, value) for name, value in named)])


def _slots(
    conference: Conference, papers: dict[int, tuple[int, str, str, str, int | None, str, str]], speakers: dict[int, list[int]]
) -> dict[tuple[str, int], Slots]:
    """Public events under what they are found as: their public paper, their service, or themselves."""
    found: dict[tuple[str, int], Slots] = defaultdict(Slots)
    events = Event.objects.public().filter(conference=conference).order_by("pk").values_list(*EVENT_COLUMNS)
    for pk, paper, service, kind, day, topic, title, *texts in events:
        key = ("paper", paper) if paper in papers else ("service", service) if service else ("event", pk)
        own = found[key]
        own.kinds.add(kind)
        own.days |= {f"{day:%Y%m%d}"} if day else set()
        own.topics |= {topic} if topic else set()
        own.titles.append(title)
        own.people += speakers.get(pk, [])
        own.texts += [text for text in texts if text]
    return found


def _people_by(rows: Any, owner: str) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for key, person in rows.order_by(owner, "position", "pk").values_list(owner, "person"):
        found[key].append(person)
    return found


def _papers(conference: Conference) -> Iterable[tuple[int, str, str, str, int | None, str, str]]:
    names = ("pk", "title", "tldr", "abstract", "topic", "topic__area", "topic__subarea")
    return Paper.objects.public().filter(conference=conference).order_by("pk").values_list(*names)


def _people(conference: Conference) -> Iterable[tuple[int, str, str, str]]:
    return Person.objects.filter(conference=conference).order_by("pk").values_list("pk", "name", "affiliation", "bio")


def _rooms(conference: Conference) -> Iterable[tuple[int, str, str, str, str]]:
    rooms = Room.objects.filter(conference=conference).order_by("pk")
    return rooms.values_list("pk", "name", "zone__name", "zone__venue__name", "description")


def _services(conference: Conference) -> Iterable[tuple[int, str, str, str, str | None, str | None]]:
    services = Service.objects.filter(conference=conference).order_by("pk")
    return services.values_list("pk", "name", "description", "place", "zone__name", "room__name")


def _awards(conference: Conference) -> dict[tuple[str, int], list[str]]:
    """What was won, under the paper and under the talk."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    rows = Award.objects.public().filter(conference=conference).order_by("pk").values_list("paper", "event", "name", "level")
    for paper, event, name, level in rows:
        for key in [("paper", paper), ("event", event)]:
            if key[1]:
                found[key].append(f"{name}, {Level(level).label}")
    return found
