"""What happens when somebody has shown that a mailbox is theirs."""

from __future__ import annotations

import hashlib

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from events.models.accounts import Account
from events.models.agenda import new_token
from events.models.merging import merge_visitors
from events.models.writing import short_write


class ClosedAccountError(ValueError):
    """Somebody was made an organiser, or shut out, in the admin: no code opens that."""


def claim(mailbox: str, held: str = "") -> str:
    """The secret to go on with, kept by the mailbox's account, which begins now if there was none.

    What the browser ``held`` becomes part of it, and that secret is dead: whoever planted it there has nothing from it.
    What another account keeps stays with that.
    """
    with short_write():
        user = _user_of(mailbox)
        account = Account.objects.select_for_update().filter(user=user).first() or Account(user=user)
        token = account.secret if account.pk else ""
        if not token:
            token = new_token()
            account.keep(token)
        if held and Account.objects.of(held) is None:
            merge_visitors(held, token)
    return token


def _user_of(mailbox: str) -> User:
    """Locked, so that two who come from one mailbox at once find the same account. Never the user of an organiser."""
    name = f"attendee-{hashlib.sha256(mailbox.encode()).hexdigest()[:40]}"
    made, _ = User.objects.get_or_create(username=name, defaults={"email": mailbox, "password": make_password(None)})
    user = User.objects.select_for_update().get(pk=made.pk)
    if user.is_staff or user.is_superuser or not user.is_active:
        raise ClosedAccountError
    return user
