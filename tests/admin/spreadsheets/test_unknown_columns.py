"""Columns that no list has, and the templates that show those it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from events.models import Conference, Event
from tests.admin.pages import sent_by, url
from tests.admin.uploads.sending import csv_of, export, lines, mistakes, rows_of, send, take_in
from tests.factories import make_conference, make_day, make_room, make_type, make_zone

pytestmark = pytest.mark.django_db
FOREIGN = csv_of(
    ["Title", "Date", "Location", "Host", "T-shirt"],
    ["Yoga", "2025-04-24", "The roof", "Ada Lovelace", "L"],
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    return Path(settings.UPLOAD_ROOT)


@pytest.fixture
def conference(db: None) -> Conference:
    conference = make_conference()
    make_day(conference)
    make_room(conference)
    for kind in ("session", "invited-talk", "social"):
        make_type(conference, kind)
    return conference


def choose(client: Client, refused: Any, columns: str) -> Any:
    return client.post(url("import", "social"), {**sent_by(refused), "columns": columns}, follow=True)


def test_all_unknown_columns_are_named_with_a_guess(organiser: Client, conference: Conference) -> None:
    refused = send(organiser, "social", conference, FOREIGN)

    assert [tuple(column) for column in refused.context["unknown"]] == [
        ("date", "day"),
        ("location", "place"),
        ("host", "people"),
        ("t-shirt", ""),
    ]
    [words] = mistakes(refused)
    assert words.startswith("Row 1: “date” (perhaps day); “location” (perhaps place); “host” (perhaps people); “t-shirt” are not")
    assert "Leave these out" in refused.text


def test_unknown_columns_are_left_out_without_choosing_the_file_again(organiser: Client, conference: Conference) -> None:
    preview = choose(organiser, send(organiser, "social", conference, FOREIGN), "leave")

    [(verb, title, differences)] = lines(preview)
    assert (verb, title) == ("created", "Yoga")
    assert not any("roof" in text for text in differences)


def test_unknown_columns_are_read_as_guessed(organiser: Client, conference: Conference, folder: Path) -> None:
    preview = choose(organiser, send(organiser, "social", conference, FOREIGN), "guess")
    organiser.post(preview.request["PATH_INFO"], {"confirm": "1"})

    event = Event.objects.get()
    assert (event.place, event.appearances.get().person.name, list(folder.iterdir())) == ("The roof", "Ada Lovelace", [])


def test_a_location_of_rooms_is_guessed_as_the_room(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 2")
    file = csv_of(["Title", "Location"], ["Yoga", "hall 2"], ["Dinner", ""])

    refused = send(organiser, "social", conference, file)
    preview = choose(organiser, refused, "guess")
    organiser.post(preview.request["PATH_INFO"], {"confirm": "1"})

    assert [tuple(column) for column in refused.context["unknown"]] == [("location", "room")]
    assert set(Event.objects.values_list("title", "room", "place")) == {("Yoga", hall.pk, ""), ("Dinner", None, "")}


def test_a_place_named_as_a_room_is_that_room(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 2")
    make_room(conference, "Foyer", zone=make_zone(conference, "North"))
    make_room(conference, "Foyer", zone=make_zone(conference, "South"))
    file = csv_of(["Title", "Place"], ["Yoga", "Hall 2"], ["Dinner", "The roof"], ["Tea", "Foyer"])

    take_in(organiser, "social", conference, file)
    again = send(organiser, "social", conference, file)

    assert set(Event.objects.values_list("title", "room", "place")) == {
        ("Yoga", hall.pk, ""),
        ("Dinner", None, "The roof"),
        ("Tea", None, "Foyer"),
    }
    assert lines(again) == []


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("model", ["session", "invitedtalk", "social", "paper", "person", "room"])
def test_template_has_two_rows_that_import_cleanly(organiser: Client, conference: Conference, model: str, kind: str) -> None:
    template = organiser.get(f"{url('template', model, kind)}?conference={conference.pk}")

    assert len(rows_of(template)) == 2
    result = take_in(organiser, model, conference, template.content, name=f"template.{kind}")
    [message] = result.context["messages"]
    assert str(message).startswith(f"Imported from template.{kind}: 2 new, 0 changed, 0 unchanged.")
    assert set(Event.objects.values_list("status", flat=True)) <= {"draft"}


def test_template_of_an_empty_conference_says_what_to_add_first(organiser: Client) -> None:
    empty = make_conference()

    page = organiser.get(f"{url('template', 'session', 'csv')}?conference={empty.pk}", follow=True)

    assert [str(message) for message in page.context["messages"]] == ["Add a type of session first: every row needs one."]


def test_template_is_offered_and_only_to_those_who_may_import(organiser: Client, chair: Client, conference: Conference) -> None:
    page = organiser.get(url("import", "social"))

    assert f"{url('template', 'social', 'csv')}?conference={conference.pk}" in page.text
    answers = [chair.get(url("template", model, "csv")).status_code for model in ("social", "session")]
    assert (answers, Client().get(url("template", "social", "csv")).status_code) == ([200, 403], 302)
    assert organiser.get(url("template", "social", "docx")).status_code == 404
    assert export(organiser, "social").status_code == 200
