"""The page on which organisers say what the columns of a spreadsheet are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from events.models import Conference, Event, ImportRun
from events.programme.models.beginning import make_usual_types
from tests.admin.pages import sent_by
from tests.factories import make_conference
from tests.imports.formats.spreadsheets.sheet_files import DAYS, content_of, excel_file, table, workbook

pytestmark = pytest.mark.django_db
FORM = "/organise/events/conference/programme/"
NEW = {"slug": "meadow-2026", "timezone": "Europe/Vienna"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    settings.UPLOAD_ROOT = tmp_path / "uploads"


def send(client: Client, content: bytes, name: str = "talks.csv", **answers: Any) -> Any:
    return client.post(FORM, {"file": SimpleUploadedFile(name, content), **answers}, follow=True)


def press(client: Client, page: Any, button: str, **answers: Any) -> Any:
    return client.post(page.request["PATH_INFO"], {**sent_by(page), **answers, button: "on"}, follow=True)


def fields(page: Any) -> dict[str, str]:
    return {field.label: field.value() for field, _ in page.context["form"].columns}


def test_columns_are_guessed_corrected_imported_and_remembered(organiser: Client) -> None:
    page = send(organiser, content_of("google.csv"), **NEW)
    assert fields(page) == {
        "Date": "date",
        "Start": "start",
        "End": "end",
        "Session": "title",
        "Where": "room",
        "Who": "people",
        "What it is about": "",
        "Format": "type",
    }
    assert [row.title for row in page.context["look"].rows][:2] == ["Registration", "Grass that sings"]
    assert Conference.objects.count() == 0

    shown = press(organiser, page, "show", **{"column-6": "abstract"})
    preview = press(organiser, shown, "confirm")
    assert [(part["part"], part["count"]) for part in preview.context["made"]][:2] == [("days", 2), ("types", 5)]
    press(organiser, preview, "confirm")

    again = send(organiser, content_of("google.csv"), conference=Conference.objects.get().pk)
    assert fields(shown)["What it is about"] == fields(again)["What it is about"] == "abstract"
    assert Event.objects.get(title="Grass that sings").abstract == "How meadows sound."
    assert press(organiser, again, "confirm").context["empty"] is True


def test_grid_is_imported_and_comes_again_without_a_change(organiser: Client) -> None:
    header = ["23 April 2026", "Hall A", "Hall B"]
    content = table(header, ["9:00", "Grass that sings\nAda Example", "Bees"], ["10:00", "Wasps", "Ants"])

    page = send(organiser, content, **NEW)
    assert [*fields(page).values()] == ["start", "room_title", "room_title"]
    assert "Title, in the room of the header" in page.text
    press(organiser, press(organiser, page, "confirm"), "confirm")

    rows = Event.objects.order_by("start", "room__name").values_list("title", "room__name", "appearances__person__name")
    assert list(rows) == [
        ("Grass that sings", "Hall A", "Ada Example"),
        ("Bees", "Hall B", None),
        ("Wasps", "Hall A", None),
        ("Ants", "Hall B", None),
    ]
    again = send(organiser, content, conference=Conference.objects.get().pk)
    assert press(organiser, again, "confirm").context["empty"] is True


def test_german_headings_in_one_word_are_known(organiser: Client) -> None:
    header = ["Vortragstitel", "Datum", "Beginn", "Ende", "Saal", "Referent", "Kurzbeschreibung"]

    page = send(organiser, table(header, ["Gras", "23.04.2026", "9:30", "10:00", "Saal A", "Ada", "Wiesen."]), **NEW)

    assert [*fields(page).values()] == ["title", "date", "start", "end", "room", "people", "abstract"]
    assert [(number, part) for number, part, _ in page.context["made"]][:3] == [(1, "day"), (1, "room"), (1, "type")]


def test_file_of_another_part_is_told_of_its_own_source(organiser: Client) -> None:
    header = ["Title", "Date", "Start", "End"]
    first = send(organiser, table(header, *[[name, "23.04.2026", "9:00", "9:30"] for name in "ABCDE"]), **NEW)
    press(organiser, press(organiser, first, "confirm"), "confirm")
    second = table(header, *[[name, "24.04.2026", "9:00", "9:30"] for name in "VWXYZ"])

    page = press(organiser, send(organiser, second, conference=Conference.objects.get().pk), "confirm")

    assert "tick that they are cancelled, at the end of this page" in page.text
    assert "If it is another part of the programme, upload it again with a source of its own." in page.text


def test_unread_cells_are_named_all_at_once(organiser: Client) -> None:
    rows = [["A", "", "half ten"], ["B", "soon", "9:00"], ["C", "23.04.2026", "9:00"]]

    page = send(organiser, table(["Title", "Date", "Start"], *rows), **NEW)

    assert [(cell.row, cell.column, cell.value) for cell in page.context["problems"]] == [
        (2, "Start", "half ten"),
        (3, "Date", "soon"),
        (3, "Start", "9:00"),
    ]
    assert "Row 2, Start" in page.text


def test_doubtful_dates_are_asked_about(organiser: Client) -> None:
    page = send(organiser, table(["Title", "Date", "Start"], ["A", "4/5/2026", "9:00"]), **NEW)
    assert "may be two dates" in page.context["look"].refusal

    stays = press(organiser, page, "confirm")
    chosen = press(organiser, page, "show", dates="day-first")

    assert stays.request["PATH_INFO"] == page.request["PATH_INFO"]
    assert (chosen.context["look"].refusal, chosen.context["look"].rows[0].day) == ("", "Mon 4 May 2026")


def test_sheet_of_a_workbook_and_row_of_headers_are_chosen(organiser: Client) -> None:
    page = send(organiser, excel_file(), "agenda.xlsx", **NEW)
    assert (page.context["form"]["sheet"].value(), page.context["look"].sheet.header_row) == ("Agenda", 2)

    other = press(organiser, page, "show", header_row="4")

    assert other.context["look"].sheet.header_row == 4
    assert "Opening" in fields(other)


def test_sheets_with_one_header_are_read_together_or_singly(organiser: Client) -> None:
    page = send(organiser, workbook(DAYS), "days.xlsx", **NEW)
    sheet = page.context["form"]["sheet"]
    assert (sheet.value(), sheet.field.choices[0]) == ("", ("", "The 2 with the same headers"))
    assert "read together: Thu 23 Apr, Fri 24 Apr." in page.text

    single = press(organiser, page, "show", sheet="Fri 24 Apr")
    assert [row.title for row in single.context["look"].rows] == ["Wasps"]
    assert single.context["notes"] == ["the sheets “Thu 23 Apr” and “Rooms” are not read"]
    press(organiser, press(organiser, single, "confirm"), "confirm")

    conference = Conference.objects.get()
    remembered = send(organiser, workbook(DAYS), "days.xlsx", conference=conference.pk)
    assert remembered.context["form"]["sheet"].value() == "Fri 24 Apr"
    press(organiser, press(organiser, remembered, "confirm", sheet=""), "confirm")
    assert set(conference.events.values_list("title", flat=True)) == {"Bees", "Wasps"}


def test_column_that_is_not_recognised_is_named_and_one_that_is_chosen_is_not(organiser: Client) -> None:
    content = table(["Title", "Date", "Hall", "Remarks"], ["Bees", "2026-04-23", "Room 1", "Loud"])
    page = send(organiser, content, **NEW)
    assert page.context["notes"] == ["the column “Remarks” is not read (1 cell)"]

    shown = press(organiser, page, "show", **{"column-2": ""})
    preview = press(organiser, shown, "confirm")
    press(organiser, preview, "confirm")

    assert shown.context["notes"] == page.context["notes"]
    run = ImportRun.objects.get()
    assert (run.warnings, run.columns["columns"]) == (page.context["notes"], {"Title": "title", "Date": "date", "Hall": ""})
    assert "column “Remarks” is not read (1 cell)" in preview.text


def test_preview_leads_back_to_the_columns_and_leaving_discards(organiser: Client) -> None:
    preview = press(organiser, send(organiser, content_of("google.csv"), **NEW), "confirm")

    page = organiser.post(preview.request["PATH_INFO"], {"columns": "on"}, follow=True)
    left = press(organiser, page, "leave")

    assert fields(page)["Session"] == "title"
    assert [str(each) for each in left.context["messages"]] == ["Discarded: talks.csv. Nothing was changed."]
    assert organiser.get(page.request["PATH_INFO"]).status_code == 302
    assert ImportRun.objects.count() == 0


def test_zone_is_asked_for_at_its_field(organiser: Client) -> None:
    page = send(organiser, content_of("google.csv"), slug="meadow-2026")

    assert page.status_code == 422
    [words] = page.context["form"].errors["timezone"]
    assert words.startswith("talks.csv: names no time zone")
    assert "--" not in words


@pytest.mark.parametrize(
    "answers",
    [
        {"headers": "["},
        {"headers": "7"},
        {"header_row": "99999999999"},
        {"header_row": "x"},
        {"dates": "x"},
        {"column-0": "x"},
        {"sheet": "?"},
    ],
)
def test_answers_that_no_page_sends_are_guessed_again(organiser: Client, answers: dict[str, str]) -> None:
    page = send(organiser, content_of("google.csv"), **NEW)

    shown = press(organiser, page, "show", **answers)

    assert (shown.status_code, fields(shown)["Session"]) == (200, "title")


def test_file_of_somebody_else_is_not_shown(organiser: Client, other_organiser: Client, chair: Client) -> None:
    path = send(organiser, content_of("google.csv"), **NEW).request["PATH_INFO"]

    assert other_organiser.get(path).status_code == 302
    assert chair.get(path).status_code == 403


@pytest.mark.parametrize("rows", [1, 3])
def test_page_takes_a_fixed_number_of_queries(organiser: Client, rows: int, django_assert_num_queries: Any) -> None:
    listed = [[f"T{number}", "2026-04-23", f"{9 + number}:00"] for number in range(rows + 1)]
    path = send(organiser, table(["Title", "Date", "Start"], *listed), **NEW).request["PATH_INFO"]

    with django_assert_num_queries(7):
        organiser.get(path)


def test_values_that_no_column_gave_are_not_reported(organiser: Client) -> None:
    """The usual types of a new conference have minutes and an order; the file has neither."""
    conference = make_conference()
    make_usual_types(conference)
    rows = [["Opening", "24.04.2025", "9:00", "Talk"], ["Coffee", "24.04.2025", "10:00", "Break"]]

    page = send(organiser, table(["Title", "Date", "Start", "Type"], *rows), conference=conference.pk)
    preview = press(organiser, page, "confirm")

    kept = [line["title"] for line in preview.context["page"] if line["verb"] == "kept" and line["title"] != str(conference)]
    assert kept == []
    press(organiser, preview, "confirm")
    assert set(conference.events.values_list("type__name", "type__default_minutes")) == {("Talk", 30), ("Break", 30)}
