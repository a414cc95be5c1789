"""Whatever happens to an event: one UID, a SEQUENCE that never falls, and stamps that move when something visible did."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.calendars.life import FIELDS, MINUTE, Seen, lives

pytestmark = pytest.mark.django_db

NAMES = ["Hall 1", "Hall A; left", "Größerer Saal"]
Step = tuple[Any, ...]

STEPS = st.one_of(
    st.sampled_from([("edited", field, value) for field, values in FIELDS.items() for value in values]),
    st.sampled_from([("room_renamed", name) for name in NAMES]),
    st.sampled_from([("speaker_renamed", name) for name in ["Ada Lovelace", "Ada, Countess"]]),
    st.sampled_from([("imported", 9), ("imported", 10)]),
    st.sampled_from([("imported",), ("saved_without_a_change",), ("restored",)]),
)


@settings(suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEPS, max_size=8))
def test_every_life_is_told_truly(steps: list[Step]) -> None:
    with lives() as (life, clock):
        addresses = [life.feed, f"/demo/events/{life.guid}.ics"]
        before = {address: life.seen(address) for address in addresses}
        highest = 0
        for verb, *arguments in steps:
            clock.shift(MINUTE)
            face = life.event.announced
            changed = getattr(life, verb)(*arguments)
            for address in addresses:
                now = life.seen(address)
                compare(before[address], now, changed=changed, moved=face != life.event.announced)
                assert now.lines.get("UID") in {f"UID:{life.guid}", None}
                before[address] = now
            highest = never_less(highest, before.values())


def compare(before: Seen, now: Seen, *, changed: bool, moved: bool) -> None:
    if not changed:
        assert now == before
    if before.body != now.body:
        assert before.etag != now.etag
    if not (before.lines and now.lines):
        return
    stamped = before.lines["DTSTAMP"] != now.lines["DTSTAMP"]
    assert stamped == moved
    if before.shown != now.shown:
        assert stamped
    # A place in words beside the same room, or a renamed building, makes nobody come at another time.
    told = ["DTSTART", "DTEND", "SUMMARY", "STATUS"]
    if any(before.lines.get(name) != now.lines.get(name) for name in told):
        assert now.sequence > before.sequence


def never_less(highest: int, found: Any) -> int:
    sequences = [seen.sequence for seen in found if seen.lines]
    assert all(sequence >= highest for sequence in sequences)
    return max([highest, *sequences])


def test_restored_dump_changes_no_calendar() -> None:
    with lives() as (life, clock):
        clock.shift(MINUTE)
        life.edited("title", "Opening, and after")
        before = life.seen(life.feed)
        clock.shift(MINUTE)

        life.restored()

        assert life.seen(life.feed) == before
        assert before.lines["UID"] == f"UID:{life.guid}"
