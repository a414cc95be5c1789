"""The command that imports a file of another system."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from events.management.commands import import_schedule
from events.models import Conference, Event, ImportRun
from tests.factories import make_conference
from tests.imports.formats.seeds.seed_folders import write_folder
from tests.imports.sync.programmes import everything
from tests.imports.test_runs import XML, without_event
from tests.migrated import MIGRATED_DATABASE

pytestmark = pytest.mark.django_db

LAST = "created {}, changed {}, cancelled {}, unchanged {}, skipped {}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "schedule.xml"
    write(path)
    return path


def write(path: Path, title: str = "First", second: str = "10:00") -> None:
    path.write_text(XML.format(title=title, second=second))


def output_lines(*arguments: Any, **options: Any) -> list[str]:
    out = io.StringIO()
    call_command("import_schedule", *arguments, "--conference", "demo", stdout=out, **options)
    return out.getvalue().splitlines()


def test_import_makes_the_conference_and_ends_with_the_counts(file: Path) -> None:
    lines = output_lines(file, "--create")

    assert lines[-1] == LAST.format(2, 0, 0, 0, 1)
    assert [line for line in lines if line.startswith("  created")] == ["  created “First”", "  created “Second”"]
    assert [line.partition(":")[0] for line in lines if line.startswith("  skipped")] != []
    assert [(it.slug, it.events.count()) for it in Conference.objects.all()] == [("demo", 2)]


def test_second_import_reports_changes_field_by_field(file: Path) -> None:
    output_lines(file, "--create")
    same = output_lines(file)
    write(file, title="Renamed", second="10:30")

    changed = output_lines(file)

    assert same[-1] == LAST.format(0, 0, 0, 2, 1)
    assert [line for line in changed if line.startswith("  changed")] == [
        "  changed “First”: title: “First” → “Renamed”",
        (
            "  changed “Second”: start: “Sat 2 February 2030, 10:00” → “Sat 2 February 2030, 10:30”; "
            "end: “Sat 2 February 2030, 11:00” → “Sat 2 February 2030, 11:30”"
        ),
    ]
    assert changed[-1] == LAST.format(0, 2, 0, 0, 1)


def test_dry_run_reports_the_difference_and_writes_nothing(file: Path) -> None:
    lines = output_lines(file, "--create", "--dry-run")

    assert lines[-2:] == ["Nothing was written: this was a dry run.", LAST.format(2, 0, 0, 0, 1)]
    assert not any(everything().values())


def test_import_reports_new_clashes(file: Path) -> None:
    write(file, second="09:30")

    lines = output_lines(file, "--create")

    assert [line.partition(" for 30 min")[0] for line in lines if "clash" in line] == [
        "  new clash: Sat 2 February, 09:30–10:00: Ada Example is in two events",
        "  new clash: Sat 2 February, 09:30–10:00: Hall 1 holds two events",
    ]


@pytest.mark.parametrize(
    ("content", "arguments", "reason"),
    [
        pytest.param(
            None,
            [],
            "There is no conference “demo”: create it first, or allow the import to create it, with --create.",
            id="no-conference",
        ),
        pytest.param("<schedule>", ["--create"], "schedule.xml, line 1: is not well-formed XML", id="broken-file"),
        pytest.param(None, ["--create", "--format", "ical"], "“ical” is not a format: known are ", id="unknown-format"),
        pytest.param(None, ["--create", "--timezone", "Mars"], "“Mars” is not a time zone", id="unknown-zone"),
    ],
)
def test_refusal_says_why_and_that_nothing_was_written(
    file: Path, content: str | None, arguments: list[str], reason: str
) -> None:
    file.write_text(
        content if content is not None else file.read_text().replace("<time_zone_name>Europe/Vienna</time_zone_name>", "")
    )

    with pytest.raises(CommandError) as refused:
        output_lines(file, *arguments)

    message = str(refused.value).removeprefix(f"{file.parent}/")
    assert message.startswith(reason)
    assert message.endswith(" Nothing was written.")
    assert (Conference.objects.count(), Event.objects.count()) == (0, 0)
    assert [(it.outcome, message.startswith(it.reason.rstrip("."))) for it in ImportRun.objects.all()] == [("refused", True)]


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere.xml: cannot be read: No such file or directory\. Nothing was written\."):
        output_lines(tmp_path / "nowhere.xml", "--create")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("folder", [], "{}: is in no format Hallway knows. It reads schedule.xml, schedule.json, calendars,"),
        ("folder", ["--print-map"], "{}: holds 2 files, and a map is of one spreadsheet: name that file. Nothing"),
        ("nowhere.xml", [], "{}: cannot be read: No such file or directory. Nothing"),
        ("schedule.xml", ["--map", "nothing.toml"], "nothing.toml: cannot be read: No such file or directory. Nothing"),
    ],
)
def test_message_names_the_file_as_it_was_given(
    file: Path, tmp_path: Path, name: str, arguments: list[str], message: str
) -> None:
    (tmp_path / "folder").mkdir()
    for each in ("a.txt", "b.txt"):
        (tmp_path / "folder" / each).write_text("words")

    with pytest.raises(CommandError) as refused:
        output_lines(tmp_path / name, "--create", *arguments)

    assert str(refused.value).startswith(message.format(tmp_path / name))


def test_zone_is_checked_also_where_the_file_names_one(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"“Mars” is not a time zone: write one as Europe/Vienna\. Nothing was written\."):
        output_lines(write_folder(tmp_path, {}), "--create", "--timezone", "Mars")

    assert not Conference.objects.exists()


def test_address_is_no_file_and_can_be_followed() -> None:
    with pytest.raises(CommandError, match=r"^https://example\.org/x\.json: is an address, and this reads files"):
        output_lines("https://example.org/x.json", "--create")


def test_many_cancellations_must_be_allowed(file: Path) -> None:
    output_lines(file, "--create")
    file.write_text(without_event(file.read_text(), "Second"))

    with pytest.raises(CommandError, match="1 of 2 events are missing from the file; cancelling so many needs --allow-cancel"):
        output_lines(file)
    allowed = output_lines(file, "--allow-cancel")

    assert "  cancelled “Second”: no longer in the file" in allowed
    assert allowed[-1] == LAST.format(0, 0, 1, 1, 1)


def test_folder_is_imported_too(tmp_path: Path) -> None:
    assert output_lines(write_folder(tmp_path, {}), "--create")[-1].startswith("created ")
    assert Conference.objects.get().source == "seed"


def test_long_reports_are_shortened_unless_all_is_given(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_schedule, "MAX_PRINTED_LINES", 1)

    short = output_lines(file, "--create", "--dry-run")
    whole = output_lines(file, "--create", "--dry-run", verbosity=2)

    assert [line for line in short if "created “" in line] == ["  created “First”"]
    assert "  … and 1 more like it (--verbosity 2 shows them)" in short
    assert [line for line in whole if "created “" in line] == ["  created “First”", "  created “Second”"]


def test_conference_made_by_hand_keeps_its_name_and_this_is_reported(file: Path) -> None:
    make_conference(slug="demo", name="By hand", timezone="Europe/Vienna")

    lines = output_lines(file)

    assert Conference.objects.get().name == "By hand"
    assert [line for line in lines if line.startswith("  kept conference")] != []


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_only(file: Path, tmp_path: Path) -> None:
    """Its own process and database: a terminal is asked for by file number."""
    MIGRATED_DATABASE.copy_to(tmp_path / "own.sqlite3")
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}"}
    manage = [sys.executable, str(Path(__file__).parents[2] / "manage.py")]
    command = [*manage, "import_schedule", str(file), "--conference", "demo", "--create"]
    terminal, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 80))

    on_terminal = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, stderr=child, text=True)
    # Not waiting: a bar that was never drawn is a failure, and no hanging.
    os.set_blocking(terminal, False)
    shown = os.read(terminal, 100_000).decode()
    os.close(child)
    os.close(terminal)
    in_a_pipe = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)

    assert "Comparing" in shown
    assert "Writing" in shown
    assert in_a_pipe.stderr == ""
    assert on_terminal.stdout.splitlines()[-1] == LAST.format(2, 0, 0, 0, 1)
    assert in_a_pipe.stdout.splitlines()[-1] == LAST.format(0, 0, 0, 2, 1)
