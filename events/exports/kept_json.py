"""schedule.json joined from kept pieces: after a change of a few events only these are read and written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from events.core.kept_pieces import KEPT_PIECES
from events.exports.programme import Selection, data_of_events, page_names, part_of_programme, programme_data
from events.exports.schedule_json import EventPieces, JsonPieces, event_pieces, json_pieces
from events.exports.values import ExportUrls, Timetable
from events.programme.models.event import Event
from events.programme.queries.revisions import events_tell_since

MAX_PATCHED_EVENTS = 200
"""If more changed, the whole is read."""


_Found = dict[str, tuple[str, int, int | None]]
"""The public events by guid, in their order: time of the last change, primary key, that of the session."""


class JoinedJson(NamedTuple):
    parts: Iterator[bytes]
    is_patched: bool


@dataclass(frozen=True)
class _KeptJson:
    """``settings`` is what else the bytes depend on; ``revised`` has the time of the last change by guid."""

    settings: list[Any]
    revision: int
    is_patchable: bool
    revised: dict[str, str]
    pieces: JsonPieces


def joined_schedule_json(selection: Selection, at: ExportUrls, version: str, *, name: str, settings: list[Any]) -> JoinedJson:
    """Return the bytes of a whole programme. Only who holds the lock of the file calls this."""
    # Read before the rows: an event that changes meanwhile is read again next time.
    rows = selection.events.in_order().values_list("guid", "revised_at", "pk", "session")
    found = {str(guid): (moment.isoformat(), pk, session) for guid, moment, pk, session in rows}
    revised = {guid: moment for guid, (moment, *_) in found.items()}
    kept = _loaded(name)
    patched = _patched(kept, selection, at, settings, found) if kept else None
    made = patched or _built(selection, at, settings, revised)
    _store(name, made)
    return JoinedJson(made.pieces.parts(at, version), patched is not None)


def _built(selection: Selection, at: ExportUrls, settings: list[Any], revised: dict[str, str]) -> _KeptJson:
    table = Timetable(programme_data(selection))
    return _KeptJson(settings, selection.conference.revision, table.has_plain_numbers, revised, json_pieces(table, at))


def _patched(kept: _KeptJson, selection: Selection, at: ExportUrls, settings: list[Any], found: _Found) -> _KeptJson | None:
    """Return the pieces with those of changed events, or None if other parts may have changed too."""
    revised = {guid: moment for guid, (moment, *_) in found.items()}
    changed = {guid for guid, moment in revised.items() if kept.revised.get(guid) != moment}
    if kept.settings != settings or not kept.is_patchable or kept.revised.keys() != revised.keys():
        return None
    # If most changed, it may be another database that reached the same revision.
    if len(changed) > MAX_PATCHED_EVENTS or 2 * len(changed) > len(revised):
        return None
    if not events_tell_since(selection.conference, kept.revision):
        return None
    new = _pieces_of(changed, selection, at, found) if changed else {}
    old = kept.pieces.events
    if new.keys() != changed or any(piece.also_in != old[guid].also_in for guid, piece in new.items()):
        return None
    events = {guid: new.get(guid) or old[guid] for guid in revised if guid in old}
    pieces = replace(kept.pieces, events=events)
    return replace(kept, revision=selection.conference.revision, revised=revised, pieces=pieces)


def _pieces_of(guids: set[str], selection: Selection, at: ExportUrls, found: _Found) -> dict[str, EventPieces]:
    pks = {found[guid][1] for guid in guids}
    # A talk names its session, if that is public.
    sessions = {found[guid][2] for guid in guids} & {pk for _, pk, _ in found.values()}
    events = Event.objects.filter(pk__in=pks | sessions)
    part = part_of_programme(selection.conference, events, selection.today)
    pieces = event_pieces(Timetable(data_of_events(part)), replace(at, page_names=page_names(part)))
    return {guid: piece for guid, piece in pieces.items() if guid in guids}


def _store(name: str, kept: _KeptJson) -> None:
    pieces = kept.pieces
    about = {
        "settings": kept.settings,
        "revision": kept.revision,
        "is_patchable": kept.is_patchable,
        "revised": kept.revised,
        "days": list(pieces.days),
        "room_keys": pieces.room_keys,
        "events": {guid: [event.place, event.also_in] for guid, event in pieces.events.items()},
    }
    KEPT_PIECES.store(
        name,
        {
            "about": json.dumps(about).encode(),
            "conference": pieces.conference,
            "hallway": pieces.hallway,
            **{f"day {key}": text for key, text in pieces.days.items()},
            **{f"in room {guid}": event.in_room for guid, event in pieces.events.items()},
            **{f"in hallway {guid}": event.in_hallway for guid, event in pieces.events.items()},
        },
    )


def _loaded(name: str) -> _KeptJson | None:
    stored = KEPT_PIECES.load(name)
    if not stored:
        return None
    about = json.loads(stored["about"])
    events = {
        guid: EventPieces(place, stored[f"in room {guid}"], stored[f"in hallway {guid}"], also_in)
        for guid, (place, also_in) in about["events"].items()
    }
    days = {key: stored[f"day {key}"] for key in about["days"]}
    pieces = JsonPieces(stored["conference"], days, about["room_keys"], stored["hallway"], events)
    return _KeptJson(about["settings"], about["revision"], about["is_patchable"], about["revised"], pieces)
