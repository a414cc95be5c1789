"""What anyone sends in: a social, or what is missing or wrong on a page."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.models.conference import Conference
from events.models.event import Event
from events.models.fields import LineField, ProseField, WebAddressField


class ProposalKind(models.TextChoices):
    SOCIAL = "social", "A social"
    NOTE = "note", "Something missing or wrong"


class ProposalStatus(models.TextChoices):
    WAITING = "waiting", "Waiting for the chairs"
    ASKED = "asked", "Asked back"
    PUBLISHED = "published", "Published"
    DECLINED = "declined", "Declined"
    MERGED = "merged", "Merged into another"
    DONE = "done", "Dealt with"
    WITHDRAWN = "withdrawn", "Withdrawn"


class Proposal(models.Model):
    """Only whoever holds its secret and the chairs read it. What is published is the event; this is what is wanted of it."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="proposals")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    kind = models.CharField(max_length=10, choices=ProposalKind, default=ProposalKind.SOCIAL)
    status = models.CharField(max_length=10, choices=ProposalStatus, default=ProposalStatus.WAITING)
    # What it became, or what it is about.
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="proposals")
    page = models.CharField("sent from", max_length=500, blank=True)

    title = LineField(max_length=300, blank=True)
    date = models.DateField("day", null=True, blank=True)
    start = models.DateTimeField(null=True, blank=True)
    end = models.DateTimeField(null=True, blank=True)
    place = LineField(max_length=200, blank=True)
    host = LineField(max_length=200, blank=True)
    about = ProseField(max_length=10_000)
    audience = LineField("who may come", max_length=300, blank=True)
    signup_url = WebAddressField("sign-up page")
    signup_until = models.DateTimeField("sign-up until", null=True, blank=True)
    cost = LineField(max_length=100, blank=True)
    capacity = models.PositiveIntegerField("places", null=True, blank=True)
    access_notes = ProseField("accessibility", max_length=2_000)
    message = ProseField("what is missing or wrong", max_length=5_000)
    mailbox = models.EmailField("mail address", blank=True)

    # What the event said when its sender saw it (plain(standing(event))): what they left as it was is not theirs to change.
    base = models.JSONField(default=dict, blank=True, editable=False)
    # Rises with every word its sender changes: a decision is about the version that was read.
    version = models.PositiveIntegerField(default=1, editable=False)
    answer = ProseField("words to the sender", max_length=2_000)
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField("sent at", default=timezone.now, editable=False)
    updated_at = models.DateTimeField("changed at", default=timezone.now, editable=False)

    class Meta:
        ordering = ["-updated_at", "-pk"]
        indexes = [models.Index(fields=["conference", "status"], name="proposal_by_status")]
        constraints = [
            models.CheckConstraint(
                condition=Q(start__isnull=False, end__isnull=False, end__gt=F("start")) | Q(start=None, end=None),
                name="proposal_ends_after_start",
                violation_error_message="It ends after it starts; give both times or neither.",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.get_kind_display()
