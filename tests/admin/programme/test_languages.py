"""The language of an event in forms, lists and spreadsheets of organisers."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Event
from tests.admin.pages import errors_of, open_form, save, url
from tests.admin.uploads.sending import csv_of, export, mistakes, rows_of, send, take_in
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("model", "kind"), [("session", "talk"), ("invitedtalk", "invited-talk"), ("social", "social")])
def test_form_takes_a_name_and_stores_a_code(organiser: Client, model: str, kind: str) -> None:
    event = make_event(make_conference(), kind=kind)
    address = url("change", model, event.pk)

    save(organiser, address, open_form(organiser, address), language="German")

    assert Event.objects.get().language == "de"


@pytest.mark.parametrize("text", ["Klingon", '"><script>alert(1)</script>', "jp"])
def test_form_refuses_what_is_no_language_in_a_sentence(organiser: Client, text: str) -> None:
    event = make_event(make_conference(), language="de")
    address = url("change", "session", event.pk)

    response = save(organiser, address, open_form(organiser, address), language=text)

    problem = f"“{text}” is not a language: write its code, as de or pt-BR, or its name in English."
    assert (errors_of(response), Event.objects.get().language) == ({"language": [problem]}, "de")
    assert "<script>alert" not in response.text


def test_form_refuses_a_text_longer_than_the_field(organiser: Client) -> None:
    event = make_event(make_conference())
    address = url("change", "session", event.pk)

    response = save(organiser, address, open_form(organiser, address), language="x" * 5_000)

    assert errors_of(response) == {"language": ["Ensure this value has at most 35 characters (it has 5000)."]}


def test_list_is_filtered_by_the_languages_in_use(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, title="Vortrag", language="de")
    make_event(conference, title="Talk")

    page = organiser.get(url("changelist", "session"), {"language": "de"})

    assert [event.title for event in page.context["cl"].result_list] == ["Vortrag"]
    assert "&amp;language=de" in page.text
    assert organiser.get(url("changelist", "session"), {"language": '"><script>'}).context["cl"].result_count == 0


def test_spreadsheet_has_a_column_for_it(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Vortrag", language="pt-BR")

    assert rows_of(export(organiser, "session"))[0]["language"] == "pt-BR"
    take_in(organiser, "session", conference, csv_of(["guid", "language"], [event.guid, "german"]))
    assert Event.objects.get().language == "de"
    take_in(organiser, "session", conference, csv_of(["guid", "language"], [event.guid, ""]))
    assert Event.objects.get().language == ""


def test_spreadsheet_with_another_word_is_refused_with_its_row(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Vortrag")

    page = send(organiser, "session", conference, csv_of(["guid", "language"], [event.guid, "Klingon"]))

    problem = "“Klingon” is not a language: write its code, as de or pt-BR, or its name in English."
    assert mistakes(page) == [f"Row 2, language: {problem}"]
