"""What a wall screen shows: for each room what is on, what comes, and where to go when it is full."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from events.models import Attendance, Conference, Event, Kind, Room, Status
from events.queries.announcements import current
from events.queries.cards import Plate, plate_of
from events.queries.crowd import room_states
from events.queries.screens import Spot
from events.queries.showpieces import NOT_AT_DOORS, Programme, Showpiece
from events.queries.slots import walks_of
from events.schedule.clock import Clock
from events.schedule.crowd import NOTHING_SAID
from events.schedule.screens import Instead, Showing, Turn, go_instead, sheets, showing, turned_up, worth_going
from events.schedule.walking import Walks
from events.text import plain

ADDRESS = re.compile(r" \(https?://[^\s)]*\)")
"""Where a link leads, which nobody can follow on a wall."""
ROWS = 4
"""So many rooms can be read from five metres; more take turns."""


@dataclass(frozen=True)
class Elsewhere:
    """Where to go instead."""

    plate: Plate
    piece: Showpiece
    minutes: int | None
    shows_the_same: bool


@dataclass(frozen=True)
class Row:
    plate: Plate
    now: Showpiece | None
    inside: Showpiece | None
    coming: list[Showpiece]
    crowd: str
    instead: Elsewhere | None = None
    tba: str = ""

    @property
    def next(self) -> Showpiece | None:
        return self.coming[0] if self.coming else None

    @property
    def then(self) -> list[Showpiece]:
        return self.coming[1:]

    @property
    def is_empty(self) -> bool:
        return not (self.now or self.coming or self.tba)


@dataclass(frozen=True)
class Later:
    """What comes when today has nothing more."""

    day: str
    piece: Showpiece
    plate: Plate | None


@dataclass(frozen=True)
class WallNotice:
    """An announcement as a wall has it: its words, without links."""

    title: str
    text: str
    urgent: bool


@dataclass(frozen=True)
class Screen:
    spot: Spot
    sheets: list[Sequence[Row]]
    shown: int
    later: Later | None
    is_over: bool
    announcements: list[WallNotice]
    announced: int

    @property
    def door(self) -> Row | None:
        return self.sheets[0][0] if self.spot.is_door and self.sheets else None


def screen(conference: Conference, spot: Spot, rooms: Sequence[Room], clock: Clock) -> Screen:
    rows = _Rows(conference, rooms, clock).at(spot)
    busy = [row for row in rows if not row.is_empty]
    pages = sheets(busy, ROWS)
    later = None if busy else _later(conference, spot, clock)
    is_over = not busy and later is None and clock.today > conference.end
    notices = _notices(conference, clock)
    return Screen(spot, pages, turned_up(pages, clock.now), later, is_over, notices, turned_up(notices, clock.now))


class _Rows:
    """Of all rooms, since where one is full another may not be."""

    def __init__(self, conference: Conference, rooms: Sequence[Room], clock: Clock) -> None:
        self.conference, self.clock = conference, clock
        self.rooms = {room.pk: room for room in rooms}
        self.crowds = room_states(conference, clock)
        self.programme = Programme(conference, clock)

    def at(self, spot: Spot) -> list[Row]:
        found = {room.pk: self._showing(room.pk) for room in spot.rooms}
        full = [pk for pk in found if self._is_full(pk)]
        walks = walks_of(self.conference) if full else Walks()
        instead = {pk: it for pk in full if (it := self._instead(pk, found[pk], walks))}
        turns = [turn for it in found.values() for turn in (it.now, it.inside, *it.coming) if turn]
        pieces = self.programme.pieces([*turns, *(it.turn for it in instead.values())])
        elsewhere = {pk: self._elsewhere(it, pieces) for pk, it in instead.items()}
        tba = _to_be_announced(spot, self.clock)
        return [self._row(room, found[room.pk], pieces, elsewhere.get(room.pk), tba.get(room.pk, "")) for room in spot.rooms]

    def _row(self, room: Room, it: Showing, pieces: Mapping[Hashable, Showpiece], instead: Elsewhere | None, tba: str) -> Row:
        return Row(
            plate=plate_of(room, self.conference.slug),
            now=pieces.get(it.now.key) if it.now else None,
            inside=pieces.get(it.inside.key) if it.inside else None,
            coming=[pieces[turn.key] for turn in it.coming if turn.key in pieces],
            crowd=self._crowd(room.pk),
            instead=instead,
            tba=tba,
        )

    def _showing(self, room: int) -> Showing:
        return showing(self.programme.turns, room, self.clock.now)

    def _crowd(self, room: int) -> str:
        """What is sure: nobody can ask a wall who said so."""
        crowd = self.crowds.get(room, NOTHING_SAID)
        return crowd.state if crowd.sure else ""

    def _is_full(self, room: int) -> bool:
        return self._crowd(room) == "full"

    def _instead(self, full: int, shown: Showing, walks: Walks) -> Instead | None:
        """Where the same is shown, or something is on or about to be."""
        same = {self.programme.overflows.get(turn.key) for turn in (shown.now, shown.inside) if turn}
        found = []
        for pk, room in self.rooms.items():
            turn = None if pk == full or self._is_full(pk) else shown.now if pk in same else self._worth_going(pk)
            if turn is not None:
                way = walks.way(self.rooms[full].zone_id, room.zone_id)
                minutes, shares = way.minutes if way else None, bool(turn.about & shown.about)
                found.append(Instead(pk, turn, minutes, shares, pk in same, self._crowd(pk) == "filling"))
        return go_instead(found)

    def _worth_going(self, room: int) -> Turn | None:
        it = self._showing(room)
        return next((turn for turn in (it.now, *it.coming) if worth_going(turn, self.clock.now)), None)

    def _elsewhere(self, it: Instead, pieces: Mapping[Hashable, Showpiece]) -> Elsewhere | None:
        room, piece = next(room for pk, room in self.rooms.items() if pk == it.room), pieces.get(it.turn.key)
        plate = plate_of(room, self.conference.slug)
        return Elsewhere(plate, piece, it.minutes, it.shows_the_same) if piece else None


def _to_be_announced(spot: Spot, clock: Clock) -> dict[int, str]:
    """By room, the first thing that is there today and has no hour yet."""
    events = Event.objects.public().filter(room__in=[it.pk for it in spot.rooms], day__date=clock.today, start=None)
    rows = events.exclude(status=Status.CANCELLED).order_by("-position", "-title", "-pk").values_list("room", "title")
    return dict(rows)


def _later(conference: Conference, spot: Spot, clock: Clock) -> Later | None:
    """The first thing here on a day to come."""
    coming = Event.objects.public().filter(conference=conference, room__in=[it.pk for it in spot.rooms], start__gt=clock.now)
    wanted = coming.exclude(NOT_AT_DOORS).exclude(status=Status.CANCELLED).exclude(type__kind=Kind.BREAK)
    event = (
        wanted.filter(session=None)
        .select_related("type", "day", "room__zone")
        .order_by("start", "position", "title", "pk")
        .first()
    )
    if event is None or event.start is None or event.end is None or event.day is None:
        return None
    date = event.day.date
    tomorrow = date == clock.today + dt.timedelta(days=1)
    day = "Tomorrow" if tomorrow else f"{date:%A} {date.day} {date:%B}"
    piece = Showpiece(event.title, event.type.name, event.type.line, event.start, event.end, type_slug=event.type.slug)
    # A door says which it is already.
    plate = plate_of(event.room, conference.slug) if event.room and not spot.is_door else None
    return Later(day, piece, plate)


def _notices(conference: Conference, clock: Clock) -> list[WallNotice]:
    """What those who are there are told; what is urgent does not take turns with anything else."""
    rows = current(conference, clock, Attendance.IN_PERSON)
    return [
        WallNotice(it.title, ADDRESS.sub("", plain(it.text)), it.urgent) for it in [row for row in rows if row.urgent] or rows
    ]
