"""The rows of an agenda: posters of one session as one row, and the conflicts at the later of their two rows."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.urls import reverse
from django.utils.text import Truncator

from events.agenda.models.bookmarks import BookmarkLevel
from events.agenda.queries.conflict_words import ConflictWords, conflict_text, words_about, words_between
from events.agenda.queries.other_times import OtherTimes
from events.agenda.queries.private_entries import PrivateCard
from events.agenda.rules.itinerary import AgendaStop
from events.core.clock import Clock, with_pinned_time
from events.pages.cards import Card
from events.pages.queries.gaps import Transition, transition_before
from events.programme.addresses import event_url
from events.programme.display import EventLine, RoomSign
from events.programme.models.event import Event
from events.programme.rules.days import board_key
from events.programme.rules.overlaps import Conflict, ConflictVerdict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Needs

MAX_NAMED_BOARDS = 6
MAX_BUTTON_TITLE_CHARS = 32
# This much of a title is legible on a button of a phone.
MIN_TELLING_CHARS = 10


@dataclass(frozen=True)
class PosterStop:
    """Several bookmarked posters of one session, in the order of their boards."""

    session: Event
    posters: Sequence[Card | EventLine]
    url: str
    round_url: str

    is_private = False
    line = "poster"

    @property
    def key(self) -> tuple[str, int]:
        return "posters", self.session.pk

    @property
    def element_id(self) -> str:
        return f"posters-{self.session.guid}"

    @property
    def title(self) -> str:
        return self.session.title

    @property
    def language(self) -> str:
        return self.session.language

    @property
    def type_slug(self) -> str:
        return self.posters[0].type_slug

    @property
    def day(self) -> dt.date | None:
        return self.posters[0].day

    @property
    def start(self) -> dt.datetime | None:
        return self.posters[0].start

    @property
    def end(self) -> dt.datetime | None:
        return self.posters[0].event.end

    @property
    def minutes(self) -> int | None:
        return self.posters[0].event.minutes

    @property
    def plate(self) -> RoomSign | None:
        return self.posters[0].plate

    @property
    def place(self) -> str:
        return self.posters[0].place

    @property
    def boards(self) -> str:
        """The first few, such as "9, 12, 36 …"."""
        boards = [it.event.board for it in self.posters if it.event.board]
        return ", ".join(boards[:MAX_NAMED_BOARDS]) + (" …" if len(boards) > MAX_NAMED_BOARDS else "")


AgendaCard = Card | EventLine | PrivateCard | PosterStop


@dataclass(frozen=True)
class KeepChoice:
    """A button that keeps one of two and removes the other; a link where the other is private and has to be changed."""

    label: str
    kept: str
    removed: str
    url: str
    # Where to return: the one that stays.
    next_url: str = ""


@dataclass(frozen=True)
class ConflictRow:
    """A conflict of a row with an earlier one, which it names."""

    words: ConflictWords
    # The whole sentence without the name.
    sentence: str
    verdict: str
    quiet: bool
    other: AgendaCard
    # The title in the words, and where it leads.
    named: AgendaCard | None
    # The other is the row above.
    is_neighbour: bool
    choices: Sequence[KeepChoice] = ()


@dataclass(frozen=True)
class AgendaRow:
    card: AgendaCard
    gap: Transition | None = None
    # The conflicts with earlier rows. One with the row above stands between the two, any other below this one.
    conflicts: Sequence[ConflictRow] = ()
    # Where else one can catch any of those in conflict.
    ways: Sequence[OtherTimes] = ()
    level: str = BookmarkLevel.MUST
    is_past: bool = False
    is_now: bool = False
    is_next: bool = False

    @property
    def picks(self) -> int:
        """How many bookmarks it stands for: a private entry is none, nor is what was cancelled."""
        if isinstance(self.card, PosterStop):
            return len(self.card.posters)
        return int(not isinstance(self.card, PrivateCard) and not self.card.event.is_cancelled)

    @property
    def between(self) -> list[ConflictRow]:
        return [it for it in self.conflicts if it.is_neighbour]

    @property
    def below(self) -> list[ConflictRow]:
        return [it for it in self.conflicts if not it.is_neighbour]


def group_posters(
    cards: Iterable[Card | EventLine | PrivateCard], slots: dict[Hashable, TimeSlot], clock: Clock
) -> list[AgendaCard]:
    """Several posters of one session at one time become one card and one slot, which is added to ``slots``.

    Who presents a poster has to stand there: that one stays alone.
    """
    groups: dict[tuple[Hashable, Hashable, Hashable], list[Card | EventLine]] = defaultdict(list)
    result: list[AgendaCard] = []
    for card in cards:
        slot = slots[card.key]
        if isinstance(card, PrivateCard) or not slot.is_visit or slot.parent is None or slot.fixed or slot.cancelled:
            result.append(card)
        else:
            groups[slot.parent, slot.start, slot.end].append(card)
    folded: set[Hashable] = set()
    for (session, *_), posters in groups.items():
        # Of a session whose posters hang at several times, one group is folded.
        if len(posters) == 1 or session in folded:
            result += posters
            continue
        folded.add(session)
        stop = _poster_stop(posters, clock)
        result.append(stop)
        slots[stop.key] = _shared_slot(stop, [slots[it.key] for it in posters])
    return result


def _shared_slot(stop: PosterStop, posters: Sequence[TimeSlot]) -> TimeSlot:
    zones = {it.zone for it in posters}
    return replace(posters[0], key=stop.key, zone=zones.pop() if len(zones) == 1 else None, maybe=all(it.maybe for it in posters))


def _poster_stop(posters: Sequence[Card | EventLine], clock: Clock) -> PosterStop:
    event = posters[0].event
    session, slug = cast(Event, event.session), event.conference.slug
    url = with_pinned_time(event_url(slug, session.pk, session.title), clock)
    round_url = with_pinned_time(reverse("events:event-round", args=[slug, session.guid]), clock)
    return PosterStop(session, sorted(posters, key=lambda it: (board_key(it.event.board), it.title)), url, round_url)


def agenda_rows(
    cards: Iterable[AgendaCard], stops: Iterable[AgendaStop], needs: Needs, clock: Clock, ways: Mapping[Hashable, OtherTimes]
) -> list[AgendaRow]:
    """One for each stop, in its order. A row of another day is no neighbour, nor is one that is folded as past."""
    by_key: dict[Hashable, AgendaCard] = {card.key: card for card in cards}
    rows: list[AgendaRow] = []
    above: dict[dt.date | None, tuple[Hashable, bool]] = {}
    told: set[Hashable] = set()
    has_next = False
    for stop in stops:
        slot, card = stop.slot, by_key[stop.slot.key]
        is_past = _is_past(slot, card, clock)
        is_coming = slot.start is not None and not clock.has_come(slot.start) and not slot.cancelled
        sides = list(dict.fromkeys(key for it in stop.conflicts for key in (it.a.key, it.b.key)))
        rows.append(
            AgendaRow(
                card,
                _gap_before(card, stop, by_key, needs, clock),
                [
                    _conflict_row(it, by_key, clock, is_neighbour=above.get(card.day) == (it.a.key, is_past))
                    for it in stop.conflicts
                ],
                [ways[key] for key in sides if key in ways and key not in told],
                BookmarkLevel.MAYBE if slot.maybe else BookmarkLevel.MUST,
                is_past=is_past,
                is_now=slot.start is not None and slot.end is not None and clock.is_between(slot.start, slot.end),
                is_next=is_coming and not has_next,
            )
        )
        above[card.day] = slot.key, is_past
        told.update(sides)
        has_next = has_next or is_coming
    return rows


def _is_past(slot: TimeSlot, card: AgendaCard, clock: Clock) -> bool:
    if slot.end is None:
        return card.day is not None and card.day < clock.today
    return clock.has_come(slot.end)


def _gap_before(
    card: AgendaCard, stop: AgendaStop, cards: Mapping[Hashable, AgendaCard], needs: Needs, clock: Clock
) -> Transition | None:
    free, span = stop.free, stop.slot.span
    is_tight = any(it.verdict is ConflictVerdict.TIGHT for it in stop.conflicts)
    is_on = span is not None and clock.is_between(span.start, span.end)
    if free is None or is_tight or is_on or cards[free.before.key].day != card.day:
        return None
    return transition_before(card.plate.name if card.plate else card.place, free, needs, clock)


def _conflict_row(found: Conflict, cards: Mapping[Hashable, AgendaCard], clock: Clock, *, is_neighbour: bool) -> ConflictRow:
    first, second = cards[found.a.key], cards[found.b.key]
    words = words_between(found, clock) if is_neighbour else words_about(found, found.b.key, "this", clock)
    choices = list(_keep_choices(found, first, second, clock, is_neighbour=is_neighbour))
    if found.verdict is ConflictVerdict.CLASH and not choices:
        words = replace(words, remedy="")
    named = cards.get(words.named)
    return ConflictRow(words, conflict_text(found), found.verdict, found.quiet, first, named, is_neighbour, choices)


def _keep_choices(
    found: Conflict, first: AgendaCard, second: AgendaCard, clock: Clock, *, is_neighbour: bool
) -> Iterator[KeepChoice]:
    """None for what is over, and none that removes what the visitor presents."""
    ends = [slot.end for slot in (found.a, found.b) if slot.end]
    if found.verdict is not ConflictVerdict.CLASH or clock.has_come(min(ends)):
        return
    first_name, second_name = _button_names(first, second)
    sides = [(f"Keep {first_name}", first, second, found.b), (f"Keep {second_name}", second, first, found.a)]
    if not is_neighbour:
        sides = [("Keep this", second, first, found.a), sides[0]]
    for label, kept, removed, slot in sides:
        if isinstance(removed, PrivateCard):
            if not clock.pinned:
                yield KeepChoice(f"Change {_short_title(removed)}", kept.title, removed.title, removed.url)
        elif not isinstance(removed, PosterStop) and not slot.fixed:
            agenda_url = reverse("events:agenda-detail", args=[removed.event.conference.slug])
            back = f"{with_pinned_time(agenda_url, clock)}#{kept.element_id}"
            yield KeepChoice(label, kept.title, removed.title, removed.bookmark_url, back)


def _button_names(first: AgendaCard, second: AgendaCard) -> tuple[str, str]:
    """Titles that begin alike look the same on a narrow button."""
    if first.title[:MIN_TELLING_CHARS] == second.title[:MIN_TELLING_CHARS]:
        return "the first", "the second"
    return _short_title(first), _short_title(second)


def _short_title(card: AgendaCard) -> str:
    return Truncator(card.title).chars(MAX_BUTTON_TITLE_CHARS)
