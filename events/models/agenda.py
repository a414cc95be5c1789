"""One visitor's picks, kept without an account."""

from __future__ import annotations

import datetime as dt

from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from events.models.conference import Conference
from events.models.directions import StartingPoint
from events.models.feeds import FETCHES_APART, OPTIONS, FeedAddress, FeedFetch, FeedOptions
from events.models.picks import AgendaGoneError, Picks
from events.models.prepared_query import prepared
from events.models.tokens import digest
from events.models.visitors import Visitor
from events.models.writing import short_write

# What a feed reads of its conference to name and date itself.
CALENDAR_NEEDS = ("slug", "name", "city", "timezone", "start", "end", "revision")


@prepared
def _held_by(token_hash: str, conference: int) -> models.QuerySet[Agenda]:
    return Agenda.objects.filter(visitor__tokens__token_hash=token_hash, conference=conference)


@prepared
def _fed_by(token_hash: str, client: str, since: dt.datetime) -> models.QuerySet[Agenda]:
    current = Agenda.objects.filter(feed_addresses__token_hash=token_hash, feed_addresses__replaced_at=None)
    known = current.filter(conference__status="published").select_related("conference")
    own = ("revision", "feed_serial", "changed_at", "start", *OPTIONS)
    given = {"agenda_revision": OuterRef("revision"), "conference_revision": OuterRef("conference__revision")}
    fetches = FeedFetch.objects.filter(agenda=OuterRef("pk"), client=client, at__gt=since, **given)
    recorded = {"fetch_is_recorded": Exists(fetches)}
    return known.only(*own, *(f"conference__{name}" for name in CALENDAR_NEEDS)).annotate(**recorded)


class AgendaManager(models.Manager["Agenda"]):
    def of(self, token: str, conference: Conference) -> Agenda | None:
        """The agenda of the browser with this cookie."""
        return _held_by.first(digest(token), conference.pk) if token else None

    def by_feed(self, token: str, client: str = "") -> Agenda | None:
        """The agenda whose feed this is, with what tells whether a calendar is current; asked for every few minutes by each.

        ``fetch_is_recorded`` says that this kind of client got the same a moment ago.
        """
        return _fed_by.first(digest(token), client, timezone.now() - FETCHES_APART)

    def replaced_feed(self, token: str) -> FeedAddress | None:
        """The address that was replaced; asked only when no agenda has it any more."""
        replaced = FeedAddress.objects.filter(token_hash=digest(token), replaced_at__isnull=False)
        return replaced.filter(agenda__conference__status="published").select_related("agenda__conference").first()


class Agenda(FeedOptions, Picks):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="agendas")
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="agendas")
    # How often the address of the feed was replaced.
    feed_serial = models.PositiveIntegerField(default=0, editable=False)
    # Where its holder comes from, for the way in calendar entries.
    start = models.ForeignKey(StartingPoint, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # What changed later has not been written to its holder yet.
    digested_at = models.DateTimeField(null=True, blank=True, editable=False)

    # Known of what was read by a feed's address.
    fetch_is_recorded = False

    objects = AgendaManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "visitor"], name="agenda_one_per_visitor")]

    def __str__(self) -> str:
        return f"Agenda {self.pk} of {self.conference}"

    @classmethod
    def begin(cls, token: str, conference: Conference, start: str = "") -> Agenda:
        """The visitor's agenda for this conference, made now if this is the first bookmark; with the start they chose before."""
        if known := cls.objects.of(token, conference):
            return known
        values = {"start": StartingPoint.objects.by_slug(conference, start)}
        with short_write():
            visitor = Visitor.objects.get_or_begin(token)
            if visitor is None:
                raise AgendaGoneError
            agenda, is_new = cls.objects.get_or_create(conference=conference, visitor=visitor, defaults=values)
            if is_new:
                agenda._add_feed_address()
        return agenda

    def set_start(self, start: StartingPoint | None) -> bool:
        """Where its holder comes from, from here on; no start is nowhere in particular."""
        own = Agenda.objects.filter(pk=self.pk)
        changed = self.change(lambda now: bool(own.exclude(start=start).update(start=start)))
        self.start = start
        return changed

    @property
    def feed_token(self) -> str:
        """The secret in the address of the feed; empty if SECRET_KEY was changed, until the address is replaced."""
        addresses = self.feed_addresses.filter(replaced_at=None).order_by("-pk")
        return next((address.token for address in addresses if address.token), "")

    def reset_feed(self) -> None:
        """Replace the address: the old one can only say so, and who fetched it says nothing about the new one."""
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
