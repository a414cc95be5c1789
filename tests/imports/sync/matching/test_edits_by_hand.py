"""Fields that an organiser edited, and rows of organisers and other sources."""

from __future__ import annotations

import dataclasses

import pytest

from events.imports.sync.engine import sync
from events.models import Conference, Day, Event, EventType, Room, Zone
from events.programme.data.schedule import DayData, EventTypeData
from tests.factories import THURSDAY, at, make_conference, make_day, make_person
from tests.imports.sync.programmes import changed, event, everything, programme, row, whole_programme

pytestmark = pytest.mark.django_db


def test_edit_by_hand_stays_and_is_reported_each_time() -> None:
    sync(programme(event(title="Old")), source="file")
    talk = row()
    talk.title = "By hand"
    talk.revise()

    reports = [sync(programme(event(title="From the file")), source="file") for _ in range(2)]

    assert row().title == "By hand"
    assert [it.sentences("kept") for it in reports] == [
        ["kept “By hand”: title stays “By hand”, the file says “From the file”"]
    ] * 2
    assert [str(it) for it in reports] == ["created 0, changed 0, cancelled 0, unchanged 1, skipped 0"] * 2


def test_edit_by_hand_leaves_other_fields_to_the_file() -> None:
    sync(programme(event(title="Old")), source="file")
    talk = row()
    talk.title = "By hand"
    talk.revise()

    sync(programme(event(title="Old", start=at("09:30"))), source="file")

    assert (row().title, row().start) == ("By hand", at("09:30"))


def test_stored_last_import_leaves_no_line_in_the_history() -> None:
    sync(programme(event(title="Old")), source="file")
    talk = row()
    talk.title = "By hand"
    talk.revise()
    before = talk.history.count()

    sync(programme(event(title="From the file")), source="file")

    assert row().imported["title"] == "From the file"
    assert row().history.count() == before


def test_speaker_added_by_hand_stays() -> None:
    data = whole_programme()
    sync(data, source="file")
    oral = row("oral")
    oral.appearances.create(person=make_person(oral.conference, "Grace Hopper"), position=9)

    report = sync(changed(data, "oral", people=()), source="file")

    assert oral.people_names == ["Durk Kingma", "Ada Lovelace", "Grace Hopper"]
    assert report.sentences("kept") == [
        "kept “Oral”: people stays “Durk Kingma, Ada Lovelace, Grace Hopper”, the file says “”",
    ]


def test_room_chosen_by_hand_stays() -> None:
    sync(programme(event(room="hall-1")), source="file")
    talk = row()
    talk.room = Room.objects.create(conference=talk.conference, zone=Zone.objects.get(), name="Hall 9")
    talk.revise()

    report = sync(programme(event(room="hall-2")), source="file")

    assert row().room == Room.objects.get(name="Hall 9")
    assert report.sentences("kept") == ["kept “Keynote”: room stays “Hall 9”, the file says “Hall 2”"]


def test_conference_made_by_hand_is_adopted_with_its_values() -> None:
    made = make_conference(slug="demo", name="By hand", city="", colour="")
    data = programme(event())

    report = sync(
        dataclasses.replace(data, conference=dataclasses.replace(data.conference, city="Vienna", colour="#1747B8")),
        source="file",
    )

    made.refresh_from_db()
    assert (made.name, made.city, made.colour, made.source) == ("By hand", "Vienna", "#1747B8", "file")
    assert report.sentences("kept") == [
        (
            "kept conference “By hand”: name stays “By hand”, the file says “Demo”; "
            "last day stays “Mon 28 April 2025”, the file says “Fri 25 April 2025”"
        ),
    ]


def test_rows_made_by_hand_are_adopted_by_natural_key() -> None:
    conference = make_conference(slug="demo", name="Demo")
    day = make_day(conference, title="By hand")
    kind = EventType.objects.create(conference=conference, name="Keynotes", slug="talk", kind="talk")

    report = sync(programme(event()), source="file")
    again = sync(programme(event()), source="file")

    assert (Day.objects.get().pk, EventType.objects.get().pk) == (day.pk, kind.pk)
    assert (Day.objects.get().source_key, EventType.objects.get().source_key) == ("thu", "talk")
    assert report.sentences("kept")[1:] == ["kept event type “Keynotes”: name stays “Keynotes”, the file says “Talk”"]
    assert row().day == day
    assert again.is_empty


def test_two_sources_with_the_same_keys_do_not_collide() -> None:
    sync(programme(event(title="One")), source="file")

    report = sync(programme(event(title="Two")), source="other")

    assert report.created == 1
    assert [(it.source, it.title) for it in Event.objects.order_by("title")] == [("file", "One"), ("other", "Two")]
    assert row().guid != row(source="other").guid


def test_two_sources_share_days_types_and_rooms() -> None:
    sync(programme(event("one", room="hall-1")), source="file")
    shared = programme(
        event("two", day="d1", type="talk"),
        days=(DayData(key="d1", date=THURSDAY, title="Another title"),),
        types=(EventTypeData(key="talk", name="Another name", kind="session"),),
        venues=(),
        zones=(),
        rooms=(),
    )

    sync(shared, source="other")

    assert [(it.source, it.source_key, it.title) for it in Day.objects.all()] == [("file", "thu", "")]
    assert [(it.name, it.kind) for it in EventType.objects.all()] == [("Talk", "talk")]
    assert row("two", "other").day == row("one").day


def test_two_sources_taking_turns_change_nothing() -> None:
    first, second = programme(event("one")), programme(event("two"), venues=(), zones=(), rooms=())
    named = dataclasses.replace(second, conference=dataclasses.replace(second.conference, name="Another name"))
    sync(first, source="file")
    sync(named, source="other")
    before = everything()

    reports = [sync(first, source="file"), sync(named, source="other")]

    assert [it.is_empty for it in reports] == [True, True]
    assert everything() == before
    assert Conference.objects.get().name == "Demo"


def test_events_of_another_source_and_by_hand_are_never_cancelled() -> None:
    sync(programme(event("one")), source="file")
    conference = Conference.objects.get()
    Event.objects.create(conference=conference, type=EventType.objects.get(), title="By hand", status="confirmed")

    sync(programme(event("two"), venues=(), zones=(), rooms=()), source="other")

    assert set(Event.objects.values_list("status", flat=True)) == {"confirmed"}
