"""The sessions, contributions and breaks of both of Indico's exports, as entries of one shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.values import JsonObject

CONTRIBUTION_IDS = ("contributionId", "db_id", "id")
"""Both exports have the number of the database, under different names; ``id`` alone is that of old versions."""


@dataclass(frozen=True)
class IndicoEntry:
    """``sort`` is session, contribution or break, ``key`` is "" without an id, and ``parent`` the key of the session around."""

    sort: str
    key: str
    content: JsonObject
    parent: str = ""

    def text(self, *names: str) -> str:
        return next(filter(None, (values.as_text(self.content.get(name)).strip() for name in names)), "")

    @property
    def title(self) -> str:
        """The title; a part of a session has the session's in the timetable, and its own in ``slotTitle``."""
        title, part = " ".join(self.text("title")[:400].split()), " ".join(self.text("slotTitle")[:400].split())
        return f"{title}: {part}" if part and part not in title else title

    @property
    def location(self) -> str:
        return f"{self.sort} {cells.quoted(self.title or self.key)}"


@dataclass(frozen=True)
class IndicoExport:
    """``event`` is empty for a timetable, which tells nothing of the event itself; ``address`` is the export's own."""

    event: JsonObject
    entries: list[IndicoEntry]
    address: str

    @classmethod
    def from_json(cls, top: JsonObject, *, file: str) -> IndicoExport:
        """Raise ScheduleParseError for several events, for a part of one, and for one without its sessions."""
        results = top.get("results")
        timetables, events = values.as_object(results), values.as_objects(results)
        if (count := len(timetables) + len(events)) > 1:
            problem = f"holds {count} events of Indico: export one of them, as /export/event/ID.json?detail=sessions"
            raise ScheduleParseError(problem, file=file)
        if top.get("complete") is False:
            raise ScheduleParseError("holds only a part of the event: export it again without a limit", file=file)
        event = events[0] if events else {}
        if event and not event.keys() & {"sessions", "contributions"}:
            problem = "holds the event without its sessions: add ?detail=sessions to the address and export it again"
            raise ScheduleParseError(problem, file=file)
        listed = values.limit_events(_timetable_entries(timetables) if timetables else _event_entries(event), file=file)
        return cls(
            event, listed if "sessions" in event or timetables else _in_named_sessions(listed), values.as_text(top.get("url"))
        )


def _event_entries(event: JsonObject) -> Iterator[IndicoEntry]:
    """Yield each session before its contributions, then the contributions outside of sessions."""
    for session in values.as_objects(event.get("sessions")):
        key = _key("session", session, "id")
        yield IndicoEntry("session", key, session)
        for contribution in values.as_objects(session.get("contributions")):
            yield _contribution_entry(contribution, parent=key)
    for contribution in values.as_objects(event.get("contributions")):
        yield _contribution_entry(contribution)


def _timetable_entries(timetables: JsonObject) -> Iterator[IndicoEntry]:
    for timetable in timetables.values():
        for content in (content for day in _members(timetable) for content in _members(day)):
            entry = _timetable_entry(content)
            yield entry
            for inner in _members(content.get("entries")):
                yield _timetable_entry(inner, parent=entry.key)


def _timetable_entry(content: JsonObject, *, parent: str = "") -> IndicoEntry:
    sort = values.as_text(content.get("entryType")).lower()
    if sort == "session":
        return IndicoEntry("session", _key("session", content, "sessionSlotId", "id"), content)
    if sort == "break":
        return IndicoEntry("break", _key("break", content, "id", "uniqueId"), content, parent)
    return _contribution_entry(content, parent=parent)


def _contribution_entry(content: JsonObject, *, parent: str = "") -> IndicoEntry:
    return IndicoEntry("contribution", _key("contribution", content, *CONTRIBUTION_IDS), content, parent)


def _key(sort: str, content: JsonObject, *names: str) -> str:
    """Return the sort and the first of the ids that the entry has, "" if it has none."""
    known = next(filter(None, (values.as_key(content.get(name)) for name in names)), "")
    return f"{sort}-{known}" if known else ""


def _members(value: Any) -> list[JsonObject]:
    """Return the objects of an object by key, or of a list."""
    return values.as_objects(list(value.values()) if isinstance(value, dict) else value)


def _in_named_sessions(contributions: list[IndicoEntry]) -> list[IndicoEntry]:
    """Add the sessions that the contributions name, one for each day: this level of detail has no others."""
    members: dict[tuple[str, str], list[IndicoEntry]] = defaultdict(list)
    placed = []
    for entry in contributions:
        name, date = entry.text("session"), values.as_text(values.as_object(entry.content.get("startDate")).get("date"))
        if name and date:
            members[name, date].append(entry)
            entry = replace(entry, parent=_named_key(name, date))  # noqa: PLW2901 - the same entry, with its session
        placed.append(entry)
    return [_named_session(name, date, inside) for (name, date), inside in members.items()] + placed


def _named_key(name: str, date: str) -> str:
    return f"session-{cells.key_of(name[:200])[:100]}-{date[:10]}"


def _named_session(name: str, date: str, inside: list[IndicoEntry]) -> IndicoEntry:
    def clock(value: Any) -> tuple[str, str]:
        return values.as_text(value.get("date")), values.as_text(value.get("time"))

    starts, ends = (values.as_objects([entry.content.get(part) for entry in inside]) for part in ("startDate", "endDate"))
    rooms = {entry.text("roomFullname", "room") for entry in inside}
    content = {
        "title": name,
        "startDate": min(starts, key=clock, default=None),
        "endDate": max(ends, key=clock, default=None),
        "room": rooms.pop() if len(rooms) == 1 else "",
    }
    return IndicoEntry("session", _named_key(name, date), content)
