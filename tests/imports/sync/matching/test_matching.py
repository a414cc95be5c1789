"""Items of a file matched with stored rows."""

from __future__ import annotations

import dataclasses
import uuid

import pytest
from django.test import Client

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncError
from events.models import Conference, Event, Paper, Person
from events.programme.data.schedule import AppearanceData, ConferenceData, DayData, PaperData, PersonData, ScheduleData
from tests.factories import THURSDAY, make_conference, make_event
from tests.imports.sync.programmes import event, everything, programme, row, whole_programme

pytestmark = pytest.mark.django_db

GUID = "b1c2d3e4-0000-4000-8000-000000000001"


def elsewhere(data: ScheduleData) -> ScheduleData:
    """The same file for another conference."""
    return dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug="other"))


def test_event_of_another_source_is_matched_by_guid_and_not_written() -> None:
    sync(programme(event(guid=GUID, title="Theirs")), source="file")
    before = everything()

    report = sync(programme(event("other-key", guid=GUID, title="Ours"), venues=(), zones=(), rooms=()), source="other")

    assert (str(report), report.is_empty) == (
        "created 0, changed 0, cancelled 0, unchanged 0, skipped 0, kept by another source 1",
        True,
    )
    assert report.warnings == [
        (
            "1 event of this file came from another source, “file”, which keeps it: nothing of it was changed. "
            "If this file takes its place, import it with the source “file”."
        )
    ]
    assert everything() == before


def test_event_made_by_hand_is_matched_by_guid_and_never_cancelled() -> None:
    conference = make_conference(slug="demo")
    made = make_event(conference, title="By hand")
    five = [event(f"talk-{number}") for number in range(5)]
    sync(programme(event("mine", guid=str(made.guid), title="From the file"), *five), source="file")

    report = sync(programme(*five), source="file")

    made.refresh_from_db()
    assert (made.title, made.status, made.source) == ("By hand", "confirmed", "")
    assert report.cancelled == 0


def test_event_with_a_new_key_is_matched_by_guid() -> None:
    sync(programme(event("old-key", guid=GUID, title="Old")), source="file")
    pk = row("old-key").pk

    report = sync(programme(event("new-key", guid=GUID, title="New")), source="file")

    assert [(it.pk, it.source_key, it.title) for it in Event.objects.all()] == [(pk, "new-key", "New")]
    assert str(report) == "created 0, changed 1, cancelled 0, unchanged 0, skipped 0"


def test_reused_key_gets_a_new_guid() -> None:
    sync(programme(event("a")), source="file")
    first = row("a").guid
    sync(programme(event("b", guid=str(first))), source="file")

    sync(programme(event("a", title="Another"), event("b", guid=str(first))), source="file")

    assert row("b").guid == first
    assert row("a").guid not in {None, first}


def test_guid_of_the_file_is_the_same_in_each_conference(client: Client) -> None:
    """A trial import first must not give the real conference other addresses and UIDs than the file says."""
    people = (AppearanceData(person="ada"),)
    data = programme(event(guid=GUID, people=people), people=(PersonData(key="ada", guid=GUID, name="Ada Lovelace"),))
    sync(data, source="file", hooks=PUBLISHING)

    report = sync(elsewhere(data), source="file", hooks=PUBLISHING)
    again = sync(elsewhere(data), source="file")

    assert (report.created, again.is_empty) == (1, True)
    assert list(Event.objects.values_list("guid", flat=True)) == [uuid.UUID(GUID)] * 2
    assert list(Person.objects.values_list("guid", flat=True)) == [uuid.UUID(GUID)] * 2
    for it in Event.objects.select_related("conference"):
        assert client.get(it.get_absolute_url()).context["event"].pk == it.pk
        assert f"UID:{GUID}" in b"".join(client.get(f"/{it.conference.slug}/events/{GUID}.ics")).decode()


def test_malformed_guid_is_refused_by_name() -> None:
    with pytest.raises(SyncError, match="events, “keynote”: “1” is no guid"):
        sync(programme(event(guid="1")), source="file")


