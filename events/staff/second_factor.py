"""Who has a second factor, whether this session has shown it, and what happens when one is added or removed."""

from __future__ import annotations

import logging
from typing import Any, TypeVar

from allauth.mfa import signals
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string

from events.core.db.writing import serialized_write
from events.mail.outbox import queue_letter
from events.staff.sign_in import LOG, log_sign_in

UserT = TypeVar("UserT", bound=User)

SECOND_FACTOR_SESSION_KEY = "second_factor"
FACTOR_NAMES = {
    Authenticator.Type.TOTP: "authenticator app",
    Authenticator.Type.WEBAUTHN: "passkey",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}


def factors_of(user: AbstractBaseUser) -> QuerySet[Authenticator]:
    """Recovery codes alone are no second factor."""
    rows: QuerySet[Authenticator] = Authenticator.objects.filter(user_id=user.pk)
    return rows.exclude(type=Authenticator.Type.RECOVERY_CODES)


def with_second_factor(users: QuerySet[UserT]) -> QuerySet[UserT]:
    """Annotate ``has_second_factor``."""
    factors = Authenticator.objects.filter(user=OuterRef("pk")).exclude(type=Authenticator.Type.RECOVERY_CODES)
    annotated: QuerySet[UserT] = users.annotate(has_second_factor=Exists(factors))  # type: ignore[assignment]
    return annotated


def is_verified(request: HttpRequest) -> bool:
    """True if the second factor was shown, or set up, in this session by the user who is signed in."""
    return request.user.pk is not None and request.session.get(SECOND_FACTOR_SESSION_KEY) == request.user.pk


def may_enter(request: HttpRequest) -> bool:
    """Reads the session only: it runs for each page of the admin."""
    return is_verified(request) or not settings.REQUIRE_SECOND_FACTOR


def forget_second_factor(user: User) -> bool:
    """Remove all factors and recovery codes, and end the user's sessions: a lost phone may be signed in.

    Return False, and change nothing, if there was none.
    """
    with serialized_write():
        removed, _ = Authenticator.objects.filter(user_id=user.pk).delete()
        if not removed:
            return False
        end_sessions(user)
    LOG.warning("second factor removed for a lost phone: name %r", user.get_username())
    return True


def end_sessions(user: AbstractBaseUser, but: str | None = None) -> None:
    """``but`` is the key of the session that stays."""
    for session in Session.objects.exclude(session_key=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def _on_used(request: HttpRequest, user: User, **kwargs: Any) -> None:
    request.session[SECOND_FACTOR_SESSION_KEY] = user.pk


def _on_added(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    request.session[SECOND_FACTOR_SESSION_KEY] = user.pk
    _report(request, user, authenticator, "added")


def _on_reset(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    _report(request, user, authenticator, "replaced")


def _on_removed(request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    if not factors_of(user).exists():
        request.session.pop(SECOND_FACTOR_SESSION_KEY, None)
    # Whoever replaces a lost phone need not find out how to sign it out.
    end_sessions(user, but=request.session.session_key)
    _report(request, user, authenticator, "removed")


def _report(request: HttpRequest, user: User, authenticator: Authenticator, what: str) -> None:
    name = FACTOR_NAMES[authenticator.type]
    log_sign_in(logging.WARNING, f"{name} {what}", request, user.get_username())
    if user.email:
        context = {"user": user, "factor": name, "what": what, "site": settings.SITE_URL}
        text = render_to_string("staff/factor_letter.txt", context).strip() + "\n"
        queue_letter(user.email, f"Your sign-in at {settings.SITE.netloc}: {name} {what}", text)


def connect_signals() -> None:
    """django-allauth reports factors by signals alone."""
    signals.authenticator_used.connect(_on_used)
    signals.authenticator_added.connect(_on_added)
    signals.authenticator_reset.connect(_on_reset)
    signals.authenticator_removed.connect(_on_removed)
