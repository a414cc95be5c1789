"""A spreadsheet is one entry for attendees, and is taken back as a whole."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Appearance, Change, ChangeGroup, Conference, Event, ImportRun, Paper, Person, Room
from tests.admin.pages import url
from tests.admin.uploads.sending import csv_of, take_in
from tests.factories import make_appearance, make_conference, make_day, make_event, make_paper, make_person, make_room, make_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    conference = make_conference()
    make_day(conference)
    return conference


def take_back(client: Client) -> Any:
    return client.post(url("undo", "changegroup", ChangeGroup.objects.exclude(kind="undo").get().pk))


def stored() -> list[Any]:
    names = ("title", "status", "start", "end", "day", "room", "abstract")
    parts = Appearance.objects.order_by("pk").values_list("event", "person", "role", "position")
    return [list(Event.objects.order_by("pk").values_list(*names)), list(parts), list(Person.objects.values_list("name"))]


@pytest.mark.both_databases
def test_sheet_is_one_entry_and_is_taken_back(organiser: Client, conference: Conference) -> None:
    run = make_event(conference, title="Run", start="09:00", end="10:00")
    yoga = make_event(conference, title="Yoga", start="09:00", end="10:00")
    make_appearance(yoga, make_person(conference, "Ada Lovelace"))
    make_type(conference, "talk", name="Talk")
    before = stored()
    file = csv_of(
        ["guid", "title", "type", "status", "start", "end", "people"],
        [run.guid, "Run", run.type.name, "", "2025-04-24 11:00", "2025-04-24 12:00", ""],
        [yoga.guid, "Yoga", yoga.type.name, "", "2025-04-24 09:00", "2025-04-24 10:00", "Bo Example"],
        ["", "A talk", "Talk", "confirmed", "2025-04-24 14:00", "2025-04-24 15:00", "Bo Example"],
    )

    done = take_in(organiser, "session", conference, file, reason="Rain")
    group = ChangeGroup.objects.get()
    grouped = set(Change.objects.values_list("group", "reason"))
    changed = stored()
    take_back(organiser)

    assert (group.kind, group.title, group.note, group.is_public) == ("import", "Programme updated", "Rain", True)
    assert (ImportRun.objects.get().group, grouped) == (group, {(group.pk, "Rain")})
    assert url("undo", "changegroup", group.pk) in str(next(iter(done.context["messages"])))
    assert changed != before
    assert stored()[0] == before[0]
    assert stored()[2] == before[2]
    assert list(Appearance.objects.values_list("event__title", "person__name")) == [("Yoga", "Ada Lovelace")]


def test_sheet_that_was_edited_since_is_not_taken_back(organiser: Client, conference: Conference) -> None:
    event = make_event(conference, title="Run", start="09:00", end="10:00")
    take_in(organiser, "session", conference, csv_of(["guid", "title"], [event.guid, "Morning run"]))
    event.refresh_from_db()
    event.title = "By hand"
    event.revise()

    refused = take_back(organiser)

    assert (refused.status_code, Event.objects.get().title) == (409, "By hand")
    assert "event “By hand” (title: “Morning run” → “By hand”). Write “Morning run” again, or take back the later" in refused.text


def test_sheet_without_a_difference_is_no_entry(organiser: Client, conference: Conference) -> None:
    event = make_event(conference, title="Run", start="09:00", end="10:00")

    take_in(organiser, "session", conference, csv_of(["guid", "title"], [event.guid, "Run"]))

    assert (ChangeGroup.objects.count(), ImportRun.objects.get().group) == (0, None)


def test_people_papers_and_rooms_are_taken_back(organiser: Client, conference: Conference) -> None:
    make_event(conference, room=make_room(conference, "Hall 1"))
    make_paper(conference, title="Old")
    make_person(conference, "Ada Lovelace")
    files = {
        "room": csv_of(["id", "name"], [Room.objects.get().pk, "Hall 2"]),
        "paper": csv_of(["guid", "title", "authors"], [Paper.objects.get().guid, "New", "Bo Example"]),
        "person": csv_of(["guid", "name"], [Person.objects.get().guid, "Ada King"]),
    }
    found = {}
    for model, file in files.items():
        take_in(organiser, model, conference, file)
        take_back(organiser)
        found[model] = list(ChangeGroup.objects.order_by("pk").values_list("kind", "is_public"))
        ChangeGroup.objects.all().delete()

    assert found == {
        "room": [("import", True), ("undo", True)],
        "paper": [("import", False), ("undo", False)],
        "person": [("import", False), ("undo", False)],
    }
    assert (Room.objects.get().name, Paper.objects.get().title) == ("Hall 1", "Old")
    assert list(Person.objects.values_list("name", flat=True)) == ["Ada Lovelace"]


def test_what_undo_could_not_restore_is_not_taken_back(organiser: Client, conference: Conference) -> None:
    paper = make_paper(conference, title="Old")

    done = take_in(organiser, "paper", conference, csv_of(["guid", "title", "public"], [paper.guid, "New", "no"]))
    refused = take_back(organiser)

    assert "Undo" not in str(next(iter(done.context["messages"])))
    assert (refused.status_code, Paper.objects.get().title) == (409, "New")
    assert "This cannot be taken back here" in refused.text


def test_chair_takes_back_sheets_of_socials_only(chair: Client, organiser: Client, conference: Conference) -> None:
    social = make_event(conference, kind="social", title="Run", start="09:00", end="10:00")
    session = make_event(conference, title="Talks", start="09:00", end="10:00")
    paper = make_paper(conference, title="Old")
    answers = []
    for client, model, row in [(chair, "social", social), (organiser, "session", session), (organiser, "paper", paper)]:
        take_in(client, model, conference, csv_of(["guid", "title"], [row.guid, "Another"]))
        answers.append(take_back(chair).status_code)
        ChangeGroup.objects.all().delete()

    assert answers == [302, 403, 403]


def test_sheets_of_the_first_programme_are_not_listed(organiser: Client, conference: Conference) -> None:
    make_type(conference, "talk", name="Talk")
    day = dt.date(2025, 4, 24)
    file = csv_of(["title", "type", "status", "day", "start", "end"], ["A", "Talk", "confirmed", day, "09:00", "10:00"])

    take_in(organiser, "session", conference, file)
    take_back(organiser)

    assert (Change.objects.count(), Event.objects.count()) == (0, 0)
