"""Match the items of a file with stored rows by key, guid or natural key, and give new rows their guids."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from events.core.parsing import cells
from events.imports.sync.plan_rows import NewRow, StoredRow, TablePlan, chunks
from events.imports.sync.report import SyncError, SyncReport
from events.imports.sync.tables import SyncTable
from events.programme.data.schedule import is_title_key
from events.programme.models.conference import Conference
from events.programme.models.venue import UNNAMED_VENUE, Venue, Zone


class RowMatch(NamedTuple):
    """``is_writable`` is False for a row of another source: this import only refers to it."""

    row: StoredRow
    is_writable: bool


class RowMatcher:
    """Matches each row once; a row whose key is in the file is matched by its key only.

    Rows of the ``former`` source are handed over to ``source``, which may have other keys for them.
    """

    def __init__(
        self, table: SyncTable, source: str, stored: Mapping[int, StoredRow], items: Sequence[Any], *, former: str = ""
    ) -> None:
        self.table, self.source, self._sources = table, source, {source, former} - {""}
        self._keys_in_file = keys_in_file = _unique_keys(table, items)
        self._by_key = {row.key: row for row in stored.values() if row.source == source and row.key}
        free = [row for row in stored.values() if not (row.source == source and row.key in keys_in_file)]
        self._by_guid = {row.guid: row for row in free if row.guid}
        # In reverse, because the last entry wins: a row made by hand before one of another source, then the first.
        ranked = sorted(free, key=lambda row: (bool(row.key), row.pk), reverse=True)
        self._by_natural_key = {key: row for row in ranked if (key := self._natural_key(row.values, row.slug))}
        self._by_similarity_key = {key: row for row in ranked if (key := self._similarity_key(row.values))}
        self._by_name = {row.values["name"]: row for row in ranked} if table.part == "rooms" else {}
        self._former = _FormerRows(table, [row for row in stored.values() if former and row.key and row.source == former], items)
        self._people = _UniqueNames(table, stored.values(), items) if table.part == "people" else None
        self._titles = _SameTitles(table, [row for row in free if row.source == source and row.key], self._new_items(items))
        self._matched: set[int] = set()

    def find(self, item: Any, values: Mapping[str, Any]) -> RowMatch | None:
        """``values`` are the item's, with references as primary keys."""
        row = self._by_key.get(item.key)
        if row is not None:
            return self._match_once(row, is_writable=True)
        if row := self._former.same_key(item):
            return self._match_once(row, is_writable=True)
        if (given := guid_of(self.table, item)) and (row := self._by_guid.get(given)):
            # Unlike a day or a room, an event made by hand is not adopted by a file that has its guid.
            return self._match_once(row, is_writable=row.source in self._sources and bool(row.key))
        natural_key = self._natural_key(values, item.key)
        row = self._by_natural_key.get(natural_key) if natural_key else None
        if row is None and self.table.part == "rooms" and "zone" not in values:
            row = self._by_name.get(values["name"])
        if row is None and (similarity_key := self._similarity_key(values)):
            row = self._by_similarity_key.get(similarity_key)
        row = row or self._former.same_name(item) or self._titles.row(item)
        if row is None and (person := self._same_person(item)):
            return self._match_once(person, is_writable=self._is_of_source(person))
        return self._match_once(row, is_writable=not row.key or row.source in self._sources) if row else None

    def _same_person(self, item: Any) -> StoredRow | None:
        """Return who alone has the name, if this file knows people by their names only and has no other person for the row."""
        row = self._people.row(item) if self._people and not item.guid else None
        return None if row and self._is_of_source(row) and row.key in self._keys_in_file else row

    def _is_of_source(self, row: StoredRow) -> bool:
        return bool(row.key) and row.source in self._sources

    def _new_items(self, items: Sequence[Any]) -> list[Any]:
        return [item for item in items if item.key not in self._by_key]

    def _match_once(self, row: StoredRow, *, is_writable: bool) -> RowMatch | None:
        if not is_writable:
            return RowMatch(row, False)
        if row.pk in self._matched:
            return None
        self._matched.add(row.pk)
        return RowMatch(row, True)

    def _natural_key(self, values: Mapping[str, Any], slug: str) -> tuple[Hashable, ...]:
        """Return the values that are unique in the table; () if one of them is missing."""
        if self.table.key_is_slug:
            return (slug,)
        parts = tuple(values.get(name) for name in self.table.natural)
        return () if None in parts else parts

    def _similarity_key(self, values: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Match venues, services and awards, which have no identifier that other sources know."""
        return tuple(values[name] or None for name in self.table.alike)


class _FormerRows:
    """Rows that are handed over, by key and by name: the formats of one system name their people differently, or not at all."""

    def __init__(self, table: SyncTable, rows: Sequence[StoredRow], items: Sequence[Any]) -> None:
        self.table = table
        self._by_key = {(row.key, _name(table, row.values)): row for row in rows} if table.label else {}
        self._names = _UniqueNames(table, rows, items) if rows and table.part in PARTS_MATCHED_BY_NAME else None

    def same_key(self, item: Any) -> StoredRow | None:
        return self._by_key.get((item.key, _name(self.table, self.table.values(item)))) if self._by_key else None

    def same_name(self, item: Any) -> StoredRow | None:
        return self._names.row(item) if self._names else None


class _SameTitles:
    """Rows that are not in the file, for new items of their title; of several with one title, that with the same start.

    Whoever corrects a title here and then in a file without ids means one event. Two different ids are two events.
    """

    def __init__(self, table: SyncTable, rows: Sequence[StoredRow], items: Sequence[Any]) -> None:
        is_titled = table.part in PARTS_WITH_TITLE_KEYS and is_title_key(*(each.key for each in (*rows, *items)))
        names = (_folded_name, _folded_name_and_start) if is_titled and rows and items else ()
        self._names = [_UniqueNames(table, rows, items, name) for name in names]

    def row(self, item: Any) -> StoredRow | None:
        row = next((row for names in self._names if (row := names.row(item))), None)
        return row if row and is_title_key(row.key, item.key) else None


def _name(table: SyncTable, values: Mapping[str, Any]) -> tuple[Hashable, ...]:
    return tuple(values[name] for name in table.label)


def _folded_name(table: SyncTable, values: Mapping[str, Any]) -> tuple[Hashable, ...]:
    return tuple(cells.key_of(values[name]) or values[name] for name in table.label)


def _folded_name_and_start(table: SyncTable, values: Mapping[str, Any]) -> tuple[Hashable, ...]:
    return (*_folded_name(table, values), values.get("start"))


class _UniqueNames:
    """Rows that alone have their name, for items that alone have it in the file."""

    def __init__(
        self,
        table: SyncTable,
        rows: Collection[StoredRow],
        items: Sequence[Any],
        name: Callable[[SyncTable, Mapping[str, Any]], tuple[Hashable, ...]] = _name,
    ) -> None:
        self.table, self._name = table, name
        by_name = {name(table, row.values): row for row in rows}
        counts = Counter(name(table, row.values) for row in rows)
        in_file = Counter(name(table, table.values(item)) for item in items)
        self._rows = {each: row for each, row in by_name.items() if counts[each] == 1 and in_file[each] == 1}

    def row(self, item: Any) -> StoredRow | None:
        return self._rows.get(self._name(self.table, self.table.values(item)))


PARTS_MATCHED_BY_NAME = ("people", "papers", "tracks")
PARTS_WITH_TITLE_KEYS = ("papers", "events")


def guid_of(table: SyncTable, item: Any) -> uuid.UUID | None:
    """Return the guid in the file, or None; raise SyncError for a malformed one."""
    text = getattr(item, "guid", "")
    try:
        return uuid.UUID(text) if text else None
    except ValueError as error:
        raise SyncError(f"{table.part}, “{item.key}”: “{text[:60]}” is no guid; it has 32 hexadecimal digits.") from error


def _unique_keys(table: SyncTable, items: Sequence[Any]) -> set[str]:
    keys: set[str] = set()
    for item in items:
        if item.key in keys:
            raise SyncError(f"{table.part}, “{item.key}”: the file has this key twice; each row needs its own.")
        keys.add(item.key)
    return keys


IMPORT_GUID_NAMESPACE = uuid.UUID("6b1f4c1e-7f43-5c0b-9f55-2d7c8b1a9e10")


def assign_guids(table: SyncTable, slug: str, rows: Sequence[Any]) -> None:
    """Give unsaved rows the guid of the file, unless another row of the conference has it; else one computed from the key."""
    if not table.has_guid:
        return
    waiting = [(row, _guid_candidates(table, slug, row)) for row in rows]
    used: set[uuid.UUID] = set()
    while waiting:
        wanted = [next(candidates) for _, candidates in waiting]
        taken = _used_guids(table, slug, wanted)
        again = []
        for (row, candidates), guid in zip(waiting, wanted, strict=True):
            if guid in taken or guid in used:
                again.append((row, candidates))
            else:
                row.guid = guid
                used.add(guid)
        waiting = again


def _guid_candidates(table: SyncTable, slug: str, row: Any) -> Iterator[uuid.UUID]:
    """Yield the guid of the file, then those computed from source, conference and key, equal on every site."""
    if row.guid:
        yield row.guid
    name = f"{row.source}:{slug}:{table.part}:{row.source_key}"
    yield uuid.uuid5(IMPORT_GUID_NAMESPACE, name)
    number = 2
    while True:
        yield uuid.uuid5(IMPORT_GUID_NAMESPACE, f"{name}#{number}")
        number += 1


def _used_guids(table: SyncTable, slug: str, wanted: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    rows = table.model.objects.filter(conference__slug=slug)
    return {guid for some in chunks(wanted) for guid in rows.filter(guid__in=some).values_list("guid", flat=True)}


class DefaultZone:
    """The zone of rooms that have none in the file."""

    def __init__(self, conference: Conference, plans: Mapping[str, TablePlan], report: SyncReport) -> None:
        self.conference, self.plans, self.report = conference, plans, report
        self._zone: Any = None

    def zone(self) -> Any:
        if self._zone is None:
            self._zone = self._first_zone() or self._make_zone()
        return self._zone

    def _first_zone(self) -> Any:
        known = (
            self.conference.zones.order_by("off_site", "position", "name", "pk") if self.conference.pk else Zone.objects.none()
        )
        return next((zone.pk for zone in known[:1]), None) or self._first_new("zones")

    def _make_zone(self) -> Zone:
        known = self.conference.venues.order_by("pk") if self.conference.pk else Venue.objects.none()
        venue = known.first() or self._first_new("venues")
        venue = venue or self._plan_row("venues", Venue(name=self.conference.city or UNNAMED_VENUE))
        zone: Zone = self._plan_row("zones", Zone(venue=venue, name=venue.name[:100]))
        return zone

    def _first_new(self, part: str) -> Any:
        return next((new.row for new in self.plans[part].new_rows()), None)

    def _plan_row(self, part: str, row: Any) -> Any:
        """Plan a row without a source, which counts as made by an organiser."""
        row.conference = self.conference
        self.plans[part].new.append([NewRow(row, {})])
        self.report.made.append({"part": part, "count": 1, "names": [row.name]})
        return row
