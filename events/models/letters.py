"""Mail on its way out."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import Q
from django.utils import timezone

from events.models.base import plus_one
from events.models.writing import short_write

# Longer than a mail server is given to answer: whoever took a letter and died gives it back after this.
HOLD = dt.timedelta(minutes=10)
FIRST_PAUSE = dt.timedelta(minutes=1)
LONGEST_PAUSE = dt.timedelta(hours=6)
PATIENCE = dt.timedelta(days=3)


class LetterQuerySet(models.QuerySet["Letter"]):
    def dead(self, now: dt.datetime) -> LetterQuerySet:
        """What nobody waits for any more."""
        return self.filter(Q(expires_at__lte=now) | Q(created_at__lte=now - PATIENCE))

    def take(self) -> Letter | None:
        """The next letter that is due, held for the one who takes it: two at once never get the same."""
        now = timezone.now()
        while (letter := self.filter(due_at__lte=now).first()) is not None:
            with short_write():
                mine = self.filter(pk=letter.pk, due_at=letter.due_at)
                taken = mine.update(due_at=now + HOLD, attempts=plus_one("attempts"))
            if taken:
                letter.refresh_from_db()
                return letter
        return None

    def next_due(self) -> dt.datetime | None:
        return self.values_list("due_at", flat=True).first()


class Letter(models.Model):
    """A mail on its way out: written down first, so that a mail server that is away costs nothing but time."""

    to = models.EmailField()
    subject = models.CharField(max_length=200)
    text = models.TextField()
    headers = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    # What is too late is not sent: a code that has run out, a change that is over.
    expires_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)

    objects = LetterQuerySet.as_manager()

    class Meta:
        ordering = ["due_at", "pk"]

    def __str__(self) -> str:
        return f"Letter {self.pk}"

    def put_back(self, problem: str) -> None:
        """Try again, after a pause that doubles each time."""
        pause = min(FIRST_PAUSE * 2 ** min(self.attempts - 1, 20), LONGEST_PAUSE)
        with short_write():
            Letter.objects.filter(pk=self.pk).update(due_at=timezone.now() + pause, problem=problem[:300])
