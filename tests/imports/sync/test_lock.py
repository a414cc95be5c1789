from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from events.imports.sync import engine


@pytest.mark.parametrize("there_again", [False, True])
def test_lock_file_deleted_by_its_owner_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there_again: bool) -> None:
    path, flock, calls = tmp_path / "lock", fcntl.flock, []

    def slow(handle: int, how: int) -> None:
        flock(handle, how)
        calls.append(handle)
        if len(calls) == 1:
            # The inode stays in use, so that the new file gets another.
            path.unlink()
            if there_again:
                path.touch()

    monkeypatch.setattr(fcntl, "flock", slow)
    handle = engine._open_lock_file(path, "demo")

    assert (len(calls), os.path.samestat(os.fstat(handle), path.stat())) == (2, True)
    os.close(handle)
