"""An account is a mailbox that keeps the key to somebody's agendas, and nothing else."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class Account(models.Model):
    """Whoever can read this user's mail gets the visitor's secret; it is sealed with the site's own key."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="account")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    sealed = models.BinaryField(max_length=100, editable=False)
    wants_digests = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Account {self.pk}"


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

    class Meta:
        ordering = ["due_at", "pk"]

    def __str__(self) -> str:
        return f"Letter {self.pk}"
