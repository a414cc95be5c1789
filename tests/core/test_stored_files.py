from __future__ import annotations

import datetime as dt
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from events.core import stored_files
from events.core.byte_cache import PROCESS_CACHE
from events.core.stored_files import STORED_EXPORTS, BuiltFile, BusyError, FileKey, StoredFile
from tests.processes import PROJECT
from tests.threads import at_once

MODIFIED = dt.datetime(2025, 4, 24, 1, 30, 0, 123456, tzinfo=dt.UTC)
CHANGED = dt.datetime(2025, 4, 20, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_ROOT = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def _remembers() -> Any:
    PROCESS_CACHE.max_bytes = 2**20


def key(version: str = "v1", name: str = "1-schedule.json", *, is_selection: bool = False) -> FileKey:
    return FileKey(name, version, is_selection=is_selection)


def asked(
    wanted: FileKey | None = None,
    body: bytes | Callable[[], bytes] = b"new",
    *,
    changed_at: dt.datetime | None = CHANGED,
    may_serve_last: bool = True,
) -> StoredFile:
    def build() -> BuiltFile:
        return BuiltFile(body() if callable(body) else body, MODIFIED)

    return STORED_EXPORTS.get_or_build(wanted or key(), changed_at, build, lambda since: may_serve_last and since == MODIFIED)


def content(stored: StoredFile) -> bytes:
    with stored.file as file:
        return file.read()


def never() -> bytes:
    raise AssertionError("built again")


class Builder:
    """A build in another thread, which goes on until it is told to end."""

    def __init__(self, wanted: FileKey, body: bytes = b"new") -> None:
        self._ends, began = threading.Event(), threading.Event()

        def build() -> bytes:
            began.set()
            assert self._ends.wait(20)
            return body

        self._thread = threading.Thread(target=lambda: content(asked(wanted, build)))
        self._thread.start()
        assert began.wait(20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        self._ends.set()
        self._thread.join(20)


def test_file_is_built_once_and_read_from_disk(folder: Path) -> None:
    first, second = asked(), asked(body=never)

    assert (first.version, first.modified_at, first.size, first.is_last) == ("v1", MODIFIED, 3, False)
    assert second._replace(file=first.file) == first
    assert (content(first), content(second)) == (b"new", b"new")
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_unknown_time_stays_unknown() -> None:
    def build() -> BuiltFile:
        return BuiltFile(b"new", None)

    for _ in range(2):
        stored = STORED_EXPORTS.get_or_build(key(), None, build, lambda _: True)
        assert (content(stored), stored.modified_at) == (b"new", None)


def test_new_version_replaces_the_old_one_and_no_other_file(folder: Path) -> None:
    for wanted in [key(), key(name="1-schedule.json-a", is_selection=True), key(name="1-schedule"), key("v2")]:
        content(asked(wanted, wanted.version.encode()))

    names = sorted(path.name.partition(".17")[0] for path in folder.glob("*@*"))
    assert names == ["selection-1-schedule.json-a@v1", "whole-1-schedule.json@v2", "whole-1-schedule@v1"]


def test_restored_database_with_the_same_revision_gets_its_own_bytes() -> None:
    content(asked())

    assert content(asked(body=b"restored", changed_at=CHANGED - dt.timedelta(hours=1))) == b"restored"


def test_deleted_folder_is_made_again(folder: Path) -> None:
    content(asked())
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()

    assert content(asked(body=b"again")) == b"again"
    assert content(asked(body=never)) == b"again"


def test_others_get_last_bytes_while_a_file_is_built() -> None:
    content(asked(body=b"old"))
    with Builder(key("v2")) as builder:
        others = at_once(*[lambda: asked(key("v2"), never)] * 11)
        assert {(content(it), it.version, it.is_last) for it in others} == {(b"old", "v1", True)}
        builder.end()

    assert content(asked(key("v2"), never)) == b"new"


def test_refused_last_bytes_are_not_served() -> None:
    content(asked(body=b"old"))
    with Builder(key("v2")) as builder:
        threading.Timer(0.2, builder._ends.set).start()
        assert content(asked(key("v2"), never, may_serve_last=False)) == b"new"


def test_without_last_bytes_one_thread_waits_and_the_others_are_refused() -> None:
    def ask() -> bytes:
        try:
            return content(asked(body=never))
        except BusyError:
            return b"busy"

    with Builder(key()) as builder:
        threading.Timer(0.5, builder._ends.set).start()
        assert sorted(at_once(*[ask] * 5)) == [b"busy"] * 4 + [b"new"]


def test_waiting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_files, "MAX_BUILDER_WAIT_SECONDS", 0.1)
    with Builder(key()):
        for _ in range(2):
            with pytest.raises(BusyError):
                asked(body=never)


@pytest.mark.usefixtures("_remembers")
def test_last_bytes_are_served_for_a_minute_while_another_file_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_files, "MAX_BUILDER_WAIT_SECONDS", 0.1)
    content(asked(body=b"old"))
    with Builder(key(name="1-papers.csv")):
        assert content(asked(key("v2"), never)) == b"old"

        monkeypatch.setattr(stored_files, "MAX_OUTDATED_SECONDS", 0)
        with pytest.raises(BusyError):
            asked(key("v2"), never)

        monkeypatch.setattr(stored_files, "MAX_OUTDATED_SECONDS", 60)
        STORED_EXPORTS.note_current(key("v1"))
        assert content(asked(key("v2"), never)) == b"old"


