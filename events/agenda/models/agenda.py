"""One visitor's agenda of one conference: its feed, and the changes of its bookmarks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from django.db import connection, models, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, When
from django.utils import timezone

from events.agenda.models.bookmarks import (
    ADD_BOOKMARK_SQL,
    REMOVE_BOOKMARK_SQL,
    UNLESS_DECIDED_LATER_SQL,
    Bookmark,
    BookmarkedEvent,
    BookmarkLevel,
    BookmarkState,
    attended_q,
    bookmark_states,
    bookmarked_rows,
    decided_q,
)
from events.agenda.models.feeds import FEED_OPTIONS, MIN_FETCH_INTERVAL, FeedAddress, FeedFetch, FeedOptions
from events.agenda.models.visitors import Visitor
from events.core.db.prepared_query import prepared
from events.core.db.writing import plus_one, serialized_write
from events.core.tokens import hash_token
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Status
from events.venue.models import StartingPoint


class AgendaGoneError(LookupError):
    """The agenda was merged into another or deleted since it was read."""


# Plain SQL, for the same reason as that of bookmarks.
BUMP_AGENDA_SQL = "UPDATE events_agenda SET revision = revision + 1, changed_at = %(now)s WHERE id = %(agenda)s"
# The columns of the conference that a feed shows in its header.
FEED_CONFERENCE_FIELDS = ("slug", "name", "city", "country", "timezone", "start", "end", "revision")


@prepared
def _agenda_by_token(token_hash: str, conference: int) -> models.QuerySet[Agenda]:
    found = Agenda.objects.filter(visitor__tokens__token_hash=token_hash, conference=conference)
    public = When(conference__status="published", then="conference__revision")
    besides = {"token_created_at": F("visitor__tokens__created_at"), "public_revision": Case(public)}
    return found.annotate(**besides)


class AgendaExtras(NamedTuple):
    """Whether an agenda has more than bookmarks: most do not, and nothing else is read for them."""

    entries: bool
    seats: bool
    notes: bool


def _extras_of_agenda() -> dict[str, Exists]:
    """The fields of ``AgendaExtras`` in their order, as columns."""
    same = Agenda.objects.filter(pk=OuterRef("pk"))
    entries = same.filter(private_entries__isnull=False, private_entries__removed_at=None)
    seats, notes = same.filter(seats__isnull=False), same.filter(notes__isnull=False)
    return {"has_entries": Exists(entries), "has_seats": Exists(seats), "has_notes": Exists(notes)}


@prepared
def _agenda_extras(agenda: int) -> models.QuerySet[Agenda, tuple[bool, bool, bool]]:
    return Agenda.objects.filter(pk=agenda).values_list(*_extras_of_agenda().values())


@prepared
def _agenda_by_feed(token_hash: str, client: str, since: dt.datetime) -> models.QuerySet[Agenda]:
    current = Agenda.objects.filter(feed_addresses__token_hash=token_hash, feed_addresses__replaced_at=None)
    known = current.filter(conference__status="published").select_related("conference")
    columns = ("revision", "feed_serial", "changed_at", "start", *FEED_OPTIONS)
    revisions = {"agenda_revision": OuterRef("revision"), "conference_revision": OuterRef("conference__revision")}
    fetches = FeedFetch.objects.filter(agenda=OuterRef("pk"), client=client, at__gt=since, **revisions)
    agendas = known.only(*columns, *(f"conference__{name}" for name in FEED_CONFERENCE_FIELDS))
    recorded = {"fetch_is_recorded": Exists(fetches)}
    return agendas.annotate(**recorded, **_extras_of_agenda())


class AgendaManager(models.Manager["Agenda"]):
    def for_token(self, token: str, conference: Conference) -> Agenda | None:
        """``token`` is the visitor's cookie."""
        return _agenda_by_token.first(hash_token(token), conference.pk) if token else None

    def by_feed(self, token: str, client: str = "") -> Agenda | None:
        """The agenda of a feed's address, with the columns that its ETag needs: calendars ask every few minutes.

        ``fetch_is_recorded`` is True if this kind of client fetched the same revisions within ``MIN_FETCH_INTERVAL``.
        Its ``extras`` are read with it, since a feed shows private entries.
        """
        agenda = _agenda_by_feed.first(hash_token(token), client, timezone.now() - MIN_FETCH_INTERVAL)
        if agenda:
            agenda.extras = AgendaExtras(*(getattr(agenda, f"has_{name}") for name in AgendaExtras._fields))
        return agenda

    def replaced_feed(self, token: str) -> FeedAddress | None:
        replaced = FeedAddress.objects.filter(token_hash=hash_token(token), replaced_at__isnull=False)
        return replaced.filter(agenda__conference__status="published").select_related("agenda__conference").first()


