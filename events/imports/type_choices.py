"""What the types of a file become: their guessed kinds, corrected by organisers and remembered for the next import.

A choice is "kind:break", which keeps the type and sets how it behaves, or "type:lunch", a type of the conference.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from events.imports.models import ImportRun
from events.programme.data.schedule import EventTypeData, ScheduleData
from events.programme.models.conference import Conference
from events.programme.models.labels import EventType, Kind

KIND_CHOICE, TYPE_CHOICE = "kind:", "type:"
OWN_FORMATS = frozenset({"hallway-json", "hallway-xml", "seed-folder"})
"""Formats of our own, in which organisers chose the kinds: nothing in them is guessed."""
TypeChoices = Mapping[str, str]


@dataclass(frozen=True)
class TheirType:
    """A type of the file, the number of its events, and what it becomes."""

    key: str
    name: str
    events: int
    choice: str


def remembered_choices(conference: Conference | None) -> dict[str, str]:
    """Return the choices of the last import into the conference; each import repeats those before it."""
    if conference is None:
        return {}
    runs = ImportRun.objects.done().filter(conference=conference).exclude(types={})
    return dict(runs.values_list("types", flat=True).first() or {})


def their_types(data: ScheduleData, choices: TypeChoices, conference: Conference | None) -> list[TheirType]:
    """Return the types of a file as it was read. Where nobody chose, the kind is that of our type, else the guess."""
    ours = _types_by_slug(conference)
    counts = Counter(event.type for event in data.events)
    return [
        TheirType(row.key, row.name, counts[row.key], _choice(row, choices, ours) or f"{KIND_CHOICE}{_our_kind(row, ours)}")
        for row in data.types
    ]


def with_chosen_types(data: ScheduleData, choices: TypeChoices, conference: Conference | None) -> ScheduleData:
    """Where nobody chose, a type of ours stays as it is: a file names it and says nothing else of it."""
    ours = _types_by_slug(conference)
    chosen = {row.key: _choice(row, choices, ours) for row in data.types}
    replaced = {key: choice.removeprefix(TYPE_CHOICE) for key, choice in chosen.items() if choice.startswith(TYPE_CHOICE)}
    rows = {row.key: _with_kind(_as_ours(row, ours), chosen[row.key]) for row in data.types if row.key not in replaced}
    rows |= {slug: _row_of(ours[slug]) for slug in replaced.values() if slug not in rows}
    events = (dataclasses.replace(event, type=replaced.get(event.type, event.type)) for event in data.events)
    return dataclasses.replace(data, types=tuple(rows.values()), events=tuple(events))


def _types_by_slug(conference: Conference | None) -> dict[str, EventType]:
    return {row.slug: row for row in conference.types.all()} if conference else {}


def _our_kind(row: EventTypeData, ours: Mapping[str, EventType]) -> str:
    return ours[row.key].kind if row.key in ours else row.kind


def _choice(row: EventTypeData, choices: TypeChoices, ours: Mapping[str, EventType]) -> str:
    """Return the choice for this type; without one, our only type of the same name, if that has another slug."""
    if (choice := _valid_choice(row, choices, ours)) or row.key in ours:
        return choice
    same = [slug for slug, our in ours.items() if our.name.casefold() == row.name.casefold()]
    return f"{TYPE_CHOICE}{same[0]}" if len(same) == 1 else ""


def _valid_choice(row: EventTypeData, choices: TypeChoices, ours: Mapping[str, EventType]) -> str:
    """Return the choice for this type; "" if there is none, or if our type of that name is gone."""
    choice = choices.get(row.key, "")
    if choice.startswith(KIND_CHOICE):
        return choice if choice.removeprefix(KIND_CHOICE) in Kind.values else ""
    slug = choice.removeprefix(TYPE_CHOICE)
    return choice if choice.startswith(TYPE_CHOICE) and slug in ours and slug != row.key else ""


def _with_kind(row: EventTypeData, choice: str) -> EventTypeData:
    return dataclasses.replace(row, kind=choice.removeprefix(KIND_CHOICE)) if choice else row


def _as_ours(row: EventTypeData, ours: Mapping[str, EventType]) -> EventTypeData:
    """Return our type under the name and at the place that it has in the file."""
    return dataclasses.replace(_row_of(ours[row.key]), name=row.name, position=row.position) if row.key in ours else row


def _row_of(row: EventType) -> EventTypeData:
    """Our type as it is, so that the import refers to it and changes nothing of it."""
    names = [field.name for field in dataclasses.fields(EventTypeData) if field.name != "key"]
    return EventTypeData(key=row.slug, **{name: getattr(row, name) for name in names})
