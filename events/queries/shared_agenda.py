"""An agenda as others may read it: where its holder is, and nothing of why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from events.models import Agenda, Bookmark, Kind, Level, PrivateEntry, Status
from events.models.picks import is_attended
from events.queries.pinned import carried
from events.schedule.clock import Clock, programme_date
from events.schedule.days import by_day
from events.schedule.merging import Pick, Preview, preview

BUSY = "Busy"


@dataclass(frozen=True)
class SharedRow:
    day: dt.date | None
    start: dt.datetime | None
    end: dt.datetime | None
    title: str
    url: str = ""
    place: str = ""
    maybe: bool = False
    cancelled: bool = False
    line: str = "break"
    key: int = 0
    is_break: bool = False

    @property
    def is_busy(self) -> bool:
        return not self.url


@dataclass(frozen=True)
class SharedDay:
    day: dt.date | None
    rows: list[SharedRow]


def shared_days(agenda: Agenda, clock: Clock) -> list[SharedDay]:
    return in_days(shared_rows([agenda], clock)[agenda.pk])


def in_days(rows: Iterable[SharedRow]) -> list[SharedDay]:
    return [SharedDay(day, sorted(found, key=in_time)) for day, found in by_day(rows)]


def shared_rows(agendas: Iterable[Agenda], clock: Clock) -> dict[int, list[SharedRow]]:
    """For each agenda by its key, in as many queries for eight as for one."""
    found: dict[int, list[SharedRow]] = {agenda.pk: [] for agenda in agendas}
    events = Bookmark.objects.filter(is_attended(), agenda__in=list(found))
    related = ("event__conference", "event__type", "event__day", "event__room", "event__service")
    for pick in events.select_related(*related):
        found[pick.agenda_id].append(_row_of(pick, clock))
    for entry in PrivateEntry.objects.filter(agenda__in=list(found), removed_at=None):
        day = programme_date(entry.start, clock.venue_zone)
        found[entry.agenda_id].append(SharedRow(day, entry.start, entry.end, BUSY))
    return found


def _row_of(pick: Bookmark, clock: Clock) -> SharedRow:
    event = pick.event
    place = event.place or (event.service.place if event.service else "")
    return SharedRow(
        day=event.day.date if event.day else None,
        start=event.start,
        end=event.end,
        title=event.title,
        url=carried(reverse("events:event-detail", args=[event.conference.slug, event.guid]), clock),
        place=event.room.name if event.room else place,
        maybe=pick.level == Level.MAYBE,
        cancelled=event.status == Status.CANCELLED,
        line=event.type.line,
        key=event.pk,
        is_break=event.type.kind == Kind.BREAK,
    )


def in_time(row: SharedRow) -> tuple[bool, dt.datetime, str]:
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    return row.start is None, row.start or never, row.title


def copy_preview(mine: Agenda | None, theirs: Agenda) -> Preview:
    """What taking over somebody's picks would do to one's own."""
    now = theirs.changed_at
    known = mine.bookmarks.values_list("event_id", "removed_at") if mine else []
    own = {event: Pick(Level.MUST, now, removed_at) for event, removed_at in known}
    return preview(own, {event: Pick(Level.MUST, now) for event in theirs.attended().values_list("event_id", flat=True)})
