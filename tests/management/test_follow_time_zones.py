"""The command that keeps hours where the clocks were moved."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from events.models import Event
from tests.clocks import write_zone, zones_from
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db

NINE = (("", 8), ("2025-04-01T00:00:00", 9))
TOLD = (
    "ICLR 2025: new rules for the clocks of Asia/Singapore move 1 time.\n"
    "  2025-04-24 09:00 stays: Opening moves from 01:00 to 00:00 UTC\n"
)


def test_command_says_that_there_is_nothing_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    make_event(make_conference(), start="09:00", end="10:00")

    call_command("follow_time_zones")

    assert capsys.readouterr().out == "The clocks of all venues are what they were: nothing to move.\n"


def test_command_moves_and_tells_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_event(make_conference(), title="Opening", start="09:00", end="10:00")

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        call_command("follow_time_zones")

    assert capsys.readouterr().out == TOLD
    assert Event.objects.get().start == at("08:00")


def test_dry_run_only_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_event(make_conference(), title="Opening", start="09:00", end="10:00")

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        call_command("follow_time_zones", "--dry-run")

    assert capsys.readouterr().out == f"{TOLD}Nothing was written: this was a dry run.\n"
    assert Event.objects.get().start == at("09:00")


def test_command_lists_fifty_and_counts_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conference = make_conference()
    for _ in range(52):
        make_event(conference, start="09:00", end="10:00", announce=False)

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        call_command("follow_time_zones", "--dry-run")

    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[-2]) == (53, "  … and 2 more (--verbosity 2 shows them)")
