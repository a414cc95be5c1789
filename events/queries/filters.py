"""Filters that live in the address, so that what is on screen can be shared."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import Case, Count, F, Max, Q, When
from django.db.models.functions import Coalesce
from django.http import QueryDict

from events.models import EventType, Room, Topic, Track
from events.models.event import EventQuerySet

FIELDS = {"type": "type__slug", "track": "track__slug", "room": "room__pk", "topic": "topic__slug"}
# An event's own topic, or else its paper's.
ABOUT = Coalesce(F("topic"), Case(When(paper__is_public=True, then=F("paper__topic"))))
# What only the page of a day asks for; "show all" clears it too.
HOUR = "start"

L = TypeVar("L", EventType, Track, Room, Topic)


@dataclass(frozen=True)
class Choice:
    label: str
    value: str
    url: str
    active: bool
    count: int | None = None
    line: str = ""


@dataclass(frozen=True)
class Filters:
    kinds: list[Choice]
    tracks: list[Choice]
    rooms: list[Choice]
    topics: list[Choice]
    clear_url: str
    # Also true for what nothing on the page has, so that an old address can be cleared.
    any: bool
    # The hour of a day's page, when the address names one.
    hours: list[Choice] = field(default_factory=list)
    # When anything that can be filtered was revised last.
    changed_at: dt.datetime | None = None

    @property
    def active(self) -> list[Choice]:
        groups = (self.kinds, self.tracks, self.rooms, self.topics, self.hours)
        return [choice for group in groups for choice in group if choice.active]


def toggled(query: QueryDict, name: str, value: str) -> str:
    """The address with this choice taken or given back, and from the first page again."""
    changed = query.copy()
    values = [it for it in changed.getlist(name) if it != value]
    if len(values) == len(changed.getlist(name)):
        values.append(value)
    changed.setlist(name, values)
    changed.pop("page", None)
    return f"?{changed.urlencode()}" if changed else "?"


def replaced(query: QueryDict, name: str, value: str) -> str:
    """The address with this one value; an empty one takes it out."""
    changed = query.copy()
    changed.pop("page", None)
    changed.pop(name, None)
    if value:
        changed[name] = value
    return f"?{changed.urlencode()}" if changed else "?"


def narrowed(events: EventQuerySet, query: QueryDict) -> EventQuerySet:
    """Only what the address asks for; what cannot be a value asks for nothing."""
    for name, values in asked(query).items():
        events = events.filter(about(values) if name == "topic" else Q(**{f"{FIELDS[name]}__in": values}))
    return events


def about(slugs: Iterable[str]) -> Q:
    """Events of these topics; one that has none of its own is about what its paper is about."""
    slugs = list(slugs)
    return Q(topic__slug__in=slugs) | Q(topic=None, paper__is_public=True, paper__topic__slug__in=slugs)


def asked(query: QueryDict) -> dict[str, list[str]]:
    """What the address asks for, without what no column could hold."""
    asked = {name: [it for it in query.getlist(name) if 0 < len(it) <= 60 and it.isprintable()] for name in FIELDS}
    asked["room"] = [it for it in asked["room"] if it.isascii() and it.isdigit() and len(it) < 18]
    return {name: values for name, values in asked.items() if values}


def filters_for(events: EventQuerySet, query: QueryDict) -> Filters:
    """The choices these events leave, each with its count."""
    clear = query.copy()
    for name in (*FIELDS, HOUR, "page"):
        clear.pop(name, None)
    (types, tracks, rooms, topics), changed_at = _counted(events)
    return Filters(
        kinds=[_choice("type", query, it.name, it.slug, types[it.pk], it.line) for it in _labels(EventType, types)],
        tracks=[_choice("track", query, it.name, it.slug, tracks[it.pk]) for it in _labels(Track, tracks)],
        rooms=[_choice("room", query, it.name, str(it.pk), rooms[it.pk]) for it in _labels(Room, rooms)],
        topics=[_choice("topic", query, str(it), it.slug, topics[it.pk]) for it in _labels(Topic, topics)],
        clear_url=f"?{clear.urlencode()}" if clear else "?",
        any=bool(asked(query)),
        changed_at=changed_at,
    )


def _counted(events: EventQuerySet) -> tuple[list[Counter[int]], dt.datetime | None]:
    """How many events each type, track, room and topic has, and when one was revised last, in one pass over them."""
    counts: list[Counter[int]] = [Counter(), Counter(), Counter(), Counter()]
    rows = events.order_by().annotate(about=ABOUT).values_list("type", "track", "room", "about")
    changed_at = None
    for *keys, n, last in rows.annotate(n=Count("pk"), last=Max("revised_at")):
        changed_at = max(changed_at or last, last)
        for key, counter in zip(keys, counts, strict=True):
            if key is not None:
                counter[key] += n
    return counts, changed_at


def _labels(model: type[L], counts: Counter[int]) -> list[L]:
    return list(model._default_manager.filter(pk__in=list(counts)))


def _choice(name: str, query: QueryDict, label: str, value: str, count: int, line: str = "") -> Choice:
    return Choice(label, value, toggled(query, name, value), value in query.getlist(name), count, line)
