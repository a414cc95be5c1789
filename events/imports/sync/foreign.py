"""Rows of other sources that a file also has: kept there, or handed over to the same programme in another format."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from events.imports.sync.match import guid_of
from events.imports.sync.plan_rows import StoredRow
from events.imports.sync.tables import SYNC_TABLES
from events.programme.data.schedule import EventData, ScheduleData
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status

EVENT_TABLE = next(table for table in SYNC_TABLES if table.model is Event)
MAX_KEY_CHARS = 200


@dataclass(frozen=True)
class SourceHandover:
    """The source whose rows become those of the file's; "" if there is none. ``same`` of its ``known`` events are in the file."""

    former: str = ""
    same: int = 0
    known: int = 0

    def includes(self, row: StoredRow) -> bool:
        return bool(self.former and row.key and row.source == self.former)

    def key(self, row: StoredRow) -> str:
        """The key of a row that is not in the file, which no row of the file has."""
        key = f"{self.former}:{row.key}"
        return key if len(key) <= MAX_KEY_CHARS else f"{self.former}:#{row.pk}"

    def note(self, source: str) -> str:
        return (
            f"This is the programme of “{self.former}” in another file: {self.same} of its {self.known} events have the same "
            f"guids here. Its rows belong to “{source}” from now on and follow its files. "
            "What this file has nowhere stays as it is."
        )


NO_HANDOVER = SourceHandover()


@dataclass(frozen=True)
class ForeignEvents:
    """Events of the file that other sources brought: the keys in the file, by source; "" for events made by an organiser."""

    keys: Mapping[str, AbstractSet[str]]
    known: Mapping[str, int]
    guids_in_file: int

    @classmethod
    def find(cls, data: ScheduleData, conference: Conference | None, source: str) -> ForeignEvents:
        if conference is None:
            return cls({}, {}, 0)
        rows = list(Event.objects.filter(conference=conference).values_list("source", "source_key", "guid", "status"))
        own_keys = {key for origin, key, *_ in rows if origin == source and key}
        origins = {guid: origin if key else "" for origin, key, guid, _ in rows if origin != source or not key}
        found: dict[str, set[str]] = {}
        with_guid = [event for event in data.events if event.guid]
        for event in with_guid:
            if event.key not in own_keys and (guid := guid_of(EVENT_TABLE, event)) in origins:
                found.setdefault(origins[guid], set()).add(event.key)
        known = Counter(origin for origin, key, _, status in rows if key and status != Status.CANCELLED)
        return cls(found, known, len(with_guid))

    def handover(self) -> SourceHandover:
        """Hand over a source of which most events are in the file, if most guids of the file are of that source."""
        for origin, keys in self.keys.items():
            same, known = len(keys), self.known.get(origin, 0)
            if origin and same * 2 > self.guids_in_file and same * 2 > known:
                return SourceHandover(origin, same, max(same, known))
        return NO_HANDOVER

    def left(self, handover: SourceHandover) -> dict[str, AbstractSet[str]]:
        return {origin: keys for origin, keys in self.keys.items() if origin != handover.former or not origin}

    def notes(self, handover: SourceHandover) -> Iterable[str]:
        for origin, keys in sorted(self.left(handover).items()):
            yield _kept_note(origin, len(keys))


def _kept_note(origin: str, number: int) -> str:
    one = number == 1
    events, it = f"{number} {'event' if one else 'events'} of this file", "it" if one else "them"
    if not origin:
        made = "was made here by hand and stays as it is" if one else "were made here by hand and stay as they are"
        return f"{events} {made}. Edit {it} here."
    return (
        f"{events} came from another source, “{origin}”, which keeps {it}: nothing of {it} was changed. If this file takes its "
        f"place, import it with the source “{origin}”."
    )


def without_foreign_refs(data: ScheduleData, foreign_keys: AbstractSet[str]) -> ScheduleData:
    """Return the data without people and papers that only events of other sources refer to.

    A file that also lists events of another source (known by guid) must not add their people a second time.
    """
    if not foreign_keys:
        return data
    own = [event for event in data.events if event.key not in foreign_keys]
    foreign = [event for event in data.events if event.key in foreign_keys]
    awarded = {award.paper for award in data.awards}
    dropped_papers = {event.paper for event in foreign} - {event.paper for event in own} - awarded
    papers = [paper for paper in data.papers if paper.key not in dropped_papers]
    dropped_authors = {author for paper in data.papers if paper.key in dropped_papers for author in paper.authors}
    used_people = {author for paper in papers for author in paper.authors} | set(_person_keys(own))
    dropped_people = (dropped_authors | set(_person_keys(foreign))) - used_people
    return dataclasses.replace(
        data,
        people=tuple(person for person in data.people if person.key not in dropped_people),
        papers=tuple(papers),
        events=tuple(
            dataclasses.replace(event, people=(), paper="") if event.key in foreign_keys else event for event in data.events
        ),
    )


def _person_keys(events: Iterable[EventData]) -> Iterable[str]:
    return (appearance.person for event in events for appearance in event.people)
