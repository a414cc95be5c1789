"""``manage.py doctor``: one line for each thing that is looked at, and 1 if something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from events.core.db.readiness import _last_migrations
from events.doctor import services
from events.management.commands import doctor
from events.models import CommandRun, Letter, Person
from tests.factories import make_conference, make_person

pytestmark = pytest.mark.django_db
GOOD = [
    "good   settings",
    "good   disk",
    "good   folders",
    "good   static files",
    "good   cache",
    "good   mail server",
    "good   public address",
    "good   database and migrations",
    "good   path of the admin",
    "good   photos",
    "good   clock",
    "good   commands that run by themselves",
    "good   outbox",
]


@pytest.fixture(autouse=True)
def site_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the address of the settings."""
    monkeypatch.setitem(doctor.CHECKS_WITHOUT_DATABASE, "public address", list)


def test_good_site_has_a_good_line_for_each_thing(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("doctor")

    assert capsys.readouterr().out.splitlines() == GOOD


def test_wrong_things_are_counted_and_end_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    monkeypatch.setitem(doctor.CHECKS_WITHOUT_DATABASE, "disk", lambda: ["It is full. Free some."])
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

    with pytest.raises(SystemExit) as end:
        call_command("doctor")

    lines = capsys.readouterr().out.splitlines()
    remedy = "The cache does not keep what is written to it. Start it, correct CACHE_URL, or remove CACHE_URL."
    assert end.value.code == 1
    assert [line for line in lines if line not in GOOD] == [
        "WRONG  disk: It is full. Free some.",
        f"WRONG  cache: {remedy}",
        "2 things are wrong.",
    ]


def test_database_without_its_migrations_is_named_and_its_tables_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    MigrationRecorder(connection).record_unapplied("events", max(name for app, name in _last_migrations() if app == "events"))

    with pytest.raises(SystemExit):
        call_command("doctor")

    assert capsys.readouterr().out.splitlines()[7:] == [
        (
            "WRONG  database and migrations: Migrations are not applied (events): run manage.py migrate. "
            "Remedies are in docs/operations.md, “Faults of the database and its disk”."
        ),
        "1 thing is wrong.",
    ]


def test_folders_that_are_none_are_named(capsys: pytest.CaptureFixture[str], settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    settings.MEDIA_ROOT, settings.UPLOAD_ROOT = file, file / "below"

    with pytest.raises(SystemExit):
        call_command("doctor")

    assert [line for line in capsys.readouterr().out.splitlines() if line not in GOOD] == [
        f"WRONG  folders: MEDIA_ROOT is {file}, which is no folder. Correct MEDIA_ROOT.",
        f"WRONG  folders: UPLOAD_ROOT is {file}/below, which is no folder. Correct UPLOAD_ROOT.",
        "2 things are wrong.",
    ]


@pytest.mark.both_databases
def test_conference_that_the_admin_hides_is_named(capsys: pytest.CaptureFixture[str], settings: Settings) -> None:
    conference = make_conference(slug="iclr-2025", name="ICLR 2025")
    conference.former_slugs.create(slug="iclr")
    call_command("doctor")
    assert capsys.readouterr().out.splitlines() == GOOD

    for path, folder, whose in [("iclr-2025/", "iclr-2025", "the address"), ("iclr/door/", "iclr", "a former address")]:
        settings.ADMIN_PATH = path
        with pytest.raises(SystemExit):
            call_command("doctor")

        is_at = f"ADMIN_PATH is “{path}”, and “{folder}” is {whose} of ICLR 2025"
        assert [line for line in capsys.readouterr().out.splitlines() if line not in GOOD] == [
            f"WRONG  path of the admin: {is_at}, which nobody can open there. Set another path, also in the proxy’s file.",
            "1 thing is wrong.",
        ]


@pytest.mark.both_databases
def test_missing_folder_of_photos_is_named_as_soon_as_there_are_some(
    capsys: pytest.CaptureFixture[str], settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    make_person(make_conference())
    call_command("doctor")
    assert capsys.readouterr().out.splitlines() == GOOD

    Person.objects.update(photo="people/ada.webp", photo_alt="Ada, writing.")
    with pytest.raises(SystemExit):
        call_command("doctor")

    problem = f"MEDIA_ROOT is {tmp_path}/media, which does not exist, and the database names photos."
    assert [line for line in capsys.readouterr().out.splitlines() if line not in GOOD] == [
        f"WRONG  photos: {problem} Correct MEDIA_ROOT, or make the folder.",
        "1 thing is wrong.",
    ]


def test_letter_is_sent_at_once_and_past_the_outbox(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("doctor", mail="ada@example.org")

    assert capsys.readouterr().out.splitlines()[-1] == "good   letter to ada@example.org"
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [(["ada@example.org"], "Test of the mail of Hallway")]
    assert Letter.objects.count() == 0


def test_bad_address_is_named_before_anything_else(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="is not a mail address"):
        call_command("doctor", mail="ada")

    assert capsys.readouterr().out == ""


def test_run_by_another_program_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("doctor", ran="backup")

    assert (list(CommandRun.objects.values_list("command", flat=True)), capsys.readouterr().out) == (["backup"], "")


def test_static_file_that_was_not_collected_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def url(path: str) -> str:
        if path == "events/favicon.svg":
            raise ValueError(path)
        return path

    assert services.static_problems() == []
    monkeypatch.setattr(services.staticfiles_storage, "url", url)

    assert services.static_problems() == [
        "1 static file is not collected, such as events/favicon.svg. Run systemctl restart hallway, or manage.py collectstatic."
    ]
