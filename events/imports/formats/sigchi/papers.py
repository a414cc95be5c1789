"""The papers of a program, with authors, links and awards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from events.core.parsing import cells, values
from events.core.parsing.values import JsonObject
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.kinds import event_kind
from events.imports.formats.services import EntryValues
from events.imports.formats.sigchi.program import SigchiProgram, listed, one_line
from events.programme.data.schedule import AwardData, LinkData, PaperData

_LINK_PATTERN = re.compile(r"https?://|10\.[0-9]{4,9}/")


class SigchiPapers:
    """Talks and posters with authors are papers; who presents other contents is on stage."""

    def __init__(self, program: SigchiProgram, builder: ScheduleBuilder, year: int | None) -> None:
        self.program, self.builder, self.year = program, builder, year
        self.entries = EntryValues(builder)
        self.keys: dict[str, str] = {}
        self.known_people: dict[str, str] = {}
        self.affiliations: dict[str, str] = {}
        for content in program.objects("contents"):
            for author in values.as_objects(content.get("authors")):
                self.affiliations.setdefault(values.as_key(author.get("personId")), _affiliation(author))

    def is_paper(self, content: JsonObject) -> bool:
        return event_kind(self.program.type_name(content)) in {"talk", "poster"} and bool(self.authors(content))

    def add(self, content: JsonObject) -> str:
        """Return the key of the content's paper, which is added once."""
        number, title = values.as_key(content.get("id")), one_line(content.get("title"))
        if number and title and number not in self.keys:
            paper = PaperData(
                key=f"content-{number}",
                title=self.builder.line(title, 500),
                abstract=self.builder.prose(values.as_text(content.get("abstract"))),
                authors=self.authors(content),
                links=self.links(content, content_location(content)),
            )
            self.keys[number] = self.builder.paper(paper)
            self._add_awards(content, self.keys[number])
        return self.keys.get(number, "")

    def _add_awards(self, content: JsonObject, paper: str) -> None:
        # Many papers name an award in both fields: “BEST_PAPER” and “Best Paper”.
        names = {name.casefold(): name for name in reversed(list(self._award_names(content)))}
        for name in reversed(names.values()) if self.year else ():
            level = "honourable-mention" if "hono" in name.lower() else "runner-up" if "runner" in name.lower() else "winner"
            key = self.builder.key(f"{paper}-{cells.key_of(name)}")
            self.builder.award(AwardData(key=key, name=name, level=level, year=self.year or 0, paper=paper))

    def _award_names(self, content: JsonObject) -> Iterator[str]:
        """Yield “Best paper” for “BEST_PAPER”, and the names of recognitions."""
        numbers = listed(content.get("recognitionIds"))
        names = [content.get("award"), *(self.program.find("recognitions", number).get("name") for number in numbers)]
        for name in names:
            if text := self.builder.line(values.as_text(name).replace("_", " "), 100):
                yield text.capitalize() if text.isupper() else text

    def authors(self, content: JsonObject) -> tuple[str, ...]:
        return self.people([author.get("personId") for author in values.as_objects(content.get("authors"))])

    def people(self, numbers: Any) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(self._person, listed(numbers)))))

    def _person(self, number: Any) -> str:
        key = values.as_key(number)
        if key not in self.known_people:
            self.known_people[key] = self._add_person(key, self.program.find("people", number))
        return self.known_people[key]

    def _add_person(self, key: str, person: JsonObject) -> str:
        parts = (values.as_text(person.get(name)).strip() for name in ("firstName", "middleInitial", "lastName"))
        affiliation = self.affiliations.get(key, "") or _affiliation(person)
        return self.builder.person(" ".join(filter(None, parts)), key=f"person-{key}", affiliation=affiliation)

    def links(self, content: JsonObject, location: str) -> tuple[LinkData, ...]:
        """Return the links among the extras: DOI, videos, pages."""
        extras = [
            *values.as_object(content.get("addons")).items(),
            ("doi", content.get("doi")),
            ("videos", content.get("videos")),
        ]
        parts = [(name, each) for name, value in extras for each in (value if isinstance(value, list) else [value])]
        return self.entries.links((link for name, value in parts for link in _extra_link(name, value)), location)


def content_location(content: JsonObject) -> str:
    return f"content {values.as_key(content.get('id')) or '?'}, {cells.quoted(one_line(content.get('title')))}"


def _extra_link(name: str, value: Any) -> Iterator[tuple[str, str, str]]:
    extra = values.as_object(value)
    url = values.as_text(extra.get("url") if extra else value).strip()
    if not _LINK_PATTERN.match(url):
        return
    if name.lower() == "doi":
        yield "paper", f"https://doi.org/{url}" if url.startswith("10.") else url, "DOI"
    else:
        title = values.as_text(extra.get("title"))
        yield values.link_kind(title, name, url), url, title


def _affiliation(person: JsonObject) -> str:
    """Return the institutions of an author, each once."""
    names = [each.get("institution") for each in values.as_objects(person.get("affiliations"))]
    return ", ".join(dict.fromkeys(filter(None, map(one_line, names + listed(person.get("institutions"))))))
