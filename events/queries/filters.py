"""Filters that live in the address, so that what is on screen can be shared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q
from django.http import QueryDict

from events.models import EventType, Topic
from events.models.event import EventQuerySet

FIELDS = {"type": "type__slug", "track": "track__slug", "room": "room__pk", "topic": "topic__slug"}
# What only the page of a day asks for; "show all" clears it too.
HOUR = "start"


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

    @property
    def active(self) -> list[Choice]:
        return [choice for group in (self.kinds, self.tracks, self.rooms, self.topics) for choice in group if choice.active]


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
    return Filters(
        kinds=_kinds(events, query),
        tracks=_choices("track", query, _counted(events, "track__slug", "track__name", "track__position")),
        rooms=_choices("room", query, _counted(events, "room__pk", "room__name", "room__position")),
        topics=_choices("topic", query, _topics(events)),
        clear_url=f"?{clear.urlencode()}" if clear else "?",
        any=bool(asked(query)),
    )


def _kinds(events: EventQuerySet, query: QueryDict) -> list[Choice]:
    taken = set(query.getlist("type"))
    fields = ("name", "slug", "kind", "colour")
    rows = events.order_by("type__position", "type__name", "type").values_list("type", *(f"type__{it}" for it in fields))
    types = [(EventType(pk=pk, **dict(zip(fields, values, strict=True))), n) for pk, *values, n in rows.annotate(n=Count("pk"))]
    return [Choice(it.name, it.slug, toggled(query, "type", it.slug), it.slug in taken, n, it.line) for it, n in types]


def _topics(events: EventQuerySet) -> list[tuple[object, str, int]]:
    """By area and subarea; an event's own topic, or else its paper's."""
    by_paper = events.filter(topic=None, paper__is_public=True, paper__topic__isnull=False)
    counts: dict[Topic, int] = {}
    for path, found in (("topic", events.filter(topic__isnull=False)), ("paper__topic", by_paper)):
        fields = ("pk", "area", "subarea", "slug")
        rows = found.order_by().values_list(*(f"{path}__{it}" for it in fields)).annotate(n=Count("pk"))
        for *values, n in rows:
            topic = Topic(**dict(zip(fields, values, strict=True)))
            counts[topic] = counts.get(topic, 0) + n
    ordered = sorted(counts.items(), key=lambda it: (it[0].area, it[0].subarea, it[0].slug))
    return [(topic.slug, str(topic), n) for topic, n in ordered]


def _counted(events: EventQuerySet, value: str, label: str, order: str) -> Iterable[tuple[object, str, int]]:
    rows = events.filter(~Q(**{value: None})).order_by(order, label, value).values_list(value, label, order)
    return [(key, name, n) for key, name, _, n in rows.annotate(n=Count("pk"))]


def _choices(name: str, query: QueryDict, counted: Iterable[tuple[object, str, int]]) -> list[Choice]:
    taken = set(query.getlist(name))
    return [Choice(label, str(key), toggled(query, name, str(key)), str(key) in taken, n) for key, label, n in counted]
