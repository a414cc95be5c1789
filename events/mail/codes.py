"""Codes that are mailed to see whose mailbox it is. Nobody is looked up before the code is right."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from events.mail.outbox import post
from events.models import Tally
from events.models.codes import as_typed, in_groups, new_code

SESSION_KEY = "mailed_code"
LIVES = dt.timedelta(minutes=10)
TRIES = 5


@dataclass(frozen=True)
class MailedCode:
    """It is in the session of the browser that asked, as an HMAC, so that the database alone does not give it away."""

    mailbox: str
    code_hash: str
    sent_at: float

    @classmethod
    def begin(cls, request: HttpRequest, mailbox: str) -> None:
        """Mail a new code; one that was sent before is worth nothing from now on."""
        code, now, host = new_code(), timezone.now(), settings.SITE.netloc
        context = {"code": in_groups(code), "host": host, "minutes": int(LIVES.total_seconds() // 60)}
        text = render_to_string("account/code_letter.txt", context)
        post(mailbox, f"Your code for {host}", text, expires_at=now + LIVES)
        request.session[SESSION_KEY] = asdict(cls(mailbox, _hash(code), now.timestamp()))
        if not request.user.is_authenticated:
            # No longer than the code: a browser with a session gets no cached pages.
            request.session.set_expiry(LIVES)

    @classmethod
    def pending(cls, request: HttpRequest) -> MailedCode | None:
        """What this browser has asked for and not yet used, if it is not too old."""
        stored = request.session.get(SESSION_KEY)
        code = cls(**stored) if stored else None
        return code if code and code.ends_at > timezone.now() else None

    @property
    def ends_at(self) -> dt.datetime:
        return dt.datetime.fromtimestamp(self.sent_at, dt.UTC) + LIVES

    @property
    def minutes_left(self) -> int:
        return max(1, round((self.ends_at - timezone.now()) / dt.timedelta(minutes=1)))

    def may_be_tried(self) -> bool:
        """Counted in the database: requests at the same time each see an old count in their session."""
        return Tally.allows("code-try", self.code_hash, most=TRIES, within=LIVES)

    def is_right(self, typed: str) -> bool:
        """Once: of two that come together one is told no."""
        meant = as_typed(typed)
        right = bool(meant) and constant_time_compare(_hash(meant), self.code_hash)
        return right and Tally.allows("code-use", self.code_hash, most=1, within=2 * LIVES)

    @staticmethod
    def end(request: HttpRequest) -> None:
        """Nothing of it stays; a session that was begun for it ends too."""
        if request.user.is_authenticated:
            request.session.pop(SESSION_KEY, None)
        else:
            request.session.flush()


def _hash(code: str) -> str:
    return salted_hmac("hallway.account.code", code, algorithm="sha256").hexdigest()
