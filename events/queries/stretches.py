"""What lies between a pick and the one it follows, in words: the time, the walk, what is in the way and what to do about it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from events.queries.cards import Card, Line
from events.queries.elsewhere import WayOut
from events.queries.free_time import gap_query
from events.queries.private_entries import PrivateCard
from events.queries.slots import sentence
from events.schedule.clock import Clock
from events.schedule.gaps import LEAST
from events.schedule.itinerary import Stretch
from events.schedule.overlaps import Verdict
from events.schedule.spans import spoken
from events.schedule.walking import Need, Needs, Way


@dataclass(frozen=True)
class Gap:
    """What lies between a pick and the one it follows."""

    minutes: int
    walk_minutes: int | None
    walk_covered: bool | None
    walk_to: str
    verdict: str
    sentence: str
    remedy: str = ""
    # Where else one can catch either of the two.
    ways: Sequence[WayOut] = ()
    # With what it is asked what fits in it; nothing for one too short.
    fill: str = ""
    quiet: bool = False


def gap_before(
    card: Card | Line | PrivateCard, stretch: Stretch | None, needs: Needs, clock: Clock, ways: Mapping[Hashable, WayOut]
) -> Gap | None:
    if stretch is None or _is_inside(stretch):
        return None
    way = stretch.way
    walk_to = card.plate.name if card.plate else card.place
    free = stretch.free
    return Gap(
        minutes=int(free / dt.timedelta(minutes=1)),
        walk_minutes=way.minutes if way else None,
        walk_covered=way.covered if way else None,
        walk_to=walk_to,
        verdict=_verdict(stretch),
        sentence=sentence(stretch.conflict) if stretch.conflict else _free(stretch, walk_to, needs),
        remedy=_remedy(stretch),
        ways=tuple(ways[it.key] for it in (stretch.before, stretch.after) if stretch.conflict and it.key in ways),
        fill=gap_query(stretch.before.end, stretch.after.start, clock) if free >= LEAST else "",
        quiet=stretch.conflict is not None and stretch.conflict.quiet,
    )


def _verdict(stretch: Stretch) -> str:
    if stretch.verdict is Verdict.FINE and stretch.way is None:
        return "barred" if stretch.barred else ""
    return stretch.verdict


def _is_inside(stretch: Stretch) -> bool:
    """A talk in the session one is in, or in a gap of it: nothing lies between."""
    before, after = stretch.before.end, stretch.after.start
    return stretch.conflict is None and before is not None and after is not None and after < before


def _free(stretch: Stretch, walk_to: str, needs: Needs) -> str:
    time, way = spoken(stretch.free), stretch.way
    to = f" to {walk_to}" if walk_to else ""
    if stretch.barred:
        return f"{time} · no step-free way known{to}" if stretch.free else f"No step-free way known{to}"
    if way is None or not way.minutes:
        return f"{time} free" if stretch.free else "Straight on"
    return ", ".join([f"{time} · {way.minutes} min walk{to}", *_facts(way, needs)])


def _facts(way: Way, needs: Needs) -> Iterator[str]:
    """What is known of a way; for who needs to know, also what is not."""
    if way.covered is not None:
        yield "covered" if way.covered else "outdoors"
    elif Need.DRY in needs:
        yield "covered or not is unknown"
    if Need.STEP_FREE in needs:
        yield "step-free" if way.step_free else "steps unknown"


def _remedy(stretch: Stretch) -> str:
    if stretch.conflict and stretch.conflict.fixed:
        # The sentence says when to come or leave.
        return ""
    match stretch.verdict:
        case Verdict.CLASH if stretch.conflict and stretch.conflict.quiet:
            return ""
        case Verdict.CLASH:
            return "Keep one, or leave the first early."
        case Verdict.PARTIAL:
            return "Leave it and come back."
        case Verdict.TIGHT if stretch.way and stretch.after.start:
            leave = timezone.localtime(stretch.after.start - dt.timedelta(minutes=stretch.way.minutes))
            return f"Leave at {leave:%H:%M} to be there in time."
        case _:
            return ""
