"""Who has agendas: a visitor without a name, and the browsers that may act as this visitor."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone

from events.models.tokens import digest, new_token


class VisitorManager(models.Manager["Visitor"]):
    def of(self, token: str) -> Visitor | None:
        """The visitor of the browser with this cookie."""
        return self.filter(tokens__token_hash=digest(token)).first() if token else None

    def lock(self, *visitors: Visitor | None) -> list[Visitor]:
        """Those that still exist, locked until the end of the transaction.

        The order of all locks is: users, visitors, agendas, sign-up lists; each by number.
        """
        keys = [visitor.pk for visitor in visitors if visitor]
        # Who signs in locks the user of the account, so the account does not move to another visitor meanwhile.
        list(User.objects.select_for_update(of=("self",)).filter(account__visitor__in=keys).order_by("pk"))
        return list(self.select_for_update().filter(pk__in=keys).order_by("pk"))

    def locked(self, token: str, *others: Visitor) -> Visitor | None:
        """The visitor of this cookie, locked together with the others."""
        self.lock(self.of(token), *others)
        # Read again, because the token may have been deleted while this transaction waited.
        return self.of(token)

    def get_or_begin(self, token: str) -> Visitor | None:
        """The same, and a new visitor for a token that nobody has; none if its visitor was deleted at this moment."""
        made = {"visitor": self.create}  # called only where it is needed
        AccessToken.objects.get_or_create(token_hash=digest(token), defaults=made)
        return self.locked(token)


class Visitor(models.Model):
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = VisitorManager()

    def __str__(self) -> str:
        return f"Visitor {self.pk}"

    def new_token(self) -> str:
        """Let one more browser act as this visitor; the value of its cookie."""
        token = new_token()
        AccessToken.objects.create(visitor=self, token_hash=digest(token))
        return token


class AccessToken(models.Model):
    """One browser of a visitor: the hash of its cookie."""

    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="tokens")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Browser {self.pk} of visitor {self.visitor_id}"
