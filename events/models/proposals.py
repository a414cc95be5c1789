"""What anyone sends in: a social, or what is missing or wrong on a page."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from events.models.base import plus_one
from events.models.conference import Conference
from events.models.event import Event
from events.models.fields import LineField, ProseField, WebAddressField
from events.models.tokens import derived_token, digest, recovered_token
from events.models.writing import short_write

SALT = "hallway.proposal"
FORGET_AFTER = dt.timedelta(days=30)
"""After the last day of the conference: nobody proposes any more, and who sent what is forgotten."""


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


OPEN = (ProposalStatus.WAITING, ProposalStatus.ASKED)
"""The chairs have still to say something, or the sender has."""
CHANGEABLE = (*OPEN, ProposalStatus.PUBLISHED)
"""What its sender may say anew; all else is over."""


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def open(self) -> ProposalQuerySet:
        return self.filter(status__in=OPEN)

    def by_tokens(self, tokens: Iterable[str]) -> ProposalQuerySet:
        """Those whose secrets these are; what is no secret of any is nothing."""
        return self.filter(token_hash__in={digest(token) for token in tokens})

    def forget(self, today: dt.date) -> tuple[int, int]:
        """Where the conference is long over: delete what came to nothing, and the mail addresses of all others."""
        over = self.filter(conference__end__lt=today - FORGET_AFTER)
        with transaction.atomic():
            deleted, _ = over.filter(status__in=[ProposalStatus.DECLINED, ProposalStatus.WITHDRAWN]).delete()
            return deleted, over.exclude(mailbox="").update(mailbox="")


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

    objects = ProposalQuerySet.as_manager()

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

    @property
    def token(self) -> str:
        """The secret of its address; empty if SECRET_KEY was changed since."""
        return recovered_token(SALT, self.guid, self.token_hash)

    @property
    def url(self) -> str:
        """Where its sender reads and changes it."""
        return reverse("events:proposal", args=[self.conference.slug, self.token]) if self.token else ""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def is_changeable(self) -> bool:
        return self.status in self._changeable

    @property
    def _changeable(self) -> tuple[ProposalStatus, ...]:
        """Where an edit of what is published was declined, there may be another."""
        return (*CHANGEABLE, ProposalStatus.DECLINED) if self.is_edit else CHANGEABLE

    @property
    def is_edit(self) -> bool:
        """Whether it says anew what was published of it, where a correction is about what somebody else made public."""
        return self.event_id is not None and not self.page and self.kind == ProposalKind.SOCIAL

    @property
    def public_event(self) -> Event | None:
        return self.event if self.event and self.event.is_public else None

    @classmethod
    def send(cls, conference: Conference, guid: uuid.UUID, **said: Any) -> Proposal:
        """Hand it in. A form has the guid of what it makes: sent twice, it makes one."""
        with short_write():
            values = {"conference": conference, "token_hash": digest(derived_token(SALT, guid))} | said
            return cls.objects.get_or_create(guid=guid, defaults=values)[0]

    def revise(self, version: int, **said: Any) -> bool:
        """Say it anew, and have the chairs look again; nothing if it is not what its sender saw, or is over."""
        return self._write(version, said | {"status": ProposalStatus.WAITING}, within=self._changeable)

    def withdraw(self, version: int) -> bool:
        """Take it back, and the mail address with it. What was published stays so: then only the change is taken back."""
        if self.is_edit:
            return self._write(version, {"status": ProposalStatus.PUBLISHED}, within=OPEN)
        with short_write():
            # As chairs do who merge another into it at the same moment: one of both comes second, and sees what the first did.
            self.conference.hold()
            withdrawn = self._write(version, {"status": ProposalStatus.WITHDRAWN, "mailbox": ""}, within=OPEN)
            if withdrawn:
                self.let_go()
        return withdrawn

    def let_go(self) -> None:
        """It comes to nothing: what was merged into it has to be decided by itself."""
        merged = Proposal.objects.filter(merged_into=self.pk, status=ProposalStatus.MERGED)
        merged.update(status=ProposalStatus.WAITING, merged_into=None, answer="")

    def _write(self, version: int, values: dict[str, Any], *, within: Iterable[str]) -> bool:
        """One statement, so that a decision at the same time is about what its chair has read, or is none."""
        told = values | {"version": plus_one("version"), "updated_at": timezone.now()}
        with short_write():
            written = Proposal.objects.filter(pk=self.pk, version=version, status__in=within).update(**told)
        self.refresh_from_db()
        return bool(written)


def are_taken(conference: Conference, today: dt.date) -> bool:
    """Whether there is still somebody to propose to."""
    return today <= conference.end + FORGET_AFTER
