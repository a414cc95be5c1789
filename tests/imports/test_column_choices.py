"""Spreadsheets by the command: imported, again, moved, with a map, and with what was chosen before."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from events.models import Conference, Event, ImportRun
from tests.imports.formats.spreadsheets.sheet_files import CSV_FILES, content_of
from tests.imports.sync.programmes import everything

pytestmark = pytest.mark.django_db


def bring_in(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_schedule", str(path), "--conference", "demo", *options, stdout=out)
    return out.getvalue()


def file_of(folder: Path, name: str, content: bytes | None = None) -> Path:
    path = folder / name
    path.write_bytes(content_of(name) if content is None else content)
    return path


@pytest.mark.parametrize("name", [*CSV_FILES, "excel.xlsx"])
def test_file_is_imported_once_and_names_what_it_makes(tmp_path: Path, name: str) -> None:
    path = file_of(tmp_path, name)
    first = bring_in(path, "--create", "--timezone", "Europe/Vienna")
    before = everything() | {"ImportRun": []}

    again = bring_in(path)

    assert "new rooms (" in first
    assert "new days (" in first
    assert again.splitlines()[-1].startswith("created 0, changed 0, cancelled 0, unchanged")
    assert everything() | {"ImportRun": []} == before


def test_moved_row_moves_alone(tmp_path: Path) -> None:
    bring_in(file_of(tmp_path, "google.csv"), "--create", "--timezone", "Europe/Vienna")
    moved = content_of("google.csv").replace(b"9:30 AM,10:15 AM", b"3:30 PM,4:15 PM")

    words = bring_in(file_of(tmp_path, "google.csv", moved))

    assert words.splitlines()[-1] == "created 0, changed 1, cancelled 0, unchanged 4, skipped 0"
    event = Event.objects.get(title="Tea pets of the world")
    assert event.start
    assert f"{event.start.astimezone(event.conference.zone):%H:%M}" == "15:30"


def test_map_is_remembered_for_the_conference(tmp_path: Path) -> None:
    path = file_of(tmp_path, "google.csv")
    columns = file_of(tmp_path, "map.toml", b'dates = "month-first"\n[columns]\n"What it is about" = "abstract"\n')
    bring_in(path, "--create", "--timezone", "Europe/Vienna", "--map", str(columns))

    again = bring_in(path)

    run = ImportRun.objects.latest("pk")
    assert run.columns == {"columns": {"What it is about": "abstract"}, "dates": "month-first"}
    assert again.splitlines()[-1].startswith("created 0, changed 0")
    assert Event.objects.get(title="Grass that sings").abstract == "How meadows sound."


def test_first_map_is_printed_and_nothing_is_written(tmp_path: Path) -> None:
    words = bring_in(file_of(tmp_path, "google.csv"), "--print-map")

    assert '"Session" = "title"  # Registration | Grass that sings | Lunch' in words
    assert (Conference.objects.count(), ImportRun.objects.count()) == (0, 0)


def test_missing_column_is_answered_with_the_map(tmp_path: Path) -> None:
    path = file_of(tmp_path, "list.csv", b"Name;Town\nAda;Oslo\nGrace;Rome\n")

    with pytest.raises(CommandError, match="Print a map of the columns with --print-map, correct it and give it as --map"):
        bring_in(path, "--create", "--timezone", "Europe/Vienna")
