"""A bookmark that was chosen without network and is sent late: it counts unless the visitor decided otherwise since."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.utils import timezone

from events.models import Agenda, Event
from tests.factories import at, make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db
Decision = tuple[str, str]


def level_of(agenda: Agenda, event: Event) -> str:
    return agenda.bookmark_state(event).level or "out"


def decide(agenda: Agenda, event: Event, what: str, decided_at: dt.datetime | None = None) -> bool:
    level = what if what in {"maybe", "later"} else ""
    return agenda.bookmark(event, on=what != "out", level=level, decided_at=decided_at)


@pytest.mark.parametrize(
    ("now", "late", "result"),
    [
        (("10:20", "out"), ("10:10", "must"), "out"),
        (("10:20", "out"), ("10:25", "must"), "must"),
        (("10:20", "must"), ("10:10", "out"), "must"),
        (("10:20", "must"), ("10:25", "out"), "out"),
        (("10:20", "maybe"), ("10:10", "out"), "maybe"),
        (("10:20", "maybe"), ("10:10", "later"), "maybe"),
        (("10:20", "maybe"), ("10:25", "later"), "later"),
        (("10:20", "later"), ("10:10", "maybe"), "later"),
        (("10:20", "later"), ("10:25", "maybe"), "maybe"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_late_decision_loses_to_a_newer_one(now: Decision, late: Decision, result: str) -> None:
    conference = make_conference()
    event = make_event(conference)
    with time_machine.travel(at("09:00"), tick=False):
        agenda, _ = make_agenda(conference, event)
        # So that each of them changes something.
        decide(agenda, event, "out" if now[1] == "must" else "must")
    with time_machine.travel(at(now[0]), tick=False):
        decide(agenda, event, now[1])

    with time_machine.travel(at("10:30"), tick=False):
        decide(agenda, event, late[1], decided_at=at(late[0]))

    assert level_of(agenda, event) == result


def test_two_late_decisions_count_by_when_they_were_made() -> None:
    conference = make_conference()
    event = make_event(conference)
    with time_machine.travel(at("09:00"), tick=False):
        agenda, _ = make_agenda(conference)

    with time_machine.travel(at("10:30"), tick=False):
        changed = [
            decide(agenda, event, "must", decided_at=at("10:20")),
            decide(agenda, event, "out", decided_at=at("10:10")),
            decide(agenda, event, "out", decided_at=at("10:25")),
        ]

    assert (changed, level_of(agenda, event)) == ([True, False, True], "out")


def test_late_decision_is_dated_when_it_arrives() -> None:
    """Reports of how full a room is count by the age of a bookmark, which no browser may choose."""
    conference = make_conference()
    event = make_event(conference)
    with time_machine.travel(at("09:00"), tick=False):
        agenda, _ = make_agenda(conference)

    with time_machine.travel(at("10:30"), tick=False):
        decide(agenda, event, "must", decided_at=at("10:00"))

    bookmark = agenda.bookmarks.get()
    assert (bookmark.created_at, bookmark.decided_at) == (at("10:30"), at("10:00"))


def test_decision_that_is_not_late_counts_after_the_clock_was_set_back() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)

    with time_machine.travel(timezone.now() - dt.timedelta(hours=1)):
        decide(agenda, event, "out")

    assert level_of(agenda, event) == "out"


def test_bookmark_from_before_the_column_counts_from_when_it_was_made() -> None:
    conference = make_conference()
    event = make_event(conference)
    with time_machine.travel(at("10:20"), tick=False):
        agenda, _ = make_agenda(conference, event)
    agenda.bookmarks.update(decided_at=None)

    with time_machine.travel(at("10:30"), tick=False):
        changed = [decide(agenda, event, "out", decided_at=at(moment)) for moment in ("10:10", "10:25")]

    assert changed == [False, True]
