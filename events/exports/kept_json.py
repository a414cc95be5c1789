"""schedule.json joined from kept pieces: after a change only what may differ is read and written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from events.core.kept_pieces import KEPT_PIECES
from events.exports.piece_keys import PieceKeys
from events.exports.programme import (
    ProgrammeReader,
    Rows,
    Selection,
    data_of_events,
    event_states,
    exported_events,
    page_names,
    part_of_programme,
    schedule_version,
)
from events.exports.schedule_json import (
    EventPieces,
    JsonFrame,
    JsonPieces,
    event_pieces,
    json_frame,
    json_papers,
    json_rows,
    shown_papers,
)
from events.exports.values import ExportUrls, Timetable, is_foreign_slug
from events.programme.data.export_numbers import computed_number
from events.programme.queries.revisions import events_tell_since

MAX_PATCHED_EVENTS = 200
"""If more changed, also all other rows are read."""
MAX_REWRITTEN_EVENTS = 2000
"""If more may differ, all are written."""
PIECES_NAME = "{}-by-key"
"""Former releases, which may still run beside this one, store other pieces under the name alone."""


class JoinedJson(NamedTuple):
    parts: Iterator[bytes]
    is_patched: bool


@dataclass(frozen=True)
class _KeptJson:
    """``settings`` is what else the bytes depend on.

    By guid, ``revised`` has the time of the last change, and ``keys`` a digest of all that an event's pieces show; that
    of an event which was written without the rows of the others is not known.
    """

    settings: list[Any]
    revision: int
    has_plain_numbers: bool
    revised: Mapping[str, str]
    keys: Mapping[str, str]
    pieces: JsonPieces


def joined_schedule_json(selection: Selection, at: ExportUrls, *, name: str, settings: list[Any]) -> JoinedJson:
    """Return the bytes of a whole programme. Only who holds the lock of the file calls this."""
    # Read before the rows: an event that changes meanwhile is read again next time.
    states = event_states(selection)
    kept = _loaded(name)
    if kept and kept.settings != settings:
        kept = None
    patched = _patched(kept, selection, at, states) if kept else None
    made = patched or _rewritten(kept, selection, at, settings, states)
    _store(name, made)
    version = schedule_version(selection.conference, max((row["revised_at"] for row in states.values()), default=None))
    return JoinedJson(made.pieces.parts(at, version), patched is not None)


def _patched(kept: _KeptJson, selection: Selection, at: ExportUrls, states: Rows) -> _KeptJson | None:
    """Return the pieces with those of changed events, or None if other parts may have changed too."""
    revised = _revised(states)
    changed = {guid for guid, moment in revised.items() if kept.revised.get(guid) != moment}
    old = kept.pieces.events
    if old.keys() != revised.keys() or not kept.has_plain_numbers:
        return None
    # If most changed, it may be another database that reached the same revision.
    if len(changed) > MAX_PATCHED_EVENTS or 2 * len(changed) > len(revised):
        return None
    if not events_tell_since(selection.conference, kept.revision):
        return None
    new = _pieces_of(changed, selection, at, states) if changed else {}
    if new.keys() != changed or any(piece.also_in != old[guid].also_in for guid, piece in new.items()):
        return None
    pieces = replace(kept.pieces, events={guid: new.get(guid) or old[guid] for guid in revised})
    keys = {guid: key for guid, key in kept.keys.items() if guid not in changed}
    return replace(kept, revision=selection.conference.revision, revised=revised, keys=keys, pieces=pieces)


def _pieces_of(guids: set[str], selection: Selection, at: ExportUrls, states: Rows) -> dict[str, EventPieces]:
    pks = {pk for pk, row in states.items() if row["guid"] in guids}
    # A talk names its session, if that is public.
    sessions = {states[pk]["session_id"] for pk in pks} & states.keys()
    # Only what is public still: one may have been withdrawn since the states were read.
    events = exported_events(selection.conference).filter(pk__in=pks | sessions)
    part = part_of_programme(selection.conference, events, selection.today)
    pieces = event_pieces(Timetable(data_of_events(part)), replace(at, page_names=page_names(part)))
    return {guid: piece for guid, piece in pieces.items() if guid in guids}


def _rewritten(kept: _KeptJson | None, selection: Selection, at: ExportUrls, settings: list[Any], states: Rows) -> _KeptJson:
    """Read all rows but the texts of events that look as before, and write what may differ."""
    reader = ProgrammeReader(selection, states=states if kept else None)
    piece_keys = PieceKeys(reader)
    keys = piece_keys.of_events()
    events = _rewritten_events(kept, keys, selection, at, states) if kept else None
    if events is None:
        if kept:
            reader.read_events()
        data = reader.data()
        events = event_pieces(Timetable(data), at)
    else:
        data = reader.small_data()
    events = {guid: events[guid] for guid in keys if guid in events}
    shown = shown_papers(events)
    keys |= {"people": piece_keys.of_people(), "papers": piece_keys.of_papers(shown)}
    people, papers = (_same_text(kept, keys, part) for part in ("people", "papers"))
    frame = json_frame(
        data,
        at,
        people=json_rows(data.people or reader.people_data()) if people is None else people,
        papers=json_papers(data.papers or reader.paper_data(), shown) if papers is None else papers,
    )
    return _KeptJson(
        settings,
        selection.conference.revision,
        _have_plain_numbers(events),
        _revised(states),
        keys,
        JsonPieces(frame, events),
    )


def _same_text(kept: _KeptJson | None, keys: Mapping[str, str], part: str) -> bytes | None:
    """Return the stored list of people or papers, if none of them may differ."""
    if kept is None or kept.keys[part] != keys[part]:
        return None
    return {"people": kept.pieces.frame.people, "papers": kept.pieces.frame.papers}[part]


def _rewritten_events(
    kept: _KeptJson, keys: dict[str, str], selection: Selection, at: ExportUrls, states: Rows
) -> dict[str, EventPieces] | None:
    """Return the pieces with those that may differ, or None if one may depend on others or most may differ."""
    old = kept.pieces.events
    same = {guid: old[guid] for guid, key in keys.items() if guid in old and kept.keys.get(guid) == key}
    changed = keys.keys() - same.keys()
    if len(changed) > min(MAX_REWRITTEN_EVENTS, len(same)):
        return None
    events = same | (_pieces_of(changed, selection, at, states) if changed else {})
    return events if _have_plain_numbers(events) else None


def _revised(states: Rows) -> dict[str, str]:
    return {row["guid"]: row["revised_at"].isoformat() for row in states.values()}


def _have_plain_numbers(events: Mapping[str, EventPieces]) -> bool:
    """Whether no two events have one number or slug, so that what an event gets depends on no other."""
    numbers = {piece.number or computed_number(guid) for guid, piece in events.items()}
    foreign = [piece.slug for piece in events.values() if is_foreign_slug(piece.slug)]
    return (len(numbers), len(set(foreign))) == (len(events), len(foreign))


def _store(name: str, kept: _KeptJson) -> None:
    pieces, frame = kept.pieces, kept.pieces.frame
    about = {
        "settings": kept.settings,
        "revision": kept.revision,
        "has_plain_numbers": kept.has_plain_numbers,
        "revised": kept.revised,
        "keys": kept.keys,
        "days": list(frame.days),
        "room_keys": frame.room_keys,
        "events": {guid: [event.place, *event.also_in] for guid, event in pieces.events.items()},
    }
    KEPT_PIECES.store(
        PIECES_NAME.format(name),
        {
            "about": json.dumps(about).encode(),
            "conference": frame.conference,
            "rest": frame.rest,
            "people": frame.people,
            "papers": frame.papers,
            **{f"day {key}": text for key, text in frame.days.items()},
            **{f"in room {guid}": event.in_room for guid, event in pieces.events.items()},
            **{f"in hallway {guid}": event.in_hallway for guid, event in pieces.events.items()},
        },
    )


def _loaded(name: str) -> _KeptJson | None:
    stored = KEPT_PIECES.load(PIECES_NAME.format(name))
    if not stored:
        return None
    about = json.loads(stored["about"])
    days = {key: stored[f"day {key}"] for key in about["days"]}
    events = {
        guid: EventPieces(place, stored[f"in room {guid}"], stored[f"in hallway {guid}"], *also_in)
        for guid, (place, *also_in) in about["events"].items()
    }
    texts = (stored[part] for part in ("rest", "people", "papers"))
    pieces = JsonPieces(JsonFrame(stored["conference"], days, about["room_keys"], *texts), events)
    return _KeptJson(about["settings"], about["revision"], about["has_plain_numbers"], about["revised"], about["keys"], pieces)
