"""The people of a schedule.json: {id, public_name} of frab, {code, name, guid} of pretalx, participants of version 2."""

from __future__ import annotations

from typing import Any

from events.importers import cells, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData
from events.importers.schedule_json.entries import Entry, UnusableError

ROLES = {"moderator": "moderator", "host": "host"}


class People:
    """Remembers who has which number: in programmes merged of several, 0 and others are many people's."""

    def __init__(self, build: ScheduleBuilder) -> None:
        self.build = build
        self.names: dict[str, str] = {}

    def of(self, entry: Entry) -> tuple[AppearanceData, ...]:
        """Each once in each role, in order. Raises UnusableError for ids that name nobody."""
        told = entry.event.get("persons") or entry.event.get("participants")
        found: dict[tuple[str, str], AppearanceData] = {}
        for person in values.only_rows(told, f"{entry.place}, persons", self.build):
            name = values.text(person.get("public_name")) or values.text(person.get("name"))
            bio, url = values.text(person.get("biography")), values.text(person.get("url"))
            who = self.build.person(name, key=self._key(person, name), bio=bio, url=url)
            role = ROLES.get(values.text(person.get("role")).lower(), "speaker")
            if who:
                found[who, role] = AppearanceData(person=who, role=role)
        return tuple(found.values())

    def _key(self, person: dict[str, Any], name: str) -> str:
        guid, code, number = (values.key(person.get(field)) for field in ("guid", "code", "id"))
        found = guid or (code if code.isascii() else "")
        if not found and number.isdecimal():
            found = f"person-{number}"
        if not found and (code or number):
            raise UnusableError(f"neither code “{code}” nor id “{number}” of {cells.quoted(name)} can be one: export it again")
        if not found or self.names.setdefault(found, name) == name:
            return found
        return f"{found}:{cells.key_of(name)[:40]}"
