"""Gathers what events refer to (days, types, tracks, topics, rooms, people, papers), each once."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import re
import unicodedata
from collections.abc import Callable
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.importers import cells
from events.importers.data import AwardData, DayData, EventTypeData, PaperData, PersonData, TopicData, TrackData
from events.importers.place import RoomData
from events.importers.texts import Texts
from events.schedule.clock import programme_date

KINDS = {
    "invited-talk": ("Invited talk", "Invited talks"),
    "session": ("Session", "Sessions"),
    "talk": ("Talk", "Talks"),
    "poster": ("Poster", "Posters"),
    "social": ("Social", "Socials"),
    "break": ("Break", "Breaks"),
    "service": ("Opening hours", "Opening hours"),
}
T = TypeVar("T")


class Labels(Texts):
    """Each method returns the key of the row it found or made; the first to say something of a row is believed."""

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__()
        self.zone = zone
        self._keys: dict[tuple[str, str], str] = {}
        self._taken: set[tuple[str, str]] = set()
        self._days: dict[str, DayData] = {}
        self._types: dict[str, EventTypeData] = {}
        self._tracks: dict[str, TrackData] = {}
        self._topics: dict[str, TopicData] = {}
        self._rooms: dict[str, RoomData] = {}
        self._people: dict[str, PersonData] = {}
        self._papers: dict[str, PaperData] = {}
        self._awards: dict[str, AwardData] = {}

    def day(self, date: dt.date, *, title: str = "") -> str:
        key = date.isoformat()
        return _first(self._days, key, lambda: DayData(key=key, date=date, title=self.line(title, 100)))

    def day_of(self, start: dt.datetime) -> str:
        """The day an instant belongs to: before DAY_CHANGE it is still the evening before."""
        return self.day(programme_date(start, self.zone))

    def type(self, kind: str, name: str = "") -> str:
        """An event type by its name in the source; the kind's own name where there is none."""
        known, plural = KINDS[kind]
        said = self.line(name, 100)
        label, many = (said, "") if said and said.lower() not in {known.lower(), plural.lower()} else (known, plural)
        key, position = self._key_for("type", label, _slug(label)), len(self._types)
        return _first(self._types, key, lambda: EventTypeData(key=key, name=label, plural=many, kind=kind, position=position))

    def track(self, name: str, *, colour: str = "") -> str:
        label = self.line(name, 100)
        if not label:
            return ""
        key, position = self._key_for("track", label, _slug(label)), len(self._tracks)
        return _first(self._tracks, key, lambda: TrackData(key=key, name=label, colour=cells.colour(colour), position=position))

    def topic(self, area: str, subarea: str = "") -> str:
        said, more = self.line(area, 200), self.line(subarea, 200)
        if not said:
            return ""
        key = self._key_for("topic", f"{said}\n{more}", _slug(f"{said} {more}"))
        return _first(self._topics, key, lambda: TopicData(key=key, area=said, subarea=more))

    def room(self, name: str, *, key: str = "", capacity: int | None = None, description: str = "") -> str:
        """A room by its name, remembered by the source's ``key`` if it has one.

        Which zone it is in, the conference knows or will say.
        """
        label = self.line(name, 100)
        if not label:
            return ""
        found = self._key_for("room", label, self.key(key) or cells.key_of(label) or "room")
        position = len(self._rooms)
        return _first(
            self._rooms,
            found,
            lambda: RoomData(
                key=found, zone="", name=label, capacity=capacity, description=self.prose(description), position=position
            ),
        )

    def person(self, name: str, *, key: str = "", guid: str = "", affiliation: str = "", bio: str = "", url: str = "") -> str:
        """A person by the source's key for them, else by their name; "" for a name that is none."""
        label = self.line(name, 200)
        if not label:
            return ""
        found = self.key(key) or cells.key_of(label) or label
        return _first(
            self._people,
            found,
            lambda: PersonData(
                key=found,
                guid=guid,
                name=label,
                affiliation=self.line(affiliation),
                bio=self.prose(bio),
                url=self.address(url, label),
            ),
        )

    def paper(self, paper: PaperData) -> str:
        """A paper; the first with its key counts."""
        key = self.key(paper.key)
        return _first(self._papers, key, lambda: dataclasses.replace(paper, key=key))

    def award(self, award: AwardData) -> str:
        return _first(self._awards, award.key, lambda: award)

    def _key_for(self, part: str, label: str, wanted: str) -> str:
        """The label's own key: “C” and “C++” want the same one, and the second gets another."""
        said = (part, label.casefold())
        if said not in self._keys:
            digest = hashlib.sha256(said[1].encode()).hexdigest()[:6]
            found = f"{wanted[:53]}-{digest}" if (part, wanted) in self._taken else wanted
            self._keys[said] = found
            self._taken.add((part, found))
        return self._keys[said]


def _first(rows: dict[str, T], key: str, make: Callable[[], T]) -> str:
    if key not in rows:
        rows[key] = make()
    return key


def _slug(label: str) -> str:
    """A key that is also an address; names without Latin letters get one from their code points."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")
    return found or "x-" + "-".join(f"{ord(it):x}" for it in label.strip()[:9])
