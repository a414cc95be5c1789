"""Agendas as readers of a link see them, and the preview of copying one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark, BookmarkLevel, attended_q
from events.agenda.models.private_entries import PrivateEntry
from events.agenda.rules.merging import MergeableBookmark, MergePreview, preview_merge
from events.core.clock import Clock, programme_date, with_pinned_time
from events.programme.models.labels import Kind, Status
from events.programme.rules.days import by_day

BUSY_TITLE = "Busy"


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
    language: str = ""

    @property
    def is_busy(self) -> bool:
        return not self.url


@dataclass(frozen=True)
class SharedDay:
    day: dt.date | None
    rows: list[SharedRow]


def shared_days(agenda: Agenda, clock: Clock) -> list[SharedDay]:
    return rows_by_day(shared_rows([agenda], clock)[agenda.pk])


def rows_by_day(rows: Iterable[SharedRow]) -> list[SharedDay]:
    return [SharedDay(day, sorted(rows_of_day, key=start_time_key)) for day, rows_of_day in by_day(rows)]


def shared_rows(agendas: Iterable[Agenda], clock: Clock) -> dict[int, list[SharedRow]]:
    """By the primary key of the agenda, in as many queries for eight agendas as for one."""
    result: dict[int, list[SharedRow]] = {agenda.pk: [] for agenda in agendas}
    bookmarks = Bookmark.objects.filter(attended_q(), agenda__in=list(result))
    related = ("event__conference", "event__type", "event__day", "event__room", "event__service")
    for bookmark in bookmarks.select_related(*related):
        result[bookmark.agenda_id].append(_shared_row(bookmark, clock))
    for entry in PrivateEntry.objects.filter(agenda__in=list(result), removed_at=None):
        day = programme_date(entry.start, clock.venue_zone)
        result[entry.agenda_id].append(SharedRow(day, entry.start, entry.end, BUSY_TITLE))
    return result


def _shared_row(bookmark: Bookmark, clock: Clock) -> SharedRow:
    event = bookmark.event
    place = event.place or (event.service.place if event.service else "")
    return SharedRow(
        day=event.day.date if event.day else None,
        start=event.start,
        end=event.end,
        title=event.title,
        url=with_pinned_time(event.get_absolute_url(), clock),
        place=event.room.name if event.room else place,
        maybe=bookmark.level == BookmarkLevel.MAYBE,
        cancelled=event.status == Status.CANCELLED,
        line=event.type.line,
        key=event.pk,
        is_break=event.type.kind == Kind.BREAK,
        language=event.language,
    )


def start_time_key(row: SharedRow) -> tuple[bool, dt.datetime, dt.datetime, str]:
    """The order of the agenda's own page: by start, then end."""
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    return row.start is None, row.start or never, row.end or never, row.title


def copy_preview(mine: Agenda | None, theirs: Agenda) -> MergePreview:
    now = theirs.changed_at
    rows = mine.bookmarks.values_list("event_id", "removed_at") if mine else []
    own = {event: MergeableBookmark(BookmarkLevel.MUST, now, removed_at) for event, removed_at in rows}
    return preview_merge(
        own, {event: MergeableBookmark(BookmarkLevel.MUST, now) for event in theirs.attended().values_list("event_id", flat=True)}
    )
