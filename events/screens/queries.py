"""Wall screens: the rooms and zones that can have one, and the rows, alternatives and notices on it."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.http import urlencode

from events.agenda.queries.conflicts import walks_of
from events.announcements.queries import current_announcements
from events.core.clock import Clock, with_pinned_time
from events.core.text import markdown_to_text
from events.crowd.queries.reports import room_states
from events.crowd.rules import UNKNOWN_CROWD
from events.programme.addresses import folded_name, name_in_url
from events.programme.display import RoomSign, room_sign
from events.programme.models.changes import Attendance
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.venue import Room, Zone
from events.programme.queries.public_names import only_public
from events.programme.rules.walking import Walks
from events.screens.items import SERVICE_OR_POSTER_Q, ScreenItem, ScreenProgramme
from events.screens.rules import (
    AlternativeRoom,
    NowAndNext,
    ScreenTurn,
    best_alternative_room,
    current_sheet,
    is_worth_going,
    now_and_next,
    split_into_sheets,
)

WHOLE_VENUE = "all"


@dataclass(frozen=True)
class ScreenLocation:
    """A room, a zone or the whole venue."""

    name: str
    letter: str
    rooms: list[Room]

    @property
    def is_door(self) -> bool:
        return len(self.rooms) == 1


@dataclass(frozen=True)
class ScreenChoice:
    name: str
    url: str
    plate: RoomSign | None = None


@dataclass(frozen=True)
class ZoneScreenChoices:
    zone: ScreenChoice
    rooms: list[ScreenChoice]


@dataclass(frozen=True)
class ScreenChoices:
    everywhere: ScreenChoice
    zones: list[ZoneScreenChoices]


def rooms_of(conference: Conference) -> list[Room]:
    rooms = only_public(conference.rooms.all()).select_related("zone__venue").defer("imported", "description")
    return list(rooms.order_by("zone__position", "zone__name", "zone__pk", "position", "name", "pk"))


def screen_location(conference: Conference, rooms: Sequence[Room], zone: str, room: str) -> ScreenLocation | None:
    here, name, letter = list(rooms), conference.name, ""
    if zone:
        zones = _zones_called(only_public(conference.zones.all()), zone)
        if not zones and folded_name(zone) != WHOLE_VENUE:
            return None
        keys = {it.pk for it in zones}
        here = [it for it in rooms if (it.zone_id in keys if zones else not it.zone.off_site)]
        name, letter = (zones[0].name, zones[0].letter) if zones else (conference.name, "")
    if room:
        here = [it for it in here if folded_name(it.name) == folded_name(room)]
        if not here:
            return None
        name, letter = here[0].name, here[0].zone.letter
    return ScreenLocation(name, letter, here)


def screen_choices(conference: Conference, rooms: Sequence[Room], clock: Clock) -> ScreenChoices:
    named = Counter(folded_name(it.name) for it in rooms)
    zones = [
        ZoneScreenChoices(
            ScreenChoice(zone.name, screen_address(conference, clock, zone=name_in_url(zone.name))),
            [_room_choice(conference, it, named, clock) for it in rooms if it.zone_id == zone.pk],
        )
        for zone in {it.zone_id: it.zone for it in rooms}.values()
    ]
    return ScreenChoices(ScreenChoice("The whole venue", screen_address(conference, clock, zone=WHOLE_VENUE)), zones)


def _room_choice(conference: Conference, room: Room, named: Counter[str], clock: Clock) -> ScreenChoice:
    known = {"zone": name_in_url(room.zone.name)} if named[folded_name(room.name)] > 1 else {}
    return ScreenChoice(
        room.name, screen_address(conference, clock, **known, room=name_in_url(room.name)), room_sign(room, conference.slug)
    )


def screen_address(conference: Conference, clock: Clock | None = None, **asked: str) -> str:
    address = f"{reverse('events:screen', args=[conference.slug])}?{urlencode(asked)}"
    return with_pinned_time(address, clock) if clock else address


def screen_address_of(place: Zone | Room) -> str:
    """Return a room's address with its zone, so that rooms with the same name differ."""
    asked = (
        {"zone": name_in_url(place.zone.name), "room": name_in_url(place.name)}
        if isinstance(place, Room)
        else {"zone": name_in_url(place.name)}
    )
    return screen_address(place.conference, None, **asked)


def _zones_called(zones: Iterable[Zone], asked: str) -> list[Zone]:
    """Return zones with this name; only without any, those with this letter."""
    word, known = folded_name(asked), list(zones)
    named = [it for it in known if folded_name(it.name) == word]
    return named or [it for it in known if it.letter and folded_name(it.letter) == word]


LINK_TARGET_PATTERN = re.compile(r" \(https?://[^\s)]*\)")
"""The address of a link, which is no use on a wall."""
MAX_LATER_EVENTS = 5
ROOMS_PER_SHEET = 4
"""As many as can be read from five metres; the sheets take turns."""


@dataclass(frozen=True)
class ScreenAlternative:
    """Another room for visitors of a full room."""

    plate: RoomSign
    piece: ScreenItem
    minutes: int | None
    shows_the_same: bool


