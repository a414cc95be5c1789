"""Imports where a government moved the clocks: before them, and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.models import Conference, Event
from events.sync import sync
from tests.clocks import write_zone, zones_from
from tests.factories import at, make_event
from tests.sync.programmes import event, programme, row

pytestmark = pytest.mark.django_db

NINE = (("", 8), ("2025-04-01T00:00:00", 9))


def an_hour_earlier() -> Any:
    """The same file read by the new rules: 09:00 there is an hour earlier for everybody else."""
    return programme(event(start=at("08:00"), end=at("09:00")))


def test_same_file_read_by_new_rules_changes_nothing_more(tmp_path: Path) -> None:
    sync(programme(event()), source="file")

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        Conference.objects.get().follow_zone()
        report = sync(an_hour_earlier(), source="file")

    assert str(report) == "created 0, changed 0, cancelled 0, unchanged 1, skipped 0"
    assert (row().start, row().sequence) == (at("08:00"), 1)


def test_import_follows_first_so_that_no_two_rules_stand_side_by_side(tmp_path: Path) -> None:
    sync(programme(event()), source="file")
    by_hand = make_event(Conference.objects.get(), title="By hand", start="11:00", end="12:00")

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        report = sync(an_hour_earlier(), source="file")

    assert str(report) == "created 0, changed 0, cancelled 0, unchanged 1, skipped 0"
    assert [row().start, Event.objects.get(pk=by_hand.pk).start] == [at("08:00"), at("10:00")]


def test_file_that_moves_an_event_after_the_clocks_moved_is_taken(tmp_path: Path) -> None:
    sync(programme(event()), source="file")

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        Conference.objects.get().follow_zone()
        report = sync(programme(event(start=at("13:00"), end=at("14:00"))), source="file")

    assert str(report) == "created 0, changed 1, cancelled 0, unchanged 0, skipped 0"
    assert row().start == at("13:00")


def test_hour_that_a_hand_changed_stays_the_hand_s(tmp_path: Path) -> None:
    sync(programme(event()), source="file")
    mine = row()
    mine.start, mine.end = at("15:00"), at("16:00")
    mine.revise()

    with zones_from(write_zone(tmp_path, "Asia/Singapore", *NINE)):
        Conference.objects.get().follow_zone()
        sync(an_hour_earlier(), source="file")

    assert (row().start, row().end) == (at("14:00"), at("15:00"))
