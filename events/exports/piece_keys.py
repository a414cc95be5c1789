"""Digests of all that a piece of schedule.json shows: while one stays, the piece is as before."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from functools import cached_property

from events.exports.programme import EVENT_REF_COLUMNS, EventState, ProgrammeReader, Rows, data_columns

EVENT_COLUMNS = (*data_columns(EventState), *EVENT_REF_COLUMNS)


class PieceKeys:
    """The same for a reader that has read the texts of events and for one that has not."""

    def __init__(self, reader: ProgrammeReader) -> None:
        self.reader = reader

    def of_events(self) -> dict[str, str]:
        """Return those of the events by guid, in their order."""
        reader, conference, people = self.reader, self.reader.conference, self._people
        of_all = repr((conference.slug, conference.timezone, reader.keys["day"]))
        labels = [
            ("type_id", _texts(reader.types)),
            ("track_id", _texts(reader.tracks)),
            ("topic_id", _texts(reader.topics)),
            ("room_id", {pk: repr((reader.keys["room"][pk], row)) for pk, row in reader.rooms.items()}),
            ("overflow_room_id", reader.keys["room"]),
            ("session_id", reader.keys["session"]),
            ("service_id", self._services()),
            ("paper_id", self._papers),
        ]
        keys = {}
        for pk, row in reader.events.items():
            appearances = reader.appearances.get(pk, ())
            authors = () if appearances else reader.authors.get(row["paper_id"], ())
            texts = [of_all, repr(([row[name] for name in EVENT_COLUMNS], appearances))]
            texts += [shown.get(row[name], "") for name, shown in labels]
            texts += [people.get(person, "") for person, *_ in (*appearances, *authors)]
            keys[row["guid"]] = _digest(texts)
        return keys

    def of_people(self) -> str:
        return _digest(self._people.values())

    def of_papers(self, shown: Collection[str]) -> str:
        """``shown`` are the papers whose abstracts stand at events."""
        keys = self.reader.keys
        return _digest([*self._papers.values(), repr((sorted(shown), keys["topic"], keys["person"]))])

    @cached_property
    def _people(self) -> dict[int, str]:
        return _texts(self.reader.people)

    @cached_property
    def _papers(self) -> dict[int, str]:
        authors, links = self.reader.authors, self.reader.paper_links
        return {pk: repr((row, authors.get(pk), links.get(pk))) for pk, row in self.reader.papers.items()}

    def _services(self) -> dict[int, str]:
        """A service stands in a room, whose name its events show."""
        keys, rooms = self.reader.keys["service"], self.reader.rooms
        return {pk: repr((keys[pk], row, rooms.get(row["room_id"]))) for pk, row in self.reader.services.items()}


def _texts(rows: Rows) -> dict[int, str]:
    return {pk: repr(row) for pk, row in rows.items()}


def _digest(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\x1f".join(texts).encode("utf-8", "replace"), digest_size=16).hexdigest()
