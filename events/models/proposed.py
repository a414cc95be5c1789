"""What a proposal says and what an event says, field by field: the ground on which their difference is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from events.models.event import Event
    from events.models.proposals import Proposal

FIELDS = (
    *("title", "date", "start", "end", "place", "host", "about", "audience"),
    *("signup_url", "signup_until", "cost", "capacity", "access_notes"),
)
"""What a sender may say of a social."""
HOSTS_APART = "; "
"""Between two hosts: a comma is in many a name."""


def said(proposal: Proposal) -> dict[str, Any]:
    return {name: getattr(proposal, name) for name in FIELDS}


def standing(event: Event) -> dict[str, Any]:
    """The same of an event, as whoever corrects it reads it."""
    hosts = [it.person.name for it in event.appearances.select_related("person") if it.role == "host"]
    words = {
        "date": event.day.date if event.day else None,
        "place": ", ".join(filter(None, [event.place, event.room.name if event.room else ""])),
        "host": HOSTS_APART.join(hosts),
        "about": event.abstract,
    }
    return {name: words[name] if name in words else getattr(event, name) for name in FIELDS}


def plain(values: Mapping[str, Any]) -> dict[str, str]:
    """As text that can be kept and compared: an instant is the same one in whatever zone it is written."""
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat(timespec="seconds")
    if isinstance(value, dt.date):
        return value.isoformat()
    # A browser sends another end of line than what it was given.
    return "" if value is None else str(value).replace("\r\n", "\n").strip()
