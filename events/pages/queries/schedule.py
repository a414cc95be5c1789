"""The programme of a day, as a list by start time and as a grid of rooms."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, Q
from django.http import QueryDict
from django.urls import reverse

from events.core.clock import Clock, parse_at, with_pinned_time
from events.pages.cards import Card, for_cards, make_cards
from events.pages.queries.grid import DayGrid, day_grid
from events.pages.queries.session_contents import add_card_children
from events.programme.models.conference import Day
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import EventType, Kind
from events.programme.queries.changes import MOVE_SHOWN_FOR, moved_from
from events.programme.queries.filters import (
    START_PARAM,
    FilterOption,
    Filters,
    filter_events,
    filters_for,
    replaced_query,
)
from events.programme.rules.days import by_start

DAY_EVENTS_PER_PAGE = 100
MAX_UNGROUPED_POSTERS = 12
EVENT_TYPE_COLUMNS = ("name", "plural", "slug", "kind", "colour")


@dataclass(frozen=True)
class PosterGroup:
    """Posters of one type with the same start; its address lists them."""

    type: EventType
    count: int
    start: dt.datetime
    end: dt.datetime
    url: str
    state: str

    @property
    def type_slug(self) -> str:
        return self.type.slug

    @property
    def line(self) -> str:
        return self.type.line

    @property
    def is_past(self) -> bool:
        return self.state == "past"

    @property
    def words(self) -> str:
        return f"{self.count} {self.type.many.lower()}"


def poster_groups(events: EventQuerySet, day: Day, clock: Clock) -> list[PosterGroup]:
    """Groups of more than ``MAX_UNGROUPED_POSTERS`` posters without a session that start together."""
    posters = events.of_kind(Kind.POSTER).filter(session=None, start__isnull=False)
    rows = posters.order_by("start", "type").values_list("start", "type", *(f"type__{it}" for it in EVENT_TYPE_COLUMNS))
    found = []
    for start, pk, *values, count, end in rows.annotate(n=Count("pk"), last=Max("end")).filter(n__gt=MAX_UNGROUPED_POSTERS):
        kind = EventType(pk=pk, **dict(zip(EVENT_TYPE_COLUMNS, values, strict=True)))
        found.append(
            PosterGroup(
                kind, count, start, end, _poster_group_url(day, kind, start, clock), _poster_group_state(start, end, clock)
            )
        )
    return found


def exclude_poster_groups(bundles: Sequence[PosterGroup], events: EventQuerySet) -> EventQuerySet:
    starts: dict[int, list[dt.datetime]] = {}
    for bundle in bundles:
        starts.setdefault(bundle.type.pk, []).append(bundle.start)
    return events.exclude(_any(Q(session=None, type=pk, start__in=found) for pk, found in starts.items())) if starts else events


def _any(conditions: Iterable[Q]) -> Q:
    return Q(*conditions, _connector=Q.OR)


def _poster_group_url(day: Day, kind: EventType, start: dt.datetime, clock: Clock) -> str:
    chosen = QueryDict(mutable=True)
    chosen["type"] = kind.slug
    chosen[START_PARAM] = f"{start.astimezone(clock.venue_zone):%Y-%m-%dT%H:%M:%S}".removesuffix(":00")
    url = reverse("events:schedule-day", args=[day.conference.slug, day.date])
    return with_pinned_time(f"{url}?{chosen.urlencode(safe=':')}", clock)


def _poster_group_state(start: dt.datetime, end: dt.datetime, clock: Clock) -> str:
    return "past" if end <= clock.now else "now" if start <= clock.now else "later"


@dataclass
class StartGroup:
    """Events with the same start; None is to be announced."""

    start: dt.datetime | None
    cards: list[Card]
    now_rule: bool = False
    bundles: list[PosterGroup] = field(default_factory=list)

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
class DayPage:
    groups: list[StartGroup]
    grid: DayGrid | None
    filters: Filters
    count: int
    changed_at: dt.datetime | None
    # A grid has one page.
    page: Page[Event] | None = None
    now_at_end: bool = False
    # A grid was requested, but there are too many events for one.
    too_many: bool = False


def events_of_day(day: Day) -> EventQuerySet:
    return Event.objects.public().filter(day=day)


def schedule_of_day(day: Day, *, clock: Clock, query: QueryDict, as_grid: bool) -> DayPage:
    """The events of a day under the filters of ``query``.

    Reads only top-level events: a session may have thousands of posters.
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
    listed = exclude_poster_groups(bundles, top)
    shown = counts.top - sum(bundle.count for bundle in bundles)
    if as_grid:
        is_today = day.date == clock.today
        laid_out = day_grid(exclude_poster_groups(bundles, chosen), bundles, day.conference, clock, is_today=is_today)
        if laid_out:
            return DayPage([], laid_out, filters, counts.all, filters.changed_at)
    page = _schedule_page(listed, shown, DAY_EVENTS_PER_PAGE, day, clock, query)
    events = list(page.object_list)
    cards = make_cards(events, clock, moved=moved_from(events, clock.now - MOVE_SHOWN_FOR, clock.zone))
    add_card_children(cards, chosen, clock)
    groups = _start_groups(cards, bundles)
    return DayPage(
        groups=groups,
        grid=None,
        filters=filters,
        count=counts.all,
        changed_at=filters.changed_at,
        page=page,
        now_at_end=_place_now_rule(groups, day, clock) and not page.has_next(),
        too_many=as_grid,
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


def _schedule_page(events: EventQuerySet, count: int, size: int, day: Day, clock: Clock, query: QueryDict) -> Page[Event]:
    """The requested page; today the default is the one with current events."""
    pages = Paginator(for_cards(events).in_order(), size)
    pages.count = count
    number: str | int = query.get("page", "") or 1
    if "page" not in query and count > size and day.date == clock.today:
        number = events.filter(end__lte=clock.now).count() // size + 1
    return pages.get_page(number)


def _with_hour(filters: Filters, hour: dt.datetime, query: QueryDict, clock: Clock) -> Filters:
    chip = FilterOption(
        f"At {hour.astimezone(clock.zone):%H:%M}", query.get(START_PARAM, ""), replaced_query(query, START_PARAM, ""), active=True
    )
    return replace(filters, hours=[chip], any=True)


def _start_groups(cards: Sequence[Card], bundles: Sequence[PosterGroup]) -> list[StartGroup]:
    groups = []
    for start, entries in by_start([*cards, *bundles]):
        tied = [it for it in entries if isinstance(it, PosterGroup)]
        groups.append(StartGroup(start, [it for it in entries if isinstance(it, Card)], bundles=tied))
    return groups


def _place_now_rule(groups: list[StartGroup], day: Day, clock: Clock) -> bool:
    """Put the line of the current time before the next start; True if it belongs at the end. Only today has one."""
    if day.date != clock.today or not groups:
        return False
    for group in groups:
        if group.start is None or group.start > clock.now:
            group.now_rule = True
            return False
    return True
