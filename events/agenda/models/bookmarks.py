"""Bookmarks: their levels and states, their rows, and the statements that write them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone

from events.core.db.prepared_query import prepared
from events.programme.models.event import Event
from events.programme.models.labels import public_within


class BookmarkLevel(models.TextChoices):
    MUST = "must", "Must"
    MAYBE = "maybe", "Maybe"
    LATER = "later", "Watch later"


class BookmarkState(NamedTuple):
    """What an agenda has of an event; without a level it is not bookmarked."""

    level: str = ""
    presents: bool = False

    def __str__(self) -> str:
        """As forms write it: "out", "maybe" or "must+presents"."""
        return f"{self.level or 'out'}{'+presents' if self.presents else ''}"

    @classmethod
    def read(cls, text: str) -> BookmarkState:
        level, _, presents = text.partition("+")
        return cls("" if level == "out" else level, bool(presents))

    def is_already(self, *, on: bool, level: str) -> bool:
        """Whether a bookmark that is set so (without a level: at any) stays as it is."""
        return bool(self.level) == on and (not on or level in {"", self.level})


def attended_q() -> Q:
    """The condition on ``Bookmark`` that its event is public and its visitor wants to attend it."""
    return public_within("event") & Q(removed_at=None, level__in=[BookmarkLevel.MUST, BookmarkLevel.MAYBE])


def decided_q(moment: dt.datetime) -> Q:
    """The condition on ``Bookmark`` that its visitor decided nothing else about it after ``moment``."""
    return Q(decided_at__lte=moment) | Q(decided_at=None, created_at__lte=moment)


class Bookmark(models.Model):
    """One event in an agenda. A removed bookmark stays as a tombstone, so that no merge restores it."""

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="bookmarks")
    event = models.ForeignKey(Event, models.CASCADE, related_name="bookmarks")
    level = models.CharField(max_length=10, choices=BookmarkLevel, default=BookmarkLevel.MUST)
    created_at = models.DateTimeField("picked at", default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)
    # When the visitor last set or removed it or chose its level, by the clock of the device; if empty, at ``created_at``.
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The visitor has seen all changes of the event up to this moment.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    presents = models.BooleanField("I present this", default=False)
    visited_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When a downloaded file contained the event: the next file has to cancel it if the bookmark was removed.
    downloaded_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "event"], name="bookmark_once")]

    def __str__(self) -> str:
        return f"{self.event} in agenda {self.agenda_id}"


# Plain SQL: other visitors wait while these run, and Django takes several times as long to compose them.
ADD_BOOKMARK_SQL = """
INSERT INTO events_bookmark (agenda_id, event_id, level, created_at, presents, decided_at)
VALUES (%(agenda)s, %(event)s, %(level)s, %(now)s, FALSE, %(decided_at)s)
ON CONFLICT (agenda_id, event_id)
DO UPDATE SET removed_at = NULL, created_at = excluded.created_at, level = excluded.level, decided_at = excluded.decided_at
WHERE events_bookmark.removed_at IS NOT NULL
"""
REMOVE_BOOKMARK_SQL = """
UPDATE events_bookmark SET removed_at = %(now)s, created_at = %(now)s, presents = FALSE, decided_at = %(decided_at)s
WHERE agenda_id = %(agenda)s AND event_id = %(event)s AND removed_at IS NULL
"""
# For a decision that arrives late. Others are not compared: a server's clock may have been set back.
UNLESS_DECIDED_LATER_SQL = "AND COALESCE(events_bookmark.decided_at, events_bookmark.created_at) <= %(decided_at)s"


# Rows instead of models: to make models of all bookmarked events takes longer than to read them.
@dataclass(slots=True)
class SlotRow:
    """The columns of an event that a ``TimeSlot`` is made of, in the order of ``SLOT_COLUMNS``."""

    pk: int
    start: dt.datetime | None
    end: dt.datetime | None
    zone: int | None
    kind: str
    session: int | None
    travel_minutes: int | None
    status: str
    presents: bool = field(default=False, kw_only=True)


SLOT_COLUMNS = ("pk", "start", "end", "room__zone", "type__kind", "session", "travel_minutes", "status")
SlotColumns = tuple[int, dt.datetime | None, dt.datetime | None, int | None, str, int | None, int | None, str]


@dataclass(slots=True)
class BookmarkedEvent(SlotRow):
    level: str
    date: dt.date | None
    title: str
    guid: UUID
    # Its session.
    within: UUID | None
    # None if the paper is hidden.
    paper: int | None
    is_recorded: bool


@prepared
def bookmarked_rows(agenda: int) -> models.QuerySet[Event, Any]:
    columns = ("bookmarks__level", "day__date", "title", "guid", "session__guid", "paper", "paper__is_public")
    shown = Event.objects.public().bookmarked_in(agenda).in_order()
    return shown.values_list(*SLOT_COLUMNS, *columns, "recording_url", "recording_from", "presents")


@prepared
def bookmark_states(agenda: int, event: int) -> models.QuerySet[Bookmark, tuple[str, bool]]:
    return Bookmark.objects.filter(agenda=agenda, event=event, removed_at=None).values_list("level", "presents")
