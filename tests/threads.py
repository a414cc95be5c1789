"""Many things at the same moment, each in a thread and a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Start all of these at the same moment; what each gave."""
    ready = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        ready.wait()
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))
