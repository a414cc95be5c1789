"""Codes that open an agenda on another device, and links with which others read it."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.agenda.models.agenda import Agenda, AgendaGoneError
from events.agenda.models.visitors import Visitor
from events.core.db.fields import LineField
from events.core.db.writing import serialized_write
from events.core.tokens import DEVICE_CODE_LENGTH, SecretAddress, hash_token, new_code

HANDOVER_CODE_TTL = dt.timedelta(minutes=10)
MAX_READ_LINKS = 20


class ReadLinkQuerySet(models.QuerySet["ReadLink"]):
    def alive(self, token: str) -> ReadLink | None:
        """The link of this token with its agenda and conference, unless it was withdrawn."""
        return self.alive_by_token([token]).get(token)

    def alive_by_token(self, tokens: list[str]) -> dict[str, ReadLink]:
        hashes = {hash_token(token): token for token in tokens}
        links = self.filter(token_hash__in=hashes, revoked_at=None, agenda__conference__status="published")
        return {hashes[link.token_hash]: link for link in links.select_related("agenda__conference")}

    def active(self) -> ReadLinkQuerySet:
        return self.filter(revoked_at=None)

    def with_serial(self, serial: str) -> ReadLinkQuerySet:
        return self.filter(serial=serial)

    def revoke(self) -> int:
        return self.active().update(revoked_at=timezone.now())


class ReadLink(SecretAddress):
    """An address at which others read an agenda, until the visitor withdraws it."""

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
        """None if the agenda has ``MAX_READ_LINKS`` already."""
        with serialized_write():
            # Two requests at once wait for each other here, so that no serial is used twice.
            Agenda.objects.select_for_update().get(pk=agenda.pk)
            if agenda.read_links.active().count() >= MAX_READ_LINKS:
                return None
            serial = (agenda.read_links.aggregate(last=Max("serial"))["last"] or 0) + 1
            link = cls(agenda=agenda, serial=serial, label=label)
            link.make_token()
            link.save(force_insert=True)
        return link


class Handover(models.Model):
    """A code that lets another browser act as the visitor: shown once, valid for ``HANDOVER_CODE_TTL``."""

    code_hash = models.CharField(max_length=64, unique=True, editable=False)
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="handovers")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return f"Handover until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def begin(cls, visitor: Visitor) -> str:
        now, code = timezone.now(), new_code(DEVICE_CODE_LENGTH)
        with serialized_write():
            if not Visitor.objects.lock(visitor):
                raise AgendaGoneError
            cls.objects.filter(expires_at__lte=now).delete()
            cls.objects.create(code_hash=_handover_code_hash(code), visitor=visitor, expires_at=now + HANDOVER_CODE_TTL)
        return code

    @classmethod
    def find_visitor(cls, code: str) -> Visitor | None:
        """None if the code is unknown, used or expired."""
        valid = cls.objects.filter(code_hash=_handover_code_hash(code), expires_at__gt=timezone.now())
        handover = valid.select_related("visitor").first()
        return handover.visitor if handover else None

    @classmethod
    def use_up(cls, code: str) -> bool:
        """Delete the code: of two requests at once one gets False."""
        deleted, _ = cls.objects.filter(code_hash=_handover_code_hash(code), expires_at__gt=timezone.now()).delete()
        return bool(deleted)


def _handover_code_hash(code: str) -> str:
    """Hash with SECRET_KEY, because whoever has the database could try out all codes of 60 bits."""
    return salted_hmac("hallway.handover.code", code, algorithm="sha256").hexdigest()
