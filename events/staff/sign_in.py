"""Tries of organisers' passwords and codes: their limits, and their lines in the log."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
import unicodedata

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser, User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from events.core.limits import (
    STAFF_CODES,
    STAFF_CODES_A_DAY,
    STAFF_PASSWORDS,
    STAFF_PASSWORDS_AT_ONCE,
    STAFF_PASSWORDS_NEARBY,
    USED_STAFF_CODES,
    Limit,
)
from events.web.request import network_of, retry_after

LOG = logging.getLogger("events.sign_in")
SIGN_IN_SESSION_KEY = "sign_in_password"
STAFF_BROWSER_COOKIE = "hallway_staff"
STAFF_BROWSER_SALT = "hallway.staff.browser"
STAFF_BROWSER_TTL = dt.timedelta(days=90)
WAITS = {
    STAFF_PASSWORDS_AT_ONCE.within: "a minute",
    STAFF_PASSWORDS_NEARBY.within: "a quarter of an hour",
    STAFF_PASSWORDS.within: "an hour",
    STAFF_CODES_A_DAY.within: "a day",
}


def log_sign_in(level: int, what: str, request: HttpRequest, name: str) -> None:
    # repr() escapes line breaks and other control characters, which whoever types a name could send.
    LOG.log(level, "%s: name %r, network %s", what, name, network_of(request))


def stop(request: HttpRequest, template: str, context: dict[str, object], status: int) -> ImmediateHttpResponse:
    """Return an exception that answers with this page, for code that django-allauth calls in the middle of a view."""
    page = {**admin.site.each_context(request), **context, "is_nav_sidebar_enabled": False}
    return ImmediateHttpResponse(render(request, template, page, status=status))


def count_try(request: HttpRequest, name: str, what: str, tries: list[tuple[Limit, dict[str, str]]]) -> None:
    """Count one more try in each limit. Over one of them, raise an answer with status 429."""
    # Reading first: somebody who does not stop costs no writes.
    over = [limit for limit, who in tries if limit.is_reached(**who)] or [
        limit for limit, who in tries if not limit.allows(**who)
    ]
    if not over:
        return
    log_sign_in(logging.WARNING, f"{what} refused, too many tries", request, name)
    answer = stop(request, "staff/too_many_tries.html", {"what": what, "wait": WAITS[over[-1].within]}, 429)
    retry_after(answer.response, over[-1].within)
    raise answer


def count_password(request: HttpRequest, name: str) -> None:
    """Before the password is looked at, which takes a quarter of a second of a processor.

    A browser that has signed in to this account is counted alone, and apart from all others: nobody else can use up its
    tries, neither from the same network nor by trying the account's name from many others.
    """
    browser, account = known_browser(request, name), account_key(name)
    known = "known " if browser else ""
    network, in_all = f"{known}{network_of(request)}", f"{known}{account}"
    tries = [
        (STAFF_PASSWORDS_NEARBY, {"visitor": f"{account} {browser or network}"}),
        (STAFF_PASSWORDS_AT_ONCE, {"network": network}),
        (STAFF_PASSWORDS, {"network": network, "in_all": in_all}),
    ]
    count_try(request, name, "password", tries)


def password_accepted(request: HttpRequest, name: str) -> None:
    """The tries of other networks continue to count, because an attacker may be among them."""
    STAFF_PASSWORDS_NEARBY.clear(visitor=f"{account_key(name)} {known_browser(request, name) or network_of(request)}")


def account_key(name: str) -> str:
    """Return the same key for spellings that look the same."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def known_browser(request: HttpRequest, name: str) -> str:
    """Return the number of this browser if it has signed in to the account with its present password, else ""."""
    try:
        value = signing.loads(request.COOKIES.get(STAFF_BROWSER_COOKIE, ""), salt=STAFF_BROWSER_SALT, max_age=STAFF_BROWSER_TTL)
    except signing.BadSignature:
        return ""
    # Our signature: whoever asks for the row has signed in to the account before.
    user = User.objects.filter(pk=value["user"]).first()
    is_valid = (
        user is not None and account_key(user.get_username()) == account_key(name) and password_mark(user) == value["password"]
    )
    return str(value["browser"]) if is_valid else ""


def password_mark(user: AbstractBaseUser) -> str:
    """A text that changes with the password and does not reveal it."""
    mark: str = user.get_session_auth_hash()
    return mark


def remember_browser(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """The number stays, so that a browser has its tries once however often it signs in."""
    browser = known_browser(request, user.get_username()) or secrets.token_hex(8)
    response.set_cookie(
        STAFF_BROWSER_COOKIE,
        signing.dumps({"user": user.pk, "browser": browser, "password": password_mark(user)}, salt=STAFF_BROWSER_SALT),
        max_age=STAFF_BROWSER_TTL,
        path=f"/{settings.ADMIN_PATH}",
        secure=settings.SECURE,
        httponly=True,
        samesite="Lax",
    )


def begin_sign_in(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember for the second step with which password the first one was taken."""
    request.session[SIGN_IN_SESSION_KEY] = password_mark(user)


def check_sign_in(request: HttpRequest, user: User) -> None:
    """Lead back to the password if it was changed, or the account closed, since it was entered."""
    if request.session.get(SIGN_IN_SESSION_KEY) != password_mark(user) or not (user.is_active and user.is_staff):
        log_sign_in(logging.WARNING, "second step refused, the account has changed since the first", request, user.get_username())
        messages.warning(request, "Your account was changed since you entered the password. Please enter it again.")
        request.session.flush()
        raise ImmediateHttpResponse(redirect("account_login"))


def count_code(request: HttpRequest, user: AbstractBaseUser) -> None:
    who = {"visitor": str(user.pk)}
    count_try(request, user.get_username(), "second factor", [(STAFF_CODES, who), (STAFF_CODES_A_DAY, who)])


def code_accepted(user: AbstractBaseUser) -> None:
    for limit in (STAFF_CODES, STAFF_CODES_A_DAY):
        limit.clear(visitor=str(user.pk))


def is_first_use(user: AbstractBaseUser, code: str) -> bool:
    """Remember the code of an authenticator app. False if it was used before, also in another process."""
    digits = "".join(sign for sign in code if sign in "0123456789")
    return USED_STAFF_CODES.allows(visitor=f"{user.pk} {digits}")
