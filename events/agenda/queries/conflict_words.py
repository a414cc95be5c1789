"""The sentences about two bookmarks in conflict. Times are in the visitor's zone."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from django.utils import timezone

from events.core.clock import Clock
from events.core.spans import Span, sort_by_span, spoken_duration, whole_minutes
from events.programme.rules.overlaps import Conflict, ConflictVerdict
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import Way, way_time

# Where the title of one of the two stands.
NAME = "{}"


@dataclass(frozen=True)
class ConflictWords:
    """The title of ``named``, the key of one of the two, stands between ``lead`` and ``rest``; None for no title."""

    lead: str
    rest: str = ""
    remedy: str = ""
    named: Hashable = None


def conflict_text(conflict: Conflict) -> str:
    """Without a name: the link to the other one follows."""
    if text := presenter_text(conflict):
        return text
    match conflict.verdict:
        case ConflictVerdict.CLASH:
            return f"{'Maybe' if conflict.quiet else 'Clash'}: {spoken_duration(conflict.minutes)} overlap{_breaks(conflict)}"
        case ConflictVerdict.PARTIAL:
            return _missed_text(conflict)
        case ConflictVerdict.TIGHT if conflict.arrive and conflict.way:
            return f"{conflict.way.minutes} min walk: {_arrival_text(conflict)}"
        case _:
            return ""


def words_between(conflict: Conflict, clock: Clock) -> ConflictWords:
    """For a line between the two, which stand above and below it."""
    overlap = spoken_duration(conflict.minutes)
    if conflict.fixed:
        other = _presented_first(conflict)[1]
        if other.fixed:
            return ConflictWords(presenter_text(conflict))
        return _words(presenter_text(conflict, other=NAME), other)
    match conflict.verdict:
        case ConflictVerdict.CLASH if conflict.quiet:
            both = conflict.a.maybe and conflict.b.maybe
            remedy = "Both are a maybe." if both else "One of them is a maybe."
            return ConflictWords(f"These two overlap by {overlap}{_breaks(conflict)}", remedy=remedy)
        case ConflictVerdict.CLASH:
            return ConflictWords(f"These two clash: {overlap} overlap{_breaks(conflict)}", remedy=_remedy(conflict, clock))
        case ConflictVerdict.PARTIAL:
            lower = _lower(_missed_text(conflict))
            return _words(f"These two overlap: {lower} of {NAME}", conflict.container, _remedy(conflict, clock))
        case _:
            walk = conflict.way.minutes if conflict.way else 0
            return ConflictWords(f"{walk} min walk between these two: {_arrival_text(conflict)}", remedy=_remedy(conflict, clock))


def words_about(conflict: Conflict, subject: Hashable, pronoun: str, clock: Clock) -> ConflictWords:
    """For a line that stands at one of the two, which is not named but called ``pronoun``."""
    this, other = (conflict.a, conflict.b) if conflict.a.key == subject else (conflict.b, conflict.a)
    overlap = spoken_duration(conflict.minutes)
    if this.fixed and other.fixed:
        return _words(f"You also present {NAME}: {_shared_text(conflict)}", other)
    if this.fixed:
        return _words(presenter_text(conflict, other=NAME), other)
    if other.fixed:
        return _words(presenter_text(conflict, presented=f" {NAME}", other=pronoun), other)
    match conflict.verdict:
        case ConflictVerdict.CLASH if conflict.quiet:
            text = f"{pronoun.capitalize()} overlaps {NAME} by {overlap}{_breaks(conflict)}"
        case ConflictVerdict.CLASH:
            clash = "It clashes" if pronoun == "it" else "Clash"
            text = f"{clash} with {NAME}: {overlap} overlap{_breaks(conflict)}"
        case ConflictVerdict.PARTIAL if conflict.left == other.key:
            text = f"{_missed_text(conflict)} of {NAME}"
        case ConflictVerdict.PARTIAL:
            text = f"For {NAME}, {_lower(_missed_text(conflict))} of {pronoun}"
        case _:
            walk = conflict.way.minutes if conflict.way else 0
            is_later = sort_by_span((this, other))[1][1].key == subject
            way = f"From {NAME} it is {walk} min on foot" if is_later else f"{NAME} is {walk} min away on foot"
            text = f"{way}: {_arrival_text(conflict)}"
    return _words(text, other, _remedy(conflict, clock))


def _words(text: str, named: TimeSlot, remedy: str = "") -> ConflictWords:
    lead, _, rest = text.partition(NAME)
    return ConflictWords(lead, rest, remedy, named.key)


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _breaks(conflict: Conflict) -> str:
    """Say why the minutes are fewer than those between the hours that are shown."""
    (first, _), (second, _) = sort_by_span((conflict.a, conflict.b))
    together = whole_minutes(min(first.end, second.end) - max(first.start, second.start))
    return " without breaks" if conflict.minutes < together else ""


def _missed_text(conflict: Conflict) -> str:
    return f"You would miss {conflict.missed_minutes} of {conflict.of_minutes} min"


def _arrival_text(conflict: Conflict) -> str:
    arrive = f"you arrive {timezone.localtime(conflict.arrive):%H:%M}, " if conflict.arrive else ""
    return f"{arrive}{spoken_duration(conflict.minutes)} late"


def _remedy(conflict: Conflict, clock: Clock) -> str:
    """What can be done, but nothing that would be in the past."""
    match conflict.verdict:
        case ConflictVerdict.CLASH if conflict.quiet:
            return ""
        case ConflictVerdict.CLASH if _start_together(conflict):
            return "They start together: keep one."
        case ConflictVerdict.CLASH:
            leave = _leave_text(conflict, clock)
            return f"Choose one, or leave the first at {leave}." if leave else "Choose one."
        case ConflictVerdict.PARTIAL:
            return _way_back(conflict, clock)
        case ConflictVerdict.TIGHT if leave := _leave_text(conflict, clock):
            return f"Leave at {leave} to be there in time."
        case _:
            return ""


def _start_together(conflict: Conflict) -> bool:
    (first, _), (second, _) = sort_by_span((conflict.a, conflict.b))
    return first.start == second.start


def _leave_text(conflict: Conflict, clock: Clock) -> str:
    """When to leave the first for the second; empty once that is over, and before the first has begun."""
    (first, _), (second, _) = sort_by_span((conflict.a, conflict.b))
    leave = second.start - way_time(conflict.way)
    return "" if leave <= first.start or clock.has_come(leave) else f"{timezone.localtime(leave):%H:%M}"


def _way_back(conflict: Conflict, clock: Clock) -> str:
    """What a visitor who goes to the shorter of the two can still see of the other."""
    left, away = conflict.container.span, conflict.away
    if left is None or away is None:
        return ""
    is_seen_first, is_seen_last = left.start < away.start, away.end < left.end
    if is_seen_first and is_seen_last:
        return "You can step out and come back."
    if is_seen_last:
        return f"You can come at {timezone.localtime(away.end):%H:%M}."
    if is_seen_first and not clock.has_come(away.start):
        return f"You can leave at {timezone.localtime(away.start):%H:%M}."
    return ""


def presenter_text(conflict: Conflict, presented: str = "", other: str = "") -> str:
    """What a visitor who presents at one of the two misses of the other; empty if they present at neither."""
    mine, slot = _presented_first(conflict)
    if not mine.fixed or mine.span is None or slot.span is None:
        return ""
    if slot.fixed:
        return f"You present at both: {_shared_text(conflict)}"
    you = f"You present{presented}"
    if conflict.verdict is ConflictVerdict.PARTIAL:
        missed = f"{_lower(_missed_text(conflict))}{' of ' if other else ''}{other}"
        return f"{you} {_span_text(mine.span)}, so {missed}"
    if slot.span.start >= mine.span.start:
        return you + _late_text(mine.span, slot.span, conflict.way, other)
    return you + _early_text(mine.span, slot.span, conflict.way, other)


def _presented_first(conflict: Conflict) -> tuple[TimeSlot, TimeSlot]:
    return (conflict.a, conflict.b) if conflict.a.fixed else (conflict.b, conflict.a)


def _shared_text(conflict: Conflict) -> str:
    how = "too little for the walk" if conflict.verdict is ConflictVerdict.TIGHT else "overlap"
    return f"{spoken_duration(conflict.minutes)} {how}"


def _late_text(mine: Span, slot: Span, way: Way | None, other: str) -> str:
    arrive = mine.end + way_time(way)
    until = f" until {timezone.localtime(mine.end):%H:%M}"
    if arrive >= slot.end:
        return f"{until}, so you would miss all of {other or 'it'}"
    late = spoken_duration(whole_minutes(arrive - slot.start))
    reach = f"reach {other} at" if other else "arrive"
    return f"{until}, so you {reach} {timezone.localtime(arrive):%H:%M}{'' if way else ' at the earliest'}, {late} late"


def _early_text(mine: Span, slot: Span, way: Way | None, other: str) -> str:
    leave = mine.start - way_time(way)
    begins = f" from {timezone.localtime(mine.start):%H:%M}"
    if leave <= slot.start:
        return f"{begins}, so you would miss all of {other or 'it'}"
    gone = f"leave {other}" if other else "leave"
    return f"{begins}, so {gone} at {timezone.localtime(leave):%H:%M}{'' if way else ' at the latest'}"


def _span_text(span: Span) -> str:
    return f"{timezone.localtime(span.start):%H:%M}–{timezone.localtime(span.end):%H:%M}"
