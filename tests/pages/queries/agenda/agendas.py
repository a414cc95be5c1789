"""A venue with two rooms near each other, and the page of an agenda there."""

from __future__ import annotations

from typing import Any

from events.models import Conference, Event
from events.pages.queries.agenda import AgendaPage, agenda_page
from tests.factories import make_agenda, make_conference, make_event, make_room, make_walk, make_zone
from tests.pages.queries.reading import clock


class Venue:
    """Hall 1 and Garnet, five covered minutes apart; nobody knows the way to the Annex."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference()
        hall, garnet = make_zone(self.conference, "Hall 1"), make_zone(self.conference, "Garnet")
        make_walk(self.conference, hall, garnet, 5, covered=True)
        self.hall, self.garnet = make_room(self.conference, "Hall 1", hall), make_room(self.conference, "Garnet 212", garnet)
        self.annex = make_room(self.conference, "Annex")

    def talk(self, title: str, start: str | None, end: str | None, **fields: Any) -> Event:
        return make_event(self.conference, **{"kind": "talk", "title": title, "start": start, "end": end} | fields)


def page_of(*events: Event) -> AgendaPage:
    agenda, _ = make_agenda(events[0].conference, *events)
    return agenda_page(agenda, clock())


def gaps_of(*events: Event) -> list[tuple[str, str] | None]:
    """Verdict and sentence of what lies before each pick of a day: its first conflict, or else the gap."""
    (day,) = page_of(*events).days
    found = [next(iter(row.conflicts), row.gap) for row in day.rows]
    return [(it.verdict, it.sentence) if it else None for it in found]
