"""Sheets of papers, people and rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.admin.spreadsheets import columns as c
from events.admin.spreadsheets.columns import Column, Names, folded
from events.admin.spreadsheets.people import LINKS, Part
from events.admin.spreadsheets.sheets import Children, MistakesError, Planned, Sheet, named_links
from events.models import Authorship, Paper, Person, Room


class PaperSheet(Sheet):
    model = Paper
    noun = "paper"
    title = "title"

    def make_columns(self) -> list[Column]:
        topics = Names("topic", self.conference, ((it.pk, [str(it), it.slug]) for it in self.conference.topics.order_by("pk")))
        return [
            *(Column(name, c.TEXT) for name in ("guid", "title", "tldr")),
            Column("abstract", c.PROSE),
            Column("topic", topics.cell, "topic_id"),
            Column("authors", self.people.authors, "named_authors"),
            Column("links", LINKS, "named_links"),
            Column("public", c.choice([("yes", "yes"), ("no", "no")]), value=lambda it: "yes" if it.is_public else "no"),
        ]

    def stored(self) -> Any:
        return Paper.objects.filter(conference=self.conference).order_by("title", "pk").prefetch_related("authorships", "links")

    def attach(self, row: Any) -> None:
        row.named_authors = [Part(it.person_id) for it in row.authorships.all()] if row.pk else []
        row.named_links = named_links(row)

    def complete(self, planned: Planned) -> None:
        if "public" in planned.values:
            planned.row.is_public = planned.values["public"] != "no"

    def children(self) -> list[Children]:
        return [Children("authors", Authorship._meta.get_field("paper"), self._authorships), self.link_children()]

    def _authorships(self, paper: Any) -> list[Authorship]:
        numbers = [self.people.number(part.who) for part in paper.named_authors]
        return [Authorship(paper=paper, person_id=number, position=place) for place, number in enumerate(numbers)]


class PersonSheet(Sheet):
    model = Person
    noun = "person"

    def make_columns(self) -> list[Column]:
        plain = [Column(name, c.TEXT) for name in ("guid", "name", "sort_name", "affiliation")]
        return [*plain, Column("bio", c.PROSE), Column("url", c.ADDRESS)]

    def stored(self) -> Any:
        return Person.objects.filter(conference=self.conference).order_by("sort_key", "pk")


class RoomSheet(Sheet):
    """Rooms have no public identifier: the number of their row is theirs."""

    model = Room
    noun = "room"
    identifier = "id"

    def make_columns(self) -> list[Column]:
        rows = self.conference.zones.select_related("venue").order_by("pk")
        zones = Names("zone", self.conference, ((it.pk, [it.name, f"{it.venue} › {it}", it.source_key]) for it in rows))
        return [
            Column("id", c.TEXT),
            Column("name", c.TEXT),
            Column("zone", zones.cell, "zone_id"),
            Column("floor", c.TEXT),
            Column("capacity", c.WHOLE),
            Column("description", c.PROSE),
            Column("position", c.COUNT),
        ]

    def stored(self) -> Any:
        return Room.objects.filter(conference=self.conference).select_related("zone").order_by("position", "name", "pk")

    def names_of(self, row: Any) -> tuple[Any, ...]:
        return folded(row.name), folded(row.zone.name)

    def names_in(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        return folded(cells.get("name", "")), folded(cells.get("zone", ""))

    def complete(self, planned: Planned) -> None:
        if planned.row.zone_id is None:
            planned.errors.setdefault("zone", "It is empty: every room is in a zone.")

    def check_together(self, planned: Sequence[Planned]) -> None:
        mine = {it.row.pk for it in planned}
        taken = {(room.zone_id, room.name) for room in self.stored() if room.pk not in mine}
        for room in (it.row for it in planned):
            if (room.zone_id, room.name) in taken:
                raise MistakesError([f"Two rooms of one zone would be called “{room.name}”: give one another name."])
            taken.add((room.zone_id, room.name))
