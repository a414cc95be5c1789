"""What is known of the calendars that subscribe: what they want, and when they came."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone


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


class ReplacedFeed(models.Model):
    """A feed address that was given up, so that whoever still asks for it is told so."""

    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="replaced_feeds")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    replaced_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Address of agenda {self.agenda_id}, replaced {self.replaced_at:%Y-%m-%d}"


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
