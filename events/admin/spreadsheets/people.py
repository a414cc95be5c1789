"""Cells that name several people or addresses: “A. Name; B. Name (moderator)”, “paper https://…; code https://…”."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.core.exceptions import ValidationError

from events.admin.spreadsheets.columns import ADDRESS, Cell, Names, folded
from events.importers.cells import quoted
from events.models import Conference, LinkKind, Person, Role

LONGEST_NAME = 200
LONGEST_TITLE = 200
REMOTE = "remote"
ROLES = tuple(role.value for role in Role)
_GUID = re.compile(r"\[([0-9a-fA-F-]{36})\]\s*\Z")
_DETAILS = re.compile(r"(.*\S)\s*\(([^()]*)\)\Z")
_LINKS = re.compile(rf";\s*(?=(?:{'|'.join(LinkKind.values)})\s+https?://)", re.IGNORECASE)


class Part(NamedTuple):
    """``who`` is the number of a known person, or the folded name of a new one."""

    who: int | str
    role: str = Role.SPEAKER
    remote: bool = False


class LinkPart(NamedTuple):
    kind: str
    url: str
    title: str


class People:
    """The people of a conference, and those a file adds by naming them."""

    def __init__(self, conference: Conference, may_add: bool) -> None:
        self.conference, self.may_add = conference, may_add
        rows = conference.people.order_by("pk").values_list("pk", "name", "guid", "source_key")
        entries = ((pk, [name, f"{name.replace(';', ',')} [{guid}]", str(guid), key]) for pk, name, guid, key in rows)
        self.names = Names("person", conference, entries, plural="people")
        self.new: dict[str, Person] = {}
        self.row = 0
        """The number of the row that is being read."""
        self.like: dict[str, str] = {}
        """New ones whose name is close to a known one: where, and to which."""
        self.authors = Cell(lambda text: self._read(text, roles=False), self._show)
        self.roles = Cell(lambda text: self._read(text, roles=True), self._show)

    def number(self, who: int | str) -> int:
        """The number of the person, once new ones are stored."""
        return who if isinstance(who, int) else self.new[who].pk

    def name(self, who: int | str) -> str:
        return self.names.usual(who) if isinstance(who, int) else self.new[who].name

    def label(self, who: int | str) -> str:
        return self.names.label(who) if isinstance(who, int) else self.new[who].name

    def _find(self, text: str) -> int | str:
        guid = _GUID.search(text)
        known: int | None = self.names.known(guid[1] if guid else text)
        if known is not None:
            return known
        if guid:
            raise ValueError(f"{quoted(text)} is nobody of {self.conference}: write the name without what is in brackets.")
        name = " ".join(text.split())
        key = folded(name)
        if key not in self.new:
            if len(name) > LONGEST_NAME or not any(letter.isalpha() for letter in name):
                raise ValueError(f"{quoted(name)} is not a name: write at most {LONGEST_NAME} characters with letters in them.")
            near = self.names.near(name)
            if not self.may_add:
                raise ValueError(f"{quoted(name)} is not among the people of {self.conference}{near}")
            person = Person(conference=self.conference, name=name)
            try:
                person.clean_fields(exclude=["conference", "guid", "imported"])
            except ValidationError as error:
                raise ValueError(" ".join(error.messages)) from error
            self.new[key] = person
            if near.endswith("?"):
                self.like[key] = f"Row {self.row}: “{name}” is new{near}"
        return key

    def _read(self, text: str, *, roles: bool) -> list[Part]:
        items = [item for part in text.split(";") if (item := " ".join(part.split()))]
        parts = [self._part(item) if roles else Part(self._find(item)) for item in items]
        for position, part in enumerate(parts):
            if (part.who, part.role) in [(other.who, other.role) for other in parts[:position]]:
                raise ValueError(f"{quoted(self.label(part.who))} is named twice in {quoted(text)}: delete one.")
        return parts

    def _part(self, item: str) -> Part:
        found = _DETAILS.match(item)
        words = [word.strip().lower() for word in found[2].split(",") if word.strip()] if found else []
        if not found or not words or not set(words) <= {*ROLES, REMOTE}:
            # “Zhangyang (Atlas)” is a name as a whole; only what cannot be one is refused.
            if found and words and len(words[0]) > 1 and found[2].islower():
                raise ValueError(f"{quoted(found[2])} after {quoted(found[1])} is none of {', '.join(ROLES)}, {REMOTE}.")
            return Part(self._find(item))
        roles = [word for word in words if word != REMOTE]
        if len(roles) > 1:
            raise ValueError(f"{quoted(item)} has two roles: name the person twice, once with each.")
        return Part(self._find(found[1]), roles[0] if roles else Role.SPEAKER.value, REMOTE in words)

    def _show(self, parts: list[Part]) -> str:
        return "; ".join(self._shown(part) for part in parts)

    def _shown(self, part: Part) -> str:
        words = [part.role] * (part.role != Role.SPEAKER) + [REMOTE] * part.remote
        return self.label(part.who) + (f" ({', '.join(words)})" if words else "")


def _read_links(text: str) -> list[LinkPart]:
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


LINKS = Cell(_read_links, lambda links: "; ".join(" ".join(filter(None, link)) for link in links))
