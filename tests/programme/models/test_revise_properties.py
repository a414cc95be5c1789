from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.models import Change, Event, Track
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db

TIMES = [(None, None), (at("09:00"), at("10:00")), (at("09:30"), at("10:30")), (at("09:00"), at("11:00"))]


class World:
    """One event, the values its fields may take, and an instance of it that was read long ago."""

    def __init__(self) -> None:
        conference = make_conference()
        self.session = make_event(conference, title="Oral 1A")
        self.event = make_event(conference, title="A", kind="talk", start="09:00", end="10:00")
        self.stale = Event.objects.get(pk=self.event.pk)
        self.values: dict[str, list[Any]] = {
            "title": ["A", "B"],
            "abstract": ["", "Text"],
            "status": ["draft", "tentative", "confirmed", "cancelled"],
            "day": [make_day(conference), make_day(conference, THURSDAY + dt.timedelta(days=1))],
            "room": [None, make_room(conference, "Hall 1"), make_room(conference, "Hall 2")],
            "track": [None, Track.objects.create(conference=conference, name="Theory")],
            "session": [None, self.session],
            "position": [0, 1],
            "official": [False, True],
        }

    def edit(self, field: str, choice: int, *, stale: bool) -> None:
        event = self.stale if stale else Event.objects.get(pk=self.event.pk)
        if field == "times":
            event.start, event.end = TIMES[choice % len(TIMES)]
        else:
            setattr(event, field, self.values[field][choice % len(self.values[field])])
        event.revise()

    def hide_session(self, choice: int) -> None:
        self.session.status = ["draft", "confirmed"][choice % 2]
        self.session.revise()


FIELDS = ["times", "title", "abstract", "status", "day", "room", "track", "session", "position", "official", "hide"]
EDITS = st.lists(st.tuples(st.sampled_from(FIELDS), st.integers(0, 3), st.booleans()), min_size=1, max_size=8)


@given(edits=EDITS)
def test_any_sequence_of_edits_keeps_the_promises_to_calendars(edits: list[tuple[str, int, bool]]) -> None:
    world = World()
    before = Event.objects.select_related("conference").get(pk=world.event.pk)

    for field, choice, stale in edits:
        recorded = Change.objects.count()
        world.hide_session(choice) if field == "hide" else world.edit(field, choice, stale=stale)
        after = Event.objects.select_related("conference").get(pk=world.event.pk)

        moved = after.announced != before.announced
        assert after.announced == after.public_snapshot()
        assert after.guid == before.guid
        assert after.sequence - before.sequence in ({0, 1} if moved else {0})
        assert (after.revised_at > before.revised_at) == moved
        assert (after.conference.revision > before.conference.revision) or not moved
        assert Change.objects.count() == recorded or moved or field == "hide"
        before = after
