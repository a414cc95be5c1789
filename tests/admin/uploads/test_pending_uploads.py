"""Files between the page that shows what they would do and the button that does it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from events.imports import pending
from tests.admin.conftest import logged_in, staff

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    return Path(settings.UPLOAD_ROOT)


def test_of_many_who_take_a_file_at_once_one_gets_it(folder: Path) -> None:
    waiting = pending.store_upload(staff("Grace"), "programme", "schedule.xml", b"content", {})

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: waiting.pop_content(), range(8)))

    assert ([it for it in taken if it is not None], list(folder.iterdir())) == ([b"content"], [])


def test_file_that_differs_from_the_preview_is_refused(folder: Path) -> None:
    waiting = pending.store_upload(staff("Grace"), "programme", "schedule.xml", b"content", {})
    (folder / waiting.token / "file").write_bytes(b"another")

    assert waiting.pop_content() is None


def test_files_expire_and_are_few(folder: Path, time_machine: Any) -> None:
    user = staff("Grace", "Organisers")
    time_machine.move_to("2025-04-01T09:00:00+00:00")
    tokens = [
        pending.store_upload(user, "programme", f"{number}.xml", b"x", {}).token
        for number in range(pending.MAX_PENDING_UPLOADS_PER_USER + 2)
    ]

    found = [pending.find_upload(user, "programme", token) for token in tokens]
    time_machine.move_to("2025-04-01T10:01:00+00:00")
    expired = [pending.find_upload(user, "programme", token) for token in tokens]
    pending.delete_expired_uploads(user.pk, "programme", pending.MAX_PENDING_UPLOADS_PER_USER)

    assert ([it is not None for it in found], any(expired)) == (
        [False] * 2 + [True] * pending.MAX_PENDING_UPLOADS_PER_USER,
        False,
    )
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("token", ["../../../etc/passwd", "..", "", "x" * 22, "%2e%2e", "a" * 5000])
def test_token_of_nothing_finds_nothing(token: str) -> None:
    assert pending.find_upload(staff("Grace"), "programme", token) is None


def test_file_is_readable_by_nobody_else(folder: Path) -> None:
    pending.store_upload(staff("Grace"), "programme", "schedule.xml", b"x", {})

    assert {it.stat().st_mode & 0o077 for it in [folder, *folder.iterdir()]} == {0}
    assert logged_in(staff("Edsger", "Organisers")).get("/media/about.json").status_code == 404
