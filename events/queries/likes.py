"""What somebody's picks are about, and why something is told to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from textwrap import shorten

from events.models import Event


class Likes:
    """What the picks are about."""

    def __init__(self, picks: Iterable[Event], among: Iterable[Event]) -> None:
        self.topics: dict[int, list[str]] = defaultdict(list)
        self.tracks: dict[int, list[str]] = defaultdict(list)
        for pick in picks:
            if topic := _about(pick):
                self.topics[topic].append(pick.title)
            if pick.track_id:
                self.tracks[pick.track_id].append(pick.title)

        if len({it.track_id for it in among}) == 1:
            # What all are on tells nothing of any.
            self.tracks.clear()

    def score(self, event: Event) -> int:
        """One for each pick on its track, two for each on its topic."""
        return 2 * len(self._on_topic(event)) + len(self._on_track(event))

    def why(self, event: Event) -> list[str]:
        if on_topic := self._on_topic(event):
            return [f"Same topic as {_named(on_topic)}"]
        on_track = self._on_track(event)
        return [f"Same track as {_named(on_track)}"] if on_track else []

    def _on_topic(self, event: Event) -> list[str]:
        return self.topics.get(_about(event) or 0, [])

    def _on_track(self, event: Event) -> list[str]:
        return self.tracks.get(event.track_id or 0, [])


def _about(event: Event) -> int | None:
    """Its topic, else its paper's, as the query says."""
    topic: int | None = getattr(event, "about", None)
    return topic


def _named(titles: Sequence[str]) -> str:
    more = len(titles) - 1
    return f"{shorten(titles[0], 60, placeholder='…')}{f' and {more} more of your picks' if more else ''}"
