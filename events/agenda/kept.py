"""What a process keeps for one visitor, until something that it shows changes, begins or ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils import timezone

from events.agenda.models.agenda import Agenda, AgendaExtras
from events.agenda.models.bookmarks import BookmarkedEvent
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import PageEnd
from events.programme.models.conference import Conference
from events.programme.queries.revisions import still_holds
from events.programme.rules.subjects import card_subjects

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    value: T
    # Of the conference, when it was made.
    revision: int
    # What it is about, besides the bookmarks of its visitor (events.programme.rules.subjects); None for everything.
    subjects: frozenset[str] | None
    made: float
    ends: float

    @classmethod
    def until(cls, end: PageEnd, value: T, conference: Conference, subjects: frozenset[str] | None) -> Kept[T]:
        # What does not say what it is about may show anything.
        ends = end.next_minute if subjects is None else end.moment
        return cls(value, conference.revision, subjects, end.made_at.timestamp(), ends.timestamp())

    def is_current(self, conference: Conference) -> bool:
        is_now = self.made <= timezone.now().timestamp() < self.ends
        return is_now and still_holds(conference, self.revision, self.subjects)


def keep_bookmarks(agenda: Agenda) -> int:
    """Give the agenda its bookmarks as they were last read; return the conference's revision at that time."""

    def read() -> Kept[tuple[dict[int, BookmarkedEvent], AgendaExtras]]:
        made = PageEnd.of_page_made(timezone.now())
        rows = agenda.bookmarked_events, agenda.extras
        return Kept.until(made, rows, agenda.conference, bookmark_subjects(agenda))

    kept = PROCESS_CACHE.get_or_build(
        ("bookmarks", agenda.pk), read, lambda kept: kept.is_current(agenda.conference), version=agenda.revision
    )
    agenda.bookmarked_events, agenda.extras = kept.value
    return kept.revision


def bookmark_subjects(agenda: Agenda) -> frozenset[str]:
    """What fragments and calendars show of bookmarks: the events, their breaks and their sessions."""
    found: set[str] = set()
    for event in agenda.bookmarked_events.values():
        found |= card_subjects(str(event.guid), {"within": str(event.within)} if event.within else {})
    return frozenset(found)
