"""The programme of a day, as a list by start time and as a grid of rooms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Max
from django.http import QueryDict

from events.models import Agenda, Conference, Day, Event, Kind, Room
from events.models.event import EventQuerySet
from events.queries.cards import Card, Plate, for_cards, make_cards, picked_ids, plate_of
from events.queries.filters import Filters, filters_for, narrowed
from events.queries.moves import FRESH, moved_from
from events.schedule.clock import Clock
from events.schedule.days import by_start
from events.schedule.grid import GridItem, grid


@dataclass
class StartGroup:
    """What starts together; ``start`` None is to be announced."""

    start: dt.datetime | None
    cards: list[Card]
    now_rule: bool = False

    @property
    def is_past(self) -> bool:
        return all(card.state == "past" for card in self.cards)

    @property
    def is_now(self) -> bool:
        return any(card.state == "now" for card in self.cards)


@dataclass
class GridCell:
    cards: list[Card]
    rowspan: int
    colspan: int
    continued: list[Card] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not self.cards and not self.continued


@dataclass
class GridRow:
    start: dt.datetime
    cells: list[GridCell]
    band: list[Card] = field(default_factory=list)


@dataclass
class GridPage:
    rooms: list[Plate]
    rows: list[GridRow]


@dataclass
class DayPage:
    groups: list[StartGroup]
    grid: GridPage | None
    filters: Filters
    count: int
    changed_at: dt.datetime | None
    now_at_end: bool = False


def events_of_day(day: Day) -> EventQuerySet:
    return Event.objects.public().filter(day=day)


def schedule_of_day(day: Day, *, clock: Clock, agenda: Agenda | None, query: QueryDict, as_grid: bool) -> DayPage:
    """One day's events under the filters of the address."""
    everything = events_of_day(day)
    events = list(for_cards(narrowed(everything, query)).in_order())
    moved = moved_from(events, clock.now - FRESH, clock.zone)
    cards = make_cards(events, clock, picked_ids(agenda), moved)
    top = fold(cards)
    groups = [StartGroup(start, found) for start, found in by_start(top)]
    return DayPage(
        groups=groups,
        grid=_grid(top, day.conference) if as_grid else None,
        filters=filters_for(everything, query),
        count=len(cards),
        changed_at=everything.aggregate(last=Max("revised_at"))["last"],
        now_at_end=_place_now_rule(groups, day, clock),
    )


def fold(cards: Sequence[Card]) -> list[Card]:
    """What is part of something in the same list stands inside its card."""
    shown = {card.event.pk: card for card in cards}
    top: list[Card] = []
    for card in cards:
        session = shown.get(card.event.session_id or 0)
        # Two that claim to be part of each other would both be gone.
        loops = session is not None and session.event.session_id == card.event.pk
        (top if session is None or loops else session.inside).append(card)
    return top


def _place_now_rule(groups: list[StartGroup], day: Day, clock: Clock) -> bool:
    """Put the rule before what starts next, today; True if everything has started and it stands at the end."""
    if day.date != clock.today or not groups:
        return False
    for group in groups:
        if group.start is None or group.start > clock.now:
            group.now_rule = True
            return False
    return True


def _grid(cards: Sequence[Card], conference: Conference) -> GridPage:
    by_key = {card.event.pk: card for card in cards}
    items = [
        GridItem(key=it.event.pk, start=it.start, end=it.end, room=it.event.room_id, band=it.kind in {Kind.BREAK, Kind.SERVICE})
        for it in cards
        if it.start and it.end
    ]
    rooms = {room.pk: room for room in Room.objects.filter(conference=conference).select_related("zone")}
    laid = grid(items, list(rooms))

    def named(found: Sequence[GridItem]) -> list[Card]:
        return [by_key[item.key] for item in found if isinstance(item.key, int)]

    rows = [
        GridRow(
            row.start,
            [GridCell(named(cell.items), cell.rowspan, cell.colspan, named(cell.continued)) for cell in row.cells],
            named(row.band),
        )
        for row in laid.rows
    ]
    return GridPage([plate_of(rooms[key], conference.slug) for key in laid.rooms if isinstance(key, int)], rows)
