"""What one can watch later: recordings, and from when on there is a link."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from events.models import Agenda, Event, Level
from events.queries.cards import Card
from events.queries.flags import is_recording_public
from events.queries.pinned import told
from events.schedule.clock import DAY_CHANGE, Clock


@dataclass(frozen=True)
class Recording:
    """A link that works, or the date on which there will be one."""

    url: str
    available_from: dt.date | None
    offset_text: str

    @property
    def is_available(self) -> bool:
        return bool(self.url)


@dataclass(frozen=True)
class LaterRow:
    """A pick to be watched later, and how far that is."""

    card: Card
    recording: Recording | None
    overdue: bool = False
    """The date has come, and nobody has put a link there."""

    level = Level.LATER


def recording_of(event: Event, clock: Clock) -> Recording | None:
    if not event.recording_url and not event.recording_from:
        return None
    minutes, seconds = divmod(event.recording_offset or 0, 60)
    url = event.recording_url if is_recording_public(event, clock) else ""
    return Recording(url, event.recording_from, f"{minutes}:{seconds:02}" if event.recording_offset else "")


def later_rows(cards: Iterable[Card], clock: Clock) -> list[LaterRow]:
    """What can be watched first, then by the date from which it can; what has none comes last."""
    return sorted((_later_row(card, clock) for card in cards), key=_order)


def _later_row(card: Card, clock: Clock) -> LaterRow:
    recording = recording_of(card.event, clock)
    date = recording.available_from if recording and not recording.url else None
    return LaterRow(card, recording, overdue=date is not None and date <= told(clock).today)


def _order(row: LaterRow) -> tuple[bool, bool, dt.date]:
    available = row.recording is not None and row.recording.is_available
    date = row.recording.available_from if row.recording else None
    return not available, date is None, date or dt.date.min


def watchable(agenda: Agenda, clock: Clock) -> list[Event]:
    """What of the agenda's recordings can be watched by now, the latest first."""
    later = Event.objects.public().picked_in(agenda.pk, Level.LATER)
    found = [event for event in later.select_related("conference") if is_recording_public(event, clock)]
    return sorted(found, key=lambda event: (opened_at(event, clock), event.pk), reverse=True)


def opened_at(event: Event, clock: Clock) -> dt.datetime:
    """When its recording could be watched: on its date, or when somebody said where it is, if that was later."""
    date = event.recording_from
    opens = dt.datetime.combine(date, DAY_CHANGE, clock.venue_zone) if date else event.revised_at
    return max(opens, event.revised_at)
