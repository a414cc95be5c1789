"""One visitor's picks, kept without an account."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from django.db import models, transaction
from django.utils import timezone

from events.models.base import plus_one, short_write
from events.models.conference import Conference
from events.models.event import Event, EventQuerySet
from events.models.feeds import OPTIONS, FeedOptions, ReplacedFeed

TOKEN_BYTES = 24


def new_token() -> str:
    """192 random bits, as 32 characters that need no escaping in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is stored of a token: enough to know it again, useless to whoever reads the database."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


# What a feed reads of its conference to name and date itself.
CALENDAR_NEEDS = ("slug", "name", "city", "timezone", "start", "end", "revision")


class AgendaQuerySet(models.QuerySet["Agenda"]):
    def of(self, token: str, conference: Conference) -> Agenda | None:
        """The agenda of whoever holds this cookie."""
        return self.filter(token_hash=digest(token), conference=conference).first() if token else None

    def by_feed(self, token: str) -> Agenda | None:
        """The agenda whose feed this is, with what tells whether a calendar is current; asked for every few minutes by each."""
        known = self.filter(feed_token_hash=digest(token), conference__status="published").select_related("conference")
        own = ("revision", "feed_serial", "changed_at", *OPTIONS)
        return known.only(*own, *(f"conference__{name}" for name in CALENDAR_NEEDS)).first()

    def replaced_feed(self, token: str) -> ReplacedFeed | None:
        """The address that this was; asked only when it is no agenda's any more."""
        given_up = ReplacedFeed.objects.filter(token_hash=digest(token), agenda__conference__status="published")
        return given_up.select_related("agenda__conference").first()


class Agenda(FeedOptions):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="agendas")
    token_hash = models.CharField(max_length=64, editable=False)
    feed_serial = models.PositiveIntegerField(default=0, editable=False)
    feed_token_hash = models.CharField(max_length=64, unique=True, editable=False)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    # What changed later has not been written to its holder yet.
    digested_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = AgendaQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "token_hash"], name="agenda_one_per_token")]

    def __str__(self) -> str:
        return f"Agenda {self.pk} of {self.conference}"

    @classmethod
    def begin(cls, token: str, conference: Conference) -> Agenda:
        """The visitor's agenda for this conference, made now if this is the first bookmark."""
        fresh = cls(conference=conference, token_hash=digest(token))
        fresh.feed_token_hash = digest(fresh.feed_token(token))
        values = {"feed_token_hash": fresh.feed_token_hash}
        return cls.objects.get_or_create(conference=conference, token_hash=fresh.token_hash, defaults=values)[0]

    def feed_token(self, token: str) -> str:
        """The secret of the feed address. Only the holder of the cookie can compute it: the database cannot."""
        # By number, because a slug may change, and the address in somebody's calendar may not.
        message = f"feed:{self.conference_id}:{self.feed_serial}".encode()
        mac = hmac.new(token.encode("utf-8", "replace"), message, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac[:TOKEN_BYTES]).decode()

    def reset_feed(self, token: str) -> None:
        """A new feed address; the old one can only tell that it was replaced, and who fetched it says nothing of the new one."""
        with transaction.atomic():
            agenda = Agenda.objects.select_for_update().get(pk=self.pk)
            agenda.replaced_feeds.create(token_hash=agenda.feed_token_hash)
            agenda.fetches.all().delete()
            self.feed_serial = agenda.feed_serial + 1
            self.feed_token_hash = digest(self.feed_token(token))
            self.save(update_fields=["feed_serial", "feed_token_hash"])

    def set_feed_options(self, **wanted: object) -> bool:
        """What its feed holds from here on; True when that is another thing than before."""
        if unknown := wanted.keys() - set(OPTIONS):
            raise ValueError(f"no options of a feed: {sorted(unknown)}")
        with short_write():
            own = Agenda.objects.filter(pk=self.pk)
            # Counted before it is looked at: two at the same time wait for each other here, on either database.
            own.update(revision=plus_one("revision"), changed_at=timezone.now())
            changed = bool(wanted) and own.values(*wanted).get() != wanted
            own.update(**wanted)
            transaction.set_rollback(not changed)
        self.refresh_from_db(fields=["revision", "changed_at", *OPTIONS])
        return changed

    def took_away(self, events: Iterable[int], at: dt.datetime) -> None:
        """Remember what a file had in it: the next one has to say what is gone."""
        self.bookmarks.filter(event__in=list(events)).update(downloaded_at=at)

    @property
    def events(self) -> EventQuerySet:
        """What is picked and public now."""
        return Event.objects.public().filter(bookmarks__agenda=self, bookmarks__removed_at=None)

    def picked_ids(self) -> models.QuerySet[Bookmark, int]:
        """The ids of what is picked, public or not."""
        return self.bookmarks.filter(removed_at=None).values_list("event_id", flat=True)

    def bookmark(self, event: Event, *, on: bool) -> bool:
        """Set the pick, whatever it was; True when that changed anything. Removal leaves a tombstone."""
        now = timezone.now()
        with short_write():
            # Two requests of one visitor at the same time wait for each other here, on either database.
            Agenda.objects.filter(pk=self.pk).update(revision=plus_one("revision"), changed_at=now)
            changed = self._set_pick(event, on, now)
            transaction.set_rollback(not changed)
        return changed

    def _set_pick(self, event: Event, on: bool, now: dt.datetime) -> bool:
        other = self.bookmarks.filter(event_id=event.pk, removed_at__isnull=not on)
        if other.update(removed_at=None if on else now, created_at=now):
            return True
        if not on or self.bookmarks.filter(event_id=event.pk).exists():
            return False
        self.bookmarks.create(event_id=event.pk, created_at=now)
        return True


class Level(models.TextChoices):
    MUST = "must", "Must"
    MAYBE = "maybe", "Maybe"
    LATER = "later", "Watch later"


class Bookmark(models.Model):
    """One pick; taken back, it stays as a tombstone so that no merge brings it to life again."""

    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="bookmarks")
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
