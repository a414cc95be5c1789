"""Filters of events by the query string: their conditions, their options with counts, and their names."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from django.db.models import Case, Count, F, Max, Q, When
from django.db.models.functions import Coalesce
from django.http import QueryDict

from events.core.languages import language_name
from events.core.parsing import cells
from events.core.parsing.languages import language_tag
from events.programme.addresses import folded_name
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import EventType, Kind, Topic, Track
from events.programme.models.venue import Room
from events.programme.queries.languages import in_languages, shows_languages
from events.programme.queries.public_names import only_public
from events.programme.rules.languages import counts_by_language

FILTER_FIELDS = {"type": "type__slug", "track": "track__slug", "room": "room__pk", "topic": "topic__slug", "language": "language"}
# The topic of the event, or else that of its paper.
EFFECTIVE_TOPIC = Coalesce(F("topic"), Case(When(paper__is_public=True, then=F("paper__topic"))))
# Only on the page of a day; "show all" clears it too.
START_PARAM = "start"
MAX_FILTER_VALUE_CHARS = 60
# In addresses, for values that match nothing: without it the address would be that of all events.
NO_MATCH_VALUE = "-"

LabelT = TypeVar("LabelT", EventType, Track, Room, Topic)


@dataclass(frozen=True)
class FilterOption:
    label: str
    value: str
    url: str
    active: bool
    count: int | None = None
    line: str = ""


@dataclass(frozen=True)
class Filters:
    kinds: list[FilterOption]
    tracks: list[FilterOption]
    rooms: list[FilterOption]
    topics: list[FilterOption]
    clear_url: str
    # True also for values without any event, so that an old address can be cleared.
    any: bool
    # All that can be filtered.
    total: int = 0
    languages: list[FilterOption] = field(default_factory=list)
    # The chosen hour, on the page of a day.
    hours: list[FilterOption] = field(default_factory=list)
    # The last revision among the events that can be filtered, without posters inside sessions: there may be thousands.
    changed_at: dt.datetime | None = None

    @property
    def active(self) -> list[FilterOption]:
        groups = (self.kinds, self.tracks, self.rooms, self.topics, self.languages, self.hours)
        return [option for group in groups for option in group if option.active]


def toggled_query(query: QueryDict, name: str, value: str) -> str:
    changed = query.copy()
    values = [it for it in changed.getlist(name) if it != value]
    if len(values) == len(changed.getlist(name)):
        values.append(value)
    changed.setlist(name, values)
    changed.pop("page", None)
    return f"?{changed.urlencode()}" if changed else "?"


def replaced_query(query: QueryDict, name: str, value: str) -> str:
    changed = query.copy()
    changed.pop("page", None)
    changed.pop(name, None)
    if value:
        changed[name] = value
    return f"?{changed.urlencode()}" if changed else "?"


def filter_events(events: EventQuerySet, query: QueryDict) -> EventQuerySet:
    for name, values in event_filters(query).items():
        events = events.filter(_filter_condition(name, values))
    return events


def _filter_condition(name: str, values: Sequence[str]) -> Q:
    if not values:
        return Q(pk__in=[])
    if name == "topic":
        return topic_filter(values)
    return in_languages(values) if name == "language" else Q(**{f"{FILTER_FIELDS[name]}__in": values})


def topic_filter(slugs: Iterable[str]) -> Q:
    """Match events of these topics; an event without a topic has that of its paper."""
    slugs = list(slugs)
    return Q(topic__slug__in=slugs) | Q(topic=None, paper__is_public=True, paper__topic__slug__in=slugs)


def event_filters(query: QueryDict) -> dict[str, list[str]]:
    """Return values by filter, without those that no column could contain; a filter of which none is left matches no event."""
    asked = {name: [it for it in query.getlist(name) if it] for name in FILTER_FIELDS}
    return {name: [it for it in values if _fits_column(name, it)] for name, values in asked.items() if values}


def _fits_column(name: str, value: str) -> bool:
    return _is_room_number(value) if name == "room" else len(value) <= MAX_FILTER_VALUE_CHARS and value.isprintable()


def _is_room_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 18


def with_room_numbers(conference: Conference, query: QueryDict) -> QueryDict:
    """Return ``query`` with the numbers of the rooms that it names as wall screens or as ``slug`` in schedule.json do.

    Reads the rooms only if a value is no number. An unknown name stays, and matches no event.
    """
    values = [it for it in query.getlist("room") if it]
    if all(map(_is_room_number, values)):
        return query
    numbers: dict[str, list[str]] = {}
    for number, name in only_public(Room.objects.filter(conference=conference)).order_by("pk").values_list("pk", "name"):
        # The two differ where a name has other dashes, as “212–213”.
        for key in {folded_name(name), cells.key_of(name)}:
            numbers.setdefault(key, []).append(str(number))
    changed = query.copy()
    changed.setlist("room", [number for it in values for number in numbers.get(folded_name(it), [it])])
    return changed


def filters_for(events: EventQuerySet, query: QueryDict, conference: Conference) -> Filters:
    """The filters of ``events``, which are of this conference; each choice counts what the other filters leave."""
    clear = query.copy()
    for name in (*FILTER_FIELDS, START_PARAM, "page"):
        clear.pop(name, None)
    groups, labels, changed_at = _event_groups(events)
    counts = _counts_of_choices(groups, event_filters(query))
    languages = counts_by_language(counts.pop("language"))
    options = {
        name: [
            _filter_option(name, query, label, value, counts[name][value], line) for value, (label, line) in labels[name].items()
        ]
        for name in counts
    }
    return Filters(
        kinds=options["type"],
        tracks=options["track"],
        rooms=options["room"],
        topics=options["topic"],
        languages=_language_options(query, languages) if languages and shows_languages(conference) else [],
        clear_url=f"?{clear.urlencode()}" if clear else "?",
        any=bool(event_filters(query)),
        total=sum(group.size for group in groups),
        changed_at=changed_at,
    )


def _language_options(query: QueryDict, counts: Counter[str]) -> list[FilterOption]:
    options = [_filter_option("language", query, language_name(tag), tag, count) for tag, count in counts.items()]
    return sorted(options, key=lambda option: option.label)


class EventGroup(NamedTuple):
    """Events that no filter tells apart: their value of each, as in addresses, and how many they are."""

    values: dict[str, str]
    size: int


def _event_groups(events: EventQuerySet) -> tuple[list[EventGroup], dict[str, dict[str, tuple[str, str]]], dt.datetime | None]:
    """Return the groups, the label and line of each value, and the last revision."""
    rows = events.order_by().annotate(about=EFFECTIVE_TOPIC).values_list("type", "track", "room", "about", "language")
    counts = {"n": Count("pk"), "last": Max("revised_at", filter=Q(session=None) | ~Q(type__kind=Kind.POSTER))}
    found = list(rows.annotate(**counts))
    types, tracks, rooms, topics = ({row[place] for row in found} - {None} for place in range(4))
    by_key = {
        "type": {it.pk: (it.slug, it.name, it.line) for it in _labels(EventType, types)},
        "track": {it.pk: (it.slug, it.name, "") for it in _labels(Track, tracks)},
        "room": {it.pk: (str(it.pk), it.name, "") for it in _labels(Room, rooms)},
        "topic": {it.pk: (it.slug, str(it), "") for it in _labels(Topic, topics)},
    }
    groups = [
        # A label may have been deleted since.
        EventGroup(
            {name: of[key][0] for (name, of), key in zip(by_key.items(), keys, strict=True) if key in of} | {"language": tag}, n
        )
        for *keys, tag, n, _ in found
    ]
    labels = {name: {value: (label, line) for value, label, line in of.values()} for name, of in by_key.items()}
    return groups, labels, max((row[-1] for row in found if row[-1]), default=None)


def _counts_of_choices(groups: Iterable[EventGroup], chosen: Mapping[str, Sequence[str]]) -> dict[str, Counter[str]]:
    """By filter and value: the events that all other filters leave; 0 where that is none."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FILTER_FIELDS}
    for group in groups:
        missed = {name for name, values in chosen.items() if not _is_chosen(name, group.values.get(name, ""), values)}
        for name, value in group.values.items():
            counts[name][value] += group.size if missed <= {name} else 0
    return counts


