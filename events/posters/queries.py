"""The page of a round past posters, and the rounds of an agenda."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import F, Q
from django.urls import reverse

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, BookmarkedEvent, BookmarkLevel
from events.core.clock import Clock, with_pinned_time
from events.core.spans import Span, spoken_duration
from events.posters.rules import Round, Stop, board_clusters, plan_round
from events.programme.display import BookmarkButton
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.models.papers import Authorship
from events.programme.models.people import Appearance
from events.programme.queries.changes import NO_CHANGE_NOTE, change_notes
from events.programme.queries.filters import EFFECTIVE_TOPIC
from events.programme.rules.days import board_key, share_text

MAX_SUGGESTED_POSTERS = 3
KINDS_TAKING_NO_TIME = (Kind.BREAK, Kind.SERVICE, Kind.POSTER)


@dataclass(frozen=True)
class StopRow:
    """One poster of the round; ``also_at`` names its people who also have another board, ``reason`` why it is cancelled."""

    event: Event
    url: str
    visited: bool
    also_at: str = ""
    level: str = BookmarkLevel.MUST
    cancelled: bool = False
    reason: str = ""

    @property
    def board(self) -> str:
        return self.event.board or "No board yet"

    @property
    def toggled(self) -> str:
        return "0" if self.visited else "1"

    @property
    def visit_url(self) -> str:
        return reverse("events:visit-set", args=[self.event.conference.slug, self.event.guid])


@dataclass(frozen=True)
class Suggestion:
    """A poster without a bookmark that hangs near the round."""

    card: BookmarkButton
    url: str
    reason: str


@dataclass(frozen=True)
class BoardRow:
    stops: list[StopRow]

    @property
    def name(self) -> str:
        first, last = self.stops[0].board, self.stops[-1].board
        return first if first == last else f"{first} – {last}"


@dataclass(frozen=True)
class RoundPage:
    """Of the bookmarked posters ``count`` are to be seen, ``musts`` of them musts; ``level`` is the only one shown, if any."""

    rows: list[BoardRow] = field(default_factory=list)
    count: int = 0
    musts: int = 0
    level: str = ""
    sentence: str = ""
    next: StopRow | None = None
    presents: str = ""
    suggestions: list[Suggestion] = field(default_factory=list)

    @property
    def has_levels(self) -> bool:
        return 0 < self.musts < self.count

    @property
    def shares_people(self) -> bool:
        return any(stop.also_at for row in self.rows for stop in row.stops)


@dataclass(frozen=True, slots=True)
class RoundPoster:
    pk: int
    board: str
    title: str
    topic: int | None
    status: str

    @property
    def cancelled(self) -> bool:
        return self.status == Status.CANCELLED


@dataclass(frozen=True)
class RoundContext:
    """The values that the texts about a round need; ``names`` has the people of each poster, by key."""

    session: Event
    clock: Clock
    posters: Mapping[int, RoundPoster]
    names: Mapping[int, Mapping[Hashable, str]]
    span: Span | None


def build_round_page(plan: Round, about: RoundContext, nearby: Sequence[tuple[int, int]], presented: list[str]) -> RoundPage:
    keys = [*(stop.key for stop in plan.stops), *(pk for pk, _ in nearby)]
    events = Event.objects.only("guid", "title", "language", "board", "status", "sequence").in_bulk(keys)
    notes = change_notes((event for event in events.values() if event.is_cancelled), about.clock)
    for event in events.values():
        event.conference = about.session.conference
    rows: dict[Hashable, StopRow] = {
        stop.key: StopRow(
            event=events[stop.key],
            url=_poster_url(events[stop.key], about.clock),
            visited=stop.visited,
            also_at=_other_boards_text(stop, plan, about),
            level=stop.level,
            cancelled=stop.cancelled,
            reason=notes.get(stop.key, NO_CHANGE_NOTE).reason,
        )
        for stop in plan.stops
        if isinstance(stop.key, int)
    }
    return RoundPage(
        rows=[BoardRow([rows[stop.key] for stop in stops]) for stops in board_clusters(plan.stops)],
        sentence=_round_sentence(plan, about.span, about.clock),
        next=rows[plan.next.key] if plan.next and plan.visited and not _is_round_over(about.span, about.clock) else None,
        presents=", ".join(presented),
        suggestions=[
            Suggestion(
                BookmarkButton(events[pk], bookmarked=False),
                _poster_url(events[pk], about.clock),
                f"Same topic as {about.posters[near].board or about.posters[near].title}",
            )
            for pk, near in nearby
        ],
    )


def _is_round_over(span: Span | None, clock: Clock) -> bool:
    return span is not None and clock.now >= span.end


def _poster_url(event: Event, clock: Clock) -> str:
    return with_pinned_time(event.get_absolute_url(), clock)


def _other_boards_text(stop: Stop, plan: Round, about: RoundContext) -> str:
    """Such as "Ada Lovelace also at 34, 51"."""
    others = [key for key in plan.shared.get(stop.key, []) if isinstance(key, int)]
    if not others or not isinstance(stop.key, int):
        return ""
    people = about.names[stop.key]
    common = sorted({people[person] for key in others for person in people.keys() & about.names[key].keys()})
    boards = ", ".join(about.posters[key].board or about.posters[key].title for key in others)
    return f"{common[0]}{f' and {len(common) - 1} more' if common[1:] else ''} also at {boards}"


def _round_sentence(plan: Round, span: Span | None, clock: Clock) -> str:
    count, now = plan.count, clock.now
    seen = f"{plan.visited} of {count} seen"
    if not count or span is None:
        return f"{seen}." if plan.visited else ""
    if not plan.to_go:
        return "Seen them all." if count > 1 else "Seen."
    if _is_round_over(span, clock):
        return f"{seen}. The session is over."
    if not plan.left:
        return f"{seen}. Your other bookmarks take all the time that is left."
    each = share_text(plan.left, plan.to_go)
    if not plan.visited:
        posters = f"{count:,} poster{'s' if count > 1 else ''}"
        left, more = spoken_duration(plan.left), _busy_sentence(plan, span)
        return f"{posters} in {left} ({each} each).{more}" if now < span.start else f"{posters}, {left} left ({each} each)."
    others = f"each of the other {plan.to_go}" if plan.to_go > 1 else "the last one"
    return f"{seen}, {spoken_duration(plan.left)} left: {each} for {others}."


def _busy_sentence(plan: Round, span: Span) -> str:
    if plan.time >= span.length:
        return ""
    return f" Your other bookmarks take {spoken_duration(span.length - plan.time)} of {spoken_duration(span.length)}."


def _is_poster_to_visit(bookmarked: BookmarkedEvent) -> bool:
    is_later = bookmarked.level == BookmarkLevel.LATER
    return bookmarked.kind == Kind.POSTER and bookmarked.status != Status.CANCELLED and not is_later


def attended_events(agenda: int) -> EventQuerySet:
    bookmarks = Bookmark.objects.filter(agenda=agenda, removed_at=None).exclude(level=BookmarkLevel.LATER)
    return Event.objects.public().filter(pk__in=bookmarks.values("event"))


def round_page(agenda: Agenda, session: Event, clock: Clock, level: str = "") -> RoundPage:
    """The round, limited to a level if that is "must" and there are others to see."""
    posters = _posters_in_order(session)
    bookmarks = {bookmark.event_id: bookmark for bookmark in agenda.bookmarks.filter(event__session=session)}
    mine = [poster for poster in posters.values() if poster.pk in bookmarks and _is_to_visit(bookmarks[poster.pk])]
    names = _people_by_poster(agenda, session)
    stops = [
        Stop(
            poster.pk,
            poster.board or poster.title,
            frozenset(names[poster.pk]),
            _visited_at(bookmarks[poster.pk].visited_at, clock),
            bookmarks[poster.pk].level,
            poster.cancelled,
        )
        for poster in mine
        if not bookmarks[poster.pk].presents
    ]
    to_see = [stop for stop in stops if not stop.cancelled]
    musts = sum(stop.level == BookmarkLevel.MUST for stop in to_see)
    shown_level = level if level == BookmarkLevel.MUST and 0 < musts < len(to_see) else ""
    shown = [stop for stop in stops if not shown_level or stop.level == shown_level]
    span = Span.from_times(session.start, session.end)
    plan = plan_round(shown, span, _busy_spans(agenda, session, span), clock.now)
    hanging = {pk: poster for pk, poster in posters.items() if not poster.cancelled}
    nearby = _nearby_posters(hanging, [poster.pk for poster in mine if not poster.cancelled], bookmarks)
    presented = [it.board or it.title for it in mine if bookmarks[it.pk].presents and not it.cancelled]
    page = build_round_page(plan, RoundContext(session, clock, posters, names, span), nearby, presented)
    return replace(page, count=len(to_see), musts=musts, level=shown_level)


@dataclass(frozen=True)
class MyBoard:
    label: str
    url: str
    cancelled: bool


@dataclass(frozen=True)
class MyPosters:
    """The posters of a round, in its order, and its sentence, for the page of their session."""

    boards: list[MyBoard]
    sentence: str

    @property
    def count(self) -> int:
        return sum(not board.cancelled for board in self.boards)


def my_posters(agenda: Agenda, session: Event, clock: Clock) -> MyPosters:
    mine: Any = Event.objects.public().attended_in(agenda.pk).filter(session=session).of_kind(Kind.POSTER)
    mine = mine.annotate(visited_at=F("bookmarks__visited_at")).select_related("conference")
    events: dict[Hashable, Any] = {
        it.pk: it for it in mine.only("guid", "board", "title", "status", "conference__slug") if not it.presents
    }
    stops = [
        Stop(pk, it.board or it.title, visited_at=_visited_at(it.visited_at, clock), cancelled=it.is_cancelled)
        for pk, it in events.items()
    ]
    if not stops:
        return MyPosters([], "")
    span = Span.from_times(session.start, session.end)
    plan = plan_round(stops, span, _busy_spans(agenda, session, span), clock.now)
    boards = [MyBoard(stop.board, _poster_url(events[stop.key], clock), stop.cancelled) for stop in plan.stops]
    return MyPosters(boards, _round_sentence(plan, span, clock))


def _posters_in_order(session: Event) -> dict[int, RoundPoster]:
    hanging = Event.objects.public().filter(session=session).of_kind(Kind.POSTER)
    rows = hanging.order_by("pk").annotate(about=EFFECTIVE_TOPIC).values_list("pk", "board", "title", "about", "status")
    ordered = sorted((RoundPoster(*row) for row in rows), key=lambda it: (board_key(it.board), it.title, it.pk))
    return {poster.pk: poster for poster in ordered}


def _is_to_visit(bookmark: Bookmark) -> bool:
    return bookmark.removed_at is None and bookmark.level != BookmarkLevel.LATER


def _visited_at(visited_at: dt.datetime | None, clock: Clock) -> dt.datetime | None:
    """As it was at a moment that is only looked at."""
    return None if visited_at is None or (clock.pinned and visited_at > clock.now) else visited_at


def _people_by_poster(agenda: Agenda, session: Event) -> dict[int, dict[Hashable, str]]:
    """Return names of authors and speakers by key of the person, for each key of a poster."""
    mine = agenda.events.filter(session=session).of_kind(Kind.POSTER).values("pk")
    authors = Authorship.objects.filter(paper__is_public=True, paper__events__in=mine)
    speakers = Appearance.objects.filter(event__in=mine)
    people: dict[int, dict[Hashable, str]] = defaultdict(dict)
    rows = authors.values_list("paper__events", "person", "person__name")
    for event, person, name in [*rows, *speakers.values_list("event", "person", "person__name")]:
        people[event][person] = name
    return people


def _busy_spans(agenda: Agenda, session: Event, span: Span | None) -> list[Span]:
    """Return times of other bookmarks and private entries.

    Longer workshops are left out: visitors leave them for the posters.
    """
    if span is None:
        return []
    others = attended_events(agenda.pk).filter(start__lt=span.end, end__gt=span.start).exclude(status=Status.CANCELLED)
    others = others.exclude(pk=session.pk).exclude(session=session).exclude(type__kind__in=KINDS_TAKING_NO_TIME)
    longer = Q(type__kind=Kind.SESSION, end__gt=F("start") + span.length)
    private = agenda.private_entries.filter(removed_at=None, start__lt=span.end, end__gt=span.start)
    times = [*others.exclude(longer).values_list("start", "end"), *private.values_list("start", "end")]
    return [busy for start, end in times if (busy := Span.from_times(start, end))]


def _nearby_posters(posters: Mapping[int, RoundPoster], mine: Collection[int], known: Collection[int]) -> list[tuple[int, int]]:
    """Return pairs of a near poster and one of mine with the same topic, the nearest first; none bookmarked before."""
    positions = {pk: position for position, pk in enumerate(posters)}
    nearest = []
    for pk, poster in posters.items():
        same_topic = [other for other in mine if poster.topic and posters[other].topic == poster.topic]
        if same_topic and pk not in known:
            nearest.append(min((abs(positions[pk] - positions[other]), positions[pk], pk, other) for other in same_topic))
    return [(pk, near) for *_, pk, near in sorted(nearest)[:MAX_SUGGESTED_POSTERS]]
