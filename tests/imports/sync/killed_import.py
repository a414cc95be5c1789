"""An import that is killed, as a process of its own: the database in DATABASE_URL, the step and how often it may come first."""

from __future__ import annotations

import os
import signal
import sys

import django
from django.apps import apps


def main(step: str, times: int, smallest: int) -> None:
    # What reads models is not to be imported before Django has them.
    from events.imports.sync import hidden_rows  # noqa: PLC0415
    from events.imports.sync.engine import sync  # noqa: PLC0415
    from events.imports.sync.report import ImportHooks  # noqa: PLC0415
    from tests.imports.sync.killed_programmes import NEW  # noqa: PLC0415

    left = times

    def die(what: str) -> None:
        nonlocal left
        left -= what == step
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    if smallest:
        hidden_rows.MIN_SLICED_ROWS = smallest
    hooks = ImportHooks(progress=lambda what, done, total: die(what), on_written=lambda report, conference: die("written"))
    sync(NEW, source="file", hooks=hooks)


if __name__ == "__main__":
    if not apps.ready:
        django.setup()
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
