"""The small words on a card: cancelled, moved, full, an award."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from events.models import Award, Event, SignupState, Status
from events.queries.crowd import said_words
from events.queries.pinned import told
from events.queries.sign_up import sign_up_state
from events.schedule.clock import Clock
from events.schedule.crowd import NOTHING_SAID, Crowd


@dataclass(frozen=True, slots=True)
class Flag:
    name: str
    text: str
    # It may come, change and go while a page is open.
    live: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Moment:
    """What is true of an event only now."""

    state: str
    moved: str = ""
    crowd: Crowd = NOTHING_SAID


def flags_of(event: Event, awards: Iterable[Award], clock: Clock, moment: Moment) -> list[Flag]:
    return [*_of_the_moment(event, moment), *_of_the_event(event, awards, clock)]


def _of_the_moment(event: Event, moment: Moment) -> Iterator[Flag]:
    if event.is_cancelled:
        yield Flag("cancelled", "Cancelled")
    elif moment.state == "now":
        yield Flag("now", "On now")
    if moment.crowd.sure or moment.crowd.stale:
        yield crowd_flag(moment.crowd, line=event.service_id is not None)
    if moment.moved:
        yield Flag("moved", f"Moved from {moment.moved}")


def _of_the_event(event: Event, awards: Iterable[Award], clock: Clock) -> Iterator[Flag]:
    if event.status == Status.TENTATIVE and event.start:
        yield Flag("tentative", "Tentative")
    if event.day is None:
        yield Flag("tba", "Day to be announced")
    places = sign_up_state(event, clock.now)
    if places in {SignupState.FULL, SignupState.FILLING, SignupState.CLOSED} and not event.is_cancelled:
        yield Flag(places, SignupState(places).label)
    if any(appearance.remote for appearance in event.appearances.all()):
        yield Flag("remote", "Part of it remote")
    for award in awards:
        yield Flag("award", f"{award.name}, {award.get_level_display().lower()}")
    if is_recording_public(event, clock):
        yield Flag("recording", "Recording")


def crowd_flag(crowd: Crowd, *, line: bool = False) -> Flag:
    """What is sure, or that nobody has looked lately: that is never "seats left"."""
    words = said_words(crowd, line=line)
    if line and not crowd.stale:
        return Flag(crowd.state, f"{words[0].upper()}{words[1:]}", live=True)
    return Flag("crowd" if crowd.stale else crowd.state, f"{'Line' if line else 'Room'}: {words}", live=True)


def is_recording_public(event: Event, clock: Clock) -> bool:
    """A link, and the date from which it may be shown has come."""
    return bool(event.recording_url) and (event.recording_from is None or event.recording_from <= told(clock).today)
