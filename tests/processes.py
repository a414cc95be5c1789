"""What another process needs to see what a test has written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from django.db import connection

PROJECT = Path(__file__).parents[1]


def run_manage(*command: str, project: Path = PROJECT, said: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """manage.py of the project with these settings alone, and what is said to it."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=project,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | settings,
        input=said,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def manage(*command: str, project: Path = PROJECT, said: str = "", **settings: str) -> str:
    """The output of manage.py, which must succeed."""
    done = run_manage(*command, project=project, said=said, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def manage_shell(code: str, **settings: str) -> str:
    return manage("shell", "--no-imports", "-c", code, **settings)


def database_url() -> str:
    """The test database, as another process finds it."""
    said = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{said['NAME']}"
    return f"postgres://{said['USER']}:{said['PASSWORD']}@{said['HOST']}:{said['PORT']}/{said['NAME']}"
