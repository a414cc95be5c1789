"""The way to an event in plain lines: from where the agenda's holder starts, and to the nearer taxi stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from events.calendars.text import octets, one_line, shorten
from events.models import Conference, Event
from events.models.ways import Stand, Ways, ways_from, zone_of
from events.schedule.spans import spoken

LONGEST_LEG = 200
LONGEST_LEGS = 600
REST = "…"


@dataclass(frozen=True)
class WayWords:
    """What an entry says besides the address of the page; all empty where nobody has said anything."""

    start: str = ""
    head: str = ""
    legs: tuple[str, ...] = ()
    taxi: str = ""

    def lines(self, room: int) -> list[str]:
        """The head, and as many legs as there is room for in octets: in order, and all or told to be fewer."""
        left = min(LONGEST_LEGS, room) - octets(REST) - 1
        told: list[str] = []
        for leg in self.legs:
            left -= octets(leg) + 1
            if left < 0:
                return [self.head, *told, *([REST] if told else [])]
            told.append(leg)
        return [self.head, *told]


NOWHERE = WayWords()


class Guide:
    """Tells each entry its way; what it needs is read once for all, and only if an entry asks."""

    def __init__(self, conference: Conference, start: int | None) -> None:
        self.conference, self.start = conference, start

    @cached_property
    def ways(self) -> Ways:
        return ways_from(self.conference, self.start)

    def words(self, event: Event) -> WayWords:
        """Nothing for whoever has not said where they start."""
        zone = zone_of(event) if self.start else None
        if zone is None or zone.off_site:
            return NOWHERE
        stand = self.ways.taxi(zone)
        taxi = taxi_line(stand) if stand else ""
        found = self.ways.journey(zone)
        if found is None:
            return WayWords(taxi=taxi)
        route, journey = found
        end = "" if journey.walk else f" to {route.zone.name}"
        legs = [leg.instruction for leg in route.legs.all()]
        if journey.walk is None:
            legs.append(f"From there to {zone.name} follow the signs.")
        elif journey.walk.minutes:
            legs.append(f"Walk on to {zone.name}, {spoken(journey.walk.minutes)}.")
        head = one_line(f"Way there from {route.start.name}{end}: {', '.join(journey.words)}")
        return WayWords(route.start.slug, head, tuple(numbered(legs)), taxi)


def numbered(legs: Sequence[str]) -> list[str]:
    return [f"{number}. {shorten(one_line(leg), LONGEST_LEG)}" for number, leg in enumerate(legs, 1)]


def taxi_line(stand: Stand) -> str:
    far = f"{spoken(stand.way.minutes)} on foot" if stand.way.minutes else ""
    return one_line("Taxi: " + ", ".join(filter(None, [stand.service.name, stand.service.place, far])))
