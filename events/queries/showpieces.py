"""What goes on in rooms around a minute, and in words that can be read from five metres."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from events.models import Conference, Event, Kind, Status
from events.queries.cards import people_of
from events.schedule.clock import Clock
from events.schedule.screens import Turn

FIRST_PEOPLE = 4
COUNTED_DOWN = 90
"""Minutes before its start from which on it is said how long it still is."""
LONG = 60
"""Characters of a title that fit in large letters."""
NOT_AT_DOORS = Q(type__kind=Kind.SERVICE) | Q(type__kind=Kind.POSTER)


@dataclass(frozen=True)
class Showpiece:
    """Something on a screen."""

    title: str
    type_name: str
    line: str
    start: dt.datetime
    end: dt.datetime
    people: str = ""
    minutes: int | None = None
    type_slug: str = ""
    is_cancelled: bool = False
    is_tentative: bool = False

    @property
    def is_long(self) -> bool:
        return len(self.title) > LONG


class Programme:
    """The hours of a conference around this minute; the words only of what is asked for."""

    def __init__(self, conference: Conference, clock: Clock) -> None:
        self.conference, self.clock = conference, clock
        self.overflows: dict[Hashable, int] = {}
        """By event, the room that shows it too."""
        self._posters: dict[Hashable, Showpiece] = {}
        self.turns = [*self._read_events(), *self._read_posters()]

    def pieces(self, turns: Iterable[Turn]) -> dict[Hashable, Showpiece]:
        keys = {turn.key for turn in turns if isinstance(turn.key, int)}
        events = Event.objects.filter(pk__in=keys).for_cards()
        return {event.pk: self._piece(event) for event in events} | self._posters

    def _read_events(self) -> list[Turn]:
        today = Q(day__date=self.clock.today) | Q(start__lte=self.clock.now)
        timed = Event.objects.public().filter(today, conference=self.conference, end__gt=self.clock.now).exclude(NOT_AT_DOORS)
        names = ("pk", "room", "session", "session__room", "overflow_room", "type__kind", "status", "start", "end")
        turns = []
        for pk, room, session, above, overflow, kind, status, start, end, topic, track in timed.order_by().values_list(
            *names, "topic", "track"
        ):
            where = room or above
            # What is somewhere outside stands at no door; coffee without a place is everywhere.
            if where is None and kind != Kind.BREAK:
                continue
            about = frozenset(it for it in (("topic", topic), ("track", track)) if it[1])
            turns.append(Turn(pk, where, start, end, session, kind == Kind.BREAK, status == Status.CANCELLED, about))
            if overflow:
                self.overflows[pk] = overflow
        return turns

    def _read_posters(self) -> list[Turn]:
        """Those that no session holds, as one thing: a hall may have hundreds."""
        hanging = Event.objects.public().of_kind(Kind.POSTER).filter(conference=self.conference, session=None)
        here = hanging.filter(room__isnull=False, day__date=self.clock.today, end__gt=self.clock.now)
        groups = here.exclude(status=Status.CANCELLED).order_by().values("room", "start", "end").annotate(n=Count("pk"))
        turns = []
        named = ("type__name", "type__plural", "type__slug")
        for room, start, end, n, name, plural, slug in groups.values_list("room", "start", "end", "n", *named):
            if start and end:
                key = ("posters", room, start, end, name)
                words = f"{n} {plural or f'{name}s'}" if n > 1 else name
                turns.append(Turn(key, room, start, end))
                self._posters[key] = Showpiece(words, name, "poster", start, end, minutes=self._minutes(start), type_slug=slug)
        return turns

    def _piece(self, event: Event) -> Showpiece:
        assert event.start and event.end  # noqa: S101, PT018 - only what has hours is on a screen
        people = people_of(event, event.paper if event.paper and event.paper.is_public else None)
        more = f" and {len(people) - FIRST_PEOPLE} more" if len(people) > FIRST_PEOPLE else ""
        return Showpiece(
            title=event.title,
            type_name=event.type.name,
            line=event.type.line,
            start=event.start,
            end=event.end,
            people=", ".join(it.name for it in people[:FIRST_PEOPLE]) + more,
            minutes=self._minutes(event.start),
            type_slug=event.type.slug,
            is_cancelled=event.is_cancelled,
            is_tentative=event.status == Status.TENTATIVE,
        )

    def _minutes(self, start: dt.datetime) -> int | None:
        """How long until then, while that is soon."""
        wait = int((start - self.clock.now) / dt.timedelta(minutes=1))
        return wait if start > self.clock.now and wait <= COUNTED_DOWN else None
