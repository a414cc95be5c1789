"""How an agenda gets to another device, and to people who may read it."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from events.models.agenda import Agenda, digest
from events.models.fields import LineField


class ReadLinkQuerySet(models.QuerySet["ReadLink"]):
    def alive(self, token: str) -> ReadLink | None:
        """The link of this token with its agenda and conference, unless it was taken back."""
        known = self.filter(token_hash=digest(token), revoked_at=None, agenda__conference__status="published")
        return known.select_related("agenda__conference").first()


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


class Handover(models.Model):
    """A visitor's secret on its way to another device: sealed with a code that only the visitor is shown, and soon gone."""

    code_hash = models.CharField(max_length=64, unique=True, editable=False)
    sealed = models.BinaryField(max_length=100, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return f"Handover until {self.expires_at:%Y-%m-%d %H:%M}"
