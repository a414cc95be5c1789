"""Lines of /etc/hallway.env that are no setting."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from events.doctor import settings_file
from events.doctor.checks import settings_problems
from tests.processes import PROJECT


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Path:
    file = tmp_path / "hallway.env"
    monkeypatch.setattr(settings_file, "SETTINGS_FILE", file)
    settings.SECURE = False
    return file


def test_name_that_nothing_reads_is_named_with_its_line_and_without_its_value(file: Path) -> None:
    file.write_text("# MAIL=a\nSITE_URL=https://a.example\nTRUSTED_PROXY=2\nMAIL_FORM=secret\nxyz=secret\nport=8000\n")

    unread = "is no setting, and nothing reads it."
    assert settings_problems() == [
        f"{file}, line 3: TRUSTED_PROXY {unread} Write TRUSTED_PROXIES if that is meant, or delete the line.",
        f"{file}, line 4: MAIL_FORM {unread} Write MAIL_FROM if that is meant, or delete the line.",
        f"{file}, line 5: xyz {unread} Delete the line, or correct the name.",
        f"{file}, line 6: port {unread} Write PORT if that is meant, or delete the line.",
    ]


def test_every_setting_of_the_example_and_names_of_other_programs_are_good(file: Path) -> None:
    example = (PROJECT / "deploy/hallway.env").read_text().replace("\n#", "\n")
    file.write_text(f"{example}PGSSLROOTCERT=/etc/ssl/a.pem\nTZ=UTC\nhttps_proxy=http://proxy:3128\n")

    assert settings_problems() == []


@pytest.mark.parametrize("mode", [None, "folder"])
def test_nothing_is_named_where_no_file_can_be_read(file: Path, mode: str | None) -> None:
    if mode:
        file.mkdir()

    assert settings_problems() == []
