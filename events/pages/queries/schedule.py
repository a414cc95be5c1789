"""The programme of a day, as a list by start time and as a grid of rooms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.http import QueryDict

from events.core.clock import Clock, parse_at
from events.pages.cards import Card, for_cards, make_cards
from events.pages.queries.day_list import DayList, StartGroup, day_list, is_crowded_poster
from events.pages.queries.poster_groups import MAX_UNGROUPED_POSTERS, PosterGroup, exclude_poster_groups, poster_groups
from events.pages.queries.session_contents import add_card_children
from events.programme.display import RoomSign, room_sign
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind
from events.programme.models.venue import Room
from events.programme.queries.changes import MOVE_SHOWN_FOR, moved_from
from events.programme.queries.filters import (
    START_PARAM,
    FilterOption,
    Filters,
    filter_events,
    filters_for,
    replaced_query,
)
from events.programme.rules.grid import GridItem, grid

MAX_GRID_EVENTS = 600


@dataclass
class GridCell:
    cards: list[Card]
    rowspan: int
    colspan: int
    continued: list[Card] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not self.cards and not self.continued

    @property
    def outer_cards(self) -> list[Card]:
        return [card for card in self.cards if not card.session]

    @property
    def inner_cards(self) -> list[Card]:
        return [card for card in self.cards if card.session]


@dataclass
class GridRow:
    start: dt.datetime
    cells: list[GridCell]
    band: list[Card] = field(default_factory=list)
    bundles: list[PosterGroup] = field(default_factory=list)

    @property
    def is_banded(self) -> bool:
        return bool(self.band or self.bundles)


@dataclass
class GridPage:
    rooms: list[RoomSign]
    rows: list[GridRow]


@dataclass
class DayPage:
    listing: DayList
    grid: GridPage | None
    filters: Filters
    count: int
    changed_at: dt.datetime | None
    # A grid was requested, but there are too many events for one.
    too_many: bool = False

    @property
    def shown(self) -> str:
        """As "3 of 69 events"."""
        total = self.filters.total if self.filters.any else self.count
        some = f"{self.count} of " if self.filters.any else ""
        return f"{some}{total} event{'' if total == 1 else 's'}"

    @property
    def groups(self) -> list[StartGroup]:
        return self.listing.all_groups


def events_of_day(day: Day) -> EventQuerySet:
    return Event.objects.public().filter(day=day)


def schedule_of_day(day: Day, *, clock: Clock, query: QueryDict, as_grid: bool) -> DayPage:
    """The events of a day under the filters of ``query``.

    Does not read the posters inside sessions: there may be thousands.
    """
    everything = events_of_day(day)
    hour = parse_at(query.get(START_PARAM, ""), clock.venue_zone)
    filters = filters_for(everything, query)
    chosen = filter_events(everything, query)
    if hour:
        chosen, filters = chosen.filter(start=hour), _with_hour(filters, hour, query, clock)
    counts = _day_counts(chosen)
    top = top_level_events(chosen)
    bundles = [] if filters.any or counts.loose_posters <= MAX_UNGROUPED_POSTERS else poster_groups(top, day, clock)
    laid_out = as_grid and counts.top - sum(bundle.count for bundle in bundles) <= MAX_GRID_EVENTS
    if laid_out:
        cards = _grid_cards(exclude_poster_groups(bundles, top), chosen, clock)
        listing, grid_page = DayList(), _grid_page(cards, bundles, day.conference)
    else:
        listed = exclude_poster_groups(bundles, chosen.filter(_is_top_level(chosen) | ~is_crowded_poster(chosen)))
        listing = day_list(listed, bundles, day=day, clock=clock, query=query)
        grid_page = None
    return DayPage(
        listing=listing,
        grid=grid_page,
        filters=filters,
        count=counts.all,
        changed_at=filters.changed_at,
        too_many=as_grid and not laid_out,
    )


class DayCounts(NamedTuple):
    all: int
    top: int
    # Posters without a session.
    loose_posters: int


def _day_counts(events: EventQuerySet) -> DayCounts:
    loose = Q(type__kind=Kind.POSTER, session=None, start__isnull=False)
    parts = {"top": Count("pk", filter=_is_top_level(events)), "loose_posters": Count("pk", filter=loose)}
    return DayCounts(**events.aggregate(all=Count("pk"), **parts))


def top_level_events(events: EventQuerySet) -> EventQuerySet:
    return events.filter(_is_top_level(events))


def _is_top_level(events: EventQuerySet) -> Q:
    within = Q(session__in=events.order_by().values("pk"))
    # Two that are part of each other would both disappear.
    return Q(session=None) | ~within | Q(session__session=F("pk"))


def _grid_cards(events: EventQuerySet, chosen: EventQuerySet, clock: Clock) -> list[Card]:
    found = list(for_cards(events).in_order())
    cards = make_cards(found, clock, moved=moved_from(found, clock.now - MOVE_SHOWN_FOR, clock.zone))
    add_card_children(cards, chosen, clock)
    return cards


def _with_hour(filters: Filters, hour: dt.datetime, query: QueryDict, clock: Clock) -> Filters:
    chip = FilterOption(
        f"At {hour.astimezone(clock.zone):%H:%M}", query.get(START_PARAM, ""), replaced_query(query, START_PARAM, ""), active=True
    )
    return replace(filters, hours=[chip], any=True)


def _grid_page(cards: Sequence[Card], bundles: Sequence[PosterGroup], conference: Conference) -> GridPage:
    by_key = {card.event.pk: card for card in cards}
    bundled = {(it.type_slug, it.start): it for it in bundles}
    items = [
        GridItem(
            key=card.event.pk,
            start=card.start,
            end=card.end,
            room=card.event.room_id,
            band=card.kind in {Kind.BREAK, Kind.SERVICE},
        )
        for card in cards
        if card.start and card.end
    ]
    items += [GridItem(key=key, start=it.start, end=it.end, band=True) for key, it in bundled.items()]
    rooms = {room.pk: room for room in Room.objects.filter(conference=conference).select_related("zone")}
    laid = grid(items, list(rooms))

    def named(found: Sequence[GridItem]) -> list[Card]:
        return [by_key[item.key] for item in found if isinstance(item.key, int)]

    rows = [
        GridRow(
            row.start,
            [GridCell(named(cell.items), cell.rowspan, cell.colspan, named(cell.continued)) for cell in row.cells],
            named(row.band),
            [bundled[item.key] for item in row.band if isinstance(item.key, tuple)],
        )
        for row in laid.rows
    ]
    return GridPage([room_sign(rooms[key], conference.slug) for key in laid.rooms if isinstance(key, int)], rows)
