"""The people of a conference: those with a row of their own, and those whom a paper or an event only names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from events.importers.cells import hint, is_key, key_of, quoted
from events.importers.data import AppearanceData, PersonData
from events.importers.errors import ScheduleParseError
from events.importers.seeds.keys import unique
from events.importers.seeds.rows import LINE, Row
from events.importers.seeds.tables import ROLES

_LONGEST_NAME = 150


class People:
    """Finds a person by key or by name, and remembers those who had no row yet."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._people: dict[str, PersonData] = {}
        self._by_name: dict[str, str] = {}
        self.warnings: list[str] = []
        for key, row in unique(rows).items():
            self._add(PersonData(
                key=key,
                name=row.required("name", _LONGEST_NAME),
                sort_name=row.text("sort_name", _LONGEST_NAME),
                affiliation=row.text("affiliation", LINE),
                bio=row.prose("bio"),
                url=row.url("url"),
            ))  # fmt: skip

    def all(self) -> tuple[PersonData, ...]:
        return tuple(self._people.values())

    def authors(self, row: Row, column: str = "authors") -> tuple[str, ...]:
        """Keys in the order of the names in the cell."""
        keys = [self._find(row, column, name) for name in row.items(column)]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise self._twice(row, column, key)
        return tuple(keys)

    def appearances(self, row: Row, column: str = "people") -> tuple[AppearanceData, ...]:
        """“Diederik P. Kingma; Jimmy Ba (remote); Fei Sha (moderator)”."""
        found: list[AppearanceData] = []
        for item in row.items(column):
            appearance = self._appearance(row, column, item)
            if (appearance.person, appearance.role) in [(other.person, other.role) for other in found]:
                raise self._twice(row, column, appearance.person)
            found.append(appearance)
        return tuple(found)

    def _appearance(self, row: Row, column: str, item: str) -> AppearanceData:
        name, details = _split(item)
        words = [word.strip().lower() for word in details.split(",") if word.strip()]
        for word in words:
            if word not in (*ROLES, "remote"):
                raise row.error(column, f"{quoted(word)} after {quoted(name)} is none of {', '.join(ROLES)}, remote")
        roles = [word for word in words if word != "remote"]
        if len(roles) > 1:
            raise row.error(column, f"{quoted(item)} has two roles: name the person twice, once with each")
        return AppearanceData(
            person=self._find(row, column, name), role=roles[0] if roles else "speaker", remote="remote" in words
        )

    def _find(self, row: Row, column: str, name: str) -> str:
        if name in self._people:
            return name
        key = key_of(name)
        if key in self._by_name:
            self._same(row, column, name, self._people[self._by_name[key]])
            return self._by_name[key]
        if not key or len(name) > _LONGEST_NAME:
            raise row.error(
                column, f"{quoted(name)} is not a name: write at most {_LONGEST_NAME} characters with letters in them"
            )
        if is_key(name):
            remedy = f"is neither a key in people.csv nor written like a name{hint(name, self._people)}"
            raise row.error(column, f"{quoted(name)} {remedy}")
        if key in self._people:
            raise row.error(
                column, f"{quoted(name)} would get the key of {quoted(self._people[key].name)}: give it a row in people.csv"
            )
        return self._add(PersonData(key=key, name=name))

    def _add(self, person: PersonData) -> str:
        self._people[person.key] = person
        self._by_name.setdefault(key_of(person.name), person.key)
        return person.key

    def _same(self, row: Row, column: str, name: str, person: PersonData) -> None:
        if name != person.name:
            self.warnings.append(str(row.error(column, f"{quoted(name)} is taken to be {quoted(person.name)}")))

    def _twice(self, row: Row, column: str, key: str) -> ScheduleParseError:
        return row.error(column, f"{quoted(self._people[key].name)} is named twice: delete one")


def _split(item: str) -> tuple[str, str]:
    """“Ba (remote)” → “Ba”, “remote”; brackets inside a name, as in “Zhangyang (Atlas) Wang”, stay."""
    found = re.fullmatch(r"([^()].*?)\s*\(([^()]*)\)", item)
    return (found[1], found[2]) if found else (item, "")