def _is_chosen(name: str, value: str, chosen: Sequence[str]) -> bool:
    return value in chosen or (name == "language" and any(value.startswith(f"{tag}-") for tag in chosen))


def _labels(model: type[LabelT], keys: Iterable[int]) -> list[LabelT]:
    return list(model._default_manager.filter(pk__in=list(keys)))


def _filter_option(name: str, query: QueryDict, label: str, value: str, count: int, line: str = "") -> FilterOption:
    return FilterOption(label, value, toggled_query(query, name, value), value in query.getlist(name), count, line)


FilterSelection = tuple[tuple[str, tuple[str, ...]], ...]


class CalendarLayer(NamedTuple):
    """A part of the programme with a separate calendar."""

    name: str
    kinds: tuple[Kind, ...]


CALENDAR_LAYERS = {"sessions": CalendarLayer("Sessions only", (Kind.SESSION, Kind.INVITED_TALK, Kind.BREAK))}


def schedule_filter_selection(query: QueryDict) -> FilterSelection:
    """Return the filters in a canonical form; () for the whole programme."""
    selected = event_filters(query)
    for name, is_known in EXPORT_ONLY_FILTERS.items():
        # A form sends a blank for a choice that was not made.
        if values := [it for it in query.getlist(name) if it]:
            selected[name] = [it for it in values if is_known(it)]
    return _canonical(selected)


