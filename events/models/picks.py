"""What a visitor picked, and what they may do with a pick."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from events.models.base import plus_one
from events.models.event import Event, EventQuerySet, public_within
from events.models.prepared_query import prepared
from events.models.writing import short_write

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from events.models.feeds import FeedFetch


class AgendaGoneError(LookupError):
    """Merged into another or deleted since it was read."""


class Level(models.TextChoices):
    MUST = "must", "Must"
    MAYBE = "maybe", "Maybe"
    LATER = "later", "Watch later"


def is_attended() -> Q:
    """Of a bookmark: that it is of the public programme, and its holder means to be there."""
    return public_within("event") & Q(removed_at=None, level__in=[Level.MUST, Level.MAYBE])


# Plain SQL: others wait while these run, and Django takes several times as long to compose them.
COUNT_CHANGE = "UPDATE events_agenda SET revision = revision + 1, changed_at = %(now)s WHERE id = %(agenda)s"
PICK_AGAIN = """
UPDATE events_bookmark SET removed_at = NULL, created_at = %(now)s, level = %(level)s
WHERE agenda_id = %(agenda)s AND event_id = %(event)s AND removed_at IS NOT NULL
"""
TAKE_BACK = """
UPDATE events_bookmark SET removed_at = %(now)s, created_at = %(now)s, presents = FALSE
WHERE agenda_id = %(agenda)s AND event_id = %(event)s AND removed_at IS NULL
"""


class Pick(NamedTuple):
    """A pick as one row: to make models of all that somebody picked takes longer than to read it."""

    pk: int
    start: dt.datetime | None
    end: dt.datetime | None
    zone: int | None
    kind: str
    session: int | None
    travel_minutes: int | None
    status: str
    presents: bool
    level: str
    date: dt.date | None
    title: str
    guid: UUID
    # Unless that is hidden.
    paper: int | None
    is_recorded: bool


SLOT_COLUMNS = ("pk", "start", "end", "room__zone", "type__kind", "session", "travel_minutes", "status")


@prepared
def _picks(agenda: int) -> models.QuerySet[Event, Any]:
    more = (
        "presents",
        "bookmarks__level",
        "day__date",
        "title",
        "guid",
        "paper",
        "paper__is_public",
        "recording_url",
        "recording_from",
    )
    return Event.objects.public().picked_in(agenda).in_order().values_list(*SLOT_COLUMNS, *more)


class Besides(NamedTuple):
    """Whether an agenda has more than picks: most have not, and nothing is read of it."""

    entries: bool
    seats: bool


@prepared
def _besides(agenda: int) -> models.QuerySet[Any, Any]:
    entries, seats = (apps.get_model("events", name).objects.filter(agenda=OuterRef("pk")) for name in ("PrivateEntry", "Seat"))
    agendas: models.QuerySet[Any] = apps.get_model("events", "Agenda").objects.filter(pk=agenda)
    return agendas.values_list(Exists(entries.filter(removed_at=None)), Exists(seats))


class Picks(models.Model):
    """An agenda's verbs for its picks. Each sets a state, whatever it was, and says whether that changed anything."""

    revision = models.PositiveBigIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    bookmarks: RelatedManager[Bookmark]
    fetches: RelatedManager[FeedFetch]

    class Meta:
        abstract = True

    @property
    def events(self) -> EventQuerySet:
        """What is picked and public now."""
        return Event.objects.public().picked_in(self.pk)

    @cached_property
    def picks(self) -> dict[int, Pick]:
        """The same by its key and in order, read once until the agenda changes."""
        return {
            pk: Pick._make([pk, *columns, paper if is_public else None, bool(recording or since)])
            for pk, *columns, paper, is_public, recording, since in _picks(self.pk)
        }

    @cached_property
    def besides(self) -> Besides:
        return Besides(*(_besides.first(self.pk) or (False, False)))

    @property
    def count(self) -> int:
        """How much of that one goes to; what is watched later is counted by itself."""
        return sum(pick.level != Level.LATER for pick in self.picks.values())

    def picked_ids(self) -> models.QuerySet[Bookmark, int]:
        """The ids of what is picked, public or not."""
        return self.bookmarks.filter(removed_at=None).values_list("event_id", flat=True)

    def attended(self) -> models.QuerySet[Bookmark]:
        """What its holder means to come to, surely or perhaps."""
        return self.bookmarks.filter(is_attended())

    def levels(self) -> dict[int, str]:
        """How much each pick is wanted, by the id of its event, public or not."""
        return dict(self.bookmarks.filter(removed_at=None).values_list("event_id", "level"))

    def bookmark(self, event: Event, *, on: bool, level: str = "") -> bool:
        """Pick it or take it back. Removal leaves a tombstone; no level is a must for what is new, and else as it was."""
        return self.change(lambda now: self._set_pick(event, on, now, level))

    def _set_pick(self, event: Event, on: bool, now: dt.datetime, level: str = "") -> bool:
        if not on:
            return self._write(TAKE_BACK, now, event=event.pk)
        if self._write(PICK_AGAIN, now, event=event.pk, level=str(level or Level.MUST)):
            return True
        if self.bookmarks.filter(event=event).exists():
            return bool(level and self._set_level(event, level, now))
        self.bookmarks.create(event_id=event.pk, created_at=now, level=level or Level.MUST)
        return True

    def _set_level(self, event: Event, level: str, now: dt.datetime) -> bool:
        """Whether it was wanted otherwise."""
        return self._attend_after_all(event, level, now) or bool(self._alive([event.pk]).exclude(level=level).update(level=level))

    def _attend_after_all(self, event: Event, level: str, now: dt.datetime) -> bool:
        """What was to be watched later is picked at that moment: a file has to be able to tell."""
        only_later = self._alive([event.pk]).filter(level=Level.LATER).exclude(level=level)
        return bool(only_later.update(level=level, created_at=now))

    def exchange(self, event: Event, *, of: Event) -> bool:
        """Pick it in the place of another, and as much wanted as that one was: both at once, or neither."""
        return self.change(lambda now: self._exchange(event, of, now))

    def _exchange(self, event: Event, of: Event, now: dt.datetime) -> bool:
        level = self.bookmarks.filter(event_id=of.pk, removed_at=None).values_list("level", flat=True).first()
        taken, given_up = self._set_pick(event, True, now), self._set_pick(of, False, now)
        # What was to be watched some day is gone to now.
        want = self._set_level if taken else self._attend_after_all
        raised = bool(level and want(event, level, now))
        return taken or given_up or raised

    def present(self, event: Event, *, on: bool) -> bool:
        """Stand there oneself, or not after all. Who does must be there: it is picked, and a must."""
        return self.change(lambda now: self._set_presents(event, on, now))

    def _set_presents(self, event: Event, on: bool, now: dt.datetime) -> bool:
        # Both are made, whatever the first one finds.
        picked = on and self._set_pick(event, True, now)
        said = self._alive([event.pk]).exclude(presents=on).update(presents=on)
        must = on and self._set_level(event, Level.MUST, now)
        return bool(picked or said or must)

    def visit(self, event: Event, *, on: bool) -> bool:
        """Tick off what one has seen of the picks; ticked twice it keeps the first time."""
        return self.change(
            lambda now: bool(self._alive([event.pk]).filter(visited_at__isnull=on).update(visited_at=now if on else None)),
            in_calendars=False,
        )

    def acknowledge(self, upto: dt.datetime, events: Collection[int] | None = None) -> bool:
        """Know what changed until then, of these events or of all; what changes later is news."""
        older = Q(seen_at=None) | Q(seen_at__lt=upto)
        return self.change(lambda now: bool(self._alive(events).filter(older).update(seen_at=min(upto, now))), in_calendars=False)

    def took_away(self, events: Iterable[int], at: dt.datetime) -> None:
        """Remember what a file had in it: the next one has to say what is gone."""
        self.bookmarks.filter(event__in=list(events)).update(downloaded_at=at)

    def _alive(self, events: Collection[int] | None = None) -> models.QuerySet[Bookmark]:
        alive = self.bookmarks.filter(removed_at=None)
        return alive if events is None else alive.filter(event__in=events)

    def change(self, write: Callable[[dt.datetime], bool], *, in_calendars: bool = True) -> bool:
        """Count a change of the agenda and make it; where nothing was changed, nothing was counted."""
        for known in ("picks", "besides"):
            self.__dict__.pop(known, None)
        with short_write():
            # Counted before it is looked at: two requests of one visitor wait for each other here, on either database.
            if not self._write(COUNT_CHANGE, timezone.now()):
                raise AgendaGoneError
            # What changed while this one waited was not seen by it.
            changed = write(timezone.now())
            if changed and not in_calendars:
                # No calendar lacks what none of them shows.
                self.fetches.update(agenda_revision=plus_one("agenda_revision"))
            transaction.set_rollback(not changed)
        return changed

    def _write(self, sql: str, now: dt.datetime, **values: Any) -> bool:
        """Whether that changed a row."""
        with connection.cursor() as cursor:
            cursor.execute(sql, {"now": connection.ops.adapt_datetimefield_value(now), "agenda": self.pk, **values})
            return bool(cursor.rowcount)


class Bookmark(models.Model):
    """One pick; taken back, it stays as a tombstone so that no merge brings it to life again."""

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="bookmarks")
    event = models.ForeignKey(Event, models.CASCADE, related_name="bookmarks")
    level = models.CharField(max_length=10, choices=Level, default=Level.MUST)
    created_at = models.DateTimeField("picked at", default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)
    # What changed before then its holder knows.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    presents = models.BooleanField("I present this", default=False)
    visited_at = models.DateTimeField(null=True, blank=True, editable=False)
    # A file that was taken away knows no taking back: the next one has to say it.
    downloaded_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "event"], name="bookmark_once")]

    def __str__(self) -> str:
        return f"{self.event} in agenda {self.agenda_id}"
