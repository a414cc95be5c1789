"""The agenda by day, with gaps and walks between its rows; the column of one day; the next room."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Case, F, Q, When

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkedEvent, BookmarkLevel
from events.agenda.queries.conflicts import breaks_in_sessions, slots_of, slots_with_breaks, walks_of
from events.agenda.queries.free_time import gap_query
from events.agenda.queries.other_times import other_times_by_key
from events.agenda.queries.private_entries import private_cards
from events.agenda.rules.itinerary import itinerary
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import DAY_CHANGE, Clock, programme_date
from events.core.db.prepared_query import prepared
from events.pages.cards import Card, add_outlooks, bookmarked_ids, for_cards, make_card, make_cards
from events.pages.queries.agenda_rows import AgendaCard, AgendaRow, agenda_rows, group_posters
from events.pages.queries.lists import WatchLaterRow, ready_recordings, watch_later_rows
from events.pages.queries.plans import floor_names, floor_slugs, floor_url, plans_of
from events.programme.display import Badge, EventLine, RoomSign, make_event_line, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, SignupState, Status
from events.programme.models.venue import Room
from events.programme.queries.changes import moved_from
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.days import by_day, is_of_date
from events.programme.rules.overlaps import ConflictVerdict
from events.programme.rules.walking import NO_NEEDS, Needs, Walks
from events.sign_up.queries import seat_badges
from events.venue.models import PlanArea
from events.venue.rules.plans import Shape

MAX_SUGGESTIONS = 3
_NO_BEGINNINGS = (Kind.BREAK, Kind.SERVICE, Kind.POSTER)


@dataclass(frozen=True)
class AgendaDay:
    day: dt.date | None
    rows: list[AgendaRow]
    # Queries of the page that fills the time before the first and after the last row; empty for a past day.
    before: str = ""
    after: str = ""
    # It is over and another is to come.
    is_past: bool = False
    is_today: bool = False
    # An earlier day, of which something is still on.
    is_still_on: bool = False

    @property
    def count(self) -> int:
        return sum(row.picks for row in self.rows)

    @property
    def earlier(self) -> list[AgendaRow]:
        return [row for row in self.rows if self._folds_past and row.is_past]

    @property
    def coming(self) -> list[AgendaRow]:
        return [row for row in self.rows if not (self._folds_past and row.is_past)]

    @property
    def _folds_past(self) -> bool:
        return self.is_today or self.is_still_on


@dataclass(frozen=True)
class AgendaPage:
    """What is ``ready`` to watch is not in ``later``."""

    days: list[AgendaDay]
    # Conflicts with a maybe are ``quiet``, the others are counted by their verdict.
    clashes: int = 0
    partial: int = 0
    tight: int = 0
    quiet: int = 0
    later: list[WatchLaterRow] = field(default_factory=list)
    ready: list[WatchLaterRow] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(day.count for day in self.days)

    @property
    def past_days(self) -> list[AgendaDay]:
        return [day for day in self.days if day.is_past]

    @property
    def undated(self) -> int:
        return sum(day.count for day in self.days if day.day is None)


def agenda_page(agenda: Agenda, clock: Clock, needs: Needs = NO_NEEDS) -> AgendaPage:
    """All bookmarks by day; those without a day come last."""
    cards = _bookmarked_cards(agenda, clock)
    add_outlooks(cards, clock)
    levels = {key: bookmark.level for key, bookmark in agenda.bookmarked_events.items()}
    walks = walks_of(agenda.conference, needs)
    private = private_cards(agenda, clock)
    slots = {slot.key: slot for slot in [*slots_of((card.event for card in cards), levels), *(it.slot for it in private)]}
    attended = [card for card in cards if levels.get(card.key) != BookmarkLevel.LATER]
    flags = seat_badges(agenda, clock)
    for card in attended:
        if card.key in flags:
            _show_seat(card, flags[card.key])
    shown = group_posters([*attended, *private], slots, clock)
    stops = itinerary([slots[card.key] for card in shown], walks)
    conflicts = [it for stop in stops for it in stop.conflicts]
    keys = {slot.key for it in conflicts for slot in (it.a, it.b) if isinstance(slot.key, int)}
    ways = other_times_by_key(agenda.conference, [agenda.bookmarked_events[key] for key in keys], slots.values(), walks, clock)
    rows = agenda_rows(shown, stops, walks.needs, clock, ways)
    by_date = by_day(rows, lambda row: row.card.day)
    is_over = all(row.is_past for row in rows)
    days = [_agenda_day(day, found, clock, is_over=is_over) for day, found in by_date]
    verdicts = Counter(it.verdict for it in conflicts if not it.quiet)
    later = watch_later_rows([card for card in cards if levels.get(card.key) == BookmarkLevel.LATER], clock)
    waiting = [row for row in later if not row.is_ready]
    ready = ready_recordings(cards, levels, clock)
    return AgendaPage(
        days,
        clashes=verdicts[ConflictVerdict.CLASH],
        partial=verdicts[ConflictVerdict.PARTIAL],
        tight=verdicts[ConflictVerdict.TIGHT],
        quiet=sum(it.quiet for it in conflicts),
        later=waiting,
        ready=ready,
    )


def _agenda_day(day: dt.date | None, rows: list[AgendaRow], clock: Clock, *, is_over: bool) -> AgendaDay:
    if is_over or day is None or day >= clock.today:
        free_time = _free_time_queries([row.card for row in rows], clock)
        return AgendaDay(day, rows, *free_time, is_today=day == clock.today and not is_over)
    is_past = all(row.is_past for row in rows)
    return AgendaDay(day, rows, is_past=is_past, is_still_on=not is_past)


def _show_seat(card: Card, seat: Badge) -> None:
    """Who has a place, or waits for one, is not also told that it is full."""
    card.flags = [*(it for it in card.flags if it.name not in SignupState.values), seat]
    card.signup_text = ""


def _free_time_queries(cards: Iterable[AgendaCard], clock: Clock) -> tuple[str, str]:
    times = [(card.start, end) for card in cards if card.start and (end := _end_of(card))]
    first, last = min((start for start, _ in times), default=None), max((end for _, end in times), default=None)
    before = gap_query(None, first, clock) if first and first > clock.now else ""
    after = gap_query(last, None, clock) if last and programme_date(last, clock.venue_zone) >= clock.today else ""
    return before, after


@prepared
def _events_of_day(agenda: int, date: dt.date, morning: dt.datetime) -> EventQuerySet:
    """What the column of a day shows of the bookmarks, in few columns: each visitor has others, so each asks."""
    lasting = Q(day__date__lt=date, end__gt=morning)
    events = Event.objects.public().bookmarked_in(agenda).filter(Q(day__date=date) | lasting)
    shown = (
        "guid",
        "title",
        "language",
        "start",
        "end",
        "status",
        "board",
        "conference",
        "day__date",
        "type__slug",
        "type__kind",
        "type__colour",
    )
    places = ("room__name", "room__floor", "room__zone__letter", "session__guid", "session__title", "session__language")
    return events.select_related("type", "day", "session", "room__zone").only(*shown, *places)


def agenda_rows_of_day(agenda: Agenda, clock: Clock, date: dt.date, needs: Needs = NO_NEEDS) -> list[AgendaRow]:
    """The rows of one day and of what lasts into it, without the free time between them."""
    attended = [it for it in agenda.bookmarked_events.values() if it.level != BookmarkLevel.LATER]
    bookmarked = [it for it in attended if is_of_date(it.date, it.end, date, clock.venue_zone)]
    if not bookmarked:
        return []
    lines = {}
    for event in _events_of_day(agenda.pk, date, dt.datetime.combine(date, DAY_CHANGE, clock.venue_zone)):
        event.conference = agenda.conference
        lines[event.pk] = make_event_line(event, clock)
    levels = {it.pk: it.level for it in bookmarked}
    slots = {slot.key: slot for slot in slots_with_breaks(bookmarked, breaks_in_sessions(bookmarked), levels)}
    shown = group_posters([lines[it.pk] for it in bookmarked if it.pk in lines], slots, clock)
    # A single one is in conflict with nothing.
    walks = walks_of(agenda.conference, needs) if len(shown) > 1 else Walks()
    stops = [replace(it, free=None) for it in itinerary([slots[card.key] for card in shown], walks)]
    return agenda_rows(shown, stops, needs, clock, {})


def stop_beside(agenda: Agenda, removed: Event) -> str:
    """The id of the stop that takes the place of a removed one, or of the last one; empty without any."""
    stops = [it for it in agenda.bookmarked_events.values() if it.level != BookmarkLevel.LATER]
    posters = [it for it in stops if it.session and _poster_group(it) == (removed.session_id, removed.start, removed.end)]
    following = [it for it in posters or stops if it.start and removed.start and it.start >= removed.start]
    beside = next(iter(following or reversed(stops)), None)
    if beside is None:
        return ""
    # Several posters of a session are one stop.
    group = [it for it in stops if it.session and it.kind == Kind.POSTER and _poster_group(it) == _poster_group(beside)]
    if beside.session and beside in group and len(group) > 1:
        return f"posters-{Event.objects.get(pk=beside.session).guid}"
    return f"e-{beside.guid}"


def _poster_group(event: BookmarkedEvent) -> tuple[int | None, dt.datetime | None, dt.datetime | None]:
    return event.session, event.start, event.end


def _bookmarked_cards(agenda: Agenda, clock: Clock) -> list[Card]:
    """Cards of the bookmarks; a moved one shows its time and room at the moment of bookmarking."""
    found = list(for_cards(agenda.events.annotate(picked_at=F("bookmarks__created_at"))).in_order())
    moved = moved_from(found, {event.pk: getattr(event, "picked_at") for event in found}, clock.zone)  # noqa: B009
    return make_cards(found, clock, frozenset(agenda.bookmarked_events), moved)


def is_presented(agenda: Agenda, event: int) -> bool:
    return agenda.bookmarks.filter(event=event, removed_at=None, presents=True).exists()


def suggestions(conference: Conference, clock: Clock) -> list[Card]:
    """Three events to begin an agenda with: the next invited talks, else what begins next, else invited talks that are over."""
    # The page is made again when one of the cards begins or ends.
    invited, now = Q(type__kind=Kind.INVITED_TALK), clock.made_at
    is_coming = Q(end__gt=now) | Q(end=None, day=None) | Q(end=None, day__date__gte=clock.today)
    begins = Q(session=None, start__gt=now) & ~Q(type__kind__in=_NO_BEGINNINGS)
    choice = Case(When(invited & is_coming, then=0), When(begins, then=1), When(invited, then=2))
    events = Event.objects.public().filter(conference=conference).exclude(status=Status.CANCELLED)
    found = list(for_cards(events.annotate(choice=choice).exclude(choice=None)).in_order("choice")[:MAX_SUGGESTIONS])
    return make_cards([it for it in found if _choice_of(it) == _choice_of(found[0])], clock, frozenset())


def _choice_of(event: Event) -> int:
    choice: int = getattr(event, "choice")  # noqa: B009
    return choice


def one_card(event: Event, agenda: Agenda | None, clock: Clock) -> Card:
    row = for_cards(Event.objects.filter(pk=event.pk)).get()
    return make_card(row, clock, bookmarked_ids(agenda))


def _end_of(card: AgendaCard) -> dt.datetime | None:
    return card.event.end if isinstance(card, EventLine) else card.end


@dataclass(frozen=True)
class RoomOnPlan:
    """A shape on one floor, and where that is shown."""

    plan: int
    floor: str
    url: str
    shape: Shape
    width: int


@dataclass(frozen=True)
class NextStop:
    event: Event
    # None for what is not in a room.
    plate: RoomSign | None = None
    # The walk from the event that is on; None without one, or if its length is unknown.
    minutes: int | None = None
    from_name: str = ""
    is_today: bool = False
    places: list[RoomOnPlan] = field(default_factory=list)


def next_stop(agenda: Agenda, clock: Clock, needs: Needs = NO_NEEDS, *, only_rooms: bool = False) -> NextStop | None:
    """Return the next bookmark; ``only_rooms`` passes over what no plan has."""
    attended = [
        it for it in agenda.bookmarked_events.values() if it.level != BookmarkLevel.LATER and it.status != Status.CANCELLED
    ]
    in_rooms = [it for it in attended if it.zone is not None]
    wanted = in_rooms if only_rooms else attended
    next_ones = [(it.start, it.pk) for it in wanted if it.start and not clock.has_come(it.start)]
    # Of several that are on, the visitor is most likely at the one that started last.
    running = [(it.start, it.pk) for it in in_rooms if it.start and it.end and clock.is_between(it.start, it.end)]
    if not next_ones:
        return None
    keys = [min(next_ones)[1], *(pk for _, pk in sorted(running)[-1:])]
    found = {it.pk: it for it in _placed_events(*keys)}
    coming, here = (found.get(pk) for pk in (keys[0], keys[-1]))
    if coming is None or coming.start is None:
        return None
    coming.conference = agenda.conference
    is_today = clock.is_on_date_of(coming.start)
    if coming.room is None:
        return NextStop(coming, is_today=is_today)
    plate = room_sign(coming.room, agenda.conference.slug)
    places = _room_on_plans(coming.room, agenda.conference, clock)
    if not running or here is None or here.room is None:
        return NextStop(coming, plate, is_today=is_today, places=places)
    way = walks_of(agenda.conference, needs).way(here.room.zone_id, coming.room.zone_id)
    # A walk of 0 minutes is not mentioned.
    return NextStop(coming, plate, way.minutes if way and way.minutes else None, here.room.name, is_today=is_today, places=places)


@prepared
def _placed_events(*keys: int) -> EventQuerySet:
    columns = ("guid", "title", "language", "start", "place", "conference", "room__name", "room__floor", "room__zone__letter")
    return Event.objects.filter(pk__in=keys).select_related("room__zone").only(*columns)


class PlacedShape(NamedTuple):
    """A shape of a room or a zone (one of the two), and the floor that shows it."""

    room: int | None
    zone: int | None
    plan: int
    floor: str
    floor_slug: str
    element_id: str
    shape: Shape
    width: int


def _room_on_plans(room: Room, conference: Conference, clock: Clock) -> list[RoomOnPlan]:
    """On all floors. A room without a shape is shown by its zone."""
    placed = _shapes_on_plans(conference)
    found = [it for it in placed if it.room == room.pk] or [it for it in placed if it.zone == room.zone_id]
    urls = {it.floor_slug: floor_url(conference, it.floor_slug, clock) for it in found}
    return [RoomOnPlan(it.plan, it.floor, f"{urls[it.floor_slug]}#{it.element_id}", it.shape, it.width) for it in found]


def _shapes_on_plans(conference: Conference) -> list[PlacedShape]:
    """Read once for all visitors until something public changes."""

    def read() -> list[PlacedShape]:
        plans = {it.pk: it for it in plans_of(conference)}
        slugs, names = floor_slugs(plans.values()), floor_names(plans.values())
        areas = PlanArea.objects.filter(Q(room__isnull=False) | Q(zone__isnull=False), plan__in=plans)
        return [
            PlacedShape(
                *(it.room_id, it.zone_id, it.plan_id, names[it.plan_id], slugs[it.plan_id]),
                *(it.element_id, shape, plans[it.plan_id].width),
            )
            for it in areas.select_related("room", "zone")
            if (shape := it.shape)
        ]

    everything = last_change_of_everything(conference)
    return PROCESS_CACHE.get_or_build(("shapes on plans", conference.pk), read, version=everything)
