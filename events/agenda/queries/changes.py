"""The changes of bookmarked events since a visitor last saw them, and the conflicts that follow."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, BookmarkedEvent
from events.agenda.queries.conflict_words import conflict_text
from events.agenda.queries.conflicts import slots_of, walks_of
from events.core.clock import Clock, not_after_now, with_pinned_time
from events.core.db.prepared_query import prepared
from events.programme.models.event import Event
from events.programme.models.venue import Room
from events.programme.queries.changes import IMPLIED_FIELDS, ChangeLine, change_line
from events.programme.queries.events import for_slots
from events.programme.rules.changes import MESSAGE_FIELD, Consequence, FieldChange, NetChange, consequences, net_changes
from events.programme.rules.slots import TimeSlot

NEWS_FIELDS = (MESSAGE_FIELD, "status", "day", "start", "end", "room", "title", "board", "signup_state")
"""The fields that matter to visitors who plan to attend."""


@dataclass(frozen=True)
class ConflictChange:
    """A conflict with another bookmark that a change created or resolved."""

    title: str
    url: str
    verdict: str
    sentence: str
    new: bool
    quiet: bool = False


@dataclass(frozen=True)
class NewsItem:
    """The changes of one bookmarked event."""

    event: Event
    url: str
    lines: list[ChangeLine]
    results: list[ConflictChange]
    upto: dt.datetime

    @property
    def has_new_conflict(self) -> bool:
        return any(result.new and not result.quiet for result in self.results)


@dataclass(frozen=True)
class News:
    items: list[NewsItem]

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def upto(self) -> dt.datetime | None:
        return max((item.upto for item in self.items), default=None)


def past_bookmark_count(agenda: Agenda, clock: Clock) -> int:
    """The number of bookmarked events that are over, which have no news. With the revisions it identifies the news."""
    return sum(_is_over(event, not_after_now(clock)) for event in agenda.bookmarked_events.values())


def public_event_of(agenda: Agenda, guid: UUID) -> Event | None:
    """The public event of the agenda's conference, bookmarked or not."""
    return Event.objects.public().filter(guid=guid, conference=agenda.conference_id).first()


def agenda_news(agenda: Agenda, clock: Clock) -> News:
    """In order of the events."""
    steps, since = _steps(agenda, clock)
    if not steps:
        return News([])
    events = {event.pk: event for event in for_slots(agenda.events, "type__name", "type__colour").in_order()}
    for event in events.values():
        event.conference = agenda.conference
    changes = {key: folds for key, folds in net_changes(steps, since).items() if isinstance(key, int) and key in events}
    if not changes:
        return News([])
    results = _conflict_changes(agenda, events, changes, clock)
    return News([_news_item(events[key], changes[key], results[key], clock) for key in events if key in changes])


@prepared
def _changes_since_bookmarked(agenda: int, now: dt.datetime) -> QuerySet[Bookmark, Any]:
    changed = Bookmark.objects.filter(
        agenda=agenda,
        removed_at=None,
        event__changes__field__in=NEWS_FIELDS,
        event__changes__at__gt=F("created_at"),
        event__changes__at__lte=now,
    )
    columns = [f"event__changes__{name}" for name in ("field", "old", "new", "at", "reason")]
    return changed.order_by("event__changes__at", "event__changes__pk").values_list("created_at", "seen_at", "event_id", *columns)


def _steps(agenda: Agenda, clock: Clock) -> tuple[list[FieldChange], dict[Hashable, dt.datetime]]:
    clock = not_after_now(clock)
    coming = {pk for pk, event in agenda.bookmarked_events.items() if not _is_over(event, clock)}
    if not coming:
        return [], {}
    steps, since = [], {}
    for bookmarked_at, seen_at, key, *change in _changes_since_bookmarked(agenda.pk, clock.made_at):
        if key not in coming:
            continue
        # A bookmark made after a change includes it, also if the event was bookmarked before or marked as seen earlier.
        known_at = max(bookmarked_at, seen_at or bookmarked_at)
        step = FieldChange(key, *change)
        if step.at > known_at:
            steps.append(step)
            since[key] = known_at
    return steps, since


def _is_over(event: BookmarkedEvent, clock: Clock) -> bool:
    return event.end is not None and clock.has_come(event.end)


def _conflict_changes(
    agenda: Agenda, events: Mapping[int, Event], changes: Mapping[int, Sequence[NetChange]], clock: Clock
) -> dict[int, list[ConflictChange]]:
    slots = {
        slot.key: slot
        for slot in slots_of(events.values(), {key: event.level for key, event in agenda.bookmarked_events.items()})
    }
    walks = walks_of(agenda.conference)
    zones = _old_zones(agenda, changes)
    before: dict[Hashable, TimeSlot] = {
        key: _slot_before(slots[key], {fold.field: fold.old for fold in folds}, zones) for key, folds in changes.items()
    }
    by_key = dict[Hashable, Event](events.items())
    results = {}
    for key in changes:
        others = [(before.get(other, slot), slot) for other, slot in slots.items() if other != key]
        found = consequences(before[key], slots[key], others, walks)
        results[key] = [_conflict_change(by_key[it.other], it, (slots[key], slots[it.other]), clock) for it in found]
    return results


def _old_zones(agenda: Agenda, changes: Mapping[int, Sequence[NetChange]]) -> dict[str, int]:
    """The zones of former rooms by name, because changes store names."""
    names = {fold.old for folds in changes.values() for fold in folds if fold.field == "room" and fold.old}
    rooms = Room.objects.filter(conference=agenda.conference, name__in=names) if names else Room.objects.none()
    return dict(rooms.values_list("name", "zone"))


def _slot_before(slot: TimeSlot, old: Mapping[str, str], zones: Mapping[str, int]) -> TimeSlot:
    return replace(
        slot,
        start=_moment(old["start"]) if "start" in old else slot.start,
        end=_moment(old["end"]) if "end" in old else slot.end,
        zone=zones.get(old["room"]) if "room" in old else slot.zone,
        cancelled=old["status"] == "cancelled" if "status" in old else slot.cancelled,
    )


def _moment(text: str) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _conflict_change(other: Event, consequence: Consequence, now: tuple[TimeSlot, TimeSlot], clock: Clock) -> ConflictChange:
    sentence = conflict_text(consequence.conflict) if consequence.new else _end_text(*now)
    quiet = consequence.new and consequence.conflict.quiet
    return ConflictChange(
        other.title,
        with_pinned_time(other.get_absolute_url(), clock),
        consequence.conflict.verdict,
        sentence,
        consequence.new,
        quiet,
    )


def _end_text(*slots: TimeSlot) -> str:
    if any(slot.cancelled for slot in slots):
        return "No clash any more"
    return "You can attend both now" if all(slot.timed for slot in slots) else "No clash while the time is open"


def _news_item(event: Event, folds: Sequence[NetChange], results: list[ConflictChange], clock: Clock) -> NewsItem:
    order = {name: place for place, name in enumerate(NEWS_FIELDS)}
    shown = [fold for fold in folds if not _is_implied(fold, folds)]
    lines = [change_line(fold, event, clock) for fold in sorted(shown, key=lambda fold: order[fold.field])]
    return NewsItem(event, with_pinned_time(event.get_absolute_url(), clock), lines, results, max(fold.at for fold in folds))


def _is_implied(fold: NetChange, folds: Sequence[NetChange]) -> bool:
    return fold.field in IMPLIED_FIELDS and any(it.field == "start" for it in folds)
