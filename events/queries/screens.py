"""Where wall screens can hang: the rooms and zones of a conference, by what their addresses call them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify

from events.models import Conference, Room, Zone
from events.queries.cards import Plate, plate_of
from events.queries.pinned import carried
from events.schedule.clock import Clock

EVERYWHERE = "all"


@dataclass(frozen=True)
class Spot:
    """What one screen is about: a room, a zone, or the whole venue."""

    name: str
    letter: str
    rooms: list[Room]

    @property
    def is_door(self) -> bool:
        return len(self.rooms) == 1


@dataclass(frozen=True)
class Choice:
    """A screen that could be put up."""

    name: str
    url: str
    plate: Plate | None = None


@dataclass(frozen=True)
class ZoneChoices:
    zone: Choice
    rooms: list[Choice]


@dataclass(frozen=True)
class Choices:
    everywhere: Choice
    zones: list[ZoneChoices]


def rooms_of(conference: Conference) -> list[Room]:
    """In the order of the building."""
    rooms = Room.objects.filter(conference=conference).select_related("zone__venue").defer("imported", "description")
    return list(rooms.order_by("zone__position", "zone__name", "zone__pk", "position", "name", "pk"))


def spot(conference: Conference, rooms: Sequence[Room], zone: str, room: str) -> Spot | None:
    """What an address asks for; None if there is no such place."""
    here, name, letter = list(rooms), conference.name, ""
    if zone:
        zones = _zones_called(Zone.objects.filter(conference=conference), zone)
        if not zones and _folded(zone) != EVERYWHERE:
            return None
        keys = {it.pk for it in zones}
        here = [it for it in rooms if (it.zone_id in keys if zones else not it.zone.off_site)]
        name, letter = (zones[0].name, zones[0].letter) if zones else (conference.name, "")
    if room:
        here = [it for it in here if _folded(it.name) == _folded(room)]
        if not here:
            return None
        name, letter = here[0].name, here[0].zone.letter
    return Spot(name, letter, here)


def choices(conference: Conference, rooms: Sequence[Room], clock: Clock) -> Choices:
    """Every screen there could be, zone by zone; nothing takes place in a zone without rooms."""
    named = Counter(_folded(it.name) for it in rooms)
    zones = [
        ZoneChoices(
            Choice(zone.name, screen_address(conference, clock, zone=_word(zone.name))),
            [_of_room(conference, it, named, clock) for it in rooms if it.zone_id == zone.pk],
        )
        for zone in {it.zone_id: it.zone for it in rooms}.values()
    ]
    return Choices(Choice("The whole venue", screen_address(conference, clock, zone=EVERYWHERE)), zones)


def _of_room(conference: Conference, room: Room, named: Counter[str], clock: Clock) -> Choice:
    known = {"zone": _word(room.zone.name)} if named[_folded(room.name)] > 1 else {}
    return Choice(room.name, screen_address(conference, clock, **known, room=_word(room.name)), plate_of(room, conference.slug))


def screen_address(conference: Conference, clock: Clock | None = None, **asked: str) -> str:
    address = f"{reverse('events:screen', args=[conference.slug])}?{urlencode(asked)}"
    return carried(address, clock) if clock else address


def address_of(place: Zone | Room) -> str:
    """The screen of a zone, or of a room whichever others have its name."""
    asked = (
        {"zone": _word(place.zone.name), "room": _word(place.name)} if isinstance(place, Room) else {"zone": _word(place.name)}
    )
    return screen_address(place.conference, None, **asked)


def _zones_called(zones: Iterable[Zone], asked: str) -> list[Zone]:
    """By name; by its letter only what no zone has for a name."""
    word, known = _folded(asked), list(zones)
    named = [it for it in known if _folded(it.name) == word]
    return named or [it for it in known if it.letter and _folded(it.letter) == word]


def _word(name: str) -> str:
    """A name as an address has it, in any script; one without a letter stands as it is."""
    return slugify(name, allow_unicode=True) or name


def _folded(name: str) -> str:
    return _word(name).casefold()
