"""Whether the calendars that subscribed know everything: who came when, and what has changed since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.calendars.clients import BROWSER, NAMES, OTHER
from events.models import Agenda, FeedFetch

STALE = dt.timedelta(days=2)
# A change that was being written while a calendar came may not be in what it was given.
IN_DOUBT = dt.timedelta(seconds=10)
MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
# Why one that was here a moment ago may still show an old state, or be right to come seldom.
PATIENCE = {"google": "Google may take a day", "outlook": "Outlook may take some hours"}
# When each event was picked, and when it changed last.
Revised = Sequence[tuple[dt.datetime, dt.datetime]]


@dataclass(frozen=True)
class Visit:
    """``picks`` and ``changes``: how many times the holder changed the agenda since, and how many of its events changed."""

    kind: str
    at: dt.datetime
    ago: str
    picks: int
    changes: int
    is_stale: bool

    @property
    def client(self) -> str:
        return NAMES.get(self.kind, NAMES[OTHER])

    @property
    def is_browser(self) -> bool:
        """Somebody looked at the address, which is no subscription."""
        return self.kind == BROWSER

    @property
    def is_current(self) -> bool:
        return not self.picks and not self.changes

    @property
    def missing(self) -> str:
        """What it has not been told: "your last 2 changes and 1 changed event"."""
        return " and ".join(filter(None, [_picks(self.picks), _changes(self.changes)]))

    @property
    def patience(self) -> str:
        return PATIENCE.get(self.kind, "")


def _picks(count: int) -> str:
    return f"your last {count} changes" if count > 1 else "your last change" if count else ""


def _changes(count: int) -> str:
    return f"{count} changed event{'s' if count > 1 else ''}" if count else ""


def visits(agenda: Agenda, fetches: Iterable[FeedFetch], revised: Revised, now: dt.datetime | None) -> list[Visit]:
    """The latest first. Without a now, as while somebody looks at another moment, nothing is long ago."""
    found = [_visit(agenda, fetch, revised, now) for fetch in fetches]
    return sorted(found, key=lambda visit: visit.at, reverse=True)


def _visit(agenda: Agenda, fetch: FeedFetch, revised: Revised, now: dt.datetime | None) -> Visit:
    return Visit(
        kind=fetch.client,
        at=fetch.at,
        ago=ago(now - fetch.at) if now else "",
        picks=max(agenda.revision - fetch.agenda_revision, 0),
        changes=changed_since(fetch, revised) if fetch.conference_revision < agenda.conference.revision else 0,
        is_stale=bool(now and now - fetch.at > STALE),
    )


def changed_since(fetch: FeedFetch, revised: Revised) -> int:
    """What was picked later counts with the picks."""
    return sum(picked <= fetch.at and moment > fetch.at - IN_DOUBT for picked, moment in revised)


def ago(length: dt.timedelta) -> str:
    """As people say it, never more exact than it needs to be."""
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        # Two of the smaller say more than one of the larger: 30 hours is not a day.
        if length >= unit * (2 if unit == DAY else 1):
            count = length // unit
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
