"""Cells that name several people or addresses: “A. Name; B. Name (moderator)”, “paper https://…; code https://…”."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from events.admin.spreadsheets.columns import ADDRESS, Cell
from events.admin.spreadsheets.names import Names, folded
from events.importers.cells import quoted
from events.models import Conference, Link, LinkKind, Person, Role

LONGEST_NAME = 200
LONGEST_TITLE = 200
REMOTE = "remote"
ROLES = tuple(role.value for role in Role)
_GUID = re.compile(r"\[([0-9a-fA-F-]{36})\]\s*\Z")
_DETAILS = re.compile(r"(.*\S)\s*\(([^()]*)\)\Z")
_LINKS = re.compile(rf";\s*(?=(?:{'|'.join(LinkKind.values)})\s+https?://)", re.IGNORECASE)


class Coming:
    """Somebody whom the file names and the conference does not know yet."""

    def __init__(self, name: str, row: int, near: str) -> None:
        self.person, self.row, self.near = Person(name=name), row, near


class Part(NamedTuple):
    """Who, as what: ``who`` is the number of a known person, or the name of one to come."""

    who: int | str
    role: str = Role.SPEAKER
    remote: bool = False


class LinkPart(NamedTuple):
    kind: str
    url: str
    title: str


class People:
    """Those of a conference, and those a file adds by naming them."""

    def __init__(self, conference: Conference, may_add: bool) -> None:
        self.conference, self.may_add = conference, may_add
        self.row = 0
        rows = conference.people.order_by("pk").values_list("pk", "name", "guid", "source_key")
        entries = ((pk, [name, f"{_plain(name)} [{guid}]", str(guid), key]) for pk, name, guid, key in rows)
        self.names = Names("person", str(conference), entries)
        self.coming: dict[str, Coming] = {}

    def find(self, text: str) -> int | str:
        found = _GUID.search(text)
        known = self.names.all(found[1] if found else text)
        if len(known) == 1:
            number: int = known[0]
            return number
        if known:
            raise ValueError(
                f"{quoted(text)} is the name of {len(known)} people: write {quoted(self.names.label(known[0]))} "
                "or what the export calls the other."
            )
        if found:
            raise ValueError(f"{quoted(text)} is nobody of {self.conference}: write the name without what is in brackets.")
        return self._add(" ".join(text.split()))

    def _add(self, name: str) -> str:
        key = folded(name)
        if key not in self.coming:
            if len(name) > LONGEST_NAME or not any(letter.isalpha() for letter in name):
                raise ValueError(f"{quoted(name)} is not a name: write at most {LONGEST_NAME} characters with letters in them.")
            near = self.names.near(name)
            if not self.may_add:
                raise ValueError(f"{quoted(name)} is not among the people of {self.conference}{near}")
            self.coming[key] = Coming(name, self.row, near if near.endswith("?") else "")
            self.coming[key].person.conference = self.conference
        return key

    def person(self, who: int | str) -> int:
        """The number of the person, once those to come are stored."""
        return who if isinstance(who, int) else self.coming[who].person.pk

    def label(self, who: int | str) -> str:
        return self.names.label(who) if isinstance(who, int) else self.coming[who].person.name

    def cell(self, *, roles: bool) -> Cell:
        return Cell(self.parts if roles else self.authors, self.show)

    def authors(self, text: str) -> list[Part]:
        return _once([Part(self.find(item)) for item in _items(text)], text, self)

    def parts(self, text: str) -> list[Part]:
        return _once([self._part(item) for item in _items(text)], text, self)

    def _part(self, item: str) -> Part:
        found = _DETAILS.match(item)
        words = [word.strip().lower() for word in found[2].split(",") if word.strip()] if found else []
        if not found or not words or not set(words) <= {*ROLES, REMOTE}:
            # “Zhangyang (Atlas)” is a name as a whole; only what cannot be one is refused.
            if found and words and len(words[0]) > 1 and found[2].islower():
                raise ValueError(f"{quoted(found[2])} after {quoted(found[1])} is none of {', '.join(ROLES)}, {REMOTE}.")
            return Part(self.find(item))
        roles = [word for word in words if word != REMOTE]
        if len(roles) > 1:
            raise ValueError(f"{quoted(item)} has two roles: name the person twice, once with each.")
        return Part(self.find(found[1]), roles[0] if roles else Role.SPEAKER.value, REMOTE in words)

    def show(self, parts: Iterable[Part]) -> str:
        return "; ".join(self._shown(part) for part in parts)

    def _shown(self, part: Part) -> str:
        words = [part.role] if part.role != Role.SPEAKER else []
        words += [REMOTE] if part.remote else []
        return self.label(part.who) + (f" ({', '.join(words)})" if words else "")


def people_of(event: Any) -> list[Part]:
    planned: list[Part] | None = getattr(event, "planned_people", None)
    if planned is not None or event.pk is None:
        return planned or []
    return [Part(it.person_id, it.role, it.remote) for it in event.appearances.all()]


def _plain(name: str) -> str:
    return name.replace(";", ",")


def _items(text: str) -> list[str]:
    return [item for part in text.split(";") if (item := " ".join(part.split()))]


def _once(parts: list[Part], text: str, people: People) -> list[Part]:
    for position, part in enumerate(parts):
        if (part.who, part.role) in [(other.who, other.role) for other in parts[:position]]:
            raise ValueError(f"{quoted(people.label(part.who))} is named twice in {quoted(text)}: delete one.")
    return parts


def read_links(text: str) -> list[LinkPart]:
    return [_link(item.strip().rstrip(";")) for item in _LINKS.split(text) if item.strip(" ;")]


def _link(item: str) -> LinkPart:
    kind, _, rest = " ".join(item.split()).partition(" ")
    url, _, title = rest.partition(" ")
    if kind.lower() not in LinkKind.values:
        raise ValueError(f"{quoted(item)} does not begin with one of {', '.join(LinkKind.values)}: write “paper https://…”.")
    if len(title) > LONGEST_TITLE:
        raise ValueError(f"{quoted(title)} has {len(title)} characters: keep it to {LONGEST_TITLE}.")
    if not url:
        raise ValueError(f"{quoted(item)} has no address: write “{kind.lower()} https://…”.")
    return LinkPart(kind.lower(), ADDRESS.read(url), title)


def show_links(links: Iterable[LinkPart]) -> str:
    return "; ".join(" ".join(filter(None, link)) for link in links)


LINKS = Cell(read_links, show_links)


def links_of(row: Any) -> list[LinkPart]:
    planned: list[LinkPart] | None = getattr(row, "planned_links", None)
    if planned is not None or row.pk is None:
        return planned or []
    return [LinkPart(link.kind, link.url, link.title) for link in row.links.all()]


def build_links(row: Any, owner: str) -> list[Link]:
    return [Link(**{owner: row}, position=place, **part._asdict()) for place, part in enumerate(row.planned_links)]