@dataclass(frozen=True)
class ScreenRow:
    plate: RoomSign
    now: ScreenItem | None
    inside: ScreenItem | None
    coming: list[ScreenItem]
    crowd: str
    instead: ScreenAlternative | None = None
    tba: str = ""
    gone: Sequence[ScreenItem] = ()
    """What was moved to another place."""

    @property
    def talk(self) -> ScreenItem | None:
        """What is being given: of a session the part that is on."""
        return self.inside or self.now

    @property
    def next(self) -> ScreenItem | None:
        return self.coming[0] if self.coming else None

    @property
    def then(self) -> list[ScreenItem]:
        return self.coming[1:]

    @property
    def is_cancelled(self) -> bool:
        return bool(self.now and self.talk and self.now.is_cancelled and self.talk.is_cancelled)

    @property
    def instead_of_next(self) -> ScreenItem | None:
        """If the next event is cancelled, the first that takes place."""
        if not (self.next and self.next.is_cancelled):
            return None
        return next((it for it in self.coming if not it.is_cancelled), None)

    @property
    def polled(self) -> ScreenItem | None:
        """What is on now and has an open poll: the talk inside before its session."""
        return next((item for item in (self.inside, self.now) if item and item.poll), None)

    @property
    def crowd_text(self) -> str:
        return {"full": "Full", "filling": "Nearly full"}.get(self.crowd, "")

    @property
    def is_crowd_beside_now(self) -> bool:
        return self.crowd == "filling" or (self.crowd == "full" and not self.instead)

    @property
    def is_empty(self) -> bool:
        return not (self.now or self.coming or self.tba or self.gone)


@dataclass(frozen=True)
class LaterScreenItem:
    """The next ``count`` events on a later day, which start together."""

    day: str
    count: int
    first: list[tuple[RoomSign | None, ScreenItem]]
    """As many of them as a screen can show."""
    is_night: bool

    @property
    def plate(self) -> RoomSign | None:
        return self.first[0][0]

    @property
    def piece(self) -> ScreenItem:
        return self.first[0][1]


URGENT_SIZES = ((120, ""), (280, "small"), (550, "page"), (1_000, "long-page"))
"""Up to how many characters; the first two leave room for the programme, the others take its place."""
MAX_URGENT_SIZE = "full-page"


@dataclass(frozen=True)
class WallNotice:
    """An announcement as plain text without links."""

    title: str
    text: str
    urgent: bool

    @property
    def size(self) -> str:
        """Of the letters of an urgent one, which is shown whole: "" for the largest."""
        length = len(self.title) + len(self.text)
        return next((name for most, name in URGENT_SIZES if length <= most), MAX_URGENT_SIZE) if self.urgent else ""


@dataclass(frozen=True)
class Screen:
    spot: ScreenLocation
    sheets: list[Sequence[ScreenRow]]
    shown: int
    later: LaterScreenItem | None
    is_over: bool
    announcements: list[WallNotice]
    announced: int

    @property
    def door(self) -> ScreenRow | None:
        return self.sheets[0][0] if self.spot.is_door and self.sheets else None


def screen(conference: Conference, spot: ScreenLocation, rooms: Sequence[Room], clock: Clock) -> Screen:
    rows = _ScreenRows(conference, rooms, clock).rows_at(spot)
    busy = [row for row in rows if not row.is_empty]
    pages = split_into_sheets(busy, ROOMS_PER_SHEET)
    later = None if busy else _later_item(conference, spot, clock)
    is_over = not busy and later is None and clock.today > conference.end
    notices = _notices(conference, clock)
    return Screen(spot, pages, current_sheet(pages, clock.now), later, is_over, notices, current_sheet(notices, clock.now))


