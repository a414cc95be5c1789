"""People and papers that a file has only for the sake of events which are another source's to write."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from events.importers.data import EventData, ScheduleData
from events.models import Conference, Event
from events.sync.match import guid_of
from events.sync.tables import TABLES

EVENTS = next(it for it in TABLES if it.model is Event)


def without_mentioned(data: ScheduleData, conference: Conference, source: str) -> ScheduleData:
    """The data without them: a file that knows our own events brings nobody a second time."""
    if not conference.pk:
        return data
    rows = Event.objects.filter(conference=conference).values_list("source", "source_key", "guid")
    mine = {key for origin, key, _ in rows if origin == source and key}
    others_guids = {guid for origin, key, guid in rows if origin != source or not key}
    theirs = {it.key for it in data.events if it.guid and it.key not in mine and guid_of(EVENTS, it) in others_guids}
    if not theirs:
        return data
    own, others = [it for it in data.events if it.key not in theirs], [it for it in data.events if it.key in theirs]
    awarded = {it.paper for it in data.awards}
    papers = {it.paper for it in others} - {it.paper for it in own} - awarded
    kept = [it for it in data.papers if it.key not in papers]
    gone = {author for it in data.papers if it.key in papers for author in it.authors} | set(_people(others))
    gone -= {author for it in kept for author in it.authors} | set(_people(own))
    events = tuple(dataclasses.replace(it, people=(), paper="") if it.key in theirs else it for it in data.events)
    people = tuple(it for it in data.people if it.key not in gone)
    return dataclasses.replace(data, people=people, papers=tuple(kept), events=events)


def _people(events: Iterable[EventData]) -> Iterable[str]:
    return (it.person for event in events for it in event.people)
