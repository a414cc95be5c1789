"""Proposals of attendees: a social, a correction of one, or a report about a page."""

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

from events.core.clock import Clock
from events.core.db.fields import LineField, ProseField, WebAddressField
from events.core.db.writing import plus_one, serialized_write
from events.core.tokens import derived_token, hash_token, recovered_token
from events.programme.models.conference import Conference
from events.programme.models.event import Event

PROPOSAL_SALT = "hallway.proposal"
PROPOSAL_RETENTION = dt.timedelta(days=30)
"""After the last day of the conference; then corrections and reports close, and mail addresses are deleted."""
# Socials can be proposed for days before and after the conference.
PROPOSAL_DATE_MARGIN = dt.timedelta(days=7)


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


OPEN_STATUSES = (ProposalStatus.WAITING, ProposalStatus.ASKED)
"""Not decided yet."""
CHANGEABLE_STATUSES = (*OPEN_STATUSES, ProposalStatus.PUBLISHED)
"""Its sender may change it."""


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def open(self) -> ProposalQuerySet:
        return self.filter(status__in=OPEN_STATUSES)

    def by_tokens(self, tokens: Iterable[str]) -> ProposalQuerySet:
        return self.filter(token_hash__in={hash_token(token) for token in tokens})

    def erase_overdue(self, today: dt.date) -> tuple[int, int]:
        """Delete declined and withdrawn ones after the retention, and the mail addresses of the others; return both counts."""
        over = self.filter(conference__end__lt=today - PROPOSAL_RETENTION)
        with transaction.atomic():
            deleted, _ = over.filter(status__in=[ProposalStatus.DECLINED, ProposalStatus.WITHDRAWN]).delete()
            return deleted, over.exclude(mailbox="").update(mailbox="")


class Proposal(models.Model):
    """Readable with its token and by the chairs. Publishing copies it into an event."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="proposals")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    kind = models.CharField(max_length=10, choices=ProposalKind, default=ProposalKind.SOCIAL)
    status = models.CharField(max_length=10, choices=ProposalStatus, default=ProposalStatus.WAITING)
    # The published event, or the one to be corrected.
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

    # comparable_values(values_of(event)) when its sender saw the event: fields they left alone are not proposed changes.
    base = models.JSONField(default=dict, blank=True, editable=False)
    # Rises with every change by its sender, and when the chairs ask back: a decision is about the version that was read.
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
        """Empty if SECRET_KEY was changed since."""
        return recovered_token(PROPOSAL_SALT, self.guid, self.token_hash)

    @property
    def url(self) -> str:
        return reverse("events:proposal", args=[self.conference.slug, self.token]) if self.token else ""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES

    @property
    def is_changeable(self) -> bool:
        return self.status in self._changeable

    @property
    def _changeable(self) -> tuple[ProposalStatus, ...]:
        """Its sender may change a declined edit of a published social, to propose another one."""
        return (*CHANGEABLE_STATUSES, ProposalStatus.DECLINED) if self.is_edit else CHANGEABLE_STATUSES

    @property
    def is_edit(self) -> bool:
        """A change of the social that it became; not a correction of another social, which has a page."""
        return self.event_id is not None and not self.page and self.kind == ProposalKind.SOCIAL

    @property
    def is_changed(self) -> bool:
        """Whether its sender changed it after sending it. Both moments of a new one are read one after the other."""
        return self.updated_at - self.created_at >= dt.timedelta(seconds=1)

    @property
    def is_change_withdrawn(self) -> bool:
        """Whether the last that happened to a published social is that its sender withdrew a change."""
        decided_at = self.decided_at
        return self.status == ProposalStatus.PUBLISHED and decided_at is not None and self.updated_at > decided_at

    @property
    def public_event(self) -> Event | None:
        return self.event if self.event and self.event.is_public else None

    @classmethod
    def send(cls, conference: Conference, guid: uuid.UUID, **fields: Any) -> Proposal:
        """Idempotent: a form sent twice has the same guid, and makes one proposal."""
        with serialized_write():
            values = {"conference": conference, "token_hash": hash_token(derived_token(PROPOSAL_SALT, guid))} | fields
            return cls.objects.get_or_create(guid=guid, defaults=values)[0]

    def revise(self, version: int, **fields: Any) -> bool:
        """Change it, so that it waits again; False if it is decided or has another version."""
        return self._write(version, fields | {"status": ProposalStatus.WAITING}, within=self._changeable)

    def withdraw(self, version: int) -> bool:
        """Delete the mail address too. Of a published social only the open change is withdrawn."""
        if self.is_edit:
            return self._write(version, {"status": ProposalStatus.PUBLISHED}, within=OPEN_STATUSES)
        with serialized_write():
            # Locked as in a merge: of a withdrawal and a merge at the same time, the second sees the first.
            self.conference.lock()
            withdrawn = self._write(version, {"status": ProposalStatus.WITHDRAWN, "mailbox": ""}, within=OPEN_STATUSES)
            if withdrawn:
                self.reopen_merged()
        return withdrawn

    def reopen_merged(self) -> None:
        """Proposals merged into this one wait for decisions of their own."""
        merged = Proposal.objects.filter(merged_into=self.pk, status=ProposalStatus.MERGED)
        merged.update(status=ProposalStatus.WAITING, merged_into=None, answer="")

    def _write(self, version: int, values: dict[str, Any], *, within: Iterable[str]) -> bool:
        """One conditional UPDATE, so that a simultaneous decision is either about this version or refused."""
        changes = values | {"version": plus_one("version"), "updated_at": timezone.now()}
        with serialized_write():
            written = Proposal.objects.filter(pk=self.pk, version=version, status__in=within).update(**changes)
        self.refresh_from_db()
        return bool(written)


def accepts_proposals(conference: Conference, today: dt.date) -> bool:
    """Whether corrections, reports and changes of sent proposals are accepted."""
    return not conference.is_draft and today <= conference.end + PROPOSAL_RETENTION


def accepts_socials(conference: Conference, clock: Clock, today: dt.date) -> bool:
    """Whether new socials are accepted: while a day can be chosen, and until the moment that the organisers set.

    The menu asks for the ``today`` of a pinned page and for a moment that is not in its future.
    """
    until = conference.proposals_until
    is_closed = until is not None and clock.has_come(until)
    return not conference.is_draft and not is_closed and today <= conference.end + PROPOSAL_DATE_MARGIN