class _ScreenRows:
    """Reads all rooms, since each can be the alternative to a full room."""

    def __init__(self, conference: Conference, rooms: Sequence[Room], clock: Clock) -> None:
        self.conference, self.clock = conference, clock
        self.rooms = {room.pk: room for room in rooms}
        self.crowds = room_states(conference, clock)
        self.programme = ScreenProgramme(conference, clock)

    def rows_at(self, spot: ScreenLocation) -> list[ScreenRow]:
        shown = {room.pk: self._showing(room.pk) for room in spot.rooms}
        full = [pk for pk in shown if self._is_full(pk)]
        walks = walks_of(self.conference) if full else Walks()
        best = {pk: room for pk in full if (room := self._best_alternative(pk, shown[pk], walks))}
        turns = [turn for state in shown.values() for turn in (state.now, state.inside, *state.coming) if turn]
        # In a foyer, the row of the other room says it.
        gone = self.programme.gone_from(spot.rooms[0]) if spot.is_door else []
        items = self.programme.screen_items([*turns, *gone, *(room.turn for room in best.values())])
        instead = {pk: self._screen_alternative(room, items) for pk, room in best.items()}
        tba = _to_be_announced(spot, self.clock)
        rows = [self._row(room, shown[room.pk], items, instead.get(room.pk), tba.get(room.pk, "")) for room in spot.rooms]
        return [replace(row, gone=[items[turn.key] for turn in gone if turn.key in items]) for row in rows]

    def _row(
        self, room: Room, shown: NowAndNext, items: Mapping[Hashable, ScreenItem], instead: ScreenAlternative | None, tba: str
    ) -> ScreenRow:
        return ScreenRow(
            plate=room_sign(room, self.conference.slug),
            now=items.get(shown.now.key) if shown.now else None,
            inside=items.get(shown.inside.key) if shown.inside else None,
            coming=[items[turn.key] for turn in shown.coming if turn.key in items],
            crowd=self._crowd(room.pk),
            instead=instead,
            tba=tba,
        )

    def _showing(self, room: int) -> NowAndNext:
        return now_and_next(self.programme.turns, room, self.clock.now)

    def _crowd(self, room: int) -> str:
        """Return only a confirmed state, since a screen cannot explain who reported it."""
        crowd = self.crowds.get(room, UNKNOWN_CROWD)
        return crowd.state if crowd.sure else ""

    def _is_full(self, room: int) -> bool:
        return self._crowd(room) == "full"

    def _best_alternative(self, full: int, shown: NowAndNext, walks: Walks) -> AlternativeRoom | None:
        same = {self.programme.overflows.get(turn.key) for turn in (shown.now, shown.inside) if turn}
        others = []
        for pk, room in self.rooms.items():
            turn = None if pk == full or self._is_full(pk) else shown.now if pk in same else self._worth_going(pk)
            if turn is not None:
                way = walks.way(self.rooms[full].zone_id, room.zone_id)
                minutes, shares = way.minutes if way else None, bool(turn.about & shown.about)
                others.append(AlternativeRoom(pk, turn, minutes, shares, pk in same, self._crowd(pk) == "filling"))
        return best_alternative_room(others)

    def _worth_going(self, room: int) -> ScreenTurn | None:
        shown = self._showing(room)
        return next((turn for turn in (shown.now, *shown.coming) if is_worth_going(turn, self.clock.now)), None)

    def _screen_alternative(self, best: AlternativeRoom, items: Mapping[Hashable, ScreenItem]) -> ScreenAlternative | None:
        room, item = next(room for pk, room in self.rooms.items() if pk == best.room), items.get(best.turn.key)
        plate = room_sign(room, self.conference.slug)
        return ScreenAlternative(plate, item, best.minutes, best.shows_the_same) if item else None


def _to_be_announced(spot: ScreenLocation, clock: Clock) -> dict[int, str]:
    """Return by room id the first title of today without a time."""
    events = Event.objects.public().filter(room__in=[it.pk for it in spot.rooms], day__date=clock.today, start=None)
    rows = events.exclude(status=Status.CANCELLED).order_by("-position", "-title", "-pk").values_list("room", "title")
    return dict(rows)


def _later_item(conference: Conference, spot: ScreenLocation, clock: Clock) -> LaterScreenItem | None:
    coming = Event.objects.public().filter(conference=conference, room__in=[it.pk for it in spot.rooms], start__gt=clock.now)
    wanted = coming.exclude(SERVICE_OR_POSTER_Q).exclude(status=Status.CANCELLED).exclude(type__kind=Kind.BREAK)
    found = wanted.filter(session=None)
    events = list(
        found.select_related("type", "day", "room__zone").order_by("start", "position", "title", "pk")[:MAX_LATER_EVENTS]
    )
    event = events[0] if events else None
    if event is None or event.start is None or event.end is None or event.day is None:
        return None
    first = [_later_line(it, conference, spot) for it in events if it.start == event.start]
    count = found.filter(start=event.start).count() if len(first) == MAX_LATER_EVENTS else len(first)
    date = event.day.date
    # The heading has the date of the calendar, which is a day ahead of the programme's from midnight to 04:00.
    is_night = clock.today != clock.now.astimezone(clock.venue_zone).date()
    tomorrow = not is_night and date == clock.today + dt.timedelta(days=1)
    day = "Tomorrow" if tomorrow else f"{date:%A} {date.day} {date:%B}"
    return LaterScreenItem(day, count, first, is_night)


def _later_line(event: Event, conference: Conference, spot: ScreenLocation) -> tuple[RoomSign | None, ScreenItem]:
    assert event.start and event.end  # noqa: S101, PT018 - of events that start later
    hours, kind = (event.start, event.end), event.type
    piece = ScreenItem(event.title, kind.name, kind.line, *hours, type_slug=kind.slug, language=event.language)
    # The heading of a screen at a door already names the room.
    return room_sign(event.room, conference.slug) if event.room and not spot.is_door else None, piece


def _notices(conference: Conference, clock: Clock) -> list[WallNotice]:
    """Return announcements for those on site; urgent ones replace all others."""
    rows = current_announcements(conference, clock, Attendance.IN_PERSON)
    return [
        WallNotice(notice.title, LINK_TARGET_PATTERN.sub("", markdown_to_text(notice.text)), notice.urgent)
        for notice in [row for row in rows if row.urgent] or rows
    ]