def test_people_and_papers_of_foreign_events_are_not_created_again() -> None:
    data = whole_programme()
    sync(data, source="file")
    guids = {it.source_key: str(it.guid) for it in Event.objects.all()}
    ours = ScheduleData(
        conference=data.conference,
        days=data.days,
        types=data.types,
        people=(PersonData(key="x1", name="Ada Lovelace"), PersonData(key="x2", name="Durk Kingma")),
        papers=(PaperData(key="x3", title="Adam", authors=("x2",)),),
        events=(event("o", type="talk", guid=guids["oral"], people=(AppearanceData(person="x1"),), paper="x3"),),
    )
    before = everything()

    sync(ours, source="other")

    assert everything() == before


def test_person_of_an_own_and_a_foreign_event_is_the_one_that_is_known() -> None:
    data = whole_programme()
    sync(data, source="file")
    ada = (AppearanceData(person="x1"),)
    mentioned, own = event("o", guid=str(row("oral").guid), people=ada), event("new", people=ada)
    people = (PersonData(key="x1", name="Ada Lovelace"),)

    sync(ScheduleData(conference=data.conference, days=data.days, types=data.types, people=people, events=(mentioned, own)),
         source="other")  # fmt: skip

    assert row("new", "other").people_names == ["Ada Lovelace"]
    assert row("oral").people_names == ["Durk Kingma", "Ada Lovelace"]
    assert (Person.objects.count(), Paper.objects.count()) == (2, 1)


def test_person_twice_in_one_event_appears_once() -> None:
    data = whole_programme()
    ada = AppearanceData(person="ada")
    twice = event("talk", people=(ada, ada, dataclasses.replace(ada, role="host")))

    sync(dataclasses.replace(data, events=(twice,), awards=(), amenities=()), source="file")

    assert [(it.person.name, it.role) for it in row("talk").appearances.all()] == [
        ("Ada Lovelace", "speaker"),
        ("Ada Lovelace", "host"),
    ]


def test_key_twice_is_refused_by_name() -> None:
    with pytest.raises(SyncError, match="events, “a”: the file has this key twice"):
        sync(programme(event("a"), event("a", title="Again")), source="file")


def test_days_may_swap_dates() -> None:
    later = [THURSDAY.replace(day=number) for number in (24, 25, 26)]
    days = [DayData(key=f"d{number}", date=date) for number, date in enumerate(later)]
    data = programme(event(day="d0"), days=tuple(days[:2]))
    sync(data, source="file")

    moved = (dataclasses.replace(days[0], date=later[1]), dataclasses.replace(days[1], date=later[2]))
    sync(dataclasses.replace(data, days=moved), source="file")

    days_now = {it.source_key: it.date for it in Conference.objects.get().days.all()}
    assert days_now == {"d0": later[1], "d1": later[2]}


def test_swapped_walks_are_refused_by_name() -> None:
    data = whole_programme()
    there = dataclasses.replace(data.walks[0], key="there")
    back = dataclasses.replace(there, key="back", origin="exit", destination="hall")
    sync(dataclasses.replace(data, walks=(there, back)), source="file")

    with pytest.raises(SyncError, match="walks: “there” and “back” swap their values, which takes two imports"):
        sync(
            dataclasses.replace(data, walks=(dataclasses.replace(back, key="there"), dataclasses.replace(there, key="back"))),
            source="file",
        )


def test_conference_whose_last_day_is_before_its_first_is_refused() -> None:
    wrong = ConferenceData(slug="demo", name="Demo", timezone="UTC", start=THURSDAY, end=THURSDAY.replace(day=1))

    with pytest.raises(SyncError, match="the last day \\(2025-04-01\\) is before the first \\(2025-04-24\\)"):
        sync(dataclasses.replace(programme(event()), conference=wrong), source="file")


def test_guids_of_the_file_are_kept_for_people_and_papers() -> None:
    data = whole_programme()
    people = tuple(dataclasses.replace(it, guid=str(uuid.uuid5(uuid.NAMESPACE_URL, it.key))) for it in data.people)

    sync(dataclasses.replace(data, people=people), source="file")

    assert {it.source_key: it.guid for it in Person.objects.all()} == {
        key: uuid.uuid5(uuid.NAMESPACE_URL, key) for key in ("ada", "durk")
    }
