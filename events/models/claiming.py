"""What happens when somebody has shown that a mailbox is theirs."""

from __future__ import annotations

import hashlib

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from events.models.accounts import Account
from events.models.merging import merge_visitors
from events.models.visitors import Visitor
from events.models.writing import short_write


class ClosedAccountError(ValueError):
    """Somebody was made an organiser, or shut out, in the admin: no code opens that."""


def claim(mailbox: str, token: str = "") -> str:
    """A new access token of the mailbox's account, which begins now if there was none.

    What the browser's ``token`` opened becomes part of it, and that token opens nothing any more: whoever planted it there
    gains nothing. What another account has stays with that account.
    """
    with short_write():
        user = _user_of(mailbox)
        account = Account.objects.filter(user=user).select_related("visitor").first()
        if account is None:
            account = Account.objects.create(user=user, visitor=Visitor.objects.create())
        here = Visitor.objects.locked(token, account.visitor)
        if here and not Account.objects.filter(visitor=here).exists():
            merge_visitors(here, account.visitor)
        return account.visitor.new_token()


def _user_of(mailbox: str) -> User:
    """Locked, so that two who come from one mailbox at once find the same account. Never the user of an organiser."""
    name = f"attendee-{hashlib.sha256(mailbox.encode()).hexdigest()[:40]}"
    made, _ = User.objects.get_or_create(username=name, defaults={"email": mailbox, "password": make_password(None)})
    user = User.objects.select_for_update().get(pk=made.pk)
    if user.is_staff or user.is_superuser or not user.is_active:
        raise ClosedAccountError
    return user
