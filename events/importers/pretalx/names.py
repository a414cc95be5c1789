"""What pretalx's numbers and codes stand for: rooms, tracks, types and speakers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.importers import values
from events.importers.builder import ScheduleBuilder
from events.importers.pretalx.objects import Objects

Json = dict[str, Any]


class Names:
    """Announces rooms and tracks in the organisers' order, and keeps hidden rooms hidden."""

    def __init__(self, objects: Objects, build: ScheduleBuilder, language: str) -> None:
        self.build, self.language = build, language
        self.known = {
            sort: {values.key(it.get("id")): it for it in getattr(objects, sort)} for sort in ("types", "tracks", "rooms")
        }
        self.people = {values.key(it.get("code")): it for it in objects.speakers}
        self.unknown: set[str] = set()
        for room in sorted(objects.rooms, key=_position):
            if name := self._name(room):
                seats = values.whole(room.get("capacity")) or None
                build.room(name, capacity=seats, description=values.text(room.get("description"), language))
        for track in sorted(objects.tracks, key=_position):
            build.track(self._name(track), colour=values.text(track.get("color")))

    def of(self, sort: str, value: Any) -> str:
        """The name of what is given whole, by its number, or, as until 2024, by its name in several languages."""
        if isinstance(value, dict):
            return self._name(value) if "name" in value else values.text(value, self.language)
        if isinstance(value, int):
            return self._name(self.known[sort].get(values.key(value), {}))
        return values.text(value)

    def speakers(self, told: Any) -> Iterable[str]:
        """The keys of a submission's speakers, each once, in order."""
        found = (self._speaker(it) for it in told) if isinstance(told, list) else ()
        return dict.fromkeys(filter(None, found))

    def _speaker(self, told: Any) -> str:
        code = values.key(told.get("code") if isinstance(told, dict) else told)
        person = self.people.get(code, {}) | values.row(told)
        name = values.text(person.get("name"))
        if code and not name:
            self.unknown.add(code)
        return self.build.person(name, key=code, bio=values.text(person.get("biography"), self.language))

    def _name(self, it: Json) -> str:
        return "" if it.get("hidden") is True else values.text(it.get("name"), self.language)


def _position(it: Json) -> int:
    found = values.whole(it.get("position"))
    return 10**9 if found is None else found
