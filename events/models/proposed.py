"""What a proposal says and what an event says, field by field: the ground on which their difference is told."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from events.models.event import Event
    from events.models.proposals import Proposal

PARTS: dict[str, tuple[str, ...]] = {
    "title": ("title",),
    # Taken or left together: a new start and an old end need not fit.
    "when": ("date", "start", "end"),
    **{it: (it,) for it in ("place", "host", "about", "audience", "signup_url", "signup_until", "cost", "capacity")},
    "access_notes": ("access_notes",),
}
FIELDS = tuple(name for names in PARTS.values() for name in names)
"""What a sender may say of a social."""
HOSTS_APART = "; "
"""Between two hosts: a comma is in many a name."""
LONGEST = {"place": 200, "host": 200, "about": 10_000}
"""Where an event has room for more than a proposal."""


class Verdict(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    # The sender left it alone, and organisers changed it since.
    KEPT = "kept"
    # Both changed it.
    CONFLICT = "conflict"


def said(proposal: Proposal) -> dict[str, Any]:
    return {name: getattr(proposal, name) for name in FIELDS}


def standing(event: Event) -> dict[str, Any]:
    """The same of an event, as whoever corrects it reads it."""
    words: dict[str, Any] = {
        "date": event.day.date if event.day else None,
        "place": ", ".join(filter(None, [event.place, event.room.name if event.room else ""])),
        "host": HOSTS_APART.join(hosts_of(event)),
        "about": event.abstract,
    }
    values = {name: words[name] if name in words else getattr(event, name) for name in FIELDS}
    return values | {name: values[name][:longest] for name, longest in LONGEST.items()}


def hosts_of(event: Event) -> tuple[str, ...]:
    return tuple(it.person.name for it in event.appearances.select_related("person") if it.role == "host")


def plain(values: Mapping[str, Any]) -> dict[str, str]:
    """As text that can be kept and compared: an instant is the same one in whatever zone it is written."""
    return {name: _plain(value) for name, value in values.items()}


def weigh(proposal: Proposal, event: Event | None) -> dict[str, Verdict]:
    """Part by part, who changed what since the sender saw the event; of what is no event yet, all that is said is new."""
    new, now = plain(said(proposal)), plain(standing(event)) if event else dict.fromkeys(FIELDS, "")
    base = {**now, **proposal.base} if event else now

    def verdict(names: tuple[str, ...]) -> Verdict:
        theirs, ours, seen = (tuple(values[name] for name in names) for values in (new, now, base))
        if theirs == ours:
            return Verdict.SAME
        if theirs == seen:
            return Verdict.KEPT
        return Verdict.CHANGED if ours == seen else Verdict.CONFLICT

    return {part: verdict(names) for part, names in PARTS.items()}


def own_guid(proposal: Proposal) -> uuid.UUID:
    """Of the event that it becomes: there can be but one, and whoever chose the proposal's guid has not chosen this one."""
    return uuid.uuid5(proposal.guid, "event")


def _plain(value: Any) -> str:
    if isinstance(value, dt.datetime):
        # No form shows seconds.
        return value.astimezone(dt.UTC).isoformat(timespec="minutes")
    if isinstance(value, dt.date):
        return value.isoformat()
    # A browser sends another end of line than what it was given.
    return "" if value is None else str(value).replace("\r\n", "\n").strip()
