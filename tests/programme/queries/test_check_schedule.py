"""The command that lists clashes."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.factories import at, make_conference, make_event, make_room

pytestmark = pytest.mark.django_db


def test_check_schedule_says_that_nothing_clashes(capsys: pytest.CaptureFixture[str]) -> None:
    make_conference(slug="iclr-2025")

    call_command("check_schedule", "iclr-2025")

    assert capsys.readouterr().out == "No clashes in ICLR 2025.\n"


def test_check_schedule_says_every_clash_and_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    conference = make_conference(slug="iclr-2025")
    room = make_room(conference, "Garnet")
    for title in ("First", "Second"):
        make_event(conference, title=title, room=room, start="09:00", end="10:00")

    with pytest.raises(SystemExit) as ended:
        call_command("check_schedule", "iclr-2025")

    assert (ended.value.code, capsys.readouterr().out) == (
        1,
        (
            "Thu 24 April, 09:00–10:00: Garnet holds two events for 60 min: “First” (09:00–10:00) and “Second” (09:00–10:00). "
            "Move one, or give it another room.\n"
            "1 clash in ICLR 2025; times are Singapore time.\n"
        ),
    )


def test_check_schedule_names_what_it_knows_and_fails_with_2() -> None:
    make_conference(slug="iclr-2025")

    with pytest.raises(CommandError) as refused:
        call_command("check_schedule", "iclr-2026")

    assert (refused.value.returncode, str(refused.value)) == (2, "There is no conference “iclr-2026”. Known: iclr-2025.")


def test_check_schedule_says_what_no_calendar_can_show(capsys: pytest.CaptureFixture[str]) -> None:
    conference = make_conference(slug="iclr-2025")
    make_event(conference, start="09:00", end="10:00")
    make_event(conference, title="Opening", start="09:00", end="09:00:00.500")

    with pytest.raises(SystemExit) as ended:
        call_command("check_schedule", "iclr-2025")

    assert (ended.value.code, capsys.readouterr().out) == (
        1,
        ("Left out of calendars: Opening\nNo clashes in ICLR 2025.\n1 event is left out of calendars.\n"),
    )


@pytest.mark.parametrize("count", [1, 3])
def test_check_schedule_takes_the_same_queries_for_one_event_and_three(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="iclr-2025")
    for _ in range(count):
        make_event(conference, start="09:00", end="10:00")

    with django_assert_num_queries(9):
        call_command("check_schedule", "iclr-2025")


@pytest.mark.parametrize("count", [1, 3])
def test_check_schedule_reads_moves_in_one_query_more(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="iclr-2025")
    for _ in range(count):
        event = make_event(conference, start="09:00", end="10:00")
        event.end = at("10:30")
        event.revise()

    with django_assert_num_queries(10):
        call_command("check_schedule", "iclr-2025")
