"""Which agendas are known, and which do not count in numbers about events and questions."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.core.db.fields import LineField
from events.core.tokens import hash_token
from events.programme.models.conference import Conference

KNOWN_VISITOR_AGE = dt.timedelta(minutes=15)
"""A script makes hundreds of agendas in a minute. Visitors without a bookmarked agenda of this age are newcomers."""


def is_known_visitor(token: str) -> bool:
    """Return whether the visitor of this cookie has an agenda of KNOWN_VISITOR_AGE with a bookmark, at any conference."""
    if not token:
        return False
    old = Agenda.objects.filter(visitor__tokens__token_hash=hash_token(token), created_at__lte=timezone.now() - KNOWN_VISITOR_AGE)
    return old.filter(bookmarks__isnull=False, bookmarks__removed_at=None).exists()


class UncountedAgendas(models.Model):
    """All agendas of a conference that were begun from one moment until another: they were made by a script.

    Their bookmarks and votes stay, and are left out of numbers. A row is never deleted, so its history stays too.
    """

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="uncounted_agendas")
    begun_from = models.DateTimeField("begun from")
    begun_until = models.DateTimeField("and before")
    reason = LineField(max_length=200, help_text="For other organisers: why these agendas do not count.")
    is_undone = models.BooleanField("count them again", default=False)

    class Meta:
        verbose_name = verbose_name_plural = "agendas that do not count"
        ordering = ["-begun_from", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(begun_until__gt=F("begun_from")),
                name="uncounted_agendas_span",
                violation_error_message="The second moment is after the first one.",
            )
        ]

    def __str__(self) -> str:
        start, end = (self.conference.moment_text(moment) for moment in (self.begun_from, self.begun_until))
        return f"Agendas begun {start} to {end}"

    def agendas(self) -> models.QuerySet[Agenda]:
        return Agenda.objects.filter(
            conference=self.conference_id, created_at__gte=self.begun_from, created_at__lt=self.begun_until
        )


def is_known_agenda_q(agenda: str) -> Q:
    """The condition that an agenda is KNOWN_VISITOR_AGE old and has a bookmark; ``agenda`` is its path."""
    bookmarks = Bookmark.objects.filter(agenda=OuterRef(agenda), removed_at=None)
    return Q(Exists(bookmarks), **{f"{agenda}__created_at__lte": timezone.now() - KNOWN_VISITOR_AGE})


def uncounted_agenda_ids() -> models.QuerySet[Any]:
    # Begins with the spans, of which there are few or none: a condition on each bookmark would take 60,000 look-ups.
    spans = UncountedAgendas.objects.filter(
        is_undone=False,
        conference__agendas__created_at__gte=F("begun_from"),
        conference__agendas__created_at__lt=F("begun_until"),
    )
    return spans.order_by().values("conference__agendas")
