"""How an agenda gets to another device, and to people who may read it."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac

from django.db import models
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.models.agenda import TOKEN_BYTES, Agenda, digest
from events.models.codes import new_code
from events.models.fields import LineField
from events.models.sealing import BrokenSealError, seal, unseal
from events.models.writing import short_write

PURPOSE = "handover"
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


class ReadLink(models.Model):
    """An address at which others read an agenda; it opens nothing else, and can be taken back."""

    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="read_links")
    serial = models.PositiveIntegerField()
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
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
    def begin(cls, agenda: Agenda, secret: str, label: str = "") -> ReadLink | None:
        """One more address; none when there are too many to keep an eye on."""
        with short_write():
            # Its row is what two requests at once wait for, so that no serial is given twice.
            Agenda.objects.select_for_update().get(pk=agenda.pk)
            if agenda.read_links.filter(revoked_at=None).count() >= MOST_LINKS:
                return None
            serial = (agenda.read_links.aggregate(last=Max("serial"))["last"] or 0) + 1
            link = cls(agenda=agenda, serial=serial, label=label)
            link.token_hash = digest(link.token(secret))
            link.save(force_insert=True)
        return link

    def token(self, secret: str) -> str:
        """The secret of this address. Only the holder of the cookie can compute it, and it computes nothing else."""
        message = f"read:{self.agenda.conference_id}:{self.serial}".encode()
        mac = hmac.new(secret.encode("utf-8", "replace"), message, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac[:TOKEN_BYTES]).decode()


class Handover(models.Model):
    """A visitor's secret on its way to another device: sealed with a code that only the visitor is shown, and soon gone."""

    code_hash = models.CharField(max_length=64, unique=True, editable=False)
    sealed = models.BinaryField(max_length=100, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return f"Handover until {self.expires_at:%Y-%m-%d %H:%M}"

    @classmethod
    def begin(cls, secret: str) -> tuple[Handover, str]:
        """Put the visitor's secret down for a while, and the code that takes it up again."""
        now, code = timezone.now(), new_code()
        sealed = seal(secret, purpose=PURPOSE, key=code)
        with short_write():
            cls.objects.filter(expires_at__lte=now).delete()
            return cls.objects.create(code_hash=_hash(code), sealed=sealed, expires_at=now + CODE_LIVES), code

    @classmethod
    def look(cls, code: str) -> str:
        """The secret that the code stands for; empty for one that is unknown, used or too old, which are all the same."""
        known = cls.objects.filter(code_hash=_hash(code), expires_at__gt=timezone.now()).first()
        try:
            return unseal(bytes(known.sealed), purpose=PURPOSE, key=code) if known else ""
        except BrokenSealError:
            return ""

    @classmethod
    def use(cls, code: str) -> str:
        """The same, once: of two that come together one gets nothing."""
        secret = cls.look(code)
        deleted, _ = cls.objects.filter(code_hash=_hash(code)).delete() if secret else (0, {})
        return secret if deleted else ""


def _hash(code: str) -> str:
    """With the site's key, because 50 bits alone could be tried out by whoever has the database."""
    return salted_hmac("hallway.handover.code", code, algorithm="sha256").hexdigest()