def test_selections_do_not_keep_whole_files_waiting() -> None:
    with Builder(key(name="1-schedule.json-a", is_selection=True)):
        assert content(asked(body=b"whole")) == b"whole"
    with Builder(key("v2")):
        assert content(asked(key(name="1-schedule.json-b", is_selection=True))) == b"new"


def test_failed_build_is_nobody_elses_failure() -> None:
    def fail() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asked(body=fail)

    assert content(asked(body=b"second")) == b"second"


def test_oldest_selections_are_dropped(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def selection(number: int, size: int = 3) -> None:
        content(asked(key(name=f"1-schedule.json-{number}", is_selection=True), b"x" * size))
        time.sleep(0.01)

    def numbers() -> list[int]:
        return sorted(int(path.name.partition("@")[0].rpartition("-")[2]) for path in folder.glob("selection-*@*"))

    content(asked())
    monkeypatch.setattr(stored_files, "MAX_SELECTION_FILES", 3)
    for number in range(5):
        selection(number)
    assert numbers() == [2, 3, 4]
    monkeypatch.setattr(stored_files, "MAX_SELECTION_BYTES", 10)
    selection(5, size=7)
    assert numbers() == [4, 5]
    selection(6, size=20)
    assert numbers() == [6]
    assert content(asked(body=never)) == b"new"


def test_what_cannot_be_written_is_built_in_memory(
    monkeypatch: pytest.MonkeyPatch, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "utime", full)

    assert [content(asked(body=body)) for body in (b"one", b"two")] == [b"one", b"two"]
    assert {path.name for path in folder.iterdir()} == {"whole.lock"}
    assert "No space left on device" in caplog.text


def test_folder_that_cannot_be_made_is_done_without(settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    settings.EXPORT_ROOT = tmp_path / "file" / "exports"

    assert [content(asked(body=body)) for body in (b"one", b"two")] == [b"one", b"two"]
    assert "built in memory" in caplog.text
    with Builder(key()) as builder:
        threading.Timer(0.2, builder._ends.set).start()
        assert content(asked(body=b"after it")) == b"after it"


OTHER_PROCESS = """
import sys, time, datetime as dt, django
django.setup()
from django.conf import settings
from pathlib import Path
from events.core.stored_files import STORED_EXPORTS, BuiltFile, FileKey
settings.EXPORT_ROOT = Path(sys.argv[1])
def build():
    (settings.EXPORT_ROOT / "whole.part").write_bytes(b"half")
    print("building", flush=True)
    sys.stdin.read(1)
    return BuiltFile(b"theirs", dt.datetime.fromisoformat(sys.argv[3]))
changed_at = dt.datetime.fromisoformat(sys.argv[2])
STORED_EXPORTS.get_or_build(FileKey("1-schedule.json", "v2"), changed_at, build, lambda since: True)
"""


@pytest.fixture
def other_process(folder: Path) -> Any:
    """Builds version 2 until it reads a letter."""
    command = [sys.executable, "-c", OTHER_PROCESS, str(folder), CHANGED.isoformat(), MODIFIED.isoformat()]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "conference.settings"}
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"building\n"
        yield process
        process.kill()


@pytest.mark.slow
def test_another_process_builds_for_all(folder: Path, request: pytest.FixtureRequest) -> None:
    content(asked(body=b"old"))
    process = request.getfixturevalue("other_process")

    assert {content(it) for it in at_once(*[lambda: asked(key("v2"), never)] * 8)} == {b"old"}
    threading.Timer(0.2, lambda: process.stdin.write(b"x") and process.stdin.close()).start()
    assert content(asked(key("v2"), never, may_serve_last=False)) == b"theirs"


@pytest.mark.slow
def test_killed_builder_leaves_neither_lock_nor_half_file(folder: Path, request: pytest.FixtureRequest) -> None:
    content(asked(body=b"old"))
    process = request.getfixturevalue("other_process")
    process.send_signal(signal.SIGKILL)
    process.wait(10)

    assert content(asked(key("v2"), b"mine")) == b"mine"
    assert sorted(path.name.partition(".17")[0] for path in folder.iterdir()) == ["whole-1-schedule.json@v2", "whole.lock"]
