"""Digests of all that a piece of schedule.json shows: while one stays, the piece is as before."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any

from events.exports.programme import EVENT_REF_COLUMNS, EventState, ProgrammeReader, data_columns

DATE_COLUMNS = ("revised_at", "signup_checked_at")
OWN_COLUMNS = (*(name for name in data_columns(EventState) if name not in DATE_COLUMNS), *EVENT_REF_COLUMNS)


class PieceKeys:
    """The same for a reader that has read the texts of events and for one that has not."""

    def __init__(self, reader: ProgrammeReader) -> None:
        self.reader = reader

    def of_events(self) -> dict[str, str]:
        """Return those of the events by guid, in their order."""
        reader, conference, people = self.reader, self.reader.conference, self._people
        of_all = _bytes((conference.slug, conference.timezone, reader.keys["day"]))
        rooms = {pk: (reader.keys["room"][pk], row) for pk, row in reader.rooms.items()}
        labels = [
            ("type_id", _all_bytes(reader.types)),
            ("track_id", _all_bytes(reader.tracks)),
            ("topic_id", _all_bytes(reader.topics)),
            ("room_id", _all_bytes(rooms)),
            ("overflow_room_id", _all_bytes(reader.keys["room"])),
            ("session_id", _all_bytes(reader.keys["session"])),
            ("service_id", self._services()),
            ("paper_id", self._papers),
        ]
        own_values = itemgetter(*OWN_COLUMNS)
        keys = {}
        for pk, row in reader.events.items():
            guid, appearances = row["guid"], reader.appearances.get(pk, [])
            authors = [] if appearances else reader.authors.get(row["paper_id"], [])
            own = (own_values(row), [str(row[name]) for name in DATE_COLUMNS], appearances)
            shown = [texts[row[name]] for name, texts in labels if row[name] in texts]
            shown += [people[person] for person, *_ in (*appearances, *authors) if person in people]
            keys[guid] = _digest([of_all, _bytes(own), *shown])
        return keys

    def of_people(self) -> str:
        return _digest(self._people.values())

    def of_papers(self, shown: Collection[str]) -> str:
        """``shown`` are the papers whose abstracts stand at events."""
        keys = self.reader.keys
        return _digest([*self._papers.values(), _bytes((sorted(shown), keys["topic"], keys["person"]))])

    @cached_property
    def _people(self) -> dict[int, bytes]:
        return _all_bytes(self.reader.people)

    @cached_property
    def _papers(self) -> dict[int, bytes]:
        authors, links = self.reader.authors, self.reader.paper_links
        return {pk: _bytes((row, authors.get(pk), links.get(pk))) for pk, row in self.reader.papers.items()}

    def _services(self) -> dict[int, bytes]:
        """A service stands in a room, whose name its events show."""
        keys, rooms = self.reader.keys["service"], self.reader.rooms
        return {pk: _bytes((keys[pk], row, rooms.get(row["room_id"]))) for pk, row in self.reader.services.items()}


def _all_bytes(values: Mapping[int, Any]) -> dict[int, bytes]:
    return {pk: _bytes(value) for pk, value in values.items()}


def _bytes(value: Any) -> bytes:
    """Return bytes that no other value has, in half the time of ``repr``. Dates are refused."""
    return marshal.dumps(value, 0)


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()
