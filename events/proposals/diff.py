"""Three-way comparison of a proposal with its event: as proposed, as it is, and as the sender saw it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from events.programme.models.event import Event
    from events.proposals.models import Proposal


PROPOSAL_PARTS: dict[str, tuple[str, ...]] = {
    "title": ("title",),
    # Accepted together: a new start and an old end may not fit.
    "when": ("date", "start", "end"),
    **{name: (name,) for name in ("place", "host", "about", "audience", "signup_url", "signup_until", "cost", "capacity")},
    "access_notes": ("access_notes",),
}
PROPOSAL_FIELDS = tuple(name for names in PROPOSAL_PARTS.values() for name in names)
"""The fields of a social that a sender can propose."""
HOST_SEPARATOR = "; "
"""Not a comma, which is in many names."""
MAX_FIELD_CHARS = {"place": 200, "host": 200, "about": 10_000}
"""Fields that are longer in an event than in a proposal."""


class DiffState(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    # Organisers changed it, the sender did not.
    KEPT = "kept"
    # Both changed it.
    CONFLICT = "conflict"


def proposed_values(proposal: Proposal) -> dict[str, Any]:
    return {name: getattr(proposal, name) for name in PROPOSAL_FIELDS}


def values_of(event: Event) -> dict[str, Any]:
    derived: dict[str, Any] = {
        "date": event.day.date if event.day else None,
        "place": ", ".join(filter(None, [event.place, event.room.name if event.room else ""])),
        "host": HOST_SEPARATOR.join(hosts_of(event)),
        "about": event.abstract,
    }
    values = {name: derived[name] if name in derived else getattr(event, name) for name in PROPOSAL_FIELDS}
    return values | {name: values[name][:max_chars] for name, max_chars in MAX_FIELD_CHARS.items()}


def hosts_of(event: Event) -> tuple[str, ...]:
    return tuple(appearance.person.name for appearance in event.appearances.select_related("person") if appearance.role == "host")


def comparable_values(values: Mapping[str, Any]) -> dict[str, str]:
    """As text, to be stored and compared: instants in UTC."""
    return {name: _comparable_value(value) for name, value in values.items()}


def compare(proposal: Proposal, event: Event | None) -> dict[str, DiffState]:
    """By part. For a new social everything that is filled in is CHANGED."""
    new, now = (
        comparable_values(proposed_values(proposal)),
        comparable_values(values_of(event)) if event else dict.fromkeys(PROPOSAL_FIELDS, ""),
    )
    base = {**now, **proposal.base} if event else now

    def state(names: tuple[str, ...]) -> DiffState:
        theirs, ours, seen = (tuple(values[name] for name in names) for values in (new, now, base))
        if theirs == ours:
            return DiffState.SAME
        if theirs == seen:
            return DiffState.KEPT
        return DiffState.CHANGED if ours == seen else DiffState.CONFLICT

    return {part: state(names) for part, names in PROPOSAL_PARTS.items()}


def event_guid(proposal: Proposal) -> uuid.UUID:
    """The guid of the new event: one for each proposal, and not chosen by its sender."""
    return uuid.uuid5(proposal.guid, "event")


def _comparable_value(value: Any) -> str:
    if isinstance(value, dt.datetime):
        # Forms show no seconds.
        return value.astimezone(dt.UTC).isoformat(timespec="minutes")
    if isinstance(value, dt.date):
        return value.isoformat()
    # Browsers send CRLF.
    return "" if value is None else str(value).replace("\r\n", "\n").strip()
