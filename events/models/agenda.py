"""One visitor's picks, kept without an account."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets

from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from events.models.conference import Conference
from events.models.directions import StartingPoint
from events.models.feeds import FETCHES_APART, OPTIONS, FeedFetch, FeedOptions, ReplacedFeed
from events.models.picks import AgendaGoneError, Picks
from events.models.prepared import prepared
from events.models.writing import short_write

TOKEN_BYTES = 24


def new_token() -> str:
    """192 random bits, as 32 characters that need no escaping in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is stored of a token: enough to know it again, useless to whoever reads the database."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


# What a feed reads of its conference to name and date itself.
CALENDAR_NEEDS = ("slug", "name", "city", "timezone", "start", "end", "revision")


@prepared
def _held_by(token_hash: str, conference: int) -> models.QuerySet[Agenda]:
    return Agenda.objects.filter(token_hash=token_hash, conference=conference)


@prepared
def _fed_by(token_hash: str, client: str, since: dt.datetime) -> models.QuerySet[Agenda]:
    known = Agenda.objects.filter(feed_token_hash=token_hash, conference__status="published").select_related("conference")
    own = ("revision", "feed_serial", "changed_at", "start", *OPTIONS)
    given = {"agenda_revision": OuterRef("revision"), "conference_revision": OuterRef("conference__revision")}
    fetches = FeedFetch.objects.filter(agenda=OuterRef("pk"), client=client, at__gt=since, **given)
    recorded = {"fetch_is_recorded": Exists(fetches)}
    return known.only(*own, *(f"conference__{name}" for name in CALENDAR_NEEDS)).annotate(**recorded)


class AgendaManager(models.Manager["Agenda"]):
    def of(self, token: str, conference: Conference) -> Agenda | None:
        """The agenda of whoever holds this cookie."""
        return _held_by.first(digest(token), conference.pk) if token else None

    def by_feed(self, token: str, client: str = "") -> Agenda | None:
        """The agenda whose feed this is, with what tells whether a calendar is current; asked for every few minutes by each.

        ``fetch_is_recorded`` says that this kind of client got the same a moment ago.
        """
        return _fed_by.first(digest(token), client, timezone.now() - FETCHES_APART)

    def replaced_feed(self, token: str) -> ReplacedFeed | None:
        """The address that this was; asked only when it is no agenda's any more."""
        given_up = ReplacedFeed.objects.filter(token_hash=digest(token), agenda__conference__status="published")
        return given_up.select_related("agenda__conference").first()


class Agenda(FeedOptions, Picks):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="agendas")
    token_hash = models.CharField(max_length=64, editable=False)
    feed_serial = models.PositiveIntegerField(default=0, editable=False)
    feed_token_hash = models.CharField(max_length=64, unique=True, editable=False)
    # Where its holder comes from, for the way in calendar entries.
    start = models.ForeignKey(StartingPoint, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # What changed later has not been written to its holder yet.
    digested_at = models.DateTimeField(null=True, blank=True, editable=False)

    # Known of what was read by a feed's address.
    fetch_is_recorded = False

    objects = AgendaManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "token_hash"], name="agenda_one_per_token")]

    def __str__(self) -> str:
        return f"Agenda {self.pk} of {self.conference}"

    @classmethod
    def begin(cls, token: str, conference: Conference, start: str = "") -> Agenda:
        """The visitor's agenda for this conference, made now if this is the first bookmark; with the start they chose before."""
        if known := cls.objects.of(token, conference):
            return known
        fresh = cls(conference=conference, token_hash=digest(token))
        fresh.feed_token_hash = digest(fresh.feed_token(token))
        values = {"feed_token_hash": fresh.feed_token_hash, "start": StartingPoint.objects.by_slug(conference, start)}
        with short_write():
            return cls.objects.get_or_create(conference=conference, token_hash=fresh.token_hash, defaults=values)[0]

    def set_start(self, start: StartingPoint | None) -> bool:
        """Where its holder comes from, from here on; no start is nowhere in particular."""
        own = Agenda.objects.filter(pk=self.pk)
        changed = self.change(lambda now: bool(own.exclude(start=start).update(start=start)))
        self.start = start
        return changed

    def feed_token(self, token: str) -> str:
        """The secret of the feed address. Only the holder of the cookie can compute it: the database cannot."""
        # By number, because a slug may change, and the address in somebody's calendar may not.
        message = f"feed:{self.conference_id}:{self.feed_serial}".encode()
        mac = hmac.new(token.encode("utf-8", "replace"), message, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac[:TOKEN_BYTES]).decode()

    def reset_feed(self, token: str) -> None:
        """A new feed address; the old one can only tell that it was replaced, and who fetched it says nothing of the new one."""
        with transaction.atomic():
            agenda = Agenda.objects.select_for_update().filter(pk=self.pk).first()
            if agenda is None:
                raise AgendaGoneError
            agenda.replaced_feeds.create(token_hash=agenda.feed_token_hash)
            agenda.fetches.all().delete()
            self.feed_serial = agenda.feed_serial + 1
            self.feed_token_hash = digest(self.feed_token(token))
            self.save(update_fields=["feed_serial", "feed_token_hash"])

    def set_feed_options(self, **wanted: object) -> bool:
        """What its feed holds from here on; True when that is another thing than before."""
        if unknown := wanted.keys() - set(OPTIONS):
            raise ValueError(f"no options of a feed: {sorted(unknown)}")
        changed = self.change(lambda now: self._set_options(wanted))
        self.refresh_from_db(fields=["revision", "changed_at", *OPTIONS])
        return changed

    def _set_options(self, wanted: dict[str, object]) -> bool:
        own = Agenda.objects.filter(pk=self.pk)
        changed = bool(own.values(*wanted).get() != wanted)
        own.update(**wanted)
        return changed
