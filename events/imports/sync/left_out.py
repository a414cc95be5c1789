"""Events that are in a file and cannot be read from it, in whole or in part: what is stored of them stays."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from events.core.clock import programme_date
from events.core.spans import utc
from events.imports.sync.plan_rows import StoredRow, chunks
from events.imports.sync.repeats import base_key
from events.programme.data.schedule import DayData, EventData, LeftOutEvent, ScheduleData, load_time_zone
from events.programme.models.event import Event


class LeftOutEvents:
    """The events of a file that are not among its ``events``, by the rows that they stand for."""

    def __init__(self, events: Sequence[LeftOutEvent]) -> None:
        self._by_key = {event.key: event for event in events}

    def find(self, row: StoredRow) -> LeftOutEvent | None:
        """Return the event of the row's key, of the key that several slots share, of the series it is one of, or its guid."""
        keys = (row.key, base_key(row.key), row.key.rpartition("/")[0], str(row.guid))
        return next((self._by_key[key] for key in keys if key in self._by_key), None)


def with_stored_values(data: ScheduleData, conference_pk: int | None, sources: Collection[str]) -> ScheduleData:
    """Return the data with what the last import stored where this file cannot be read.

    That are the times of ``unread_times``, and the session of an event whose session is left out.
    """
    if conference_pk is None or not (data.unread_times or data.left_out):
        return data
    stored = Event.objects.filter(conference=conference_pk, source__in=sources)
    unread_sessions = [event.key for event in data.left_out if not event.is_hidden]
    sessions: dict[str, str] = {}
    for keys in chunks(unread_sessions):
        sessions |= dict(stored.filter(session__source_key__in=keys).values_list("source_key", "session__source_key"))
    last: dict[str, Mapping[str, Any]] = {}
    for keys in chunks(sorted(data.unread_times)):
        last |= dict(stored.filter(source_key__in=keys).values_list("source_key", "imported"))
    if not sessions and not last:
        return data
    events = tuple(_with_stored(event, last.get(event.key, {}), sessions.get(event.key, "")) for event in data.events)
    return dataclasses.replace(data, events=events, days=(*data.days, *_missing_days(data, events)))


def _with_stored(event: EventData, last: Mapping[str, Any], session: str) -> EventData:
    event = dataclasses.replace(event, session=session) if session and not event.session else event
    start, end = (_moment(last.get(name)) for name in ("start", "end"))
    if start is None:
        return event
    if event.start is None:
        return dataclasses.replace(event, day=last.get("day") or "", start=start, end=end)
    return dataclasses.replace(event, end=utc(event.start) + (end - start)) if end else event


def _moment(value: Any) -> dt.datetime | None:
    return dt.datetime.fromisoformat(value) if value else None


def _missing_days(data: ScheduleData, events: Sequence[EventData]) -> Iterator[DayData]:
    """Yield the days of stored times that the file does not list."""
    zone, known = load_time_zone(data.conference.timezone), {day.key for day in data.days}
    for event in events:
        if event.key in data.unread_times and event.start and event.day and event.day not in known:
            known.add(event.day)
            yield DayData(key=event.day, date=programme_date(event.start, zone))
