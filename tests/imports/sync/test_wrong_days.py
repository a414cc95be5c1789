"""Imported events whose day and start disagree are told among the new clashes, whatever the format."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from events.imports.sync.engine import sync
from events.models import Event
from events.programme.data.schedule import DayData
from tests.factories import THURSDAY, at
from tests.imports.sync.programmes import event, programme

pytestmark = pytest.mark.django_db
FRIDAY = THURSDAY + dt.timedelta(days=1)
DAYS = (DayData(key="thu", date=THURSDAY), DayData(key="fri", date=FRIDAY))
SENTENCE = (
    "“Keynote” is listed under Thu 24 April and starts on Fri 25 April, 09:00. Choose the day Fri 25 April, or another start."
)


def test_new_event_on_another_day_than_its_start_is_told_once() -> None:
    data = programme(event(start=at("09:00", FRIDAY), end=at("10:00", FRIDAY)), days=DAYS)

    first = sync(data, source="a")
    again = sync(dataclasses.replace(data, events=(*data.events, event("other"))), source="a")

    assert (first.clashes, again.clashes) == ([SENTENCE], [])


def test_time_edited_by_hand_stays_whole_when_the_file_moves_the_event_to_another_day() -> None:
    sync(programme(event(), days=DAYS), source="a")
    Event.objects.update(start=at("09:30"))

    report = sync(
        programme(event(day="fri", start=at("09:00", FRIDAY), end=at("10:00", FRIDAY)), days=DAYS), source="a", dry_run=True
    )

    assert (report.clashes, report.changed) == ([], 0)
    assert report.sentences("kept")[0].startswith(
        "kept “Keynote”: time stays “Thu 24 April, 09:30–10:00”, the file says “Fri 25 April, 09:00–10:00”; edited here"
    )
