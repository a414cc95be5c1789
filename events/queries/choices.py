"""The choice of events that an address makes, in the words of the programme: "Thursday 24 April, Social"."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from events.importers import cells
from events.models import Conference, EventType, Kind, Room, Topic, Track
from events.queries.exports import LAYERS, Asked


def in_words(conference: Conference, asked: Asked) -> str:
    """A query for each filter; what the programme does not know any more is not named."""
    found = [name for field, values in sorted(asked, key=_place) for name in NAMES[field](conference, values)]
    return ", ".join(found) or ("Unknown choice" if asked else "")


def _place(one: tuple[str, tuple[str, ...]]) -> int:
    return list(NAMES).index(one[0])


def _days(conference: Conference, values: Iterable[str]) -> list[str]:
    dates = sorted(date for value in values if (date := cells.date(value)))
    return [f"{date:%A} {date.day} {date:%B}" for date in dates]


def _kinds(conference: Conference, values: Iterable[str]) -> list[str]:
    return [f"{Kind(value).label}s" for value in values]


def _layers(conference: Conference, values: Iterable[str]) -> list[str]:
    return [LAYERS[value].name for value in values]


def _types(conference: Conference, values: Iterable[str]) -> list[str]:
    return [it.many for it in EventType.objects.filter(conference=conference, slug__in=values).order_by("name")]


def _tracks(conference: Conference, values: Iterable[str]) -> list[str]:
    return list(Track.objects.filter(conference=conference, slug__in=values).order_by("name").values_list("name", flat=True))


def _topics(conference: Conference, values: Iterable[str]) -> list[str]:
    return [str(it) for it in Topic.objects.filter(conference=conference, slug__in=values).order_by("area", "subarea")]


def _rooms(conference: Conference, values: Iterable[str]) -> list[str]:
    return list(Room.objects.filter(conference=conference, pk__in=values).order_by("name").values_list("name", flat=True))


NAMES: dict[str, Callable[[Conference, Iterable[str]], list[str]]] = {
    "day": _days,
    "layer": _layers,
    "kind": _kinds,
    "type": _types,
    "track": _tracks,
    "topic": _topics,
    "room": _rooms,
}
"""In the order in which they are said."""
