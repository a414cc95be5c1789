"""Sheets of papers, people and rooms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.admin.spreadsheets import columns as c
from events.admin.spreadsheets.columns import Column
from events.admin.spreadsheets.names import Names, folded
from events.admin.spreadsheets.people import LINKS, Part, build_links, links_of
from events.admin.spreadsheets.sheets import Sheet
from events.admin.spreadsheets.storing import announce, log, store_changed, store_new, store_people, write_children
from events.models import Authorship, Link, Paper, Person, Room


def authors_of(paper: Paper) -> list[Part]:
    planned: list[Part] | None = getattr(paper, "planned_authors", None)
    if planned is not None or paper.pk is None:
        return planned or []
    return [Part(it.person_id) for it in paper.authorships.all()]


class PaperSheet(Sheet):
    title = "title"
    noun = "paper"

    class Meta:
        model = Paper

    def columns(self) -> list[Column]:
        topics = ((it.pk, [str(it), it.slug]) for it in self.conference.topics.order_by("pk"))
        return [
            Column("guid", c.TEXT),
            Column("title", c.TEXT),
            Column("tldr", c.TEXT),
            Column("abstract", c.PROSE),
            Column("topic", c.reference(Names("topic", str(self.conference), topics)), "topic_id"),
            Column("authors", self.people.cell(roles=False), "planned_authors", authors_of),
            Column("links", LINKS, "planned_links", links_of),
            Column(
                "public",
                c.choice([("yes", "yes"), ("no", "no")], empty="yes"),
                "written_public",
                lambda it: "yes" if it.is_public else "no",
            ),
        ]

    def stored(self) -> Any:
        return Paper.objects.filter(conference=self.conference).order_by("title", "pk").prefetch_related("authorships", "links")

    def complete(self, instance: Any, row: Mapping[str, str], errors: dict[str, str]) -> None:
        if hasattr(instance, "written_public"):
            instance.is_public = instance.written_public == "yes"

    def store(self, made: list[Any], changed: list[Any], reason: str) -> None:
        store_people(self.people, self.user)
        store_new(made, self.user, reason)
        store_changed(changed, self.user, reason)
        every = [*made, *changed]
        write_children(every, "planned_authors", Authorship._meta.get_field("paper"), self._authorships)
        write_children(every, "planned_links", Link._meta.get_field("paper"), lambda paper: build_links(paper, "paper"))
        log(self.user, made, changed, self.file_name)
        announce(self.conference, [*made, *changed], reason)

    def _authorships(self, paper: Any) -> list[Authorship]:
        return [
            Authorship(paper=paper, person_id=self.people.person(part.who), position=place)
            for place, part in enumerate(paper.planned_authors)
        ]


class PersonSheet(Sheet):
    noun = "person"

    class Meta:
        model = Person

    def columns(self) -> list[Column]:
        plain = [Column(name, c.TEXT) for name in ("guid", "name", "sort_name", "affiliation")]
        return [*plain, Column("bio", c.PROSE), Column("url", c.ADDRESS)]

    def stored(self) -> Any:
        return Person.objects.filter(conference=self.conference).order_by("sort_key", "pk")

    def store(self, made: list[Any], changed: list[Any], reason: str) -> None:
        store_new(made, self.user, reason)
        store_changed(changed, self.user, reason)
        log(self.user, made, changed, self.file_name)
        announce(self.conference, [*made, *changed], reason)


class RoomSheet(Sheet):
    """Rooms have no public identifier: the number of their row is theirs."""

    identifier = "id"
    noun = "room"

    class Meta:
        model = Room

    def columns(self) -> list[Column]:
        zones = ((it.pk, [it.name, f"{it.venue} › {it}", it.source_key]) for it in self._zones())
        return [
            Column("id", c.TEXT),
            Column("name", c.TEXT),
            Column("zone", c.reference(Names("zone", str(self.conference), zones)), "zone_id"),
            Column("floor", c.TEXT),
            Column("capacity", c.WHOLE),
            Column("description", c.PROSE),
            Column("position", c.COUNT),
        ]

    def _zones(self) -> Any:
        return self.conference.zones.select_related("venue").order_by("pk")

    def stored(self) -> Any:
        return Room.objects.filter(conference=self.conference).select_related("zone").order_by("position", "name", "pk")

    def names_of(self, instance: Any) -> tuple[Any, ...]:
        return folded(instance.name), folded(instance.zone.name)

    def names_in(self, row: Mapping[str, str]) -> tuple[Any, ...]:
        return folded(row.get("name", "")), folded(row.get("zone", ""))

    def complete(self, instance: Any, row: Mapping[str, str], errors: dict[str, str]) -> None:
        if instance.zone_id is None and "zone" not in errors:
            errors["zone"] = "It is empty: every room is in a zone."

    def check_together(self) -> None:
        mine = {room.pk for room in self.update_instances}
        taken = {(room.zone_id, room.name) for room in self.stored() if room.pk not in mine}
        for room in [*self.create_instances, *self.update_instances]:
            if (room.zone_id, room.name) in taken:
                raise ValueError(f"Two rooms of one zone would be called “{room.name}”: give one another name.")
            taken.add((room.zone_id, room.name))

    def store(self, made: list[Any], changed: list[Any], reason: str) -> None:
        store_new(made, self.user, reason)
        store_changed(changed, self.user, reason)
        log(self.user, made, changed, self.file_name)
        announce(self.conference, [*made, *changed], reason)
