"""A site with a ``var`` of its own: the project's code, and no settings of this shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.processes import PROJECT

LINKED = ["events", "manage.py", "pyproject.toml", "templates", "tests"]


@dataclass(frozen=True)
class Checkout:
    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Checkout:
        folder.mkdir(parents=True)
        shutil.copytree(PROJECT / "conference", folder / "conference", ignore=shutil.ignore_patterns("__pycache__"))
        for name in LINKED:
            (folder / name).symlink_to(PROJECT / name)
        return cls(folder)

    @property
    def var(self) -> Path:
        return self.folder / "var"

    def run(self, *command: str, **settings: str) -> tuple[int, str, str]:
        """The status, the output and the errors of manage.py."""
        # The database backend for coverage of other tests may be PostgreSQL: here it is always the file in var/.
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": str(self.folder)} | settings
        # A link would make the project's own folder the first on the path.
        start = (
            f"import sys; sys.argv[0] = 'manage.py'; exec(compile(open('{self.folder}/manage.py').read(), 'manage.py', 'exec'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", start, *command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return done.returncode, done.stdout, done.stderr

    def manage(self, *command: str, **settings: str) -> str:
        status, output, errors = self.run(*command, **settings)
        assert status == 0, errors
        return output

    def shell(self, code: str, **settings: str) -> str:
        return self.manage("shell", "--no-imports", "-c", code, **settings)

    def refusal(self, *command: str, **settings: str) -> str:
        """What a command that refuses says, which is one sentence or two and no traceback."""
        status, _, errors = self.run(*command, **settings)
        assert (status, "Traceback" in errors) == (1, False), errors
        return errors.removeprefix("CommandError: ").strip()

    def contents(self) -> dict[str, bytes]:
        """All files of var but the locks of servers."""
        return {
            str(path.relative_to(self.var)): path.read_bytes()
            for path in sorted(self.var.rglob("*"))
            if path.is_file() and path.suffix != ".lock"
        }
