"""Visitors without a name, their browsers, and their accounts."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.core.tokens import hash_token, new_token
from events.mail.models import Letter

# New tokens begin with it. Those without are from before the prefix of the cookie's name (events.web.secret_cookies).
TOKEN_PREFIX = "s"  # noqa: S105
# Longer than a request takes that was sent before its token ended.
ENDED_TOKEN_TTL = dt.timedelta(minutes=5)


class VisitorManager(models.Manager["Visitor"]):
    def for_token(self, token: str) -> Visitor | None:
        """``token`` is the cookie of a browser."""
        return self.filter(tokens__token_hash=hash_token(token)).first() if token else None

    def lock(self, *visitors: Visitor | None) -> list[Visitor]:
        """Lock the visitors until the end of the transaction; returns those that still exist.

        The order of all locks is: users, visitors, agendas, sign-up lists; each by number.
        """
        keys = [visitor.pk for visitor in visitors if visitor]
        # Signing in locks the user of the account, so the account does not move to another visitor meanwhile.
        list(User.objects.select_for_update(of=("self",)).filter(account__visitor__in=keys).order_by("pk"))
        return list(self.select_for_update().filter(pk__in=keys).order_by("pk"))

    def lock_by_token(self, token: str, *others: Visitor) -> Visitor | None:
        self.lock(self.for_token(token), *others)
        # Read again, because the token may have been deleted while this transaction waited.
        return self.for_token(token)


class Visitor(models.Model):
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = VisitorManager()

    def __str__(self) -> str:
        return f"Visitor {self.pk}"

    def new_token(self) -> str:
        """Let one more browser act as this visitor; returns the value of its cookie."""
        token = TOKEN_PREFIX + new_token()
        AccessToken.objects.create(visitor=self, token_hash=hash_token(token))
        return token

    def end(self) -> None:
        """Delete the visitor with everything that still belongs to it, and end its tokens."""
        self.tokens.all().end()
        self.delete()


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def remembers(self, token: str) -> bool:
        """Whether we issued this token and it is valid, or ended within ``ENDED_TOKEN_TTL``."""
        recent = models.Q(ended_at=None) | models.Q(ended_at__gt=timezone.now() - ENDED_TOKEN_TTL)
        return bool(token) and self.filter(recent, token_hash=hash_token(token)).exists()

    def end(self) -> None:
        """Separate the tokens from their visitor. Their hashes stay for ``ENDED_TOKEN_TTL``, so that nothing begins with them."""
        now = timezone.now()
        self.update(visitor=None, ended_at=now)
        AccessToken.objects.filter(ended_at__lte=now - ENDED_TOKEN_TTL).delete()


class AccessToken(models.Model):
    """One browser of a visitor. Only the hash of its cookie is stored. A token that ended has no visitor."""

    visitor = models.ForeignKey(Visitor, models.CASCADE, null=True, related_name="tokens")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False, db_index=True)

    objects = AccessTokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(visitor=None, ended_at__isnull=False) | models.Q(visitor__isnull=False, ended_at=None),
                name="accesstoken_ended_without_visitor",
            )
        ]

    def __str__(self) -> str:
        return f"Browser {self.pk} of visitor {self.visitor_id}"

    @property
    def mark(self) -> str:
        """Names this browser to its visitor. It tells browsers apart and opens nothing."""
        return salted_hmac("events.agenda.browser", str(self.pk), algorithm="sha256").hexdigest()[:24]


class AccountManager(models.Manager["Account"]):
    def for_token(self, token: str) -> Account | None:
        """The account in which the browser with this cookie is signed in."""
        return self.filter(visitor__tokens__token_hash=hash_token(token)).select_related("user").first() if token else None


class Account(models.Model):
    """A mailed code opens it: whoever reads this user's mail gets an access token of the visitor."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="account")
    visitor = models.OneToOneField(Visitor, models.PROTECT, related_name="account")
    wants_digests = models.BooleanField(default=False)
    # Mail at once about what moves or is cancelled shortly before it starts.
    wants_alerts = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AccountManager()

    class Meta:
        # Each change shortly before a start asks whether anybody wants a mail.
        indexes = [models.Index(fields=["visitor"], condition=models.Q(wants_alerts=True), name="account_wanting_alerts")]

    def __str__(self) -> str:
        return f"Account {self.pk}"

    @property
    def mailbox(self) -> str:
        return self.user.email

    def set_digests(self, *, on: bool) -> None:
        self.wants_digests = on
        self.save(update_fields=["wants_digests"])

    def set_alerts(self, *, on: bool) -> None:
        """What changed before they were turned on is not mailed."""
        if on and not self.wants_alerts:
            self.visitor.agendas.update(alerted_at=timezone.now())
        self.wants_alerts = on
        self.save(update_fields=["wants_alerts"])

    def end(self) -> None:
        Letter.objects.filter(to=self.mailbox).delete()
        self.user.delete()
