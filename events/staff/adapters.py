"""How django-allauth signs organisers in here: limits, log, secrets encrypted in the database."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from events.core.graphics import qr_svg
from events.core.time_zones import moment_text
from events.staff.passwords import new_password_url, report_new_password, send_reset_letter
from events.staff.second_factor import is_verified
from events.staff.sign_in import begin_sign_in, count_password, log_sign_in, password_accepted, remember_browser, stop

CONFIRMATIONS = {
    "reauthenticate": "Use your password",
    "mfa_reauthenticate": "Use a code",
    "mfa_reauthenticate:webauthn": "Use a passkey",
}


class StaffAccountAdapter(DefaultAccountAdapter):
    # The name and the password, not which of them was wrong.
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "Name and password do not belong together. Capitals matter in both.",
        "incorrect_password": "That is not your password. Capitals matter.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        count_password(request, credentials["username"])

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Attendees sign in with a mailed code and organisers only here: a password of anybody else is a wrong one."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None and user.is_staff:
            password_accepted(request, credentials["username"])
            begin_sign_in(request, user)
            return user
        if user is not None:
            self.authentication_failed(request, **credentials)
        return None

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        log_sign_in(logging.WARNING, "wrong password", request, credentials["username"])

    def get_reset_password_from_key_url(self, key: str) -> str:
        return new_password_url(*key.split("-", 1))

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        send_reset_letter(user, context["password_reset_url"])

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        report_new_password(self.request, user)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        return [method | {"description": CONFIRMATIONS[method["id"]]} for method in super().get_reauthentication_methods(user)]

    def login(self, request: HttpRequest, user: User) -> None:
        before = user.last_login
        super().login(request, user)
        how = "with second factor" if is_verified(request) else "with password"
        log_sign_in(logging.INFO, f"signed in {how}", request, user.get_username())
        if before is not None:
            messages.info(request, f"Your last sign-in was on {moment_text(before, dt.UTC, 'UTC')}.")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_browser(request, response, user)
        return response


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That code is wrong, was used before or has expired. Enter the newest; is the phone's clock right?",
    }

    def build_totp_svg(self, url: str) -> str:
        return qr_svg(url).decode()

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # No other text would do: codes that are computed from a known one could be guessed.
            log_sign_in(logging.ERROR, "second factor was encrypted with another SECRET_KEY", context.request, "")
            raise stop(context.request, "staff/unreadable_factor.html", {}, 409) from None

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - the hook's name
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return f"Passkey {count + 1}"


def _cipher() -> MultiFernet:
    """With SECRET_KEY; secrets that were encrypted with a former key can be read."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(f"hallway.second-factor:{key}".encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
