"""Letters to organisers about an address that is followed: it does not come in, or waits for them."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from events.core.db.writing import serialized_write
from events.imports.models import FollowedSource
from events.mail.outbox import queue_letter
from events.programme.models.conference import Conference

FAILURES_BEFORE_MAIL = 3
"""Failures in a row before a mail: a single one often passes by itself."""
MAIL_INTERVAL = dt.timedelta(days=1)
FOLLOWING_LETTER_TTL = dt.timedelta(days=1)
MAX_MAILED_ORGANISERS = 50
PERMISSION = "events.change_followedsource"
GROUP_BACKEND = "django.contrib.auth.backends.ModelBackend"
ROLE_BACKEND = "events.staff.roles.RoleBackend"


def mail_problem(source: FollowedSource) -> None:
    if source.failures >= FAILURES_BEFORE_MAIL:
        _mail(source, "its programme does not come in")


def mail_waiting(source: FollowedSource) -> None:
    _mail(source, "a change of its programme waits for you")


def _mail(source: FollowedSource, what: str) -> None:
    """At most once a day for each address, whatever happens with it."""
    now = timezone.now()
    with serialized_write():
        is_due = Q(mailed_at=None) | Q(mailed_at__lte=now - MAIL_INTERVAL)
        if not FollowedSource.objects.filter(is_due, pk=source.pk).update(mailed_at=now):
            return
        url = settings.SITE_URL + reverse("admin:events_followedsource_change", args=[source.pk])
        choices = settings.SITE_URL + reverse("staff_mail")
        with timezone.override(source.conference.zone):
            text = (
                render_to_string(
                    "events/imports/following_letter.txt", {"source": source, "url": url, "choices": choices}
                ).strip()
                + "\n"
            )
        for address in organisers(source.conference).values_list("email", flat=True)[:MAX_MAILED_ORGANISERS]:
            queue_letter(
                address,
                f"{source.conference.name}: {what}",
                text,
                headers={"Auto-Submitted": "auto-generated"},
                expires_at=now + FOLLOWING_LETTER_TTL,
            )


def organisers(conference: Conference) -> QuerySet[User]:
    """Those who can do something about it, everywhere or in this conference; superusers, if there are no others."""
    among = User.objects.filter(is_staff=True).exclude(email="").exclude(mail_choice__programmes=False).order_by("pk")
    everywhere = User.objects.with_perm(PERMISSION, include_superusers=False, backend=GROUP_BACKEND)
    here = User.objects.with_perm(PERMISSION, include_superusers=False, backend=ROLE_BACKEND, obj=conference)
    found = among.filter(Q(pk__in=everywhere.values("pk")) | Q(pk__in=here.values("pk")))
    return found if found.exists() else among.filter(is_superuser=True, is_active=True)
