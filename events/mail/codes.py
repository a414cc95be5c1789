"""Codes that are mailed to see whose mailbox it is: django-allauth's, with nobody looked up before the code is right."""

from __future__ import annotations

import datetime as dt
import hmac
import time
from typing import Any

from allauth.account.internal.constants import LoginStageKey
from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.models import Login
from allauth.account.stages import LoginByCodeStage, LoginStageController
from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.mail.outbox import post
from events.models import Tally
from events.models.codes import as_typed, in_groups, new_code

STAGE = LoginStageKey.LOGIN_BY_CODE.value
LIVES = dt.timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
TRIES = settings.ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS


class MailedCode(LoginCodeVerificationProcess):
    """It lives in the session of the browser that asked; the database knows an HMAC of it, which opens nothing."""

    @classmethod
    def begin(cls, request: HttpRequest, mailbox: str) -> None:
        """Mail a new code; one that was sent before is worth nothing from now on."""
        login = Login(email=mailbox)
        login.state["stages"] = {"current": STAGE}
        stage = LoginByCodeStage(LoginStageController(request, login), request, login)
        stage.state.update(cls.initial_state(user=None, email=mailbox))
        code = cls(stage)
        code.send()
        code.persist()
        if not request.user.is_authenticated:
            # No longer than the code: a browser with a session gets no pages from the shelf.
            request.session.set_expiry(LIVES)

    @classmethod
    def pending(cls, request: HttpRequest) -> MailedCode | None:
        """What this browser has asked for and not yet used, if it is not too old."""
        stage = LoginStageController.enter(request, STAGE)
        code = cls(stage) if stage else None
        return code if code and code.is_valid() else None

    @property
    def mailbox(self) -> str:
        return str(self.state["email"])

    @property
    def minutes_left(self) -> int:
        return max(1, round((float(self.state["at"]) + LIVES.total_seconds() - time.time()) / 60))

    def generate_code(self) -> str:
        code = new_code()
        self.state["code"] = _kept(code)
        return code

    def send_by_email(self, email: str, skip_enumeration_mails: bool = False) -> None:
        host = settings.SITE.netloc
        context: dict[str, Any] = {
            "code": in_groups(self.generate_code()),
            "host": host,
            "minutes": int(LIVES.total_seconds() // 60),
        }
        post(
            email,
            f"Your code for {host}",
            render_to_string("account/code_letter.txt", context),
            expires_at=timezone.now() + LIVES,
        )

    def may_be_tried(self) -> bool:
        """Counted in the database: requests at the same time each see an old count in their session."""
        return Tally.allows("code-try", self.code, most=TRIES, within=LIVES)

    def is_right(self, typed: str) -> bool:
        """Once: of two that come together one is told no."""
        meant = as_typed(typed)
        right = bool(meant) and hmac.compare_digest(_kept(meant), self.code)
        return right and Tally.allows("code-use", self.code, most=1, within=2 * LIVES)

    def end(self) -> None:
        """Nothing of it stays; a session that was begun for it goes too."""
        self.abort()
        if not self.request.user.is_authenticated:
            self.request.session.flush()


def _kept(code: str) -> str:
    return salted_hmac("hallway.account.code", code, algorithm="sha256").hexdigest()
