"""New passwords by mail: for organisers who forgot theirs, and for those who are invited and have none yet."""

from __future__ import annotations

import datetime as dt
import logging

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from events.core.limits import STAFF_PASSWORD_MAILS, mailbox_key
from events.mail.outbox import queue_letter
from events.staff.sign_in import LOG, count_try, log_sign_in
from events.web.request import network_of

PASSWORD_LINK_TTL = dt.timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def count_password_mail(request: HttpRequest, mailbox: str) -> None:
    who = {"mailbox": mailbox_key(mailbox.lower()), "network": network_of(request)}
    count_try(request, mailbox, "password mail", [(STAFF_PASSWORD_MAILS, who)])


def new_password_url(uid: str, key: str) -> str:
    """The whole address, on which one password can be chosen once."""
    path: str = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": key})
    return f"{settings.SITE_URL}{path}"


def send_reset_letter(user: User, url: str) -> None:
    _send(user, f"A new password for {settings.SITE.netloc}", "staff/reset_letter.txt", {"url": url})


def send_invitation(member: User, groups: str, by: str) -> None:
    """A letter with the address at which the password is chosen; those sent before work until then, too."""
    url = new_password_url(user_pk_to_url_str(member), default_token_generator.make_token(member))
    context = {"url": url, "groups": groups, "by": by, "days": PASSWORD_LINK_TTL.days}
    _send(member, f"You are invited to organise at {settings.SITE.netloc}", "staff/invitation_letter.txt", context)
    LOG.info("invited as %s by %r: name %r", groups, by, member.get_username())


def report_new_password(request: HttpRequest, user: User) -> None:
    """After a password was chosen by mail: a line in the log, a message and a letter."""
    log_sign_in(logging.WARNING, "password chosen by mail", request, user.get_username())
    messages.success(request, f"Your password is saved. Log in as {user.get_username()}.")
    _send(user, f"Your password at {settings.SITE.netloc} is new", "staff/password_letter.txt", {})


def _send(user: User, subject: str, template: str, context: dict[str, object]) -> None:
    text = render_to_string(template, {"user": user, "site": settings.SITE_URL, **context}).strip() + "\n"
    queue_letter(user.email, subject, text, expires_at=timezone.now() + PASSWORD_LINK_TTL)
