"""The people of a schedule.xml, of whom some files tell ids that mean nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from events.importers.builder import ScheduleBuilder
from events.importers.frab_texts import joined, said


class Directory:
    """Says which person an element means: by guid or id where those can be trusted, else by name."""

    def __init__(self, root: Element, build: ScheduleBuilder) -> None:
        self.build = build
        self.bios = {it.get("id", ""): it for it in root.iterfind("persons/person") if it.get("id")}
        self.trusted = {name: _trusted(root, name) for name in ("guid", "id")}

    def of(self, event: Element) -> list[str]:
        """The keys of an event's people, each once, in order."""
        found = dict.fromkeys(self._key(it) for it in event.iterfind("persons/person"))
        return [key for key in found if key]

    def _key(self, person: Element) -> str:
        name = _name(person)
        known = self.bios.get(person.get("id", ""), person)
        bio = joined([said(known, "biography"), said(known, "extended_biography")])
        for attribute in ("guid", "id"):
            value = person.get(attribute, "").strip()
            if value in self.trusted[attribute]:
                key = value.lower() if attribute == "guid" else f"id:{value}"
                return self.build.person(name, key=key, bio=bio)
        return self.build.person(name, bio=bio)


def _trusted(root: Element, attribute: str) -> set[str]:
    """The ids that are one person's and no placeholder; none where every appearance has an id of its own."""
    names: dict[str, set[str]] = defaultdict(set)
    uses: Counter[str] = Counter()
    ids: dict[str, set[str]] = defaultdict(set)
    for value, name in _identified(root, attribute):
        names[value].add(name)
        ids[name].add(value)
        uses[value] += 1
    # FOSDEM gave every speaker of every talk a new number until 2012.
    if all(number == 1 for number in uses.values()) and any(len(it) > 1 for it in ids.values()):
        return set()
    return {value for value, found in names.items() if len(found) == 1 and value != "0"}


def _identified(root: Element, attribute: str) -> Iterator[tuple[str, str]]:
    for person in root.iterfind("day//persons/person"):
        if value := person.get(attribute, "").strip():
            yield value, _name(person)


def _name(person: Element) -> str:
    return " ".join(((person.text or "").strip() or said(person, "name") or said(person, "public_name")).split())
