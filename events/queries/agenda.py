"""What the visitor picked: by day, with the gaps and the walks between."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from events.models import Agenda, Conference, Event, Kind
from events.models.event import EventQuerySet
from events.models.prepared import prepared
from events.queries.cards import Card, for_cards, make_card, make_cards, picked_ids
from events.queries.elsewhere import WayOut, ways_out
from events.queries.free_time import gap_query
from events.queries.moves import moved_from
from events.queries.private_entries import PrivateCard, private_cards
from events.queries.slots import ConflictLine, conflict_lines, for_slots, sentence, slots_of, walks_of
from events.schedule.clock import Clock
from events.schedule.days import by_day
from events.schedule.gaps import LEAST
from events.schedule.itinerary import Stretch, conflicts_among, itinerary
from events.schedule.overlaps import Verdict
from events.schedule.slots import Slot
from events.schedule.spans import spoken
from events.schedule.walking import Walks, Way

# From farther away nobody walks or rides to a conference's next event.
FARTHEST = dt.timedelta(hours=6)


@dataclass(frozen=True)
class Gap:
    """What lies between a pick and the one it follows."""

    minutes: int
    walk_minutes: int | None
    walk_covered: bool | None
    walk_to: str
    verdict: str
    sentence: str
    remedy: str = ""
    # Where else one can catch either of the two.
    ways: Sequence[WayOut] = ()
    # With what it is asked what fits in it; nothing for one too short.
    fill: str = ""


@dataclass(frozen=True)
class PickRow:
    card: Card | PrivateCard
    gap: Gap | None = None


@dataclass(frozen=True)
class AgendaDay:
    day: dt.date | None
    rows: list[PickRow]

    @property
    def count(self) -> int:
        """How many picks; a private entry is none."""
        return sum(isinstance(row.card, Card) for row in self.rows)


@dataclass(frozen=True)
class AgendaPage:
    days: list[AgendaDay]
    conflicts: int

    @property
    def count(self) -> int:
        return sum(day.count for day in self.days)

    @property
    def undated(self) -> int:
        return sum(day.count for day in self.days if day.day is None)


def agenda_page(agenda: Agenda, clock: Clock) -> AgendaPage:
    """Everything picked, by day; what has no day yet comes last."""
    cards = picked_cards(agenda, clock)
    walks = walks_of(agenda.conference)
    own = private_cards(agenda, clock)
    slots = {slot.key: slot for slot in [*slots_of(card.event for card in cards), *(it.slot for it in own)]}
    conflicts = conflicts_among(slots.values(), walks)
    keys = {slot.key for it in conflicts for slot in (it.a, it.b) if isinstance(slot.key, int)}
    ways = ways_out(agenda.conference, keys, slots.values(), walks, clock)
    days = [AgendaDay(day, _rows(found, slots, walks, clock, ways)) for day, found in by_day(_in_order([*cards, *own]))]
    return AgendaPage(days, len(conflicts))


def picked_cards(agenda: Agenda, clock: Clock, events: EventQuerySet | None = None) -> list[Card]:
    """Cards of the picks, saying for each where it stood when it was picked."""
    picked_at = dict(agenda.bookmarks.filter(removed_at=None).values_list("event_id", "created_at"))
    found = list(for_cards(agenda.events if events is None else events).in_order())
    return make_cards(found, clock, frozenset(picked_at), moved_from(found, picked_at, clock.zone))


def picks_of_day(agenda: Agenda, clock: Clock, date: dt.date) -> list[PickRow]:
    """One day of the agenda, for the column beside the page."""
    cards = picked_cards(agenda, clock, agenda.events.filter(day__date=date))
    slots = {slot.key: slot for slot in slots_of(card.event for card in cards)}
    return _rows(cards, slots, walks_of(agenda.conference), clock, {}) if cards else []


@prepared
def _picks_between(agenda: int, after: dt.datetime, before: dt.datetime) -> EventQuerySet:
    picks = Event.objects.public().picked_in(agenda).filter(end__gt=after, start__lt=before)
    return for_slots(picks).in_order()


def conflicts_with_picks(event: Event, agenda: Agenda | None, clock: Clock) -> list[ConflictLine]:
    """Every other pick that this event is in conflict with."""
    if agenda is None or event.start is None:
        return []
    after, before = event.start - FARTHEST, (event.end or event.start) + FARTHEST
    agenda.conference = event.conference
    near = [pick for pick in _picks_between(agenda.pk, after, before) if pick.pk != event.pk]
    return conflict_lines(event, near, clock, private_cards(agenda, clock, after, before))


def suggestions(conference: Conference, clock: Clock) -> list[Card]:
    """Three invited talks to begin an agenda with: the next ones, or the first when all are over."""
    talks = for_cards(Event.objects.public().filter(conference=conference).of_kind(Kind.INVITED_TALK)).in_order()
    cards = make_cards(talks.exclude(status="cancelled"), clock, frozenset())
    coming = [card for card in cards if card.state != "past"]
    return (coming or cards)[:3]


def one_card(event: Event, agenda: Agenda | None, clock: Clock) -> Card:
    """The card of one event, which is read anew with all that cards show."""
    found = for_cards(Event.objects.filter(pk=event.pk)).get()
    return make_card(found, clock, picked_ids(agenda))


def _in_order(cards: Iterable[Card | PrivateCard]) -> list[Card | PrivateCard]:
    """By start; what has none yet comes last, in the order in which it was."""
    return sorted(cards, key=lambda it: it.start.timestamp() if it.start else math.inf)


def _rows(
    cards: Sequence[Card | PrivateCard],
    slots: Mapping[Hashable, Slot],
    walks: Walks,
    clock: Clock,
    ways: Mapping[Hashable, WayOut],
) -> list[PickRow]:
    stretches = {it.after.key: it for it in itinerary([slots[card.key] for card in cards], walks)}
    return [PickRow(card, _gap(card, stretches.get(card.key), clock, ways)) for card in cards]


def _gap(card: Card | PrivateCard, stretch: Stretch | None, clock: Clock, ways: Mapping[Hashable, WayOut]) -> Gap | None:
    if stretch is None or _is_inside(stretch):
        return None
    way = stretch.way
    walk_to = card.plate.name if card.plate else card.place
    free = stretch.free
    return Gap(
        minutes=int(free / dt.timedelta(minutes=1)),
        walk_minutes=way.minutes if way else None,
        walk_covered=way.covered if way else None,
        walk_to=walk_to,
        verdict="" if stretch.verdict is Verdict.FINE and way is None else stretch.verdict,
        sentence=sentence(stretch.conflict) if stretch.conflict else _free(free, way, walk_to),
        remedy=_remedy(stretch),
        ways=tuple(ways[it.key] for it in (stretch.before, stretch.after) if stretch.conflict and it.key in ways),
        fill=gap_query(stretch.before.end, stretch.after.start, clock) if free >= LEAST else "",
    )


def _is_inside(stretch: Stretch) -> bool:
    """A talk in the session one is in, or in a gap of it: nothing lies between."""
    before, after = stretch.before.end, stretch.after.start
    return stretch.conflict is None and before is not None and after is not None and after < before


def _free(free: dt.timedelta, way: Way | None, walk_to: str) -> str:
    time = spoken(free)
    if way is None or not way.minutes:
        return f"{time} free" if free else "Straight on"
    dry = {True: ", covered", False: ", outdoors", None: ""}[way.covered]
    return f"{time} · {way.minutes} min walk{f' to {walk_to}' if walk_to else ''}{dry}"


def _remedy(stretch: Stretch) -> str:
    match stretch.verdict:
        case Verdict.CLASH:
            return "Keep one, or leave the first early."
        case Verdict.PARTIAL:
            return "Leave it and come back."
        case Verdict.TIGHT if stretch.way and stretch.after.start:
            leave = timezone.localtime(stretch.after.start - dt.timedelta(minutes=stretch.way.minutes))
            return f"Leave at {leave:%H:%M} to be there in time."
        case _:
            return ""
