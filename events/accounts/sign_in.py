"""Signing in with a mailed code. Accounts are looked up only after the code was right."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import asdict, dataclass

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from events.agenda.merging import merge_visitors
from events.agenda.models.visitors import Account, Visitor
from events.core.db.writing import serialized_write
from events.core.limits import Tally
from events.core.tokens import format_code, new_code, normalize_code
from events.mail.outbox import queue_letter

MAILED_CODE_SESSION_KEY = "mailed_code"
MAILED_CODE_TTL = dt.timedelta(minutes=10)
MAX_CODE_TRIES = 5


@dataclass(frozen=True)
class MailedCode:
    """Stored in the session of the browser that asked. The code is an HMAC, so a copy of the database does not reveal it."""

    mailbox: str
    code_hash: str
    sent_at: float

    @classmethod
    def begin(cls, request: HttpRequest, mailbox: str) -> None:
        code, now, host = new_code(), timezone.now(), settings.SITE.netloc
        context = {"code": format_code(code), "host": host, "minutes": int(MAILED_CODE_TTL.total_seconds() // 60)}
        text = render_to_string("account/code_letter.txt", context)
        queue_letter(mailbox, f"Your code for {host}", text, expires_at=now + MAILED_CODE_TTL)
        request.session[MAILED_CODE_SESSION_KEY] = asdict(cls(mailbox, _mailed_code_hash(code), now.timestamp()))
        if not request.user.is_authenticated:
            # No longer than the code: a browser with a session gets no cached pages.
            request.session.set_expiry(MAILED_CODE_TTL)

    @classmethod
    def pending(cls, request: HttpRequest) -> MailedCode | None:
        stored = request.session.get(MAILED_CODE_SESSION_KEY)
        code = cls(**stored) if stored else None
        return code if code and code.ends_at > timezone.now() else None

    @property
    def ends_at(self) -> dt.datetime:
        return dt.datetime.fromtimestamp(self.sent_at, dt.UTC) + MAILED_CODE_TTL

    @property
    def minutes_left(self) -> int:
        return max(1, round((self.ends_at - timezone.now()) / dt.timedelta(minutes=1)))

    def may_be_tried(self) -> bool:
        """Counted in the database: simultaneous requests each read an old count in their session."""
        return Tally.allows("code-try", self.code_hash, most=MAX_CODE_TRIES, within=MAILED_CODE_TTL)

    @property
    def tries_left(self) -> int:
        return Tally.left("code-try", self.code_hash, most=MAX_CODE_TRIES)

    def is_right(self, typed: str) -> bool:
        """True only once: of two simultaneous requests with the right code one gets False."""
        meant = normalize_code(typed)
        right = bool(meant) and constant_time_compare(_mailed_code_hash(meant), self.code_hash)
        return right and Tally.allows("code-use", self.code_hash, most=1, within=2 * MAILED_CODE_TTL)

    @staticmethod
    def end(request: HttpRequest) -> None:
        if request.user.is_authenticated:
            request.session.pop(MAILED_CODE_SESSION_KEY, None)
        else:
            request.session.flush()


def _mailed_code_hash(code: str) -> str:
    return salted_hmac("hallway.account.code", code, algorithm="sha256").hexdigest()


class ClosedAccountError(ValueError):
    """The mailbox belongs to an organiser or a deactivated user, whom no mailed code signs in."""


def sign_in_by_mail(mailbox: str, token: str = "") -> str:
    """Return a new access token of the mailbox's account, which is created if needed.

    The agendas of the browser's ``token`` are merged into the account, and that token stops working: whoever planted it
    gains nothing. The agendas of another account stay with that account.
    """
    with serialized_write():
        user = _user_of(mailbox)
        account = Account.objects.filter(user=user).select_related("visitor").first()
        if account is None:
            account = Account.objects.create(user=user, visitor=Visitor.objects.create())
        here = Visitor.objects.lock_by_token(token, account.visitor)
        if here and not Account.objects.filter(visitor=here).exists():
            merge_visitors(here, account.visitor)
        return account.visitor.new_token()


def _user_of(mailbox: str) -> User:
    """Locked, so that two simultaneous sign-ins find the same account. Raises ClosedAccountError for organisers."""
    name = f"attendee-{hashlib.sha256(mailbox.encode()).hexdigest()[:40]}"
    made, _ = User.objects.get_or_create(username=name, defaults={"email": mailbox, "password": make_password(None)})
    user = User.objects.select_for_update().get(pk=made.pk)
    if user.is_staff or user.is_superuser or not user.is_active:
        raise ClosedAccountError
    return user
