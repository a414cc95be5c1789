"""Letters in the outbox."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import Q
from django.utils import timezone

from events.core.db.writing import plus_one, serialized_write

# Longer than EMAIL_TIMEOUT: after this a letter whose process died is sent by another.
LETTER_LOCK_TTL = dt.timedelta(minutes=10)
FIRST_RETRY_DELAY = dt.timedelta(minutes=1)
MAX_RETRY_DELAY = dt.timedelta(hours=6)
LETTER_TTL = dt.timedelta(days=3)


class LetterQuerySet(models.QuerySet["Letter"]):
    def expired(self, now: dt.datetime) -> LetterQuerySet:
        return self.filter(Q(expires_at__lte=now) | Q(created_at__lte=now - LETTER_TTL))

    def lock_next(self) -> Letter | None:
        """Return the next due letter, locked for LETTER_LOCK_TTL: two threads never get the same one."""
        now = timezone.now()
        while (letter := self.filter(due_at__lte=now).first()) is not None:
            with serialized_write():
                unlocked = self.filter(pk=letter.pk, due_at=letter.due_at)
                locked = unlocked.update(due_at=now + LETTER_LOCK_TTL, attempts=plus_one("attempts"))
            if locked:
                letter.refresh_from_db()
                return letter
        return None

    def next_due(self) -> dt.datetime | None:
        return self.values_list("due_at", flat=True).first()


class Letter(models.Model):
    """A mail to be sent. It is stored first, so that it waits while the mail server is not reachable."""

    to = models.EmailField()
    subject = models.CharField(max_length=200)
    text = models.TextField()
    headers = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    # Not sent after this moment: a sign-in code that has expired, a change of an event that is over.
    expires_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)

    objects = LetterQuerySet.as_manager()

    class Meta:
        ordering = ["due_at", "pk"]

    def __str__(self) -> str:
        return f"Letter {self.pk}"

    def retry_later(self, problem: str) -> None:
        """Double the delay each time."""
        delay = min(FIRST_RETRY_DELAY * 2 ** min(self.attempts - 1, 20), MAX_RETRY_DELAY)
        with serialized_write():
            Letter.objects.filter(pk=self.pk).update(due_at=timezone.now() + delay, problem=problem[:300])
