"""What is said of a round past posters: its rows of boards, its minutes, and who has two boards on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from django.urls import reverse

from events.models import Event
from events.queries.cards import PickButton
from events.queries.pinned import carried
from events.schedule.boards import share
from events.schedule.clock import Clock
from events.schedule.rounds import Round, Stop, clusters
from events.schedule.spans import Span, spoken


@dataclass(frozen=True)
class StopRow:
    """One poster on the way; ``also_at`` says who of its people has another board on it."""

    event: Event
    url: str
    visited: bool
    also_at: str = ""

    @property
    def board(self) -> str:
        return self.event.board or "No board yet"

    @property
    def visit_url(self) -> str:
        return reverse("events:visit-set", args=[self.event.conference.slug, self.event.guid])


@dataclass(frozen=True)
class Suggestion:
    """A poster that is not picked but hangs near the way."""

    card: PickButton
    url: str
    reason: str


@dataclass(frozen=True)
class Row:
    """Stops that hang together."""

    stops: list[StopRow]

    @property
    def name(self) -> str:
        first, last = self.stops[0].board, self.stops[-1].board
        return first if first == last else f"{first} – {last}"


@dataclass(frozen=True)
class RoundPage:
    rows: list[Row] = field(default_factory=list)
    count: int = 0
    sentence: str = ""
    next: StopRow | None = None
    presents: str = ""
    suggestions: list[Suggestion] = field(default_factory=list)

    @property
    def shares_people(self) -> bool:
        return any(stop.also_at for row in self.rows for stop in row.stops)


@dataclass(frozen=True, slots=True)
class Poster:
    pk: int
    board: str
    title: str
    topic: int | None


@dataclass(frozen=True)
class About:
    """What the words about a round need besides the round itself."""

    session: Event
    clock: Clock
    posters: Mapping[int, Poster]
    names: Mapping[int, Mapping[Hashable, str]]
    span: Span | None


def round_told(found: Round, about: About, nearby: Sequence[tuple[int, int]], presented: list[str]) -> RoundPage:
    events = Event.objects.only("guid", "title", "board").in_bulk([*(it.key for it in found.stops), *(pk for pk, _ in nearby)])
    for event in events.values():
        event.conference = about.session.conference
    rows: dict[Hashable, StopRow] = {
        it.key: StopRow(events[it.key], _url(events[it.key], about.clock), it.visited, _also_at(it, found, about))
        for it in found.stops
        if isinstance(it.key, int)
    }
    return RoundPage(
        rows=[Row([rows[stop.key] for stop in some]) for some in clusters(found.stops)],
        count=len(found.stops),
        sentence=_sentence(found, about),
        next=rows[found.next.key] if found.next and found.visited and not _is_over(about) else None,
        presents=", ".join(presented),
        suggestions=[
            Suggestion(
                PickButton(events[pk], bookmarked=False),
                _url(events[pk], about.clock),
                f"Same topic as {about.posters[near].board or about.posters[near].title}",
            )
            for pk, near in nearby
        ],
    )


def _is_over(about: About) -> bool:
    return about.span is not None and about.clock.now >= about.span.end


def _url(event: Event, clock: Clock) -> str:
    return carried(event.get_absolute_url(), clock)


def _also_at(stop: Stop, found: Round, about: About) -> str:
    """Who can stand at one of two boards only: "Ada Lovelace also at 34, 51"."""
    others = [key for key in found.shared.get(stop.key, []) if isinstance(key, int)]
    if not others or not isinstance(stop.key, int):
        return ""
    own = about.names[stop.key]
    common = sorted({own[person] for key in others for person in own.keys() & about.names[key].keys()})
    boards = ", ".join(about.posters[key].board or about.posters[key].title for key in others)
    return f"{common[0]}{f' and {len(common) - 1} more' if common[1:] else ''} also at {boards}"


def _sentence(found: Round, about: About) -> str:
    """How much there is to see in how much time, by the clock."""
    count, now, span = len(found.stops), about.clock.now, about.span
    seen = f"{found.visited} of {count} seen"
    if not count or span is None:
        return f"{seen}." if found.visited else ""
    if not found.to_go:
        return "Seen them all." if count > 1 else "Seen."
    if _is_over(about):
        return f"{seen}. The session is over."
    if not found.left:
        return f"{seen}. Your other picks take all the time that is left."
    each = share(found.left, found.to_go)
    if now < span.start and not found.visited:
        less = (
            f" Your other picks take {spoken(span.length - found.time)} of {spoken(span.length)}."
            if found.time < span.length
            else ""
        )
        return f"{count} poster{'s' if count > 1 else ''} in {spoken(found.left)}: {each} for each.{less}"
    return f"{seen}, {spoken(found.left)} left: {each} for each of the other{f' {found.to_go}' if found.to_go > 1 else ''}."
