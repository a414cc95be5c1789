"""What other rooms store for agendas: one registry, filled when the app starts (``EventsConfig.ready``).

Agendas are merged, deleted, counted and exported here, and know nothing of the rooms above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q

from events.agenda.models.agenda import Agenda
from events.agenda.models.visitors import Visitor

EVERY_ROW = Q()


@dataclass(frozen=True)
class StoredList:
    """The rows of a model with a foreign key ``agenda``, as a list of the personal data export."""

    key: str
    model: type[Model]
    columns: tuple[str, ...]
    # The rows that are exported, and those of them that still mean something to the visitor.
    exported: Q = EVERY_ROW
    current: Q = EVERY_ROW

    def rows_by_agenda(self, agendas: Sequence[Agenda]) -> dict[int, list[dict[str, Any]]]:
        result: dict[int, list[dict[str, Any]]] = {agenda.pk: [] for agenda in agendas}
        rows = self.model._default_manager.filter(self.exported, agenda__in=agendas).order_by("pk")
        for row in rows.values("agenda_id", *self.columns):
            result[row.pop("agenda_id")].append({name.replace("__", "_"): value for name, value in row.items()})
        return result

    def current_counts(self, visitor: Visitor | None) -> Counter[int]:
        if visitor is None:
            return Counter()
        rows = self.model._default_manager.filter(self.exported, self.current, agenda__visitor=visitor).order_by()
        return Counter(rows.values_list("agenda__conference", flat=True))


def _merge_nothing(agenda: Agenda, other: Agenda) -> bool:
    return False


def _release_nothing(agendas: Sequence[Agenda]) -> None:
    pass


@dataclass(frozen=True)
class AgendaData:
    """What one room stores for agendas. Both functions run in a transaction that has locked the agendas."""

    lists: tuple[StoredList, ...]
    # Move what the other agenda has into the first one; True if that changed the first one.
    merge: Callable[[Agenda, Agenda], bool] = _merge_nothing
    # Give back what must not be deleted together with the agendas.
    release: Callable[[Sequence[Agenda]], None] = _release_nothing


class AgendaLifecycle:
    """The rooms' data in a fixed order: merged in this order, released in reverse."""

    def __init__(self) -> None:
        self.rooms: tuple[AgendaData, ...] = ()

    def register(self, *rooms: AgendaData) -> None:
        self.rooms = rooms

    @property
    def lists(self) -> tuple[StoredList, ...]:
        return tuple(stored for room in self.rooms for stored in room.lists)

    def merge(self, agenda: Agenda, other: Agenda) -> bool:
        """Let every room merge its rows; True if one of them changed something."""
        changed = [room.merge(agenda, other) for room in self.rooms]
        return any(changed)

    def release(self, agendas: Sequence[Agenda]) -> None:
        # Locks sign-up lists before questions. Merging locks them after, which is safe: two agendas have no question in common.
        for room in reversed(self.rooms):
            room.release(agendas)


LIFECYCLE = AgendaLifecycle()
