"""What takes a visitor's time, and what of it an event is in conflict with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from events.models import Agenda, Conference, Event
from events.models.picks import Pick
from events.queries.pinned import carried
from events.queries.private_entries import PrivateCard, private_cards
from events.queries.slots import (
    Break,
    ConflictLine,
    OtherPick,
    breaks_inside,
    sentence,
    slot_rows,
    slots_around,
    walks_of,
)
from events.schedule.clock import Clock
from events.schedule.overlaps import Conflict, conflicts_with
from events.schedule.slots import Slot
from events.schedule.spans import Span
from events.schedule.walking import ANY_WAY, Needs, Walks

# From farther away nobody walks or rides to a conference's next event.
FARTHEST = dt.timedelta(hours=6)


@dataclass(frozen=True)
class OwnTime:
    """The picks and private entries of an agenda and the ways between them, each read when it is needed and once.

    Without an agenda there is nothing of it.
    """

    agenda: Agenda | None
    conference: Conference
    clock: Clock
    needs: Needs = ANY_WAY

    @property
    def picks(self) -> dict[int, Pick]:
        """What is picked and public, by its key and in order."""
        return self.agenda.picks if self.agenda else {}

    @cached_property
    def private(self) -> list[PrivateCard]:
        if self.agenda is None:
            return []
        self.agenda.conference = self.conference
        return private_cards(self.agenda, self.clock)

    @cached_property
    def walks(self) -> Walks:
        return walks_of(self.conference, self.needs)

    @cached_property
    def levels(self) -> dict[int, str]:
        return {pk: pick.level for pk, pick in self.picks.items()}

    def slots(self) -> list[Slot]:
        """All that takes time; what is watched later takes none."""
        rows = list(self.picks.values())
        slots = slots_around(rows, breaks_inside(rows), self.levels)
        return [*(it for it in slots if not it.later), *(it.slot for it in self.private)]

    def conflicts_of(self, event: Event) -> list[ConflictLine]:
        """Every other pick, and every private entry, this event is in conflict with, the worst first."""
        if event.start is None:
            return []
        if event.pk in self.picks:
            event.presents = self.picks[event.pk].presents
        reach = Span(event.start - FARTHEST, (event.end or event.start) + FARTHEST)
        near = [it for pk, it in self.picks.items() if pk != event.pk and _is_within(reach, it.start, it.end)]
        entries = [it.slot for it in self.private if _is_within(reach, it.start, it.end)]
        found = self._conflicts(event, near, entries, ())
        # A session's breaks can only take a conflict away: only those of sessions in conflict are asked for.
        keys = {it.b.key for it in found}
        if found and (breaks := breaks_inside([*slot_rows([event]), *(it for it in near if it.pk in keys)])):
            found = self._conflicts(event, near, entries, breaks)
        return [ConflictLine(self._named(it.b.key), it.verdict, sentence(it), _number(it.b.key), it.quiet) for it in found]

    def _conflicts(self, event: Event, near: list[Pick], entries: list[Slot], breaks: Iterable[Break]) -> list[Conflict]:
        if not (near or entries):
            return []
        mine, *others = slots_around([*slot_rows([event]), *near], breaks, self.levels)
        return conflicts_with(mine, others + entries, self.walks)

    def _named(self, key: Hashable) -> OtherPick:
        if isinstance(key, int):
            pick = self.picks[key]
            address = reverse("events:event-detail", args=[self.conference.slug, pick.guid])
            return OtherPick(pick.title, carried(address, self.clock))
        entry = next(it for it in self.private if it.key == key)
        return OtherPick(entry.title, entry.url)


def conflicts_with_picks(event: Event, agenda: Agenda | None, clock: Clock, needs: Needs = ANY_WAY) -> list[ConflictLine]:
    """Every other pick that this event is in conflict with."""
    return OwnTime(agenda, event.conference, clock, needs).conflicts_of(event)


def _is_within(reach: Span, start: dt.datetime | None, end: dt.datetime | None) -> bool:
    return start is not None and end is not None and end > reach.start and start < reach.end


def _number(key: Hashable) -> int:
    """An event's; a private entry has none, and no other time."""
    return key if isinstance(key, int) else 0
