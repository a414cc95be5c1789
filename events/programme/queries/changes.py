"""Changes of events as lines of text: the changelog, and the earlier places of moved events."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef
from django.utils import timezone

from events.core.clock import Clock, with_pinned_time
from events.programme.models.changes import Change, ChangeQuerySet
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import SignupState, Status
from events.programme.rules.changes import MESSAGE_FIELD, NetChange

MAX_CHANGES_PER_EVENT = 20
MOMENT_FIELDS = ("start", "end", "signup_until")
CHANGE_LABELS = {
    MESSAGE_FIELD: "From the organisers",
    "start": "Moved",
    "end": "New end",
    "day": "New day",
    "room": "New room",
    "title": "New title",
    "people": "People",
    "session": "Part of",
    "board": "Board",
    "signup_state": "Places",
    "signup_url": "Sign-up page",
    "signup_until": "Sign-up until",
    "overflow": "Overflow room",
    "official": "Official",
    "do_not_record": "Not recorded",
    "recording_from": "Recording from",
    "track": "Track",
    "type": "Kind",
    "cost": "Cost",
    "capacity": "Places in all",
}

EMPTIED_TEXTS = {"official": "no", "do_not_record": "no", "signup_state": "not known"}
"""What a field is called that has no value any more; of others it is "none". An old value alone would read as the new one."""


@dataclass(frozen=True)
class ChangeLine:
    title: str
    url: str
    type_name: str
    line: str
    at: dt.datetime
    what: str
    old: str
    new: str
    reason: str
    identity: uuid.UUID
    language: str = ""

    @property
    def text(self) -> str:
        """As "Room: Hall 1 -> Hall 2 (The first one is too small)"."""
        values = " -> ".join(value for value in (self.old, self.new) if value)
        return self.what + (f": {values}" if values else "") + (f" ({self.reason})" if self.reason else "")


# The line of a new start shows the new day and end too.
IMPLIED_FIELDS = ("day", "end")


def public_changes(conference: Conference) -> ChangeQuerySet:
    """Return one change for each line: a move is that of the start."""
    moves = Change.objects.filter(event=OuterRef("event"), at=OuterRef("at"), field="start")
    changes = Change.objects.public().filter(event__conference=conference).exclude(Exists(moves), field__in=IMPLIED_FIELDS)
    return changes.select_related("event__conference", "event__type")


def event_change_lines(event: Event, clock: Clock) -> list[ChangeLine]:
    changes = list(event.changes.all())
    ends, moved_at = _new_ends(changes), {it.at for it in changes if it.field == "start"}
    lines = [it for it in changes if not (it.is_new_event or (it.field in IMPLIED_FIELDS and it.at in moved_at))]
    return [change_line(change, event, clock, ends.get(change.at)) for change in lines[:MAX_CHANGES_PER_EVENT]]


def change_lines(changes: Sequence[Change], clock: Clock) -> list[ChangeLine]:
    """``changes`` are those of ``public_changes``."""
    moves = [change for change in changes if change.field == "start"]
    ends: dict[int, dict[dt.datetime, Change]] = {}
    if moves:
        found = Change.objects.filter(event__in={it.event_id for it in moves}, at__in={it.at for it in moves}, field="end")
        for end in found:
            ends.setdefault(end.event_id, {})[end.at] = end
    return [change_line(change, change.event, clock, ends.get(change.event_id, {}).get(change.at)) for change in changes]


def _new_ends(changes: Iterable[Change]) -> dict[dt.datetime, Change]:
    return {change.at: change for change in changes if change.field == "end"}


def change_line(change: Change | NetChange, event: Event, clock: Clock, new_end: Change | None = None) -> ChangeLine:
    """``new_end`` is the change of the end that was made with this change of the start."""
    old, new = _old_and_new(change, new_end if change.field == "start" else None)
    if change.field == "status" and not change.old:
        new = _place_text(event)
    return ChangeLine(
        title=event.title,
        url=with_pinned_time(event.get_absolute_url(), clock),
        type_name=event.type.name,
        line=event.type.line,
        at=change.at,
        what=_change_label(change),
        old=old,
        new=new,
        reason=change.reason,
        language=event.language,
        # Only single changes are in feeds.
        identity=uuid.uuid5(event.guid, str(change.pk) if isinstance(change, Change) else f"{change.field} {change.at}"),
    )


def _old_and_new(change: Change | NetChange, new_end: Change | None) -> tuple[str, str]:
    """The date is repeated only if it changed, as in "Thu 24 Apr, 13:00–13:45" and "13:45–14:30"."""
    if change.field not in MOMENT_FIELDS:
        old_value, new_value = _change_value(change.field, change.old), _change_value(change.field, change.new)
        return old_value, new_value or (EMPTIED_TEXTS.get(change.field, "none") if old_value else "")
    old, new = _local_time(change.old), _local_time(change.new)
    old_end, new_end_time = (_local_time(new_end.old), _local_time(new_end.new)) if new_end else (None, None)
    same_day = old is not None and new is not None and old.date() == new.date()
    new_text = _moment_text(change.field, new, new_end_time, with_date=not same_day)
    return _moment_text(change.field, old, old_end), new_text or ("none" if old else "")


def _place_text(event: Event) -> str:
    """When and where a new event is, as it was published last."""
    start, end = (_local_time(event.announced.get(name, "")) for name in ("start", "end"))
    day = _change_value("day", event.announced["day"]) if "day" in event.announced else ""
    return ", ".join(filter(None, [_moment_text("start", start, end) if start else day, event.announced.get("room", "")]))


def _local_time(value: str) -> dt.datetime | None:
    return timezone.localtime(dt.datetime.fromisoformat(value)) if value else None


def _moment_text(field: str, start: dt.datetime | None, end: dt.datetime | None, *, with_date: bool = True) -> str:
    if start is None:
        return "to be announced" if field in {"start", "end"} else ""
    date = f"{start:%a} {start.day} {start:%b}, " if with_date else ""
    return f"{date}{start:%H:%M}" + (f"–{end:%H:%M}" if end else "")


def _change_label(change: Change | NetChange) -> str:
    if change.field == "start" and not change.old:
        return "Hour announced"
    if change.field != "status":
        return CHANGE_LABELS.get(change.field, change.field)
    if not change.old:
        return "New"
    if change.old == Status.CANCELLED and change.new in {Status.CONFIRMED, Status.TENTATIVE}:
        return "Takes place after all"
    return str(Status(change.new).label)


def _change_value(field: str, value: str) -> str:
    if not value:
        return "to be announced" if field in {"day", "room"} else ""
    match field:
        case "day" | "recording_from":
            date = dt.date.fromisoformat(value)
            return f"{date:%a} {date.day} {date:%B}"
        case "signup_state":
            return str(SignupState(value).label)
        case "status":
            return ""
        case _:
            return value


MOVE_FIELDS = ("day", "start", "room")
MOVE_SHOWN_FOR = dt.timedelta(days=2)


class Move(NamedTuple):
    """A change of time or place. What its event announces now is read with it, since lists read few columns of their events."""

    event_id: int
    field: str
    old: str
    at: dt.datetime
    announced: Mapping[str, str]


MOVE_COLUMNS = ("event_id", "field", "old", "at", "event__announced")


def moved_from(events: Iterable[Event], since: Mapping[int, dt.datetime] | dt.datetime, zone: ZoneInfo) -> dict[int, str]:
    """Return the place of each moved event at ``since`` (one instant, or one per event id), by event id.

    Two moves count as one; a move that was undone counts as none.
    """
    by_id = {event.pk: event for event in events}
    starts = since if isinstance(since, Mapping) else dict.fromkeys(by_id, since)
    changes = Change.objects.filter(event__in=starts.keys() & by_id.keys(), field__in=MOVE_FIELDS).order_by("at", "pk")
    moves = map(Move._make, changes.values_list(*MOVE_COLUMNS))
    return _moved_from(by_id, [move for move in moves if move.at > starts[move.event_id]], zone)


def recently_moved_from(events: Iterable[Event], clock: Clock) -> dict[int, str]:
    """As ``moved_from`` for ``MOVE_SHOWN_FOR``, for a page that ends when a mark does."""
    by_id = {event.pk: event for event in events}
    since = clock.made_at - MOVE_SHOWN_FOR
    changes = Change.objects.filter(event__in=by_id, field__in=MOVE_FIELDS, at__gt=since).order_by("at", "pk")
    return _recently_moved_from(by_id, map(Move._make, changes.values_list(*MOVE_COLUMNS)), clock)


def event_moved_from(event: Event, clock: Clock) -> str:
    """As ``recently_moved_from``, of changes that were read already."""
    changes = [it for it in reversed(event.changes.all()) if it.field in MOVE_FIELDS]
    moves = [Move(event.pk, it.field, it.old, it.at, event.announced) for it in changes]
    return _recently_moved_from({event.pk: event}, moves, clock).get(event.pk, "")


def current_reason(event: Event, moved: str) -> str:
    """The reason of the cancellation, or else of the last move if it is shown as ``moved``; of changes that were read already."""
    fields = ("status",) if event.is_cancelled else MOVE_FIELDS if moved else ()
    return next((it.reason for it in event.changes.all() if it.field in fields), "")


@dataclass(frozen=True)
class ChangeNote:
    """From when the start of an event was moved lately, and the reason; of a cancelled one only the reason of that."""

    moved_from: str = ""
    reason: str = ""


NO_CHANGE_NOTE = ChangeNote()


def change_notes(events: Iterable[Event], clock: Clock) -> dict[int, ChangeNote]:
    """Return them by event id. An event whose SEQUENCE is 0 has none, and needs no query."""
    by_id = {event.pk: event for event in events if event.sequence}
    found = Change.objects.filter(event__in=by_id, field__in=("start", "status")).order_by("at", "pk") if by_id else ()
    changes = [it for it in found if (it.field == "status") == by_id[it.event_id].is_cancelled]
    starts = [it for it in changes if it.field == "start"]
    moves = [Move(it.event_id, it.field, it.old, it.at, by_id[it.event_id].announced) for it in starts]
    moved = _recently_moved_from(by_id, moves, clock)
    reasons = {it.event_id: it.reason for it in changes if it.field == "status" or it.event_id in moved}
    return {pk: ChangeNote(moved.get(pk, ""), reason) for pk, reason in reasons.items()}


def _recently_moved_from(by_id: Mapping[int, Event], moves: Iterable[Move], clock: Clock) -> dict[int, str]:
    recent = [move for move in moves if not clock.has_come(move.at + MOVE_SHOWN_FOR)]
    return _moved_from(by_id, recent, clock.zone)


def _moved_from(by_id: Mapping[int, Event], moves: Iterable[Move], zone: ZoneInfo) -> dict[int, str]:
    """By event id, where it was before the first of these moves, which are in their order."""
    first: dict[int, dict[str, Move]] = {}
    for move in moves:
        first.setdefault(move.event_id, {}).setdefault(move.field, move)
    texts = {event_id: _move_text(by_id[event_id], moved, zone) for event_id, moved in first.items()}
    return {event_id: text for event_id, text in texts.items() if text}


def _move_text(event: Event, moved: Mapping[str, Move], zone: ZoneInfo) -> str:
    differing = {field: it.old for field, it in moved.items() if it.old and it.old != it.announced.get(field, "")}
    return ", ".join(_old_value_text(event, field, old, zone) for field, old in differing.items() if _is_news(field, differing))


def _is_news(field: str, differing: Container[str]) -> bool:
    # The text of the old start names the old day too.
    return field != "day" or "start" not in differing


def _old_value_text(event: Event, field: str, old: str, zone: ZoneInfo) -> str:
    if field == "room":
        return old
    if field == "day":
        date = dt.date.fromisoformat(old)
        return f"{date:%a} {date.day} {date:%B}"
    start = dt.datetime.fromisoformat(old).astimezone(zone)
    same_day = event.start is not None and event.start.astimezone(zone).date() == start.date()
    return f"{start:%H:%M}" if same_day else f"{start:%a} {start.day} {start:%B, %H:%M}"


def calendar_note(event: Event, zone: ZoneInfo) -> str:
    """The reason of a cancellation, or the last move, as "Moved from 09:15 (Speaker is late)"; at the venue's time.

    Does not depend on the present moment. An event whose SEQUENCE is 0 has neither, and needs no query.
    """
    changes = list(event.changes.all()) if event.sequence else []
    if event.is_cancelled:
        status = next((it for it in changes if it.field == "status" and it.old), None)
        return f"Cancelled: {status.reason}" if status and status.reason else ""
    moves = [it for it in changes if it.field in MOVE_FIELDS]
    last = {it.field: it for it in reversed(moves) if it.at == moves[0].at and it.old}
    places = [_old_value_text(event, field, it.old, zone) for field, it in last.items() if _is_news(field, last)]
    reason = next((it.reason for it in last.values() if it.reason), "")
    return f"Moved from {', '.join(places)}" + (f" ({reason})" if reason else "") if places else ""


def may_serve_last(conference: Conference, since: dt.datetime | None) -> bool:
    """Whether files of that time contain only public events: none has become a draft or was deleted since."""
    if since is None:
        return False
    revised = conference.events.filter(revised_at__gt=since, sequence__gt=0)
    deleted = Event.history.filter(conference_id=conference.pk, history_type="-", history_date__gt=since)
    withdrawn = revised.exclude(pk__in=Event.objects.public().filter(conference=conference))
    return not (withdrawn.exists() or deleted.exists())
