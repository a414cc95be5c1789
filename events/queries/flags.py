"""The small words on a card: cancelled, moved, full, an award."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from events.models import Event, Paper, Room, SignupState, Status
from events.queries.pinned import told
from events.schedule.clock import Clock


@dataclass(frozen=True, slots=True)
class Flag:
    name: str
    text: str


def flags_of(event: Event, paper: Paper | None, clock: Clock, state: str, moved: str) -> list[Flag]:
    return [*_of_the_moment(event, clock, state, moved), *_of_the_event(event, paper, clock)]


def _of_the_moment(event: Event, clock: Clock, state: str, moved: str) -> Iterator[Flag]:
    if event.is_cancelled:
        yield Flag("cancelled", "Cancelled")
    elif state == "now":
        yield Flag("now", "On now")
        if event.room and event.room.state:
            yield room_flag(event.room, clock)
    if moved:
        yield Flag("moved", f"Moved from {moved}")


def _of_the_event(event: Event, paper: Paper | None, clock: Clock) -> Iterator[Flag]:
    if event.status == Status.TENTATIVE and event.start:
        yield Flag("tentative", "Tentative")
    if event.day is None:
        yield Flag("tba", "Day to be announced")
    if event.signup_state in {SignupState.FULL, SignupState.FILLING, SignupState.CLOSED}:
        yield Flag(event.signup_state, event.get_signup_state_display())
    if any(appearance.remote for appearance in event.appearances.all()):
        yield Flag("remote", "Part of it remote")
    awards = [*event.awards.all(), *(paper.awards.all() if paper else [])]
    for award in dict.fromkeys(awards):
        yield Flag("award", f"{award.name}, {award.get_level_display().lower()}")
    if is_recording_public(event, clock):
        yield Flag("recording", "Recording")


def room_flag(room: Room, clock: Clock) -> Flag:
    """How full the room was a moment ago, or that nobody has looked lately: that is never "seats left"."""
    said = room.reported(clock.now)
    return Flag(room.state, f"Room: {said[0].lower()}{said[1:]}") if said else Flag("crowd", "Room: no recent report")


def is_recording_public(event: Event, clock: Clock) -> bool:
    """A link, and the date from which it may be shown has come."""
    return bool(event.recording_url) and (event.recording_from is None or event.recording_from <= told(clock).today)
