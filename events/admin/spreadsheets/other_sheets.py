"""Sheets of papers, people and rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.admin.spreadsheets import columns
from events.admin.spreadsheets.columns import LINKS_CELL, Column, NameIndex, PersonPart, normalized_name
from events.admin.spreadsheets.sheets import ChildColumn, MistakesError, PlannedRow, Sheet, link_parts
from events.programme.models.papers import Authorship, Paper
from events.programme.models.people import Person
from events.programme.models.venue import Room


class PaperSheet(Sheet):
    model = Paper
    noun = "paper"
    title = "title"

    def make_columns(self) -> list[Column]:
        topics = NameIndex(
            "topic", self.conference, ((it.pk, [str(it), it.slug]) for it in self.conference.topics.order_by("pk"))
        )
        return [
            *(Column(name, columns.TEXT_CELL) for name in ("guid", "title", "tldr")),
            Column("abstract", columns.PROSE_CELL),
            Column("topic", topics.cell, "topic_id"),
            Column("authors", self.people.authors, "named_authors"),
            Column("links", LINKS_CELL, "named_links"),
            Column(
                "public", columns.choice_cell([("yes", "yes"), ("no", "no")]), value=lambda it: "yes" if it.is_public else "no"
            ),
        ]

    def stored(self) -> Any:
        return Paper.objects.filter(conference=self.conference).order_by("title", "pk").prefetch_related("authorships", "links")

    def attach(self, row: Any) -> None:
        row.named_authors = [PersonPart(it.person_id) for it in row.authorships.all()] if row.pk else []
        row.named_links = link_parts(row)

    def examples(self) -> list[dict[str, str]]:
        return [
            {"title": "Example paper: delete this row", "abstract": "What it is about.", "public": "no"},
            {
                "title": "Second example paper: delete this row",
                "authors": "Ada Example; Bo Example",
                "links": "paper https://example.org/paper.pdf",
                "public": "no",
            },
        ]

    def can_be_undone(self, written: Sequence[PlannedRow]) -> bool:
        # Files of other systems do not say whether a paper is public.
        return not any("public" in it.values for it in written if not it.is_new)

    def complete(self, planned: PlannedRow) -> None:
        if "public" in planned.values:
            planned.row.is_public = planned.values["public"] != "no"

    def children(self) -> list[ChildColumn]:
        return [ChildColumn("authors", Authorship._meta.get_field("paper"), self._authorships), self.link_children()]

    def _authorships(self, paper: Any) -> list[Authorship]:
        numbers = [self.people.number(part.who) for part in paper.named_authors]
        return [Authorship(paper=paper, person_id=number, position=place) for place, number in enumerate(numbers)]


class PersonSheet(Sheet):
    model = Person
    noun = "person"

    def make_columns(self) -> list[Column]:
        plain = [Column(name, columns.TEXT_CELL) for name in ("guid", "name", "sort_name", "affiliation")]
        return [*plain, Column("bio", columns.PROSE_CELL), Column("url", columns.URL_CELL)]

    def examples(self) -> list[dict[str, str]]:
        return [
            {"name": "Ada Example", "affiliation": "University of Examples", "bio": "Who she is. Markdown is fine."},
            {"name": "Bo Example", "sort_name": "Example, Bo", "url": "https://example.org/bo"},
        ]

    def stored(self) -> Any:
        return Person.objects.filter(conference=self.conference).order_by("sort_key", "pk")


class RoomSheet(Sheet):
    """Rooms have no guid; the identifier is the primary key."""

    model = Room
    noun = "room"
    identifier = "id"

    def make_columns(self) -> list[Column]:
        rows = self.conference.zones.select_related("venue").order_by("pk")
        zones = NameIndex("zone", self.conference, ((it.pk, [it.name, f"{it.venue} › {it}", it.source_key]) for it in rows))
        return [
            Column("id", columns.TEXT_CELL),
            Column("name", columns.TEXT_CELL),
            Column("zone", zones.cell, "zone_id"),
            Column("floor", columns.TEXT_CELL),
            Column("capacity", columns.WHOLE_NUMBER_CELL),
            Column("description", columns.PROSE_CELL),
            Column("position", columns.COUNT_CELL),
        ]

    def stored(self) -> Any:
        return Room.objects.filter(conference=self.conference).select_related("zone").order_by("position", "name", "pk")

    def examples(self) -> list[dict[str, str]]:
        zone = self.conference.zones.select_related("venue").order_by("pk").first()
        if zone is None:
            raise MistakesError(["Add a venue and a zone first: every room is in a zone."])
        within = {"zone": f"{zone.venue} › {zone}"}
        return [
            {"name": "Example room 1", "floor": "2", "capacity": "120", **within},
            {"name": "Example room 2", "description": "Behind the cloakroom.", **within},
        ]

    def row_match_key(self, row: Any) -> tuple[Any, ...]:
        return normalized_name(row.name), normalized_name(row.zone.name)

    def cells_match_key(self, cells: Mapping[str, str]) -> tuple[Any, ...]:
        return normalized_name(cells.get("name", "")), normalized_name(cells.get("zone", ""))

    def complete(self, planned: PlannedRow) -> None:
        if planned.row.zone_id is None:
            planned.errors.setdefault("zone", "It is empty: every room is in a zone.")

    def check_together(self, planned: Sequence[PlannedRow]) -> None:
        in_file = {it.row.pk for it in planned}
        taken = {(room.zone_id, room.name) for room in self.stored() if room.pk not in in_file}
        for room in (it.row for it in planned):
            if (room.zone_id, room.name) in taken:
                raise MistakesError([f"Two rooms of one zone would be called “{room.name}”: give one another name."])
            taken.add((room.zone_id, room.name))
