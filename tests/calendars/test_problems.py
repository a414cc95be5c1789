"""What calendars leave out, written down for organisers and looked at again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from events.calendars import problems
from events.calendars.left_out import left_out, unwritable_in
from events.calendars.problems import LONGEST, MOST, NO_END, PROBLEMS, UNREADABLE, Problems, in_words
from events.models import CalendarProblem, Event
from tests.calendars.poison import end_before_start, make_unreadable, without_a_date, without_a_revision
from tests.calendars.world import World
from tests.factories import make_event

SCHEDULE = "/iclr-2025/schedule.ics"


def noticed() -> list[tuple[int, str]]:
    return list(CalendarProblem.objects.order_by("event").values_list("event", "problem"))


def told(world: World) -> list[tuple[str, str]]:
    return [(it.title, it.problem) for it in left_out([world.conference])]


def asked(world: World) -> None:
    """A calendar came, and some time went by."""
    assert Client().get(SCHEDULE).status_code == 200
    PROBLEMS.write()


@pytest.mark.parametrize(
    ("poison", "problem"), [(end_before_start, NO_END), (make_unreadable, UNREADABLE), (without_a_date, UNREADABLE)]
)
def test_problem_is_written_down_after_a_calendar_came(world: World, poison: Callable[[Event], None], problem: str) -> None:
    poison(world.event)

    asked(world)

    assert noticed() == [(world.event.pk, problem)]
    assert CalendarProblem.objects.get().revised_at == world.event.revised_at
    assert told(world) == [("Erde & Mond / für alle", problem)]


def test_sound_event_is_no_problem(world: World) -> None:
    asked(world)

    assert (noticed(), told(world)) == ([], [])


def test_problem_is_gone_when_the_event_is_revised(world: World) -> None:
    other = make_event(world.conference, start="09:00", end="10:00")
    end_before_start(world.event)
    asked(world)
    world.event.title = "Erde"
    world.event.revise()

    assert told(world) == []

    end_before_start(other)
    asked(world)

    assert noticed() == [(other.pk, NO_END)]


def test_problem_is_gone_when_the_row_was_mended_past_us(world: World) -> None:
    start, end = world.event.start, world.event.end
    end_before_start(world.event)
    asked(world)
    Event.objects.filter(pk=world.event.pk).update(start=start, end=end)

    assert told(world) == []


def test_problem_stays_when_nobody_can_read_when_it_was_revised(world: World) -> None:
    other = make_event(world.conference, start="09:00", end="10:00")
    end_before_start(world.event)
    asked(world)
    without_a_revision(world.event)

    problems.store({other.pk: NO_END})

    assert noticed() == [(world.event.pk, NO_END), (other.pk, NO_END)]


def test_problem_of_a_draft_is_none(world: World) -> None:
    end_before_start(world.event)
    asked(world)
    Event.objects.filter(pk=world.event.pk).update(status="draft", start=None, end=None)

    assert told(world) == []


def test_event_that_was_deleted_meanwhile_is_no_trouble(world: World) -> None:
    end_before_start(world.event)
    Client().get(SCHEDULE)
    world.event.delete()

    PROBLEMS.write()

    assert noticed() == []


def test_calendar_writes_nothing_by_itself(world: World) -> None:
    end_before_start(world.event)

    Client().get(SCHEDULE)

    assert noticed() == []


def test_trouble_with_the_database_reaches_no_calendar(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(found: dict[int, str]) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(problems, "store", fail)
    end_before_start(world.event)

    asked(world)

    assert "cannot be written down for organisers: OSError('disk full')" in caplog.text


def test_problems_in_memory_are_bounded() -> None:
    found = Problems(every=None)

    for pk in range(MOST + 5):
        found.take(pk, NO_END)

    assert len(found._found) == MOST


def test_problems_are_written_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    written, stored = threading.Event(), []
    monkeypatch.setattr(problems, "store", lambda found: (stored.append(found), written.set()))

    Problems(every=0.01).take(7, NO_END)

    assert written.wait(10)
    assert stored == [{7: NO_END}]


def test_words_for_anything_fit_and_are_one_line() -> None:
    words = in_words(ValueError("a\nb\x00" + "x" * 1000))

    assert (len(words), words.isprintable()) == (LONGEST, True)
    assert words.endswith("Type its texts and addresses again, or tell whoever runs this site.")


@pytest.mark.parametrize("count", [1, 3])
def test_looking_again_takes_the_same_queries_for_one_and_three(world: World, count: int, django_assert_num_queries: Any) -> None:
    for event in [world.event, *(make_event(world.conference, start="09:00", end="10:00") for _ in range(count - 1))]:
        end_before_start(event)
    asked(world)

    with django_assert_num_queries(8):
        assert len(left_out([world.conference])) == count


def test_looking_costs_one_query_when_there_is_nothing(world: World, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        left_out([world.conference])


@pytest.mark.parametrize("count", [1, 3])
def test_trying_all_takes_the_same_queries_for_one_and_three(world: World, count: int, django_assert_num_queries: Any) -> None:
    for _ in range(count - 1):
        make_event(world.conference, start="09:00", end="10:00")

    with django_assert_num_queries(5):
        assert unwritable_in(world.conference) == []
