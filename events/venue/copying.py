"""What a new edition of a conference takes over from an earlier one: its types, its place, the ways there and its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models, transaction

from events.programme.models.beginning import USUAL_SLUGS, is_usual_type
from events.programme.models.conference import Conference, Imported
from events.programme.models.info_pages import InfoPage, PagePicture
from events.programme.models.labels import EventType
from events.programme.models.looks import ConferenceLooks
from events.programme.models.sponsors import SponsorLevel
from events.programme.models.venue import Room, Service, Venue, Walk, Zone
from events.venue.models import Amenity, FloorPlan, Leg, PlanArea, Route, StartingPoint

IMPORT_FIELDS = frozenset(it.name for it in Imported._meta.get_fields())
"""Where a row came from: the new row came from nowhere, and the next file may bring it under another key."""


@dataclass(frozen=True)
class CopiedTable:
    """``natural`` has the columns by which a row counts as there already; ``parts`` are rows that belong to one of its rows."""

    model: type[models.Model]
    natural: tuple[str, ...]
    refs: Mapping[str, type[models.Model]] = field(default_factory=dict)
    parts: tuple[type[models.Model], str] | None = None

    def rows(self, conference: Conference) -> models.QuerySet[Any]:
        rows: models.QuerySet[Any] = self.model._default_manager.filter(conference=conference).order_by("pk")
        # What belongs to an event stays with it.
        return rows.filter(event=None) if self.model is Amenity else rows


COPIED_TABLES = (
    CopiedTable(EventType, ("slug",)),
    CopiedTable(Venue, ("name",)),
    CopiedTable(Zone, ("venue_id", "name"), {"venue": Venue}),
    CopiedTable(Room, ("zone_id", "name"), {"zone": Zone}),
    CopiedTable(Walk, ("origin_id", "destination_id"), {"origin": Zone, "destination": Zone}),
    CopiedTable(Service, ("name",), {"zone": Zone, "room": Room}),
    CopiedTable(Amenity, ("name", "service_id", "room_id", "zone_id"), {"service": Service, "room": Room, "zone": Zone}),
    CopiedTable(FloorPlan, ("venue_id", "name"), {"venue": Venue}, (PlanArea, "plan")),
    CopiedTable(StartingPoint, ("slug",)),
    CopiedTable(Route, ("start_id", "zone_id", "title"), {"start": StartingPoint, "zone": Zone}, (Leg, "route")),
    CopiedTable(InfoPage, ("slug",), parts=(PagePicture, "page")),
    CopiedTable(SponsorLevel, ("name",)),
)
PART_REFS = {"room": Room, "zone": Zone, "service": Service}


@dataclass(frozen=True)
class EditionPart:
    """So many rows of one kind, as organisers call them."""

    label: str
    count: int

    def __str__(self) -> str:
        return f"{self.count} {self.label}"


def _part(model: type[models.Model], count: int) -> EditionPart:
    meta = model._meta
    return EditionPart(str(meta.verbose_name if count == 1 else meta.verbose_name_plural), count)


def missing_parts(source: Conference, target: Conference) -> list[EditionPart]:
    """What ``copy_edition`` would copy; nothing is written."""
    return _Copier(source, target, saves=False).copy_all()


def copy_edition(source: Conference, target: Conference) -> list[EditionPart]:
    """Copy everything or nothing. What the target has already stays as it is, so a second time copies nothing."""
    with transaction.atomic():
        target.lock()
        copier = _Copier(source, target)
        EventType.objects.filter(pk__in=copier.replaced_types).delete()
        copied = copier.copy_all()
        _copy_looks(source, target)
        target.bump_revision()
    return copied


def _copy_looks(source: Conference, target: Conference) -> None:
    """The pictures that are stored already, unless the target has some of its own."""
    if target.logo or target.header_picture or target.icon:
        return
    names = [it.attname for it in ConferenceLooks._meta.concrete_fields]
    for name in names:
        value = getattr(source, name)
        setattr(target, name, getattr(value, "name", value))
    target.save(update_fields=names)


def _replaced_types(source: Conference, target: Conference) -> set[int]:
    """The usual types of a new conference, unless they were changed, used or deleted, or others were copied or added."""
    types = list(target.types.all())
    if not source.types.exists() or {row.slug for row in types} != USUAL_SLUGS:
        return set()
    used = set(target.events.order_by().values_list("type", flat=True).distinct())
    return {row.pk for row in types if row.pk not in used and is_usual_type(row)}


class _Copier:
    """Without ``saves`` rows are counted only, and those that would be new have negative keys."""

    def __init__(self, source: Conference, target: Conference, *, saves: bool = True) -> None:
        self.source, self.target, self.saves = source, target, saves
        self.replaced_types = _replaced_types(source, target)
        self.new_keys: dict[type[models.Model], dict[int, int]] = defaultdict(dict)
        """By model: the primary key in the target of each row of the source."""

    def copy_all(self) -> list[EditionPart]:
        return [_part(table.model, count) for table in COPIED_TABLES if (count := self._copy(table))]

    def _copy(self, table: CopiedTable) -> int:
        """Copy the rows of a table with their parts, and return how many are new."""
        present = {_natural_key(table, row): row.pk for row in table.rows(self.target)}
        if table.model is EventType:
            present = {key: pk for key, pk in present.items() if pk not in self.replaced_types}
        made: dict[int, Any] = {}
        for row in table.rows(self.source):
            new = self._twin(row, table.refs, conference=self.target)
            key = _natural_key(table, new)
            if key not in present:
                if isinstance(new, InfoPage):
                    # Last year's words are read before they are published.
                    new.is_public = False
                if self.saves:
                    new.save()
                made[row.pk], present[key] = new, new.pk or -row.pk
            self.new_keys[table.model][row.pk] = present[key]
        if table.parts and self.saves:
            self._copy_parts(*table.parts, made)
        return len(made)

    def _copy_parts(self, model: type[models.Model], owner: str, made: Mapping[int, Any]) -> None:
        refs = {name: of for name, of in PART_REFS.items() if model is PlanArea}
        parts = model._default_manager.filter(**{f"{owner}__in": list(made)}).order_by("pk")
        # Sponsors stay with their edition.
        for part in parts.filter(sponsor=None) if model is PlanArea else parts:
            self._twin(part, refs, **{owner: made[getattr(part, f"{owner}_id")]}).save()

    def _twin(self, row: Any, refs: Mapping[str, type[models.Model]], **owner: Any) -> Any:
        """An unsaved row with the same values, which refers to what was copied."""
        left_out = {row._meta.pk.name, *IMPORT_FIELDS, *owner}
        names = [it.attname for it in row._meta.concrete_fields if it.name not in left_out]
        values = {name: getattr(row, name) for name in names}
        values |= {f"{name}_id": self.new_keys[of].get(getattr(row, f"{name}_id")) for name, of in refs.items()}
        return type(row)(**values, **owner)


def _natural_key(table: CopiedTable, row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in table.natural)
