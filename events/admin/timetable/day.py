"""What the timetable of a day shows: its events by room and time, and those without a room, an hour or a day."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet

from events.admin.base.clash_rows import event_change_url
from events.admin.base.history import row_digest
from events.admin.base.times import span_text
from events.admin.timetable.layout import (
    PlacedItem,
    TimetableRow,
    minutes_from,
    shown_span,
    span_of_day,
    timetable_rows,
)
from events.core.spans import Span
from events.programme.models.conference import Day
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.models.people import Appearance
from events.programme.models.venue import Room
from events.programme.rules.clashes import ROOM_SHARING_KINDS
from events.proposals.models import Proposal, ProposalKind

"""More events in one room at once are folded."""
KEY_SEPARATOR = "-"
RELATED = ("conference", "day", "type", "room", "session")


def event_token(event: Event) -> str:
    """Which event is moved, and what it was like when the page was opened."""
    return f"{event.pk}{KEY_SEPARATOR}{row_digest(event, Event)}"


@dataclass(frozen=True)
class Claim:
    """A person is busy from ``start`` to ``end``, in minutes from the first row."""

    person: int
    name: str
    start: int
    end: int


@dataclass(frozen=True)
class TimetableEvent:
    """An event with what moves along with it; times are minutes from the first row."""

    event: Event
    url: str
    token: str
    times: str
    inside: int
    start: int | None
    minutes: int
    within: str
    claims: list[Claim]
    is_movable: bool
    origin: str = ""

    @property
    def shares_room(self) -> bool:
        return self.event.type.kind in ROOM_SHARING_KINDS

    @property
    def claims_json(self) -> str:
        return json.dumps([[claim.person, claim.name, claim.start, claim.end] for claim in self.claims])

    @property
    def status_text(self) -> str:
        """Empty for a confirmed event."""
        return "" if self.event.status == Status.CONFIRMED else self.event.get_status_display().partition(":")[0]


@dataclass(frozen=True)
class ShownCell:
    room: Room
    rows: int
    lanes: int
    items: list[TimetableEvent]
    together: list[TimetableEvent]

    @property
    def is_folded(self) -> bool:
        return len(self.items) > 1

    @property
    def has_clash(self) -> bool:
        return len([item for item in self.together if not item.shares_room]) > 1


@dataclass(frozen=True)
class ShownRow:
    start: dt.datetime
    hour_height: int
    cells: list[ShownCell]


@dataclass(frozen=True)
class TimetableDay:
    day: Day
    rooms: list[Room]
    rows: list[ShownRow]
    placed: list[TimetableEvent]
    tray: list[TimetableEvent]
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def columns(self) -> list[tuple[Room, int]]:
        """The rooms, and how many lanes each of them has."""
        first = self.rows[0].cells if self.rows else []
        return [(room, sum(cell.lanes for cell in first if cell.room == room)) for room in self.rooms]

    @property
    def movable(self) -> list[tuple[str, list[TimetableEvent]]]:
        """The events that may be moved, for a list of choices in groups."""
        groups = [("On the timetable", self.placed), ("Without a room or a time", self.tray)]
        return [(name, chosen) for name, events in groups if (chosen := [it for it in events if it.is_movable])]


def timetable_of(day: Day, may_move: Callable[[Event], bool], *, with_proposals: bool) -> TimetableDay:
    """Read a day in a constant number of queries."""
    zone = day.conference.zone
    events = _events_of(day)
    rooms = list(Room.objects.filter(conference=day.conference_id).order_by("position", "name", "pk"))
    tops = [event for event in events.values() if not _is_folded_into(event, events)]
    spans = {event.pk: span for event in tops if (span := _span_on(event, day))}
    shown = shown_span(spans.values(), day.date, zone)
    items = _Items(events, shown.start, day, may_move)
    shown_events = {event.pk: items.item(event) for event in tops}
    layout = timetable_rows(
        [PlacedItem(pk, events[pk].room_id, span) for pk, span in spans.items()], [room.pk for room in rooms], shown
    )
    return TimetableDay(
        day,
        rooms,
        _shown_rows(layout, shown_events, {room.pk: room for room in rooms}),
        [item for pk, item in shown_events.items() if pk in spans],
        [item for pk, item in shown_events.items() if pk not in spans],
        list(_proposals_without_time(day)) if with_proposals else [],
    )


def _events_of(day: Day) -> dict[int, Event]:
    """Events of this day and of none, and what takes a room since the night before: in order of time, with what is inside.

    Without cancelled ones.
    """
    begins = span_of_day(day.date, day.conference.zone).start
    own = Q(day=day) | Q(day=None, session=None) | Q(start__lt=begins, end__gt=begins, room__isnull=False)
    inside = Q(session__day=day) | Q(session__session__day=day)
    rows = Event.objects.filter(own | inside, conference=day.conference_id).exclude(status=Status.CANCELLED)
    return {event.pk: event for event in rows.select_related(*RELATED).in_order()}


def _is_folded_into(event: Event, events: Mapping[int, Event]) -> bool:
    """Whether it is shown as a part of its session: in the same room, or in none of its own."""
    session = events.get(event.session_id or 0)
    if session is None or session.pk == event.pk:
        return False
    return event.room_id in {None, session.room_id} and not (event.start and session.start is None)


def _span_on(event: Event, day: Day) -> Span | None:
    """None without room or time, and if it starts on another day; of an event of the night before, the part after the night."""
    span = Span.from_times(event.start, event.end)
    whole = span_of_day(day.date, day.conference.zone)
    if not span or not event.room_id:
        return None
    if event.day_id == day.pk:
        return span if whole.start <= span.start < whole.end else None
    return Span(whole.start, span.end) if span.start < whole.start < span.end else None


class _Items:
    """Makes the items of a day; appearances and proposals are read once."""

    def __init__(self, events: Mapping[int, Event], first: dt.datetime, day: Day, may_move: Callable[[Event], bool]) -> None:
        self._events, self._first, self._day, self._may_move = events, first, day, may_move
        self._people: dict[int, list[tuple[int, str]]] = defaultdict(list)
        appearances = Appearance.objects.filter(event__in=events).order_by("pk")
        for key, person, name in appearances.values_list("event", "person", "person__name"):
            self._people[key].append((person, name))
        self._children: dict[int, list[Event]] = defaultdict(list)
        for event in events.values():
            if event.session_id in events:
                self._children[event.session_id or 0].append(event)
        proposed = Proposal.objects.filter(event__in=events, kind=ProposalKind.SOCIAL)
        self._proposed = set(proposed.values_list("event", flat=True))

    def item(self, event: Event) -> TimetableEvent:
        family = self._family(event)
        minutes = event.minutes or event.type.default_minutes or 60
        return TimetableEvent(
            event=event,
            url=event_change_url(event.pk, event.type.kind),
            token=event_token(event),
            times=self._times(event),
            inside=len(family) - 1,
            start=minutes_from(self._first, event.start) if event.start else None,
            minutes=minutes,
            within=" ".join(str(pk) for pk in self._ancestors(event)),
            claims=[claim for it in family for claim in self._claims(it, minutes)],
            is_movable=self._may_move(event) and event.day_id in {None, self._day.pk},
            origin="From a proposal" if event.pk in self._proposed else "",
        )

    def _times(self, event: Event) -> str:
        zone = event.conference.zone
        text = span_text(event.start, event.end, zone)
        if event.day is None:
            return "day to be announced"
        if event.start and _span_on(event, self._day) is None and event.room_id:
            return f"{text}, starts on another day"
        return text if event.day_id == self._day.pk else f"{text}, since the night before"

    def _family(self, event: Event) -> list[Event]:
        """The event and everything inside it; each once, also where sessions are in a circle."""
        found = {event.pk: event}
        waiting = [event]
        while waiting:
            new = [child for child in self._children[waiting.pop().pk] if child.pk not in found]
            found |= {child.pk: child for child in new}
            waiting += new
        return list(found.values())

    def _ancestors(self, event: Event) -> list[int]:
        found: list[int] = []
        above = event.session_id
        while above is not None and above in self._events and above not in found:
            found.append(above)
            above = self._events[above].session_id
        return found

    def _claims(self, event: Event, minutes: int) -> Iterable[Claim]:
        if event.start and event.end:
            start, end = (minutes_from(self._first, it) for it in (event.start, event.end))
        else:
            # Measured from the hour at which it is dropped.
            start, end = 0, minutes
        return (Claim(person, name, start, end) for person, name in self._people[event.pk])


def _shown_rows(
    layout: Collection[TimetableRow], events: Mapping[Any, TimetableEvent], rooms: Mapping[Any, Room]
) -> list[ShownRow]:
    return [
        ShownRow(
            row.start,
            row.hour_height,
            [
                ShownCell(
                    rooms[cell.room],
                    cell.height,
                    cell.lanes,
                    [events[key] for key in cell.items],
                    [events[key] for key in cell.together],
                )
                for cell in row.cells
            ],
        )
        for row in layout
    ]


def _proposals_without_time(day: Day) -> QuerySet[Proposal]:
    """Waiting socials without an hour, for this day or for none."""
    waiting = Proposal.objects.open().filter(conference=day.conference_id, kind=ProposalKind.SOCIAL, event=None, start=None)
    return waiting.filter(Q(date=day.date) | Q(date=None)).order_by("pk")
