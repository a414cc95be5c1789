"""What somebody is told who presents at one of two things and is at the other, too."""

from __future__ import annotations

from django.utils import timezone

from events.schedule.overlaps import Conflict, Verdict
from events.schedule.spans import MINUTE, Span, spoken, whole_minutes
from events.schedule.walking import Way


def presenting(conflict: Conflict) -> str:
    """One stays to the end, and comes as late as that and the way make it; or leaves in time. Empty where one only listens."""
    mine, other = (conflict.a, conflict.b) if conflict.a.fixed else (conflict.b, conflict.a)
    if not mine.fixed or mine.span is None or other.span is None:
        return ""
    if other.fixed:
        return f"You present at both: {spoken(conflict.minutes)} {'short' if conflict.verdict is Verdict.TIGHT else 'at once'}"
    if conflict.verdict is Verdict.PARTIAL:
        return f"You present {_clock(mine.span)}: you miss {conflict.minutes} of {conflict.of_minutes} minutes"
    if other.span.start >= mine.span.start:
        return _late(mine.span, other.span, conflict.way)
    return _early(mine.span, other.span, conflict.way)


def _late(mine: Span, other: Span, way: Way | None) -> str:
    arrive = mine.end + (way.minutes if way else 0) * MINUTE
    until = f"You present until {timezone.localtime(mine.end):%H:%M}"
    if arrive >= other.end:
        return f"{until}: you miss all of it"
    late = spoken(whole_minutes(arrive - other.start))
    return f"{until}: you arrive {timezone.localtime(arrive):%H:%M}{'' if way else ' at the earliest'}, {late} late"


def _early(mine: Span, other: Span, way: Way | None) -> str:
    leave = mine.start - (way.minutes if way else 0) * MINUTE
    begins = f"You present from {timezone.localtime(mine.start):%H:%M}"
    if leave <= other.start:
        return f"{begins}: you miss all of it"
    return f"{begins}: leave at {timezone.localtime(leave):%H:%M}{'' if way else ' at the latest'}"


def _clock(span: Span) -> str:
    return f"{timezone.localtime(span.start):%H:%M}–{timezone.localtime(span.end):%H:%M}"