def page_filter_selection(query: QueryDict) -> FilterSelection:
    """The same without parameters that only files read."""
    return _canonical(event_filters(query))


def _canonical(selected: Mapping[str, Sequence[str]]) -> FilterSelection:
    return tuple((name, tuple(sorted(set(values)))) for name, values in sorted(selected.items()))


def chosen_events(conference: Conference, query: QueryDict) -> EventQuerySet:
    """Return public events that match the filters of the schedule's pages, and ``day``, ``kind`` and ``layer``.

    An unknown value matches no event.
    """
    events = filter_events(Event.objects.public().filter(conference=conference), query)
    selected = dict(schedule_filter_selection(query))
    if "day" in selected:
        events = events.filter(day__date__in=selected["day"])
    if "kind" in selected:
        events = events.filter(type__kind__in=selected["kind"])
    if "layer" in selected:
        events = events.filter(
            session=None, type__kind__in=[kind for name in selected["layer"] for kind in CALENDAR_LAYERS[name].kinds]
        )
    return events


EXPORT_ONLY_FILTERS: dict[str, Callable[[str], object]] = {
    "day": cells.parse_date,
    "kind": lambda value: value in Kind.values,
    "layer": lambda value: value in CALENDAR_LAYERS,
}
"""Parameters of files only, each with a test for its values."""


def describe_filters(conference: Conference, selection: FilterSelection) -> str:
    names = [
        name
        for field, values in sorted(selection, key=_filter_position)
        for name in FILTER_VALUE_NAMES[field](conference, values) or ["Unknown choice"]
    ]
    return ", ".join(names)


def _filter_position(name_and_values: tuple[str, tuple[str, ...]]) -> int:
    return list(FILTER_VALUE_NAMES).index(name_and_values[0])


def _day_names(conference: Conference, values: Iterable[str]) -> list[str]:
    dates = sorted(date for value in values if (date := cells.parse_date(value)))
    return [f"{date:%A} {date.day} {date:%B}" for date in dates]


def _kind_names(conference: Conference, values: Iterable[str]) -> list[str]:
    return [f"{Kind(value).label}s" for value in values]


def _layer_names(conference: Conference, values: Iterable[str]) -> list[str]:
    return [CALENDAR_LAYERS[value].name for value in values]


def _type_names(conference: Conference, values: Iterable[str]) -> list[str]:
    return [it.many for it in only_public(EventType.objects.filter(conference=conference, slug__in=values)).order_by("name")]


def _track_names(conference: Conference, values: Iterable[str]) -> list[str]:
    tracks = only_public(Track.objects.filter(conference=conference, slug__in=values))
    return list(tracks.order_by("name").values_list("name", flat=True))


def _topic_names(conference: Conference, values: Iterable[str]) -> list[str]:
    topics = only_public(Topic.objects.filter(conference=conference, slug__in=values))
    return [str(it) for it in topics.order_by("area", "subarea")]


def _room_names(conference: Conference, values: Iterable[str]) -> list[str]:
    rooms = only_public(Room.objects.filter(conference=conference, pk__in=values))
    return list(rooms.order_by("name").values_list("name", flat=True))


def _language_names(conference: Conference, values: Iterable[str]) -> list[str]:
    return [f"In {language_name(value)}" for value in values if value and language_tag(value) == value]


FILTER_VALUE_NAMES: dict[str, Callable[[Conference, Iterable[str]], list[str]]] = {
    "day": _day_names,
    "layer": _layer_names,
    "kind": _kind_names,
    "type": _type_names,
    "track": _track_names,
    "topic": _topic_names,
    "room": _room_names,
    "language": _language_names,
}
"""In the order of ``describe_filters``."""
