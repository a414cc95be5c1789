"""What changed for one visitor since they last looked: their picks only, first to last, and what follows from it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import F

from events.models import Agenda, Event, Room
from events.models.picks import Pick
from events.queries.changes import ChangeLine, line_of
from events.queries.pinned import carried, told
from events.queries.slots import for_slots, sentence, slots_of, walks_of
from events.schedule.clock import Clock
from events.schedule.folding import Consequence, Fold, Step, consequences, folded
from events.schedule.slots import Slot

NEWS = ("status", "day", "start", "end", "room", "title", "board", "signup_state")
"""The fields whose change makes somebody come elsewhere, at another time, or not at all."""


@dataclass(frozen=True)
class Result:
    """What a change does to another pick."""

    title: str
    url: str
    verdict: str
    sentence: str
    new: bool
    quiet: bool = False


@dataclass(frozen=True)
class NewsItem:
    """All that is new about one pick."""

    event: Event
    url: str
    lines: list[ChangeLine]
    results: list[Result]
    upto: dt.datetime

    @property
    def clashes(self) -> bool:
        return any(result.new and not result.quiet for result in self.results)


@dataclass(frozen=True)
class News:
    items: list[NewsItem]

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def upto(self) -> dt.datetime | None:
        """When the last of it changed: what changes later has not been shown."""
        return max((item.upto for item in self.items), default=None)


def count_over(agenda: Agenda, clock: Clock) -> int:
    """How many picks can be no news any more: with that and the revisions, the count of what is new is what it was."""
    return sum(_is_over(pick, told(clock).now) for pick in agenda.picks.values())


def agenda_news(agenda: Agenda, clock: Clock) -> News:
    """By the time of the events."""
    steps, since = _steps(agenda, clock)
    if not steps:
        return News([])
    events = {event.pk: event for event in for_slots(agenda.events, "type__name", "type__colour").in_order()}
    for event in events.values():
        event.conference = agenda.conference
    found = {key: folds for key, folds in folded(steps, since).items() if isinstance(key, int) and key in events}
    if not found:
        return News([])
    results = _results(agenda, events, found, clock)
    return News([_item(events[key], found[key], results[key], clock) for key in events if key in found])


def _steps(agenda: Agenda, clock: Clock) -> tuple[list[Step], dict[Hashable, dt.datetime]]:
    """The changes of the picks since each was looked at, in order, and when that was; what is over by now is no news."""
    now = told(clock).now
    coming = [pk for pk, pick in agenda.picks.items() if not _is_over(pick, now)]
    if not coming:
        return [], {}
    since_picked = agenda.bookmarks.filter(
        event__in=coming, event__changes__field__in=NEWS, event__changes__at__gt=F("created_at"), event__changes__at__lte=now
    ).order_by("event__changes__at", "event__changes__pk")
    steps, since = [], {}
    columns = [f"event__changes__{name}" for name in ("field", "old", "new", "at", "reason")]
    for picked_at, seen_at, key, *change in since_picked.values_list("created_at", "seen_at", "event_id", *columns):
        # Who picks an event knows it as it is then, also where something else was looked at later, or it was picked before.
        known_at = max(picked_at, seen_at or picked_at)
        step = Step(key, *change)
        if step.at > known_at:
            steps.append(step)
            since[key] = known_at
    return steps, since


def _is_over(pick: Pick, now: dt.datetime) -> bool:
    return pick.end is not None and pick.end <= now


def _results(
    agenda: Agenda, events: Mapping[int, Event], found: Mapping[int, Sequence[Fold]], clock: Clock
) -> dict[int, list[Result]]:
    """For each changed pick, the conflicts it has now and had not, and those it is rid of."""
    slots = {slot.key: slot for slot in slots_of(events.values(), {key: pick.level for key, pick in agenda.picks.items()})}
    walks = walks_of(agenda.conference)
    zones = _zones(agenda, found)
    results = {}
    for key, folds in found.items():
        others = [slot for other, slot in slots.items() if other != key]
        before = _before(slots[key], {fold.field: fold.old for fold in folds}, zones)
        results[key] = [_result(events, it, clock) for it in consequences(before, slots[key], others, walks)]
    return results


def _zones(agenda: Agenda, found: Mapping[int, Sequence[Fold]]) -> dict[str, int]:
    """Where the rooms stand that things moved from; changes know them by name."""
    names = {fold.old for folds in found.values() for fold in folds if fold.field == "room" and fold.old}
    rooms = Room.objects.filter(conference=agenda.conference, name__in=names) if names else Room.objects.none()
    return dict(rooms.values_list("name", "zone"))


def _before(slot: Slot, old: Mapping[str, str], zones: Mapping[str, int]) -> Slot:
    """The slot as it was."""
    return replace(
        slot,
        start=_moment(old["start"]) if "start" in old else slot.start,
        end=_moment(old["end"]) if "end" in old else slot.end,
        zone=zones.get(old["room"]) if "room" in old else slot.zone,
        cancelled=old["status"] == "cancelled" if "status" in old else slot.cancelled,
    )


def _moment(text: str) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _result(events: Mapping[int, Event], found: Consequence, clock: Clock) -> Result:
    other = next(event for key, event in events.items() if key == found.other)
    words = sentence(found.conflict) if found.new else "You can attend both now"
    quiet = found.new and found.conflict.quiet
    return Result(other.title, carried(other.get_absolute_url(), clock), found.conflict.verdict, words, found.new, quiet)


def _item(event: Event, folds: Sequence[Fold], results: list[Result], clock: Clock) -> NewsItem:
    order = {name: place for place, name in enumerate(NEWS)}
    shown = [fold for fold in folds if not _says_less(fold, folds)]
    lines = [line_of(fold, event, clock) for fold in sorted(shown, key=lambda fold: order[fold.field])]
    return NewsItem(event, carried(event.get_absolute_url(), clock), lines, results, max(fold.at for fold in folds))


def _says_less(fold: Fold, folds: Sequence[Fold]) -> bool:
    """A new start says the new day and the new end along with it."""
    return fold.field in {"day", "end"} and any(it.field == "start" for it in folds)
