"""What the visitor picked: by day, with the gaps and the walks between."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F

from events.models import Agenda, Conference, Event, Kind, Level
from events.queries.cards import Card, Line, for_cards, make_card, make_cards, make_line, picked_ids
from events.queries.elsewhere import WayOut, ways_out
from events.queries.free_time import gap_query
from events.queries.moves import moved_from
from events.queries.outlook import add_outlooks
from events.queries.private_entries import PrivateCard, private_cards
from events.queries.recordings import LaterRow, later_rows
from events.queries.seats import seat_flags
from events.queries.slots import breaks_inside, slots_around, slots_of, walks_of
from events.queries.stretches import Gap, gap_before
from events.schedule.clock import Clock, programme_date
from events.schedule.days import by_day
from events.schedule.itinerary import conflicts_among, itinerary
from events.schedule.slots import Slot
from events.schedule.walking import ANY_WAY, Needs, Walks

# What no line of an agenda shows.
LONG = ("abstract", "notes", "announced", "imported")


@dataclass(frozen=True)
class PickRow:
    card: Card | Line | PrivateCard
    gap: Gap | None = None
    level: str = Level.MUST


@dataclass(frozen=True)
class AgendaDay:
    day: dt.date | None
    rows: list[PickRow]
    # With what it is asked what fits before the first and after the last; nothing for a day that is over.
    before: str = ""
    after: str = ""

    @property
    def count(self) -> int:
        """How many picks; a private entry is none."""
        return sum(isinstance(row.card, Card) for row in self.rows)


@dataclass(frozen=True)
class AgendaPage:
    """What one goes to, by day, and what one watches later; conflicts of a maybe are counted apart."""

    days: list[AgendaDay]
    conflicts: int
    quiet: int = 0
    later: list[LaterRow] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(day.count for day in self.days)

    @property
    def undated(self) -> int:
        return sum(day.count for day in self.days if day.day is None)


def agenda_page(agenda: Agenda, clock: Clock, needs: Needs = ANY_WAY) -> AgendaPage:
    """Everything picked, by day; what has no day yet comes last."""
    cards = _cards(agenda, clock)
    add_outlooks(cards, clock)
    levels = {key: pick.level for key, pick in agenda.picks.items()}
    walks = walks_of(agenda.conference, needs)
    own = private_cards(agenda, clock)
    slots = {slot.key: slot for slot in [*slots_of((card.event for card in cards), levels), *(it.slot for it in own)]}
    attended = [card for card in cards if levels.get(card.key) != Level.LATER]
    conflicts = conflicts_among(slots.values(), walks)
    keys = {slot.key for it in conflicts for slot in (it.a, it.b) if isinstance(slot.key, int)}
    ways = ways_out(agenda.conference, [agenda.picks[key] for key in keys], slots.values(), walks, clock)
    flags = seat_flags(agenda, clock)
    for card in attended:
        card.flags.extend([flags[card.key]] if card.key in flags else [])
    by_date = by_day(_in_order([*attended, *own]))
    days = [AgendaDay(day, _rows(found, slots, walks, clock, ways), *_around(found, clock)) for day, found in by_date]
    quiet = [it.quiet for it in conflicts]
    later = later_rows([card for card in cards if levels.get(card.key) == Level.LATER], clock)
    return AgendaPage(days, quiet.count(False), quiet.count(True), later)


def _around(cards: Iterable[Card | PrivateCard], clock: Clock) -> tuple[str, str]:
    times = [(card.start, card.end) for card in cards if card.start and card.end]
    first, last = min((start for start, _ in times), default=None), max((end for _, end in times), default=None)
    before = gap_query(None, first, clock) if first and first > clock.now else ""
    after = gap_query(last, None, clock) if last and programme_date(last, clock.venue_zone) >= clock.today else ""
    return before, after


def picks_of_day(agenda: Agenda, clock: Clock, date: dt.date, needs: Needs = ANY_WAY) -> list[PickRow]:
    """What one goes to on one day, for the column beside the page."""
    picks = [pick for pick in agenda.picks.values() if pick.date == date and pick.level != Level.LATER]
    if not picks:
        return []
    related = ("type", "day", "room__zone", "service__zone__venue", "service__room__zone__venue")
    lines = {}
    for event in Event.objects.filter(pk__in=[pick.pk for pick in picks]).select_related(*related).defer(*LONG):
        event.conference = agenda.conference
        lines[event.pk] = make_line(event, clock)
    cards = [lines[pick.pk] for pick in picks if pick.pk in lines]
    levels = {pick.pk: pick.level for pick in picks}
    slots = {slot.key: slot for slot in slots_around(picks, breaks_inside(picks), levels)}
    return _rows(cards, slots, walks_of(agenda.conference, needs), clock, {})


def _cards(agenda: Agenda, clock: Clock) -> list[Card]:
    """Cards of the picks, saying for each where it stood when it was picked."""
    found = list(for_cards(agenda.events.annotate(picked_at=F("bookmarks__created_at"))).in_order())
    moved = moved_from(found, {event.pk: getattr(event, "picked_at") for event in found}, clock.zone)  # noqa: B009
    return make_cards(found, clock, frozenset(agenda.picks), moved)


def is_presented(agenda: Agenda, event: int) -> bool:
    return agenda.bookmarks.filter(event=event, removed_at=None, presents=True).exists()


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
    cards: Sequence[Card | Line | PrivateCard],
    slots: Mapping[Hashable, Slot],
    walks: Walks,
    clock: Clock,
    ways: Mapping[Hashable, WayOut],
) -> list[PickRow]:
    stretches = {it.after.key: it for it in itinerary([slots[card.key] for card in cards], walks)}
    return [
        PickRow(card, gap_before(card, stretches.get(card.key), walks.needs, clock, ways), _level(slots[card.key]))
        for card in cards
    ]


def _level(slot: Slot) -> str:
    return Level.MAYBE if slot.maybe else Level.MUST
