from __future__ import annotations

from collections import Counter

import pytest

from events.management.example import example_schedule
from events.programme.data.schedule import ScheduleData


@pytest.fixture(scope="module")
def whole() -> ScheduleData:
    return example_schedule()


def test_example_is_as_large_as_iclr_2025(whole: ScheduleData) -> None:
    assert (len(whole.papers), len(whole.people)) == (3_704, 15_000)
    assert Counter(event.type for event in whole.events) == {
        "poster": 3_704, "oral": 213, "poster-session": 6, "oral-session": 36, "workshop": 40, "invited-talk": 6, "break": 9,
    }  # fmt: skip
    assert len({author for paper in whole.papers for author in paper.authors}) == 15_000
    assert len({person.name for person in whole.people}) == 15_000
    assert len({event.key for event in whole.events}) == len(whole.events)


def test_example_says_that_it_is_one(whole: ScheduleData) -> None:
    assert whole.conference.name == "Example at scale"
    assert "made up" in whole.conference.about


def test_example_is_the_same_every_time() -> None:
    assert example_schedule(200) == example_schedule(200)


@pytest.mark.parametrize("events", [100, 500, 2_000, 3_960])
def test_example_has_as_many_events_as_are_asked_for(events: int) -> None:
    schedule = example_schedule(events, slug="demo")

    assert len(schedule.events) == events
    assert schedule.conference.slug == "demo"
    assert {event.paper for event in schedule.events if event.type == "poster"} == {paper.key for paper in schedule.papers}


def test_everything_is_inside_what_it_is_part_of(whole: ScheduleData) -> None:
    sessions = {event.key: event for event in whole.events}
    outside = [
        event.key
        for event in whole.events
        if event.session and event.start and event.end and (holder := sessions[event.session]).start and holder.end
        if not holder.start <= event.start < event.end <= holder.end
    ]

    assert outside == []


def test_too_few_events_are_refused() -> None:
    with pytest.raises(ValueError, match="99 events are too few for a conference: take 100 or more"):
        example_schedule(99)
