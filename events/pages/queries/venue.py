"""Services and their opening hours, and the rooms of the venue with what is on."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import OuterRef, Prefetch, Q, Subquery
from django.urls import reverse
from django.utils import timezone

from events.core.clock import Clock
from events.crowd.queries.reports import Crowds, crowd_badge, crowd_text, is_on, room_states
from events.crowd.rules import Crowd
from events.pages.cards import Card, for_cards, make_cards
from events.pages.queries.plans import FloorPosition, Floors, RoomStatus, floors
from events.programme.display import Badge, CardChild, RoomSign, make_card_child, room_sign
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.venue import Room, Service, Venue, Walk, Zone
from events.programme.queries.public_names import only_public
from events.programme.rules.days import Opening, opening
from events.venue.models import Amenity
from events.venue.queries.maps import MapLink, venue_map_links


@dataclass(frozen=True)
class ServiceRow:
    service: Service
    opening: Opening
    hours: list[Card]
    plate: RoomSign | None
    # It opened today at this time, and its closing time is not announced.
    opened_at: dt.datetime | None = None
    # The hour at which such a desk is assumed to close is past.
    may_have_closed: bool = False
    # The reported length of its line.
    line: Badge | None = None
    # The guid of the current opening hours, to which reports of the line belong.
    line_guid: UUID | None = None
    # The address for reports; empty while it is closed.
    line_url: str = ""

    @property
    def zone(self) -> str:
        return self.service.zone.name if self.service.zone else ""

    @property
    def place(self) -> str:
        return self.service.place

    def next_opening(self, now: dt.datetime) -> dt.datetime | None:
        """``now`` while it is open; None if it does not open again."""
        return now if self.opening.is_open or self.opened_at else self.opening.opens_at

    @property
    def where(self) -> str:
        return self.place or (self.plate.name if self.plate else self.zone)


def service_rows(conference: Conference, clock: Clock) -> list[ServiceRow]:
    hours = for_cards(Event.objects.public()).in_order()
    services = Service.objects.filter(conference=conference).select_related("conference", "zone", "room__zone__venue")
    found = list(services.prefetch_related(Prefetch("hours", queryset=hours)))
    crowds = Crowds(clock)
    cards = {card.key: card for card in make_cards((it for service in found for it in service.hours.all()), clock, crowds=crowds)}
    rows = [_service_row(service, [cards[it.pk] for it in service.hours.all()], clock) for service in found]
    return [_with_queue(row, clock, crowds) for row in rows]


def next_registration(conference: Conference, clock: Clock) -> ServiceRow | None:
    """The service with hours that is open or opens next, which is where badges are handed out."""
    with_hours = [row for row in service_rows(conference, clock) if not row.opening.always]
    timely = [(row.next_opening(clock.now), row) for row in with_hours]
    known = [(opens, row) for opens, row in timely if opens is not None]
    return min(known, key=lambda it: it[0], default=(None, None))[1]


def _with_queue(row: ServiceRow, clock: Clock, crowds: Crowds) -> ServiceRow:
    now = next((it.event for it in row.hours if is_on(it.event, clock.now)), None)
    if now is None:
        return row
    crowd = crowds.for_event(now)
    line = crowd_badge(crowd, line=True) if crowd.sure or crowd.stale else None
    url = "" if clock.pinned else reverse("events:crowd-set", args=[row.service.conference.slug, now.guid])
    return replace(row, line=line, line_guid=now.guid, line_url=url)


def _service_row(service: Service, cards: list[Card], clock: Clock) -> ServiceRow:
    events = [card.event for card in cards]
    hours = [(it, it.start, it.end) for it in events if it.start and it.end and not it.is_cancelled]
    plate = room_sign(service.room, service.conference.slug) if service.room else None
    # A tentative end is a guess: the page shows when those hours began, never when they end.
    sure = opening([(start, end) for it, start, end in hours if it.status == Status.CONFIRMED], clock.now)
    if sure.is_open and not sure.always:
        return ServiceRow(service, sure, cards, plate)
    state = opening([(start, end) for _, start, end in hours], clock.now) if hours or not events else Opening(is_open=False)
    guessed = [(start, end) for it, start, end in hours if it.status == Status.TENTATIVE and start <= clock.now]
    shown = [(start, end) for start, end in guessed if end > clock.now or _is_of_today(start, clock)]
    opened_at, end = max(shown, default=(None, None))
    return ServiceRow(service, state, cards, plate, opened_at=opened_at, may_have_closed=bool(end and end <= clock.now))


def _is_of_today(moment: dt.datetime, clock: Clock) -> bool:
    """By the calendar of the venue: at night nobody expects a desk of the day before."""
    return moment.astimezone(clock.venue_zone).date() == clock.now.astimezone(clock.venue_zone).date()


@dataclass(frozen=True)
class RoomRow:
    room: Room
    plate: RoomSign
    now: CardChild | None
    next: CardChild | None
    crowd: Crowd | None = None
    spot: FloorPosition | None = None

    @property
    def report(self) -> Badge | None:
        """A sure or stale report; unconfirmed ones are not shown here."""
        return crowd_badge(self.crowd) if self.crowd and (self.crowd.sure or self.crowd.stale) else None

    @property
    def on_now(self) -> RoomStatus:
        title = self.now.title if self.now else ""
        coming = f"{timezone.localtime(self.next.start):%H:%M} {self.next.title}" if self.next and self.next.start else ""
        if self.crowd is None or not self.crowd.sure:
            return RoomStatus(title=title, coming=coming)
        words = crowd_text(self.crowd)
        return RoomStatus(self.crowd.state, f"{words[:1].upper()}{words[1:]}", title, coming)


@dataclass(frozen=True)
class ZoneBlock:
    zone: Zone
    rooms: list[RoomRow]
    services: list[ServiceRow]
    amenities: list[Amenity]


@dataclass(frozen=True)
class VenueBlock:
    venue: Venue
    zones: list[ZoneBlock]
    maps: list[MapLink]


@dataclass(frozen=True)
class VenuePage:
    venues: list[VenueBlock]
    floors: Floors


def venue_page(conference: Conference, clock: Clock, floor: str = "") -> VenuePage:
    rows = _room_rows(conference, clock)
    plans = floors(conference, clock, floor, {row.room.pk: row.on_now for row in rows})
    # A room without a shape is shown by its zone.
    spots = plans.spots
    rows = [replace(it, spot=spots.get(f"area-room-{it.room.pk}") or spots.get(f"area-zone-{it.room.zone_id}")) for it in rows]
    services = service_rows(conference, clock)
    amenities = list(Amenity.objects.filter(conference=conference).public().select_related("room"))
    zones = list(only_public(Zone.objects.filter(conference=conference)))
    blocks = [
        ZoneBlock(
            zone,
            [row for row in rows if row.room.zone_id == zone.pk],
            [it for it in services if zone.pk in {it.service.zone_id, it.service.room.zone_id if it.service.room else 0}],
            [it for it in amenities if zone.pk in {it.zone_id, it.room.zone_id if it.room else 0}],
        )
        for zone in zones
    ]
    venues = [
        VenueBlock(venue, [block for block in blocks if block.zone.venue_id == venue.pk], venue_map_links(venue))
        for venue in only_public(Venue.objects.filter(conference=conference))
    ]
    return VenuePage(venues, plans)


def _room_rows(conference: Conference, clock: Clock) -> list[RoomRow]:
    rooms = only_public(Room.objects.filter(conference=conference)).select_related("zone")
    running, crowds = _now_and_next(conference, clock), room_states(conference, clock)
    nothing = (None, None)
    return [
        RoomRow(room, room_sign(room, conference.slug), *running.get(room.pk, nothing), crowd=crowds.get(room.pk))
        for room in rooms
    ]


def zone_walks(conference: Conference) -> list[Walk]:
    zones = only_public(Zone.objects.all())
    walks = Walk.objects.filter(conference=conference, origin__in=zones, destination__in=zones)
    return list(walks.select_related("origin", "destination"))


def _now_and_next(conference: Conference, clock: Clock) -> dict[int, tuple[CardChild | None, CardChild | None]]:
    """By room: the current event, and the next one of today.

    The database chooses them, since one hall may have hundreds of posters.
    """
    there = Event.objects.public().filter(conference=conference, room=OuterRef("pk"), end__gt=clock.now)
    # A session represents its talks, except those in another room; one that is cancelled represents none.
    elsewhere, alone = ~Q(session__room=OuterRef("pk")), Q(session__status=Status.CANCELLED, type__kind=Kind.TALK)
    there = there.filter(Q(session=None) | elsewhere & ~Q(type__kind=Kind.POSTER) | alone)
    first = there.exclude(status=Status.CANCELLED).order_by("start", "pk").values("pk")
    on, coming = first.filter(start__lte=clock.now)[:1], first.filter(start__gt=clock.now, day__date=clock.today)[:1]
    rooms = Room.objects.filter(conference=conference).annotate(on=Subquery(on), coming=Subquery(coming))
    picked = {pk: tuple(found) for pk, *found in rooms.values_list("pk", "on", "coming")}
    events = Event.objects.filter(pk__in={it for found in picked.values() for it in found if it}).only(
        "guid", "title", "language", "start"
    )
    lines = {}
    for event in events:
        event.conference = conference
        lines[event.pk] = make_card_child(event, clock)
    return {pk: (lines.get(now), lines.get(later)) for pk, (now, later) in picked.items()}
