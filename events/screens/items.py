"""The current and next events of wall screens, as texts that can be read from five metres."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from django.db.models import Count, FilteredRelation, Q

from events.core.clock import Clock
from events.core.languages import isolated
from events.polls.queries import PollCard, has_open_poll, open_result
from events.programme.display import people_of
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.models.venue import Room
from events.programme.queries.changes import MOVE_SHOWN_FOR, NO_CHANGE_NOTE, ChangeNote, change_notes
from events.screens.rules import ScreenTurn

MAX_SCREEN_PEOPLE = 4
MAX_COUNTDOWN_MINUTES = 90
"""Minutes before a start from which a countdown is shown."""
MAX_GONE_EVENTS = 2
MAX_LARGE_TITLE_CHARS = 60
"""A longer title is set in smaller letters."""
SERVICE_OR_POSTER_Q = Q(type__kind=Kind.SERVICE) | Q(type__kind=Kind.POSTER)


@dataclass(frozen=True)
class ScreenItem:
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
    language: str = ""
    poll: PollCard | None = None
    place: str = ""
    break_place: str = ""
    """Where a break is that has no room."""
    note: ChangeNote = NO_CHANGE_NOTE

    @property
    def is_long(self) -> bool:
        return len(self.title) + len(self.break_place) > MAX_LARGE_TITLE_CHARS


class ScreenProgramme:
    """All turns that are on or follow today; ``screen_items`` reads the texts of a few."""

    def __init__(self, conference: Conference, clock: Clock) -> None:
        self.conference, self.clock = conference, clock
        self.overflows: dict[Hashable, int] = {}
        """By event id, the room that shows it too."""
        self._posters: dict[Hashable, ScreenItem] = {}
        self._gone: dict[str, dict[int, ScreenTurn]] = {}
        """By the name of a room, the events that were moved away from it lately."""
        self.turns = [*self._read_events(), *self._read_posters()]

    def gone_from(self, room: Room) -> list[ScreenTurn]:
        """What people may look for at the door of a room although it was moved: of a session not its parts."""
        lead = dt.timedelta(minutes=MAX_COUNTDOWN_MINUTES)
        near = [it for it in self._gone.get(room.name, {}).values() if it.start - lead <= self.clock.now and it.room != room.pk]
        keys = {it.key for it in near}
        return sorted((it for it in near if it.parent not in keys), key=lambda it: (it.start, str(it.key)))[:MAX_GONE_EVENTS]

    def screen_items(self, turns: Iterable[ScreenTurn]) -> dict[Hashable, ScreenItem]:
        keys = {turn.key for turn in turns if isinstance(turn.key, int)}
        events = list(Event.objects.filter(pk__in=keys).for_cards().annotate(is_polled=has_open_poll()))
        notes = change_notes(events, self.clock)
        return {event.pk: self._screen_item(event, notes.get(event.pk, NO_CHANGE_NOTE)) for event in events} | self._posters

    def _read_events(self) -> list[ScreenTurn]:
        today = Q(day__date=self.clock.today) | Q(start__lte=self.clock.now)
        timed = (
            Event.objects.public().filter(today, conference=self.conference, end__gt=self.clock.now).exclude(SERVICE_OR_POSTER_Q)
        )
        lately = Q(changes__field="room", changes__at__gt=self.clock.made_at - MOVE_SHOWN_FOR)
        names = ("pk", "room", "session", "session__room", "overflow_room", "type__kind", "status", "start", "end")
        turns = {}
        # An event has one row for each room that it left.
        for pk, room, session, above, overflow, kind, status, start, end, topic, track, left in (
            timed.annotate(move=FilteredRelation("changes", condition=lately))
            .order_by()
            .values_list(*names, "topic", "track", "move__old")
        ):
            about = frozenset(it for it in (("topic", topic), ("track", track)) if it[1])
            where, is_cancelled = room or above, status == Status.CANCELLED
            turn = ScreenTurn(pk, where, start, end, session, kind == Kind.BREAK, is_cancelled, about)
            if left and not is_cancelled:
                self._gone.setdefault(left, {})[pk] = turn
            # Without a room only breaks are shown, in every room.
            if where is None and kind != Kind.BREAK:
                continue
            turns[pk] = turn
            if overflow:
                self.overflows[pk] = overflow
        return list(turns.values())

    def _read_posters(self) -> list[ScreenTurn]:
        """Group posters without a session into one turn: a hall may have hundreds."""
        hanging = Event.objects.public().of_kind(Kind.POSTER).filter(conference=self.conference, session=None)
        here = hanging.filter(room__isnull=False, day__date=self.clock.today, end__gt=self.clock.now)
        groups = here.exclude(status=Status.CANCELLED).order_by().values("room", "start", "end").annotate(n=Count("pk"))
        turns = []
        named = ("type__name", "type__plural", "type__slug")
        for room, start, end, n, name, plural, slug in groups.values_list("room", "start", "end", "n", *named):
            if start and end:
                key = ("posters", room, start, end, name)
                words = f"{n} {plural or f'{name}s'}" if n > 1 else name
                turns.append(ScreenTurn(key, room, start, end))
                self._posters[key] = ScreenItem(words, name, "poster", start, end, minutes=self._minutes(start), type_slug=slug)
        return turns

    def _screen_item(self, event: Event, note: ChangeNote) -> ScreenItem:
        assert event.start and event.end  # noqa: S101, PT018 - only what has hours is on a screen
        people = people_of(event, event.paper if event.paper and event.paper.is_public else None)
        more = f" and {len(people) - MAX_SCREEN_PEOPLE} more" if len(people) > MAX_SCREEN_PEOPLE else ""
        return ScreenItem(
            title=event.title,
            type_name=event.type.name,
            line=event.type.line,
            start=event.start,
            end=event.end,
            people=", ".join(isolated(it.name) for it in people[:MAX_SCREEN_PEOPLE]) + more,
            minutes=self._minutes(event.start),
            type_slug=event.type.slug,
            is_cancelled=event.is_cancelled,
            is_tentative=event.status == Status.TENTATIVE,
            language=event.language,
            poll=self._poll(event),
            place=event.room.name if event.room else event.place,
            break_place=event.place if event.type.kind == Kind.BREAK and not event.room else "",
            note=note,
        )

    def _poll(self, event: Event) -> PollCard | None:
        is_on = event.start is not None and event.start <= self.clock.now
        return open_result(event, self.clock.now) if is_on and getattr(event, "is_polled", False) else None

    def _minutes(self, start: dt.datetime) -> int | None:
        """Return the minutes until the start; None if it is over or further away than the countdown."""
        wait = int((start - self.clock.now) / dt.timedelta(minutes=1))
        return wait if start > self.clock.now and wait <= MAX_COUNTDOWN_MINUTES else None