class Agenda(FeedOptions):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="agendas")
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="agendas")
    # The number of times the feed's address was replaced.
    feed_serial = models.PositiveIntegerField(default=0, editable=False)
    # Where the visitor starts, for the directions in calendar entries.
    start = models.ForeignKey(StartingPoint, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # Changes up to this moment were mailed.
    digested_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The same for mail at once, shortly before a start.
    alerted_at = models.DateTimeField(null=True, blank=True, editable=False)

    revision = models.PositiveBigIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    # Set by ``AgendaManager.by_feed``.
    fetch_is_recorded = False
    # Set by ``AgendaManager.for_token``: the age of the browser's cookie.
    token_created_at: dt.datetime | None = None
    # The same: the revision of the conference if attendees may see it.
    public_revision: int | None = None

    objects = AgendaManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "visitor"], name="agenda_one_per_visitor")]

    def __str__(self) -> str:
        return f"Agenda {self.pk} of {self.conference}"

    @classmethod
    def begin(cls, token: str, conference: Conference, start: str = "") -> Agenda:
        """The agenda of the visitor with this cookie, created if needed; ``start`` is the slug of a starting point.

        Raises AgendaGoneError if the token has ended, or was never issued: nobody can choose the secret of an agenda.
        """
        if existing := cls.objects.for_token(token, conference):
            return existing
        values = {"start": StartingPoint.objects.by_slug(conference, start)}
        with serialized_write():
            visitor = Visitor.objects.lock_by_token(token)
            if visitor is None:
                raise AgendaGoneError
            agenda, is_new = cls.objects.get_or_create(conference=conference, visitor=visitor, defaults=values)
            if is_new:
                agenda._add_feed_address()
        return agenda

    @cached_property
    def extras(self) -> AgendaExtras:
        return AgendaExtras(*(_agenda_extras.first(self.pk) or (False, False, False)))

    def set_start(self, start: StartingPoint | None) -> bool:
        row = Agenda.objects.filter(pk=self.pk)
        changed = self.change(lambda now: bool(row.exclude(start=start).update(start=start)))
        self.start = start
        return changed

    @property
    def feed_token(self) -> str:
        """The token in the feed's address; empty if SECRET_KEY has changed since it was created."""
        addresses = self.feed_addresses.filter(replaced_at=None).order_by("-pk")
        return next((address.token for address in addresses if address.token), "")

    def reset_feed(self) -> None:
        """Replace the feed's address. The old one stays as a notice, and its fetches are deleted."""
        with transaction.atomic():
            agenda = Agenda.objects.select_for_update().filter(pk=self.pk).first()
            if agenda is None:
                raise AgendaGoneError
            agenda.feed_addresses.filter(replaced_at=None).update(replaced_at=timezone.now())
            agenda.fetches.all().delete()
            self.feed_serial = agenda.feed_serial + 1
            self.save(update_fields=["feed_serial"])
            self._add_feed_address()

    def _add_feed_address(self) -> None:
        address = FeedAddress(agenda=self)
        address.make_token()
        address.save(force_insert=True)

    def set_feed_options(self, **wanted: object) -> bool:
        if unknown := wanted.keys() - set(FEED_OPTIONS):
            raise ValueError(f"no options of a feed: {sorted(unknown)}")
        changed = self.change(lambda now: self._set_options(wanted))
        self.refresh_from_db(fields=["revision", "changed_at", *FEED_OPTIONS])
        return changed

    def _set_options(self, wanted: dict[str, object]) -> bool:
        row = Agenda.objects.filter(pk=self.pk)
        changed = bool(row.values(*wanted).get() != wanted)
        row.update(**wanted)
        return changed

    @property
    def events(self) -> EventQuerySet:
        """The bookmarked events that are public now."""
        return Event.objects.public().bookmarked_in(self.pk)

    @cached_property
    def bookmarked_events(self) -> dict[int, BookmarkedEvent]:
        """The same as rows by primary key, in order of time; read once until the agenda changes."""
        result = {}
        for *columns, paper, is_public, url, since, presents in bookmarked_rows(self.pk):
            columns += [paper if is_public else None, bool(url or since)]
            result[columns[0]] = BookmarkedEvent(*columns, presents=presents)
        return result

    @property
    def count(self) -> int:
        return sum(
            event.level != BookmarkLevel.LATER and event.status != Status.CANCELLED for event in self.bookmarked_events.values()
        )

    def bookmarked_ids(self) -> models.QuerySet[Bookmark, int]:
        """The ids of bookmarked events, public or not."""
        return self.bookmarks.filter(removed_at=None).values_list("event_id", flat=True)

    def attended(self) -> models.QuerySet[Bookmark]:
        return self.bookmarks.filter(attended_q())

    def levels(self) -> dict[int, str]:
        """The level of each bookmark by the id of its event, public or not."""
        return dict(self.bookmarks.filter(removed_at=None).values_list("event_id", "level"))

    def bookmark(self, event: Event, *, on: bool, level: str = "", decided_at: dt.datetime | None = None) -> bool:
        """Add or remove a bookmark. Without a level a new bookmark is a must, and an existing one keeps its level.

        A removed bookmark stays as a tombstone. ``decided_at`` is for a decision that a device made without network and sends
        late: it changes nothing if the visitor decided otherwise since.
        """
        return self.change(lambda now: self._set_bookmark(event, on, now, level, decided_at))

    def _set_bookmark(
        self, event: Event, on: bool, now: dt.datetime, level: str = "", decided_at: dt.datetime | None = None
    ) -> bool:
        sql = ADD_BOOKMARK_SQL if on else REMOVE_BOOKMARK_SQL
        values = {"event": event.pk, "level": str(level or BookmarkLevel.MUST)}
        unless = UNLESS_DECIDED_LATER_SQL if decided_at else ""
        if self._write(sql + unless, now, decided_at=self._column(decided_at or now), **values):
            return True
        return bool(on and level and self._set_level(event, level, now, decided_at))

    def _set_level(self, event: Event, level: str, now: dt.datetime, decided_at: dt.datetime | None = None) -> bool:
        if self._raise_from_later(event, level, now, decided_at):
            return True
        others = self._undecided_since(decided_at, event).exclude(level=level)
        return bool(others.update(level=level, decided_at=decided_at or now))

    def _raise_from_later(self, event: Event, level: str, now: dt.datetime, decided_at: dt.datetime | None = None) -> bool:
        """A bookmark to watch later becomes one to attend, dated now: downloads compare that date."""
        only_later = self._undecided_since(decided_at, event).filter(level=BookmarkLevel.LATER).exclude(level=level)
        return bool(only_later.update(level=level, created_at=now, decided_at=decided_at or now))

    def _undecided_since(self, decided_at: dt.datetime | None, event: Event) -> models.QuerySet[Bookmark]:
        alive = self._alive([event.pk])
        return alive.filter(decided_q(decided_at)) if decided_at else alive

    def bookmark_state(self, event: Event) -> BookmarkState:
        return BookmarkState(*(bookmark_states.first(self.pk, event.pk) or ()))

    def restore(self, states: Mapping[Event, BookmarkState]) -> bool:
        """Set the bookmarks of these events to former states, in one transaction."""
        # Each one runs, whatever another one changed.
        return self.change(lambda now: sum(self._restore(event, state, now) for event, state in states.items()) > 0)

    def _restore(self, event: Event, state: BookmarkState, now: dt.datetime) -> bool:
        changed = self._set_bookmark(event, bool(state.level), now, state.level)
        marked = self._alive([event.pk]).exclude(presents=state.presents).update(presents=state.presents)
        return bool(changed or marked)

    def exchange(self, event: Event, *, of: Event) -> bool:
        """Replace the bookmark of ``of`` by one of ``event`` at the same level, in one transaction."""
        return self.change(lambda now: self._exchange(event, of, now))

    def _exchange(self, event: Event, of: Event, now: dt.datetime) -> bool:
        level = self.bookmarks.filter(event_id=of.pk, removed_at=None).values_list("level", flat=True).first()
        added, removed = self._set_bookmark(event, True, now), self._set_bookmark(of, False, now)
        # An event that was bookmarked before keeps its level, unless that was to watch it later.
        set_level = self._set_level if added else self._raise_from_later
        raised = bool(level and set_level(event, level, now))
        return added or removed or raised

    def present(self, event: Event, *, on: bool) -> bool:
        """Mark that the visitor presents at the event, which also bookmarks it as a must."""
        return self.change(lambda now: self._set_presents(event, on, now))

    def _set_presents(self, event: Event, on: bool, now: dt.datetime) -> bool:
        # All three run, whatever the first one changed.
        added = on and self._set_bookmark(event, True, now)
        marked = self._alive([event.pk]).exclude(presents=on).update(presents=on)
        raised = on and self._set_level(event, BookmarkLevel.MUST, now)
        return bool(added or marked or raised)

    def visit(self, event: Event, *, on: bool) -> bool:
        """Mark a bookmarked event as visited; the time of the first visit stays."""
        return self.change(
            lambda now: bool(self._alive([event.pk]).filter(visited_at__isnull=on).update(visited_at=now if on else None)),
            in_calendars=False,
        )

    def acknowledge(self, upto: dt.datetime, events: Collection[int] | None = None) -> bool:
        older = Q(seen_at=None) | Q(seen_at__lt=upto)
        return self.change(lambda now: bool(self._alive(events).filter(older).update(seen_at=min(upto, now))), in_calendars=False)

    def mark_downloaded(self, events: Iterable[int], at: dt.datetime) -> None:
        """Remember which events a downloaded file has: the next file cancels those that were removed since."""
        self.bookmarks.filter(event__in=list(events)).update(downloaded_at=at)

    def _alive(self, events: Collection[int] | None = None) -> models.QuerySet[Bookmark]:
        alive = self.bookmarks.filter(removed_at=None)
        return alive if events is None else alive.filter(event__in=events)

    def change(self, write: Callable[[dt.datetime], bool], *, in_calendars: bool = True) -> bool:
        """Run ``write`` in a transaction that raises the revision; if it returns False, everything is rolled back."""
        for name in ("bookmarked_events", "extras"):
            self.__dict__.pop(name, None)
        with serialized_write():
            # First of all, because this locks the row: two requests of one visitor wait for each other here, on both databases.
            if not self._write(BUMP_AGENDA_SQL, timezone.now()):
                raise AgendaGoneError
            # The time is read again: other changes may have been made while this one waited.
            changed = write(timezone.now())
            if changed and not in_calendars:
                # Calendars show nothing of this change, so they stay current.
                self.fetches.update(agenda_revision=plus_one("agenda_revision"))
            transaction.set_rollback(not changed)
        return changed

    def _write(self, sql: str, now: dt.datetime, **values: Any) -> bool:
        """True if a row was changed."""
        with connection.cursor() as cursor:
            cursor.execute(sql, {"now": self._column(now), "agenda": self.pk, **values})
            return bool(cursor.rowcount)

    @staticmethod
    def _column(moment: dt.datetime) -> Any:
        return connection.ops.adapt_datetimefield_value(moment)
