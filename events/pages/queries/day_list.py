"""The list of a day: cards, and what is inside sessions at its own hour; on the page of now what is over, on and to come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Count, Q
from django.http import QueryDict

from events.core.clock import Clock
from events.pages.cards import Card, make_cards, read_cards
from events.pages.queries.day_pages import DayPages, HourLink, Slot, hour_anchor
from events.pages.queries.poster_groups import PosterGroup
from events.programme.display import EventLine, make_event_line
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind
from events.programme.queries.changes import recently_moved_from
from events.programme.queries.filters import FILTER_FIELDS, START_PARAM
from events.programme.rules.days import by_start, spine_mark

# What began before the hours of a page and is still on.
MAX_RUNNING_FROM_BEFORE = 40
MAX_OPEN_EARLIER = 12
MAX_LISTED_POSTERS = 12


@dataclass
class SpineItem:
    """A card with what is inside it, or what is inside a session whose card is elsewhere."""

    card: Card | None = None
    session: EventLine | None = None
    rows: list[Card] = field(default_factory=list)
    is_folded: bool = False

    @property
    def cards(self) -> list[Card]:
        return [*([self.card] if self.card else []), *self.rows]


@dataclass
class StartGroup:
    """What starts together; None is to be announced."""

    start: dt.datetime | None
    items: list[SpineItem]
    bundles: list[PosterGroup] = field(default_factory=list)
    # For links to its hour; only the first group of an hour has one.
    anchor: str = ""
    is_running: bool = False

    @property
    def cards(self) -> list[Card]:
        return [it.card for it in self.items if it.card]

    @property
    def under(self) -> str:
        """What its heading says of all of it, so that no card repeats it."""
        return "now" if self.is_running else "" if self.start else "undated"

    @property
    def first_start(self) -> dt.datetime | None:
        """Of what is on now, where ``start`` is now."""
        starts = [card.start for it in self.items for card in it.cards] + [it.start for it in self.bundles]
        return min((start for start in starts if start), default=None)

    @property
    def end(self) -> dt.datetime | None:
        ends = [card.end for it in self.items for card in it.cards] + [it.end for it in self.bundles]
        return max((end for end in ends if end), default=None)

    @property
    def is_past(self) -> bool:
        return self._states == {"past"}

    @property
    def is_now(self) -> bool:
        return "now" in self._states

    @property
    def _states(self) -> set[str]:
        return {card.state for it in self.items for card in it.cards} | {it.state for it in self.bundles}


@dataclass
class DayList:
    # Without ``has_now`` everything is in ``groups``.
    groups: list[StartGroup] = field(default_factory=list)
    has_now: bool = False
    earlier: list[StartGroup] = field(default_factory=list)
    earlier_pages: list[HourLink] = field(default_factory=list)
    # Of the whole day, not of the page.
    earlier_count: int = 0
    is_earlier_open: bool = False
    running: list[StartGroup] = field(default_factory=list)
    hours: list[HourLink] = field(default_factory=list)
    pages: list[HourLink] = field(default_factory=list)
    page_number: int = 1
    # Empty on other days than today.
    now_url: str = ""
    # Of the posters inside sessions that the pages of the day list; None without any.
    posters_changed_at: dt.datetime | None = None

    @property
    def all_groups(self) -> list[StartGroup]:
        return [*self.earlier, *self.running, *self.groups]


class Entry(NamedTuple):
    slot: Slot
    it: Card | PosterGroup
    is_row: bool = False

    @property
    def start(self) -> dt.datetime | None:
        return self.slot.start


def is_crowded_poster(events: EventQuerySet) -> Q:
    """Posters of a session that has more than a dozen of them among ``events``: their session counts them."""
    per_session = events.of_kind(Kind.POSTER).exclude(session=None).order_by().values("session")
    crowded = per_session.annotate(n=Count("pk")).filter(n__gt=MAX_LISTED_POSTERS).values("session")
    return Q(type__kind=Kind.POSTER, session__in=crowded)


class Listed(NamedTuple):
    """An event in the order of the list. A row is what is inside a session of the list."""

    pk: int
    slot: Slot
    is_row: bool
    day: int | None
    poster_changed_at: dt.datetime | None
    """Of a poster inside a session."""


def _listed(events: EventQuerySet) -> list[Listed]:
    found = []
    times = ("start", "end", "session__start", "session__end")
    rows = list(events.in_order().values_list("pk", "day", "type__kind", "revised_at", "session", "session__session", *times))
    keys = {pk for pk, *_ in rows}
    for pk, day, kind, revised_at, session, around, start, end, session_start, session_end in rows:
        # Two that are part of each other would both disappear.
        is_row = session in keys and around != pk
        slot = Slot(start or session_start, end or session_end) if is_row else Slot(start, end)
        found.append(Listed(pk, slot, is_row, day, revised_at if session and kind == Kind.POSTER else None))
    return sorted(found, key=lambda it: (it.slot.start is None, it.slot.start and it.slot.start.timestamp()))


def day_list(events: EventQuerySet, bundles: Sequence[PosterGroup], *, day: Day, clock: Clock, query: QueryDict) -> DayList:
    """One page of ``events`` and of the groups of posters. Events of an earlier day are only shown while they are on."""
    found = _listed(events)
    listed, earlier = [it for it in found if it.day == day.pk], [it for it in found if it.day != day.pk]
    pages = DayPages([it.slot for it in listed], bundles, day, clock, query)
    before = [it for it in (*listed[: pages.cut.start], *earlier) if pages.has_now and it.slot.is_on(clock.now)]
    entries = _entries([*before[-MAX_RUNNING_FROM_BEFORE:], *listed[pages.cut]], day.conference, clock)
    entries += [
        Entry(Slot(it.start, it.end), it)
        for it in bundles
        if pages.page_of(it.start) == pages.number or (pages.has_now and it.state == "now")
    ]
    answer = _arranged(entries, day, clock) if pages.has_now else DayList(_groups(entries, day, clock))
    answer.posters_changed_at = max((it.poster_changed_at for it in listed if it.poster_changed_at), default=None)
    answer.page_number, answer.pages, answer.now_url = pages.number, pages.links, pages.now_url
    if pages.has_now:
        answer.earlier_count = pages.earlier_count
        answer.earlier_pages = pages.links[: pages.number - 1]
        answer.is_earlier_open = _opens_earlier(answer, query)
    folded = {it.anchor for it in answer.earlier if not answer.is_earlier_open}
    answer.hours = pages.hour_links({it.anchor for it in answer.all_groups} - folded, folded)
    return answer


def _entries(listed: Sequence[Listed], conference: Conference, clock: Clock) -> list[Entry]:
    found = {it.pk: it for it in read_cards(Event.objects.filter(pk__in=[it.pk for it in listed]), conference)}
    _share_sessions(found, [found[it.pk] for it in listed if it.is_row and it.pk in found], conference)
    cards = make_cards(found.values(), clock, moved=recently_moved_from(found.values(), clock))
    by_key = {card.event.pk: card for card in cards}
    return [Entry(it.slot, by_key[it.pk], it.is_row) for it in listed if it.pk in by_key]


def _share_sessions(found: dict[int, Event], rows: Sequence[Event], conference: Conference) -> None:
    """One object for a session and all that is inside it, instead of one for each with its type and room."""
    missing = {it.session_id for it in rows if it.session_id} - found.keys()
    shown = ("guid", "title", "language", "end", "type__slug", "type__kind", "type__colour", "conference")
    places = ("room__name", "room__floor", "room__zone__letter")
    related = Event.objects.select_related("type", "room__zone").only(*shown, *places)
    elsewhere = related.in_bulk(missing) if missing else {}
    for session in elsewhere.values():
        session.conference = conference
    sessions = found | elsewhere
    for row in rows:
        row.session = sessions.get(row.session_id or 0)


def _opens_earlier(answer: DayList, query: QueryDict) -> bool:
    """For who asks for a page by its number, where nothing else is left, and for the few that filters leave."""
    is_filtered = any(query.get(name) for name in (*FILTER_FIELDS, START_PARAM))
    is_all = not answer.running and not answer.groups
    return "page" in query or is_all or (is_filtered and answer.earlier_count <= MAX_OPEN_EARLIER)


def _arranged(entries: Sequence[Entry], day: Day, clock: Clock) -> DayList:
    ended = [it for it in entries if it.slot.has_ended(clock.now)]
    running = [it for it in entries if it.slot.is_on(clock.now)]
    coming = [it for it in entries if not it.slot.has_ended(clock.now) and not it.slot.is_on(clock.now)]
    # What began last can still be joined.
    running.sort(key=lambda it: it.start or clock.now, reverse=True)
    return DayList(
        groups=_groups(coming, day, clock),
        has_now=True,
        earlier=_groups(ended, day, clock, folded=True),
        running=[StartGroup(clock.now, _items(running, clock), _bundles(running), is_running=True)] if running else [],
    )


def _groups(entries: Sequence[Entry], day: Day, clock: Clock, *, folded: bool = False) -> list[StartGroup]:
    """By start. Rows are in the group of the last start before theirs, at most an hour back."""
    starts = sorted({it.start for it in entries if it.start and not it.is_row})

    def mark(entry: Entry) -> dt.datetime | None:
        return spine_mark(entry.start, starts, clock.zone) if entry.is_row and entry.start else entry.start

    groups: list[StartGroup] = []
    for _, found in by_start(entries, mark):
        start = min((it.start for it in found if it.start), default=None)
        anchor = hour_anchor(start, day, clock) if start else ""
        is_first = all(it.anchor != anchor for it in groups)
        groups.append(StartGroup(start, _items(found, clock, folded=folded), _bundles(found), anchor if is_first else ""))
    return groups


def _bundles(entries: Iterable[Entry]) -> list[PosterGroup]:
    return [it.it for it in entries if isinstance(it.it, PosterGroup)]


def _items(entries: Iterable[Entry], clock: Clock, *, folded: bool = False) -> list[SpineItem]:
    cards = [(it.it, it.is_row) for it in entries if isinstance(it.it, Card)]
    items = {card.event.pk: SpineItem(card) for card, is_row in cards if not is_row}
    for card, is_row in cards:
        session: Event | None = card.event.session
        if is_row and session:
            if session.pk not in items:
                items[session.pk] = SpineItem(session=make_event_line(session, clock))
            items[session.pk].rows.append(card)
            items[session.pk].is_folded = folded and session.end is not None and session.end <= clock.now
    return list(items.values())
