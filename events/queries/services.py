"""Desks and stands, and whether they are open."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Prefetch
from django.urls import reverse

from events.models import Conference, Event, Service, Status
from events.queries.cards import Card, Plate, for_cards, make_cards, plate_of
from events.queries.crowd import Crowds, is_on
from events.queries.flags import Flag, crowd_flag
from events.schedule.clock import Clock, programme_date
from events.schedule.hours import Opening, opening


@dataclass(frozen=True)
class ServiceRow:
    service: Service
    opening: Opening
    hours: list[Card]
    plate: Plate | None
    # It opened today at this time, and nobody has said when it closes.
    opened_at: dt.datetime | None = None
    # How long its line is, as far as anybody said.
    line: Flag | None = None
    # Of the hours that are on: whose line it is.
    line_guid: UUID | None = None
    # Where one says it, while it is open.
    line_url: str = ""

    @property
    def zone(self) -> str:
        return self.service.zone.name if self.service.zone else ""

    @property
    def place(self) -> str:
        return self.service.place

    def opens_or(self, now: dt.datetime) -> dt.datetime | None:
        """When it opens, which is now while it is open; None when it opens no more."""
        return now if self.opening.is_open or self.opened_at else self.opening.opens_at

    @property
    def where(self) -> str:
        """The place in words, the room or the zone, whichever is known."""
        return self.place or (self.plate.name if self.plate else self.zone)


def service_rows(conference: Conference, clock: Clock) -> list[ServiceRow]:
    """Every service with its public hours."""
    hours = for_cards(Event.objects.public()).in_order()
    services = Service.objects.filter(conference=conference).select_related("conference", "zone", "room__zone__venue")
    found = list(services.prefetch_related(Prefetch("hours", queryset=hours)))
    crowds = Crowds(clock)
    cards = {card.key: card for card in make_cards((it for service in found for it in service.hours.all()), clock, crowds=crowds)}
    rows = [_row(service, [cards[it.pk] for it in service.hours.all()], clock) for service in found]
    return [_with_line(row, clock, crowds) for row in rows]


def next_registration(conference: Conference, clock: Clock) -> ServiceRow | None:
    """The service that opens next or is open now, of those that have hours: where badges are."""
    with_hours = [row for row in service_rows(conference, clock) if not row.opening.always]
    timely = [(row.opens_or(clock.now), row) for row in with_hours]
    known = [(opens, row) for opens, row in timely if opens is not None]
    return min(known, key=lambda it: it[0], default=(None, None))[1]


def _with_line(row: ServiceRow, clock: Clock, crowds: Crowds) -> ServiceRow:
    now = next((it.event for it in row.hours if is_on(it.event, clock.now)), None)
    if now is None:
        return row
    crowd = crowds.of(now)
    told = crowd_flag(crowd, line=True) if crowd.sure or crowd.stale else None
    url = "" if clock.pinned else reverse("events:crowd-set", args=[row.service.conference.slug, now.guid])
    return replace(row, line=told, line_guid=now.guid, line_url=url)


def _row(service: Service, cards: list[Card], clock: Clock) -> ServiceRow:
    events = [card.event for card in cards]
    held = [(it, it.start, it.end) for it in events if it.start and it.end and not it.is_cancelled]
    plate = plate_of(service.room, service.conference.slug) if service.room else None
    # A tentative end is a guess: of those hours we say when the desk opened, never until when.
    sure = opening([(start, end) for it, start, end in held if it.status == Status.CONFIRMED], clock.now)
    if sure.is_open and not sure.always:
        return ServiceRow(service, sure, cards, plate)
    state = opening([(start, end) for _, start, end in held], clock.now) if held or not events else Opening(is_open=False)
    guessed = [start for it, start, _ in held if it.status == Status.TENTATIVE and start <= clock.now]
    today = [start for start in guessed if programme_date(start, clock.venue_zone) == clock.today]
    return ServiceRow(service, state, cards, plate, opened_at=max(today, default=None))
