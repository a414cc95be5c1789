"""What the exports of conference services share: local times, people, links, breaks and cancelled titles."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from events.core.parsing import cells, values
from events.imports.formats import times
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.kinds import event_kind
from events.programme.data.schedule import AppearanceData, LinkData

TIME_REMEDY = "write it as 2025-04-24T09:30"
_CANCELLED_PATTERN = re.compile(
    r"\s*(?:[\[(]\s*cancell?ed\s*[\])]|cancell?ed\s*[:–—-])\s*(?=\S)"
    r"|\s*[\[(]\s*cancell?ed\s*[\])]\s*$|(?<=\S)\s+[–—-]\s*cancell?ed\s*$",
    re.IGNORECASE,
)
_DINNER_PATTERN = re.compile(r"\bdinner\b", re.IGNORECASE)
_CEREMONY_PATTERN = re.compile(
    r"\b(?:opening|closing|welcome|ceremony|remarks|kick-?off|keynotes?|awards?|wrap-?up|farewell)\b", re.IGNORECASE
)
_IN_BRACKETS_PATTERN = re.compile(r"\s*\([^()]*\)\s*$")
_MAIL_LINK_PATTERN = re.compile(r"mailto:|^[^/\s]+@[^/\s]+$", re.IGNORECASE)
MAX_ENTRY_PEOPLE = 5_000
MAX_ENTRY_LINKS = 50


class EntryValues:
    """Reads the values of one entry after the other; each message names the entry's location."""

    def __init__(self, builder: ScheduleBuilder) -> None:
        self.builder = builder

    def times(self, start: Any, end: Any, location: str) -> tuple[dt.datetime | None, dt.datetime | None]:
        """Return start and end; None for both if the hour of the start is unknown."""
        begin = self.time(start, "its start", location)
        return (begin, self.time(end, "its end", location)) if begin else (None, None)

    def time(self, value: Any, name: str, location: str, *, zone: ZoneInfo | None = None) -> dt.datetime | None:
        """Return the time of a text, in ``zone`` or the conference's if it names no offset; warn if it cannot be read."""
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        parsed = times.parse_start(value, zone or self.builder.zone) if isinstance(value, str) else None
        if parsed is None:
            problem = f"{name}, {shown_value(value)}, is no date with a time; it is left out: {TIME_REMEDY}"
            self.builder.warn_of_time(location, problem)
            return None
        if parsed.warning:
            self.builder.warn(f"{location}: {parsed.warning}")
        return parsed.at

    def links(self, listed: Iterable[tuple[str, Any, str]], location: str) -> tuple[LinkData, ...]:
        """Return links for kind, address and title; without e-mail addresses, and each address once."""
        links: dict[str, LinkData] = {}
        for kind, value, title in listed:
            url = values.as_text(value).strip()
            if len(links) >= MAX_ENTRY_LINKS or not url or _MAIL_LINK_PATTERN.search(url[:300]):
                continue
            for link in self.builder.link(url, kind=kind or values.link_kind(title or url), title=title, location=location):
                links.setdefault(link.url, link)
        return tuple(links.values())

    def address(self, value: Any, location: str) -> str:
        return next((link.url for link in self.links([("website", value, "")], location)), "")


def room_key(number: str) -> str:
    """Return the key of a room that a service numbers: it stays when the room gets another name."""
    return f"room-{number}" if number else ""


def appearances(people: Iterable[tuple[str, str]]) -> tuple[AppearanceData, ...]:
    """Return each person once in each role, in order, for keys and roles; without empty keys."""
    return tuple(AppearanceData(person=key, role=role) for key, role in dict.fromkeys(people) if key)


def ids_of_one_name(people: Iterable[tuple[str, str]]) -> set[str]:
    """Return ids that belong to one name; in merged programmes, 0 and other ids belong to many people."""
    names: dict[str, set[str]] = defaultdict(set)
    for person_id, name in people:
        names[person_id].add(name)
    return {person_id for person_id, owners in names.items() if person_id not in {"", "0"} and len(owners) == 1}


def without_cancelled(title: str) -> tuple[str, str]:
    """Return the title without “CANCELLED:”, “(cancelled)” or “– cancelled” at its start or end, and the event's status.

    >>> without_cancelled("[Canceled] Bees"), without_cancelled("Cancelled flights")
    (('Bees', 'cancelled'), ('Cancelled flights', 'confirmed'))
    """
    shortened = _CANCELLED_PATTERN.sub("", title[:400], count=1)
    return (shortened or title, "cancelled") if shortened != title[:400] else (title, "confirmed")


def kind_without_speakers(title: str) -> str:
    """Return the kind of an entry that no speaker gives: a party or dinner is a social, an opening a talk, others are breaks.

    >>> [kind_without_speakers(title) for title in ("Lunch", "Conference dinner", "Opening remarks", "Registration")]
    ['break', 'social', 'talk', 'break']
    """
    label = without_brackets(title)
    kind = event_kind(label)
    if kind == "social" or _DINNER_PATTERN.search(label):
        return "social"
    return "talk" if kind in {"talk", "session", "invited-talk"} and _CEREMONY_PATTERN.search(label) else "break"


def without_brackets(title: str) -> str:
    """Return “Lunch” for “Lunch (Sunday)”."""
    return _IN_BRACKETS_PATTERN.sub("", title[:300])


def shown_value(value: Any) -> str:
    """Return a value of any type for a message."""
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return cells.quoted(str(value)[:100])
    return {dict: "an object", list: "a list", bool: "a truth value"}.get(type(value), "an empty value")
