"""When agendas of a conference were begun, for organisers who look for a script."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count
from django.db.models.functions import TruncMinute

from events.agenda.models.agenda import Agenda
from events.programme.models.conference import Conference

MAX_LISTED_MINUTES = 10
MIN_LISTED_AGENDAS = 20
"""Fewer are not worth leaving out, and would tell something about single people."""


@dataclass(frozen=True)
class BusyMinute:
    minute: dt.datetime
    agendas: int


def busiest_minutes(conference: Conference) -> list[BusyMinute]:
    """Return the minutes in which the most agendas were begun, the most first; none with fewer than MIN_LISTED_AGENDAS."""
    minutes = Agenda.objects.filter(conference=conference).annotate(minute=TruncMinute("created_at")).values("minute")
    counts = minutes.annotate(agendas=Count("pk")).filter(agendas__gte=MIN_LISTED_AGENDAS).order_by("-agendas", "-minute")
    return [BusyMinute(**row) for row in counts[:MAX_LISTED_MINUTES]]
