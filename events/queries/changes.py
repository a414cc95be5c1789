"""What changed, in words an attendee reads at a glance."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from events.models import Change, Conference, Event, SignupState
from events.models.event import Status
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.schedule.folding import Fold

MOST_OF_ONE = 20
WHAT = {
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
    "recording_from": "Recording from",
    "track": "Track",
    "type": "Kind",
    "cost": "Cost",
    "capacity": "Places in all",
}


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


def public_changes(conference: Conference) -> QuerySet[Change]:
    """The conference's changelog, the newest first."""
    return Change.objects.public().filter(event__conference=conference).select_related("event__conference", "event__type")


def lines_of_event(event: Event, clock: Clock) -> list[ChangeLine]:
    """The event's own changes, the newest first; being new is not one."""
    return [line_of(change, event, clock) for change in list(event.changes.all())[:MOST_OF_ONE] if not change.is_new_event]


def as_lines(changes: Iterable[Change], clock: Clock) -> list[ChangeLine]:
    return [line_of(change, change.event, clock) for change in changes]


def line_of(change: Change | Fold, event: Event, clock: Clock) -> ChangeLine:
    """One change of the event, or several folded into one, in words."""
    return ChangeLine(
        title=event.title,
        url=carried(event.get_absolute_url(), clock),
        type_name=event.type.name,
        line=event.type.line,
        at=change.at,
        what=_what(change),
        old=_words(change.field, change.old),
        new=_words(change.field, change.new),
        reason=change.reason,
    )


def _what(change: Change | Fold) -> str:
    if change.field == "start" and not change.old:
        return "Hour announced"
    if change.field != "status":
        return WHAT.get(change.field, change.field)
    if not change.old:
        return "New"
    if change.old == Status.CANCELLED and change.new == Status.CONFIRMED:
        return "On again"
    return str(Status(change.new).label)


def _words(field: str, value: str) -> str:
    """A stored value as people read it; times in the zone that is on."""
    if not value:
        return "to be announced" if field in {"start", "end", "day", "room"} else ""
    match field:
        case "start" | "end" | "signup_until":
            moment = timezone.localtime(dt.datetime.fromisoformat(value))
            return f"{moment:%a} {moment.day} {moment:%b, %H:%M}"
        case "day" | "recording_from":
            date = dt.date.fromisoformat(value)
            return f"{date:%a} {date.day} {date:%B}"
        case "signup_state":
            return str(SignupState(value).label)
        case "status":
            return ""
        case _:
            return value
