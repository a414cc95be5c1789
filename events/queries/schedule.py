"""The programme of a day, as a list by start time and as a grid of rooms.

However much there is inside its sessions, a day reads and shows only what stands at its top.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q
from django.http import QueryDict

from events.models import Conference, Day, Event, Kind, Room
from events.models.event import EventQuerySet
from events.queries.bundles import FEW, Bundle, bundles_of, outside
from events.queries.cards import Card, Plate, for_cards, make_cards, plate_of
from events.queries.filters import HOUR, Choice, Filters, filters_for, narrowed, replaced
from events.queries.inside import put_inside
from events.queries.moves import FRESH, moved_from
from events.schedule.clock import Clock, parse_at
from events.schedule.days import by_start
from events.schedule.grid import GridItem, grid

PER_PAGE = 100
MOST_IN_GRID = 600


@dataclass
class StartGroup:
    """What starts together; ``start`` None is to be announced."""

    start: dt.datetime | None
    cards: list[Card]
    now_rule: bool = False
    bundles: list[Bundle] = field(default_factory=list)

    @property
    def is_past(self) -> bool:
        return self._states == {"past"}

    @property
    def is_now(self) -> bool:
        return "now" in self._states

    @property
    def _states(self) -> set[str]:
        return {card.state for card in self.cards} | {bundle.state for bundle in self.bundles}


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
    bundles: list[Bundle] = field(default_factory=list)


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
    page: Page[Event]
    now_at_end: bool = False
    # A grid was asked for, and there is more than one can look at.
    too_many: bool = False


def events_of_day(day: Day) -> EventQuerySet:
    return Event.objects.public().filter(day=day)


def schedule_of_day(day: Day, *, clock: Clock, query: QueryDict, as_grid: bool) -> DayPage:
    """One day's events under the filters of the address."""
    everything = events_of_day(day)
    hour = parse_at(query.get(HOUR, ""), clock.venue_zone)
    filters = filters_for(everything, query)
    chosen = narrowed(everything, query)
    if hour:
        chosen, filters = chosen.filter(start=hour), _with_hour(filters, hour, query, clock)
    counts = _counts(chosen)
    top = at_the_top(chosen)
    bundles = [] if filters.any or counts.loose_posters <= FEW else bundles_of(top, day, clock)
    listed = outside(bundles, top)
    shown = counts.top - sum(bundle.count for bundle in bundles)
    laid_out = as_grid and shown <= MOST_IN_GRID
    page = _page(listed, shown, MOST_IN_GRID if laid_out else PER_PAGE, day, clock, query)
    events = list(page.object_list)
    cards = make_cards(events, clock, moved=moved_from(events, clock.now - FRESH, clock.zone))
    put_inside(cards, chosen, clock)
    groups = _groups(cards, bundles)
    return DayPage(
        groups=groups,
        grid=_grid(cards, bundles, day.conference) if laid_out else None,
        filters=filters,
        count=counts.all,
        changed_at=filters.changed_at,
        page=page,
        now_at_end=_place_now_rule(groups, day, clock) and not page.has_next(),
        too_many=as_grid and not laid_out,
    )


class Counts(NamedTuple):
    all: int
    top: int
    # Posters that no session holds.
    loose_posters: int


def _counts(events: EventQuerySet) -> Counts:
    loose = Q(type__kind=Kind.POSTER, session=None, start__isnull=False)
    parts = {"top": Count("pk", filter=_is_at_the_top(events)), "loose_posters": Count("pk", filter=loose)}
    return Counts(**events.aggregate(all=Count("pk"), **parts))


def at_the_top(events: EventQuerySet) -> EventQuerySet:
    """What is part of nothing else among these events."""
    return events.filter(_is_at_the_top(events))


def _is_at_the_top(events: EventQuerySet) -> Q:
    within = Q(session__in=events.order_by().values("pk"))
    # Two that claim to be part of each other would both be gone.
    return Q(session=None) | ~within | Q(session__session=F("pk"))


def _page(events: EventQuerySet, count: int, size: int, day: Day, clock: Clock, query: QueryDict) -> Page[Event]:
    """The page that is asked for; today, without being asked, the one of what is on."""
    pages = Paginator(for_cards(events).in_order(), size)
    pages.count = count
    number: str | int = query.get("page", "") or 1
    if "page" not in query and count > size and day.date == clock.today:
        number = events.filter(end__lte=clock.now).count() // size + 1
    return pages.get_page(number)


def _with_hour(filters: Filters, hour: dt.datetime, query: QueryDict, clock: Clock) -> Filters:
    chip = Choice(f"At {hour.astimezone(clock.zone):%H:%M}", query.get(HOUR, ""), replaced(query, HOUR, ""), active=True)
    return replace(filters, hours=[chip], any=True)


def _groups(cards: Sequence[Card], bundles: Sequence[Bundle]) -> list[StartGroup]:
    groups = []
    for start, found in by_start([*cards, *bundles]):
        tied = [it for it in found if isinstance(it, Bundle)]
        groups.append(StartGroup(start, [it for it in found if isinstance(it, Card)], bundles=tied))
    return groups


def _place_now_rule(groups: list[StartGroup], day: Day, clock: Clock) -> bool:
    """Put the rule before what starts next, today; True if everything has started and it stands at the end."""
    if day.date != clock.today or not groups:
        return False
    for group in groups:
        if group.start is None or group.start > clock.now:
            group.now_rule = True
            return False
    return True


def _grid(cards: Sequence[Card], bundles: Sequence[Bundle], conference: Conference) -> GridPage:
    by_key = {card.event.pk: card for card in cards}
    bundled = {(it.type_slug, it.start): it for it in bundles}
    items = [
        GridItem(key=it.event.pk, start=it.start, end=it.end, room=it.event.room_id, band=it.kind in {Kind.BREAK, Kind.SERVICE})
        for it in cards
        if it.start and it.end
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
    return GridPage([plate_of(rooms[key], conference.slug) for key in laid.rooms if isinstance(key, int)], rows)
