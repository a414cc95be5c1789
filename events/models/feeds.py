"""What is known of the calendars that subscribe: what they want, and when they came."""

from __future__ import annotations

import datetime as dt

from django.db import models

from events.models.tokens import SecretAddress


class CancelledIn(models.TextChoices):
    """How a feed shows what is cancelled, until the end of its day."""

    STRUCK = "struck", "Marked as cancelled"
    TITLED = "titled", "Kept as an entry titled “Cancelled: …”, which Google shows too"
    DROPPED = "dropped", "Left out"


class FeedOptions(models.Model):
    """What the holder of an agenda wants in its feed."""

    feed_must_only = models.BooleanField(default=False)
    feed_breaks = models.BooleanField(default=True)
    feed_alarm = models.BooleanField(default=False)
    feed_busy = models.BooleanField(default=True)
    feed_deadlines = models.BooleanField(default=False)
    feed_cancelled = models.CharField(max_length=10, choices=CancelledIn, default=CancelledIn.STRUCK)

    class Meta:
        abstract = True


OPTIONS = ("feed_must_only", "feed_breaks", "feed_alarm", "feed_busy", "feed_deadlines", "feed_cancelled")


class FeedAddress(SecretAddress):
    """An address of an agenda's feed. One that was replaced stays, so that it can say so."""

    salt = "hallway.feed"

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="feed_addresses")
    replaced_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return f"Feed address {self.pk} of agenda {self.agenda_id}"


FETCHES_APART = dt.timedelta(minutes=10)
"""A calendar that comes again sooner, and is given nothing newer, writes nothing."""


class FeedFetch(models.Model):
    """The last visit of one kind of calendar to a feed, and the revisions it was given: no address, no name."""

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="fetches")
    client = models.CharField(max_length=30)
    at = models.DateTimeField()
    agenda_revision = models.PositiveBigIntegerField()
    conference_revision = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "client"], name="feed_fetch_last_of_each")]

    def __str__(self) -> str:
        return f"{self.client} for agenda {self.agenda_id}, {self.at:%Y-%m-%d %H:%M}"
