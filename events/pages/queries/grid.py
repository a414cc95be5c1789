"""A day as a grid: a line for each event, under its room, in the hour in which it starts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Count
from django.utils import timezone

from events.core.clock import Clock, with_pinned_time
from events.programme.display import Bookmarkable, RoomSign, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind
from events.programme.models.venue import Room
from events.programme.rules.grid import GridItem, LayoutCell, grid

MAX_GRID_LINES = 1500
# Of a session; more are only counted.
MAX_POSTER_LINES = 12
LINE_FIELDS = (
    *("guid", "title", "language", "start", "end", "status", "room", "session", "revised_at"),
    *("session__room", "conference__slug"),
)


class Bundle(Protocol):
    """Posters without a session, as one line."""

    @property
    def start(self) -> dt.datetime: ...

    @property
    def end(self) -> dt.datetime: ...


@dataclass(slots=True)
class GridLine(Bookmarkable):
    """Its texts are made here, because a template needs longer, and a day has five hundred."""

    event: Event
    url: str
    line: str
    time: str
    hours: str
    hint: str
    """The whole of it, where the line ends with dots."""
    is_past: bool
    is_inside: bool
    """Below its session, which has a line too."""
    is_cancelled: bool
    plate: RoomSign | None = None
    posters: int = 0

    @property
    def bookmarked(self) -> bool:
        """Public pages have placeholders instead."""
        return False


@dataclass(frozen=True)
class GridCell:
    lines: list[GridLine]
    continued: GridLine | None
    """The session or talk that began in a row above, and gives the cell its colour."""


@dataclass(frozen=True)
class GridRow:
    start: dt.datetime
    cells: list[GridCell]
    band: list[GridLine]
    bundles: list[Bundle]
    is_now: bool


@dataclass(frozen=True)
class DayGrid:
    rooms: list[RoomSign]
    rows: list[GridRow]
    # Of the posters inside sessions that it shows; None without any.
    posters_changed_at: dt.datetime | None


def day_grid(
    events: EventQuerySet, bundles: Sequence[Bundle], conference: Conference, clock: Clock, *, is_today: bool
) -> DayGrid | None:
    """All events with a time, also inside sessions, except the posters of a full poster session; None if too many."""
    crowds = _crowds(events)
    timed = events.filter(start__isnull=False, end__isnull=False).exclude(session__in=crowds, type__kind=Kind.POSTER)
    # A session comes before what starts with it.
    rows = timed.select_related("type", "conference", "session").order_by("start", "session", "position", "title", "pk")
    found = list(rows.only(*LINE_FIELDS, *(f"type__{it}" for it in ("name", "slug", "kind", "colour")))[: MAX_GRID_LINES + 1])
    if len(found) > MAX_GRID_LINES:
        return None
    found.sort(key=lambda event: (event.start, event.session_id is not None))
    rooms = {room.pk: room for room in Room.objects.filter(conference=conference).select_related("zone")}
    signs = {pk: room_sign(room, conference.slug) for pk, room in rooms.items()}
    shown = {event.pk for event in found}
    lines = {event.pk: _line(event, signs, shown, crowds, clock) for event in found}
    items = [_item(event, shown, crowds) for event in found]
    items += [GridItem(("bundle", number), it.start, it.end) for number, it in enumerate(bundles)]
    laid = grid(items, list(rooms), timezone.get_current_timezone())
    now = max((row.start for row in laid.rows if row.start <= clock.now), default=None) if is_today else None
    return DayGrid(
        [signs[room] for room in laid.rooms if isinstance(room, int)],
        [
            GridRow(
                row.start,
                [_cell(cell, lines) for cell in row.cells],
                _named(row.band, lines),
                [bundles[item.key[1]] for item in row.band if isinstance(item.key, tuple)],
                row.start == now,
            )
            for row in laid.rows
        ],
        max((it.revised_at for it in found if it.session_id and it.type.kind == Kind.POSTER), default=None),
    )


def _crowds(events: EventQuerySet) -> dict[int, int]:
    """Sessions of too many posters to list, and how many."""
    posters = events.of_kind(Kind.POSTER).filter(session__isnull=False).order_by().values("session")
    counted = posters.annotate(n=Count("pk")).filter(n__gt=MAX_POSTER_LINES)
    return {session: n for session, n in counted.values_list("session", "n") if session}


def _room_of(event: Event) -> int | None:
    return event.room_id or (event.session.room_id if event.session else None)


def _item(event: Event, shown: set[int], crowds: dict[int, int]) -> GridItem:
    assert event.start and event.end  # noqa: S101, PT018 - only these are read
    # A break inside a workshop is no break of the others.
    is_break = event.type.kind in {Kind.BREAK, Kind.SERVICE} and event.session_id not in shown
    is_band = is_break or event.pk in crowds
    return GridItem(event.pk, event.start, event.end, _room_of(event), is_band)


def _line(event: Event, signs: dict[int, RoomSign], shown: set[int], crowds: dict[int, int], clock: Clock) -> GridLine:
    assert event.start and event.end  # noqa: S101, PT018 - only these are read
    start, end = (f"{timezone.localtime(it):%H:%M}" for it in (event.start, event.end))
    return GridLine(
        event,
        with_pinned_time(event.get_absolute_url(), clock),
        line=event.type.line,
        time=start,
        hours=f"{start}–{end}",
        hint=f"{start}–{end} {event.type.name}: {event.title}",
        is_past=clock.has_come(event.end),
        is_inside=event.session_id in shown,
        is_cancelled=event.is_cancelled,
        plate=signs.get(_room_of(event) or 0),
        posters=crowds.get(event.pk, 0),
    )


def _named(items: Iterable[GridItem], lines: dict[int, GridLine]) -> list[GridLine]:
    return [lines[item.key] for item in items if isinstance(item.key, int)]


def _cell(cell: LayoutCell, lines: dict[int, GridLine]) -> GridCell:
    continued: Sequence[GridLine] = _named(cell.continued, lines)
    return GridCell(_named(cell.items, lines), continued[0] if continued else None)
