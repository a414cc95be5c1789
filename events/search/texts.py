"""The public texts of a conference, or of some of its things, before they are folded for the index."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from events.core.rendered_text import cached_plain_text
from events.core.words import folded_words, other_forms
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.info_pages import InfoPage
from events.programme.models.papers import Authorship, Award, AwardLevel, Link, Paper
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Service
from events.programme.queries.public_names import only_public
from events.search.rules import facet, given_initials, paper_id
from events.venue.models import Amenity

MAX_INDEXED_CHARS = 100_000
INDEXED_EVENT_COLUMNS = (
    *("pk", "paper", "service", "room", "overflow_room", "type__kind", "day__date", "topic", "title", "board"),
    *(
        "subtitle",
        "abstract",
        "description",
        "notes",
        "type__name",
        "track__name",
        "topic__area",
        "topic__subarea",
        "room__name",
        "room__zone__name",
    ),
    *("place", "session__title", "audience"),
)
Keys = Mapping[str, Collection[int]]
"""Primary keys by SearchEntryType."""

ModelT = TypeVar("ModelT", bound=Model)


@dataclass(frozen=True)
class SearchText:
    """The texts of one thing before folding."""

    thing: str
    target: int
    facets: str
    title: str
    people: str
    rest: str

    @cached_property
    def digest(self) -> str:
        content = f"{self.facets}\x1f{self.title}\x1f{self.people}\x1f{self.rest}"
        return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def fields(self) -> dict[str, str | int]:
        names = self.people.split("\n") + [self.title] * (self.thing == "person")
        # Not behind the title, which is compared as a whole.
        forms = {"people": [*other_forms(self.title), *other_forms(self.people), *map(given_initials, names)]}
        forms["rest"] = other_forms(self.rest)
        return {
            "thing": self.thing,
            "target": self.target,
            "facets": self.facets,
            **{name: _indexed(getattr(self, name), forms.get(name, [])) for name in ("title", "people", "rest")},
        }


def _indexed(text: str, forms: Iterable[str]) -> str:
    return " ".join([*folded_words(text), *dict.fromkeys(filter(None, forms))])[:MAX_INDEXED_CHARS]


@dataclass
class SearchContent:
    """The texts of a thing, and of the events whose search result is this thing."""

    kinds: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    topics: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)

    def facets(self, conference_id: int) -> str:
        values_by_name = [("kind", self.kinds), ("day", self.days), ("topic", self.topics)]
        labels = [facet(name, value) for name, values in values_by_name for value in sorted(values)]
        return " ".join([facet("conference", conference_id), *labels])


SearchContents = dict[tuple[str, int], SearchContent]


def texts_of(conference_id: int, keys: Keys | None = None) -> Iterator[SearchText]:
    """Read the texts of these things, or of all. With an event, ``keys`` has what ``with_related`` adds to it."""
    conference = Conference.objects.public().filter(pk=conference_id).first()
    if conference is None:
        return
    things: SearchContents = defaultdict(SearchContent)
    _add_papers(things, conference, keys)
    thing_by_event, rooms = _add_events(things, conference, keys)
    names = _add_people(things, conference, keys)
    _add_rooms(things, conference, keys, rooms)
    _add_services(things, conference, keys)
    _add_awards(things, conference, keys, thing_by_event)
    _add_links(things, conference, keys, thing_by_event)
    _add_amenities(things, conference, keys)
    _add_pages(things, conference, keys)
    for (thing, pk), content in things.items():
        title, *titles = dict.fromkeys(content.titles)
        people = "\n".join(names[person] for person in dict.fromkeys(content.people) if person in names)
        rest = "\n".join(dict.fromkeys(filter(None, [*content.texts, *titles])))
        yield SearchText(thing, pk, content.facets(conference_id), title, people, rest)


def keys_of_events(conference_id: int, events: Collection[int]) -> Keys:
    """Return what shows the texts of these events, or is hidden and shown with them."""
    keys: dict[str, set[int]] = defaultdict(set)
    columns = ("pk", "paper", "service", "room", "overflow_room")
    for pk, paper, service, *rooms in Event.objects.filter(pk__in=events, conference=conference_id).values_list(*columns):
        keys["event"].add(pk)
        for thing, target in [("paper", paper), ("service", service), *(("room", room) for room in rooms)]:
            keys[thing] |= {target} - {None}
    keys["person"].update(Appearance.objects.filter(event__in=events).values_list("person", flat=True))
    keys["person"].update(Authorship.objects.filter(paper__in=keys["paper"]).values_list("person", flat=True))
    keys["amenity"].update(Amenity.objects.filter(event__in=events).values_list("pk", flat=True))
    # What was deleted has no row any more, but may have its entry.
    keys["event"] |= {*events, *_events_of(keys["paper"], keys["service"])}
    return keys


def with_related(keys: Keys) -> Keys:
    """Add the papers and services of events, and all events of these: their texts are in one entry."""
    events, papers, services = (set(keys.get(thing, ())) for thing in ("event", "paper", "service"))
    for paper, service in Event.objects.filter(pk__in=events).values_list("paper", "service"):
        papers |= {paper} - {None}
        services |= {service} - {None}
    events |= _events_of(papers, services)
    return defaultdict(set, {**keys, "event": events, "paper": papers, "service": services})


def _events_of(papers: Collection[int], services: Collection[int]) -> set[int]:
    # One query for each column: an OR of two would read every event.
    columns = [("paper", papers), ("service", services)]
    queries = [Event.objects.filter(**{f"{column}__in": targets}) for column, targets in columns if targets]
    return {pk for events in queries for pk in events.values_list("pk", flat=True)}


def _only(rows: QuerySet[ModelT], keys: Keys | None, thing: str, path: str = "pk") -> QuerySet[ModelT]:
    return rows if keys is None else rows.filter(**{f"{path}__in": keys[thing]})


def _add_papers(things: SearchContents, conference: Conference, keys: Keys | None) -> None:
    papers = _only(Paper.objects.public().filter(conference=conference), keys, "paper")
    rows = papers.order_by("pk").values_list("pk", "topic", "title", "tldr", "abstract", "topic__area", "topic__subarea")
    for pk, topic, title, *texts in rows:
        things["paper", pk] = SearchContent({"paper"}, set(), {str(topic)} if topic else set(), [title], [], [*texts])
    of_papers = papers if keys is None else [pk for _, pk in things]
    for pk, person in _pairs(Authorship.objects.filter(paper__in=of_papers), "paper"):
        things["paper", pk].people.append(person)


def _add_events(things: SearchContents, conference: Conference, keys: Keys | None) -> tuple[dict[int, tuple[str, int]], set[int]]:
    """Return the thing of each event, and the rooms of all."""
    events = _only(Event.objects.public().filter(conference=conference), keys, "event")
    services = _services(conference, keys)
    thing_by_event: dict[int, tuple[str, int]] = {}
    rooms: set[int] = set()
    rows = events.order_by("pk").values_list(*INDEXED_EVENT_COLUMNS)
    for pk, paper, service, room, overflow_room, kind, day, topic, title, board, *texts in rows:
        key = ("service", service) if service in services else ("event", pk)
        key = thing_by_event[pk] = ("paper", paper) if ("paper", paper) in things else key
        content = things[key]
        rooms |= {room, overflow_room}
        content.titles.append(title)
        content.kinds.add(kind)
        content.days |= {f"{day:%Y%m%d}"} if day else set()
        content.topics |= {str(topic)} if topic else set()
        content.texts += [*texts, _board_text(board)]
    of_events = events if keys is None else list(thing_by_event)
    # An event may have been published since the first query.
    for pk, person in _pairs(Appearance.objects.filter(event__in=of_events), "event"):
        if pk in thing_by_event:
            things[thing_by_event[pk]].people.append(person)
    return thing_by_event, rooms


def _add_people(things: SearchContents, conference: Conference, keys: Keys | None) -> dict[int, str]:
    shown = {person for content in things.values() for person in content.people}
    people = Person.objects.filter(conference=conference)
    if keys is not None:
        if others := set(keys["person"]) - shown:
            shown.update(Person.objects.public().filter(pk__in=others).values_list("pk", flat=True))
        people = people.filter(pk__in=shown)
    names = {}
    for pk, name, *texts in people.order_by("pk").values_list("pk", "name", "affiliation", "bio"):
        if pk in shown:
            names[pk] = name
            if keys is None or pk in keys["person"]:
                things["person", pk] = SearchContent({"person"}, titles=[name], texts=[*texts])
    return names


def _add_rooms(things: SearchContents, conference: Conference, keys: Keys | None, shown: Collection[int]) -> None:
    rooms = Room.objects.filter(conference=conference)
    if keys is None:
        rooms = only_public(rooms)
    else:
        # Rooms of public events are public.
        others = set(keys["room"]).difference(shown)
        public = only_public(rooms.filter(pk__in=others)).values_list("pk", flat=True) if others else ()
        rooms = rooms.filter(pk__in={*keys["room"]} - others | {*public})
    for pk, name, *texts in rooms.order_by("pk").values_list("pk", "name", "zone__name", "zone__venue__name", "description"):
        things["room", pk] = SearchContent({"room"}, titles=[name], texts=[*texts])


def _services(conference: Conference, keys: Keys | None) -> dict[int, list[str]]:
    if keys is not None and not keys["service"]:
        return {}
    services = _only(Service.objects.filter(conference=conference), keys, "service").order_by("pk")
    rows = services.values_list("pk", "name", "description", "place", "zone__name", "room__name")
    return {pk: texts for pk, *texts in rows}


def _add_services(things: SearchContents, conference: Conference, keys: Keys | None) -> None:
    for pk, (name, *texts) in _services(conference, keys).items():
        content = things["service", pk]
        content.kinds.add("service")
        content.titles.insert(0, name)
        content.texts += texts


def _add_amenities(things: SearchContents, conference: Conference, keys: Keys | None) -> None:
    if keys is not None and not keys["amenity"]:
        return
    names = ("service__name", "service__place", "room__name", "zone__name", "event__title")
    rows = _only(Amenity.objects.public().filter(conference=conference), keys, "amenity").order_by("pk")
    for pk, day, name, *texts in rows.values_list("pk", "event__day__date", "name", "note", *names):
        days = {f"{day:%Y%m%d}"} if day else set[str]()
        things["amenity", pk] = SearchContent({"amenity"}, days, titles=[name], texts=[*texts])


def _add_pages(things: SearchContents, conference: Conference, keys: Keys | None) -> None:
    if keys is not None and not keys["page"]:
        return
    pages = _only(InfoPage.objects.public().filter(conference=conference), keys, "page").order_by("pk")
    for pk, title, text in pages.values_list("pk", "title", "text"):
        things["page", pk] = SearchContent({"page"}, titles=[title], texts=[cached_plain_text(text)])


def _add_awards(
    things: SearchContents, conference: Conference, keys: Keys | None, thing_by_event: Mapping[int, tuple[str, int]]
) -> None:
    awards = Award.objects.public().filter(conference=conference)
    if keys is not None:
        awards = awards.filter(Q(event__in=keys["event"]) | Q(paper__in=keys["paper"]))
    for event, paper, name, level in awards.order_by("pk").values_list("event", "paper", "name", "level"):
        for key in dict.fromkeys([thing_by_event.get(event), ("paper", paper)]):
            if key in things:
                things[key].texts.append(f"{name}, {AwardLevel(level).label}")


def _add_links(
    things: SearchContents, conference: Conference, keys: Keys | None, thing_by_event: Mapping[int, tuple[str, int]]
) -> None:
    links = Link.objects.filter(Q(event__conference=conference) | Q(paper__conference=conference))
    if keys is not None:
        links = Link.objects.filter(Q(event__in=keys["event"]) | Q(paper__in=keys["paper"]))
    for event, paper, url in links.order_by("pk").values_list("event", "paper", "url"):
        key = thing_by_event.get(event, ("paper", paper))
        if key in things:
            things[key].texts.append(paper_id(url))


def _board_text(board: str) -> str:
    return board if not board or board.casefold().startswith("board") else f"Board {board}"


def _pairs(rows: Any, owner: str) -> Any:
    return rows.order_by(owner, "position", "pk").values_list(owner, "person")
