"""How an agenda gets to another device, and to people who may read it."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.models.agenda import Agenda
from events.models.codes import new_code
from events.models.fields import LineField
from events.models.picks import AgendaGoneError
from events.models.tokens import SecretAddress, digest
from events.models.visitors import Visitor
from events.models.writing import short_write

CODE_LIVES = dt.timedelta(minutes=10)
MOST_LINKS = 20


class ReadLinkQuerySet(models.QuerySet["ReadLink"]):
    def alive(self, token: str) -> ReadLink | None:
        """The link of this token with its agenda and conference, unless it was taken back."""
        return self.all_alive([token]).get(token)

    def all_alive(self, tokens: list[str]) -> dict[str, ReadLink]:
        """The same for several, by token."""
        hashes = {digest(token): token for token in tokens}
        known = self.filter(token_hash__in=hashes, revoked_at=None, agenda__conference__status="published")
        return {hashes[link.token_hash]: link for link in known.select_related("agenda__conference")}

    def take_back(self) -> int:
        return self.filter(revoked_at=None).update(revoked_at=timezone.now())


class ReadLink(SecretAddress):
    """An address at which others read an agenda; it opens nothing else, and can be taken back."""

    salt = "hallway.read-link"

    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="read_links")
    serial = models.PositiveIntegerField()
    label = LineField(max_length=60, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ReadLinkQuerySet.as_manager()

    class Meta:
        ordering = ["serial"]
        constraints = [models.UniqueConstraint(fields=["agenda", "serial"], name="read_link_serial")]

    def __str__(self) -> str:
        return self.label or f"Link {self.serial}"

    @classmethod
    def begin(cls, agenda: Agenda, label: str = "") -> ReadLink | None:
        """One more address; none when there are too many to keep an eye on."""
        with short_write():
            # Its row is what two requests at once wait for, so that no serial is given twice.
            Agenda.objects.select_for_update().get(pk=agenda.pk)
            if agenda.read_links.filter(revoked_at=None).count() >= MOST_LINKS:
                return None
            serial = (agenda.read_links.aggregate(last=Max("serial"))["last"] or 0) + 1
            link = cls(agenda=agenda, serial=serial, label=label)
            link.make_token()
            link.save(force_insert=True)
        return link


class Handover(models.Model):
    """A code that lets another browser act as the visitor; it is shown once, and soon gone."""

    code_hash = models.CharField(max_length=64, unique=True, editable=False)
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="handovers")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return f"Handover until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def begin(cls, visitor: Visitor) -> str:
        """A new code."""
        now, code = timezone.now(), new_code()
        with short_write():
            if not Visitor.objects.lock(visitor):
                raise AgendaGoneError
            cls.objects.filter(expires_at__lte=now).delete()
            cls.objects.create(code_hash=_hash(code), visitor=visitor, expires_at=now + CODE_LIVES)
        return code

    @classmethod
    def look(cls, code: str) -> Visitor | None:
        """The visitor who has this code; None if it is unknown, used or too old."""
        known = cls.objects.filter(code_hash=_hash(code), expires_at__gt=timezone.now()).select_related("visitor").first()
        return known.visitor if known else None

    @classmethod
    def use(cls, code: str) -> bool:
        """Use it up: of two requests at once one gets False."""
        deleted, _ = cls.objects.filter(code_hash=_hash(code), expires_at__gt=timezone.now()).delete()
        return bool(deleted)


def _hash(code: str) -> str:
    """With the site's key, because 50 bits alone could be tried out by whoever has the database."""
    return salted_hmac("hallway.handover.code", code, algorithm="sha256").hexdigest()
