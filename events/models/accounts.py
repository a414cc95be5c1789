"""An account is a mailbox that keeps the key to somebody's agendas, and nothing else."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from events.models.agenda import digest, new_token
from events.models.letters import Letter
from events.models.sealing import BrokenSealError, seal, unseal

PURPOSE = "account"


class AccountManager(models.Manager["Account"]):
    def of(self, token: str) -> Account | None:
        """The account that keeps this visitor's secret: whoever holds it is signed in."""
        return self.filter(token_hash=digest(token)).select_related("user").first() if token else None


class Account(models.Model):
    """Whoever can read this user's mail gets the visitor's secret; it is sealed with the site's own key."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="account")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    sealed = models.BinaryField(max_length=100, editable=False)
    wants_digests = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AccountManager()

    def __str__(self) -> str:
        return f"Account {self.pk}"

    @property
    def mailbox(self) -> str:
        return self.user.email

    @property
    def secret(self) -> str:
        """Empty when the site's key was changed since and the old one is not among SECRET_KEY_FALLBACKS."""
        try:
            return unseal(self.sealed, purpose=PURPOSE, key=str(self.user_id))
        except BrokenSealError:
            return ""

    def keep(self, token: str) -> None:
        """Keep this secret from now on."""
        self.sealed = seal(token, purpose=PURPOSE, key=str(self.user_id))
        self.token_hash = digest(token)
        self.save()

    def want_digests(self, *, on: bool) -> None:
        self.wants_digests = on
        self.save(update_fields=["wants_digests"])

    def end(self) -> None:
        """Delete it, its mailbox, and what is on its way there."""
        Letter.objects.filter(to=self.mailbox).delete()
        self.user.delete()

    @classmethod
    def follow(cls, old: str, new: str) -> None:
        """Where a secret was given up for another, the account that kept it keeps the other.

        If that is kept by an account already, this one is left with nothing in it: two mailboxes have no agenda in common.
        """
        # The account before its agendas, as claim() does: two at once wait for each other in one order.
        account = cls.objects.select_for_update().filter(token_hash=digest(old)).first()
        if account is not None:
            account.keep(new_token() if cls.objects.of(new) else new)
