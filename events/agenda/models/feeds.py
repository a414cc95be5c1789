"""The calendar feeds of an agenda: addresses, options, and the last fetch of each kind of calendar."""

from __future__ import annotations

import datetime as dt

from django.db import models

from events.core.tokens import SecretAddress


class CancelledDisplay(models.TextChoices):
    """How a feed shows cancelled events, until the end of their day."""

    STRUCK = "struck", "Marked as cancelled"
    TITLED = "titled", "Kept as an entry titled “Cancelled: …”, which Google shows too"
    DROPPED = "dropped", "Left out"


class FeedOptions(models.Model):
    """What the visitor wants in the feed of an agenda."""

    feed_must_only = models.BooleanField(default=False)
    feed_breaks = models.BooleanField(default=True)
    feed_alarm = models.BooleanField(default=False)
    feed_busy = models.BooleanField(default=True)
    feed_deadlines = models.BooleanField(default=False)
    feed_cancelled = models.CharField(max_length=10, choices=CancelledDisplay, default=CancelledDisplay.STRUCK)

    class Meta:
        abstract = True


FEED_OPTIONS = ("feed_must_only", "feed_breaks", "feed_alarm", "feed_busy", "feed_deadlines", "feed_cancelled")


class FeedAddress(SecretAddress):
    """An address of an agenda's feed. A replaced one stays, so that calendars get a notice instead of an error."""

    salt = "hallway.feed"

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="feed_addresses")
    replaced_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return f"Feed address {self.pk} of agenda {self.agenda_id}"


MIN_FETCH_INTERVAL = dt.timedelta(minutes=10)
"""A calendar that returns sooner and gets the same revisions writes no row."""


class FeedFetch(models.Model):
    """The last fetch by one kind of calendar, with the revisions it got. Nothing else about it is stored."""

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="fetches")
    client = models.CharField(max_length=30)
    at = models.DateTimeField()
    agenda_revision = models.PositiveBigIntegerField()
    conference_revision = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "client"], name="feed_fetch_last_of_each")]

    def __str__(self) -> str:
        return f"{self.client} for agenda {self.agenda_id}, {self.at:%Y-%m-%d %H:%M}"
