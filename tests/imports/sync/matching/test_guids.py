from __future__ import annotations

import uuid

import pytest

from events.imports.sync.engine import sync
from events.models import Conference, Event, Paper, Person
from tests.imports.sync.programmes import event, programme, row, whole_programme

pytestmark = pytest.mark.django_db

# Written down, because calendars of attendees hold them: they must be the same in every database and every release.
GUIDS = {
    "oral": "9e0d0771-01c5-547e-8ccb-91e7cf35cddf",
    "ada": "73a74440-53a3-5704-bfd1-10d52378903d",
    "adam": "2f896a2c-e7f7-5afe-9f19-f82a2e2ebddd",
}


def guids() -> dict[str, str]:
    return {
        "oral": str(row("oral").guid),
        "ada": str(Person.objects.get(source_key="ada").guid),
        "adam": str(Paper.objects.get(source_key="adam").guid),
    }


def test_guid_is_computed_from_source_conference_and_key() -> None:
    sync(whole_programme(), source="file")

    assert guids() == GUIDS


def test_guid_is_the_same_in_an_empty_database() -> None:
    sync(whole_programme(), source="file")
    first = guids()
    Event.objects.all().delete()
    Conference.objects.all().delete()

    sync(whole_programme(), source="file")

    assert guids() == first


def test_guid_of_the_file_is_used() -> None:
    given = uuid.UUID("b1c2d3e4-0000-4000-8000-000000000001")

    sync(programme(event(guid=str(given))), source="file")

    assert row().guid == given


def test_guid_stays_when_everything_else_changes() -> None:
    sync(programme(event(title="Old")), source="file")
    before = row().guid

    sync(programme(event(title="New", room="hall-1", guid=str(uuid.uuid4()))), source="file")

    assert (row().title, row().guid) == ("New", before)


def test_guid_differs_between_sources_and_keys() -> None:
    sync(programme(event("one"), event("two")), source="file")
    sync(programme(event("one"), venues=(), zones=(), rooms=()), source="other")

    assert len({it.guid for it in Event.objects.all()}) == 3
