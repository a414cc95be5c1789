"""What of an entry depends on whose calendar it stands in: the few ways in which one event is written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from events.models import Agenda
from events.models.feeds import CancelledIn


@dataclass(frozen=True, slots=True)
class Style:
    transparent: bool = False
    alarm: bool = False
    # What is cancelled as an entry like any other, titled so: Google never shows one that says CANCELLED.
    titled: bool = False
    # Of thousands of entries none has an abstract, its talks or the way there.
    brief: bool = False
    # Where its holder comes from: the number of a starting point.
    start: int | None = None

    def for_event(self, *, cancelled: bool) -> Style:
        """Without what makes no difference to it, so that what is written alike is written once."""
        return replace(self, transparent=True, alarm=False) if cancelled else replace(self, titled=False)


PROGRAMME = Style(transparent=True, brief=True)
"""It blocks nobody's time."""
ONE = Style()


def style_of(agenda: Agenda) -> Style:
    return Style(
        transparent=not agenda.feed_busy,
        alarm=agenda.feed_alarm,
        titled=agenda.feed_cancelled == CancelledIn.TITLED,
        start=agenda.start_id,
    )
