"""In words, how something can be had in a gap."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from events.models import Event
from events.schedule.gaps import Fit


def way_and_time(fit: Fit, event: Event) -> str:
    """The walk there, how much one has of it, and when to leave."""
    parts = []
    if fit.there and fit.there.minutes:
        parts.append(f"{fit.there.minutes} min walk, there at {_clock(fit.arrive)}")
    elif fit.there:
        parts.append("No walk")
    parts.append(time_left(fit, event))
    if fit.onward and fit.onward.minutes:
        parts.append(f"leave at {_clock(fit.leave)} for your next pick, {fit.onward.minutes} min on")
    return " · ".join(parts)


def time_left(fit: Fit, event: Event) -> str:
    return f"{fit.minutes} of {event.minutes} min left" if fit.missed else f"all {fit.minutes} min of it"


def _clock(moment: dt.datetime) -> str:
    return f"{timezone.localtime(moment):%H:%M}"
