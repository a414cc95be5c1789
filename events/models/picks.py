"""What a visitor picked, and what they may do with a pick."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from events.models.base import plus_one
from events.models.event import Event, EventQuerySet, public_within
from events.models.prepared import Update, prepared, prepared_update
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
    picked_at: dt.datetime
    seen_at: dt.datetime | None
    date: dt.date | None
    title: str
    guid: UUID
    # Unless that is hidden.
    paper: int | None
    is_recorded: bool


PICK_COLUMNS = ("pk", "start", "end", "room__zone", "type__kind", "session", "travel_minutes", "status", "presents")
PICK_COLUMNS += ("bookmarks__level", "bookmarks__created_at", "bookmarks__seen_at", "day__date", "title", "guid")


@prepared
def _picks(agenda: int) -> models.QuerySet[Event, Any]:
    picks = Event.objects.public().picked_in(agenda).in_order()
    return picks.values_list(*PICK_COLUMNS, "paper", "paper__is_public", "recording_url", "recording_from")


# The database takes one write at a time: as little as possible is worked out while the others wait.
@prepared_update
def _count_change(agenda: int, now: dt.datetime) -> Update:
    agendas = apps.get_model("events", "Agenda")._base_manager
    return agendas.filter(pk=agenda), {"revision": plus_one("revision"), "changed_at": now}


@prepared_update
def _pick_again(agenda: int, event: int, level: str, now: dt.datetime) -> Update:
    taken_back = Bookmark.objects.filter(agenda=agenda, event=event, removed_at__isnull=False)
    return taken_back, {"removed_at": None, "created_at": now, "level": level}


@prepared
def _is_kept(agenda: int, event: int) -> models.QuerySet[Bookmark, int]:
    return Bookmark.objects.filter(agenda=agenda, event=event).values_list("pk", flat=True)


@prepared_update
def _set_level(agenda: int, event: int, level: str) -> Update:
    return Bookmark.objects.filter(agenda=agenda, event=event, removed_at=None).exclude(level=level), {"level": level}


@prepared_update
def _come_after_all(agenda: int, event: int, level: str, now: dt.datetime) -> Update:
    only_later = Bookmark.objects.filter(agenda=agenda, event=event, removed_at=None, level=Level.LATER).exclude(level=level)
    return only_later, {"level": level, "created_at": now}


def _want(agenda: int, event: int, level: str, now: dt.datetime) -> bool:
    """Whether it was wanted otherwise. What one comes to after all is picked at that moment: a file has to be able to tell."""
    return bool(_come_after_all(agenda, event, level, now) or _set_level(agenda, event, level))


@prepared_update
def _take_back(agenda: int, event: int, now: dt.datetime) -> Update:
    return Bookmark.objects.filter(agenda=agenda, event=event, removed_at=None), {
        "removed_at": now,
        "created_at": now,
        "presents": False,
    }


class Besides(NamedTuple):
    """Whether an agenda has more than picks: most have not, and nothing is read of it."""

    entries: bool
    seats: bool


@prepared
def _besides(agenda: int) -> models.QuerySet[Any, Any]:
    agendas, entries, seats = (apps.get_model("events", name).objects for name in ("Agenda", "PrivateEntry", "Seat"))
    own = {
        "entries": Exists(entries.filter(agenda=OuterRef("pk"), removed_at=None)),
        "seats": Exists(seats.filter(agenda=OuterRef("pk"))),
    }
    return agendas.filter(pk=agenda).values_list(own["entries"], own["seats"])


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
            pk: Pick(pk, *columns, paper if is_public else None, bool(recording or since))
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
            return bool(_take_back(self.pk, event.pk, now))
        if _pick_again(self.pk, event.pk, level or Level.MUST.value, now):
            return True
        if _is_kept(self.pk, event.pk):
            return bool(level and _want(self.pk, event.pk, level, now))
        self.bookmarks.create(event_id=event.pk, created_at=now, level=level or Level.MUST)
        return True

    def exchange(self, event: Event, *, of: Event) -> bool:
        """Pick it in the place of another, and as much wanted as that one was: both at once, or neither."""
        return self.change(lambda now: self._exchange(event, of, now))

    def _exchange(self, event: Event, of: Event, now: dt.datetime) -> bool:
        level = self.bookmarks.filter(event_id=of.pk, removed_at=None).values_list("level", flat=True).first()
        taken, given_up = self._set_pick(event, True, now), self._set_pick(of, False, now)
        # What was to be watched some day is gone to now.
        want = _want if taken else _come_after_all
        raised = bool(level and want(self.pk, event.pk, level, now))
        return taken or given_up or raised

    def present(self, event: Event, *, on: bool) -> bool:
        """Stand there oneself, or not after all. Who does must be there: it is picked, and a must."""
        return self.change(lambda now: self._set_presents(event, on, now))

    def _set_presents(self, event: Event, on: bool, now: dt.datetime) -> bool:
        # Both are made, whatever the first one finds.
        picked = on and self._set_pick(event, True, now)
        said = self._alive([event.pk]).exclude(presents=on).update(presents=on)
        must = on and _want(self.pk, event.pk, Level.MUST.value, now)
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
            if not _count_change(self.pk, timezone.now()):
                raise AgendaGoneError
            # What changed while this one waited was not seen by it.
            changed = write(timezone.now())
            if changed and not in_calendars:
                # No calendar lacks what none of them shows.
                self.fetches.update(agenda_revision=plus_one("agenda_revision"))
            transaction.set_rollback(not changed)
        return changed


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
