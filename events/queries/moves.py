"""Where events moved from, folded from their changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from zoneinfo import ZoneInfo

from events.models import Change, Event

MOVING = ("day", "start", "room")
FRESH = dt.timedelta(days=2)


def moved_from(events: Iterable[Event], since: Mapping[int, dt.datetime] | dt.datetime, zone: ZoneInfo) -> dict[int, str]:
    """For each event that stands elsewhere than at ``since`` (one instant, or one per event id): where it stood then.

    Two moves read as one, a move and its way back as none.
    """
    by_id = {event.pk: event for event in events}
    changes = Change.objects.filter(event__in=by_id, field__in=MOVING).order_by("at", "pk")
    return _moved_from(by_id, changes.values_list("event_id", "field", "old", "at"), since, zone)


def event_moved_from(event: Event, since: dt.datetime, zone: ZoneInfo) -> str:
    """The same for one event whose changes were prefetched."""
    changes = [(event.pk, it.field, it.old, it.at) for it in reversed(event.changes.all()) if it.field in MOVING]
    return _moved_from({event.pk: event}, changes, since, zone).get(event.pk, "")


def _moved_from(
    by_id: Mapping[int, Event],
    changes: Iterable[tuple[int, str, str, dt.datetime]],
    since: Mapping[int, dt.datetime] | dt.datetime,
    zone: ZoneInfo,
) -> dict[int, str]:
    first: dict[int, dict[str, str]] = {}
    for event_id, field, old, at in changes:
        start = since if isinstance(since, dt.datetime) else since.get(event_id)
        if start is not None and at > start:
            first.setdefault(event_id, {}).setdefault(field, old)
    told = {event_id: _told(by_id[event_id], olds, zone) for event_id, olds in first.items()}
    return {event_id: text for event_id, text in told.items() if text}


def _told(event: Event, olds: dict[str, str], zone: ZoneInfo) -> str:
    differing = {field: old for field, old in olds.items() if old and old != event.announced.get(field, "")}
    return ", ".join(_words(event, field, old, zone) for field, old in differing.items() if _is_news(field, differing))


def _is_news(field: str, differing: dict[str, str]) -> bool:
    # A new start says the new day along with it.
    return field != "day" or "start" not in differing


def _words(event: Event, field: str, old: str, zone: ZoneInfo) -> str:
    if field == "room":
        return old
    if field == "day":
        date = dt.date.fromisoformat(old)
        return f"{date:%a} {date.day} {date:%B}"
    start = dt.datetime.fromisoformat(old).astimezone(zone)
    same_day = event.start is not None and event.start.astimezone(zone).date() == start.date()
    return f"{start:%H:%M}" if same_day else f"{start:%a} {start.day} {start:%B, %H:%M}"
