"""An account: a mailbox whose reader may act as a visitor."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from events.models.letters import Letter
from events.models.tokens import digest
from events.models.visitors import Visitor


class AccountManager(models.Manager["Account"]):
    def of(self, token: str) -> Account | None:
        """The account of the browser with this cookie, which is signed in if there is one."""
        return self.filter(visitor__tokens__token_hash=digest(token)).select_related("user").first() if token else None


class Account(models.Model):
    """Whoever can read this user's mail is given an access token of the visitor."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="account")
    visitor = models.OneToOneField(Visitor, models.PROTECT, related_name="account")
    wants_digests = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AccountManager()

    def __str__(self) -> str:
        return f"Account {self.pk}"

    @property
    def mailbox(self) -> str:
        return self.user.email

    def want_digests(self, *, on: bool) -> None:
        self.wants_digests = on
        self.save(update_fields=["wants_digests"])

    def end(self) -> None:
        """Delete it, its mailbox, and what is on its way there."""
        Letter.objects.filter(to=self.mailbox).delete()
        self.user.delete()
