"""Excerpts of schedule.xml files become rows, and a second import changes none of them."""

from __future__ import annotations

import pytest

from events.imports.sync.engine import sync
from events.models import Appearance, Conference, Event, Person, Room
from tests.imports.formats.schedule_xml.test_xml_excerpts import COUNTED, Counted, parse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("counted", COUNTED, ids=lambda it: it.file)
def test_counted_rows_are_created_and_stay(counted: Counted) -> None:
    first = sync(parse(counted), source="schedule.xml")
    revision = Conference.objects.get().revision

    second = sync(parse(counted), source="schedule.xml")

    assert str(first) == f"created {counted.events}, changed 0, cancelled 0, unchanged 0, skipped 0"
    assert (Event.objects.count(), Room.objects.count()) == (counted.events, counted.rooms)
    assert Person.objects.filter(pk__in=Appearance.objects.values("person")).count() == counted.people
    assert str(second) == f"created 0, changed 0, cancelled 0, unchanged {counted.events}, skipped 0"
    assert Conference.objects.get().revision == revision
