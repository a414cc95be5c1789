"""A migrated SQLite database without rows. The migrations take ten seconds, so a run of tests makes it once and copies it."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from tests.processes import manage


class MigratedDatabase:
    """The file in a folder that all processes of a run share; who asks first makes it."""

    folder: Path | None = None

    def use(self, paths: pytest.TempPathFactory) -> None:
        folder = paths.getbasetemp()
        # Each process of xdist has a folder of its own in that of the run.
        self.folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder

    def copy_to(self, target: Path) -> None:
        assert self.folder is not None
        made = self.folder / "migrated.sqlite3"
        with (self.folder / "migrated.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                new = made.with_suffix(".new")
                manage("migrate", "--verbosity", "0", DATABASE_URL=f"sqlite:///{new}", SECRET_KEY="k" * 50)
                new.rename(made)
        shutil.copy(made, target)


MIGRATED_DATABASE = MigratedDatabase()
