"""What an import costs at three sizes, exports before and after a change, and bookmarks while a large import runs.

The machine may be shared: processor time is beside wall time. `python -m tests.benchmarks.importing` measures only this.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.opening import database
from tests.benchmarks.servers import HALLWAY, Server, manage, serving

SIZES = (500, 3960, 30_000)
CLIENTS = 4
SLUG = "example-at-scale"
SECOND_SLUG = "imported-meanwhile"
OTHER_TITLES = """
from dataclasses import replace
from events.imports.sync.engine import sync
from events.management.example import example_schedule
data = example_schedule(3960, slug="{slug}")
sync(replace(data, events=tuple(replace(it, title=it.title + ", again") for it in data.events)), source="example")
"""
MOVE = """
import datetime as dt
from events.models import Event
event = Event.objects.filter(conference__slug="{slug}", start__isnull=False).order_by("pk").first()
event.start, event.end = event.start + dt.timedelta(minutes=5), event.end + dt.timedelta(minutes=5)
event.revise()
"""


@dataclass
class Waits:
    """Seconds of each answer, and those that were refused."""

    seconds: list[float] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)

    def row(self) -> str:
        refused = ", ".join(f"{count} × {status}" for status, count in self.refused.most_common()) or "0"
        return f"{len(self.seconds)} bookmarks, longest wait {max(self.seconds, default=0):.2f} s, refused {refused}"


def write(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def bookmark_until(ended: threading.Event, server: Server, found: dict[str, Any], tokens: Sequence[str], waits: Waits) -> None:
    """Set and remove bookmarks, one after the other."""
    turn, connection = 0, http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    origin = f"http://127.0.0.1:{server.port}"
    while not ended.is_set():
        turn += 1
        headers = {"Cookie": f"hallway={tokens[turn % len(tokens)]}", "Origin": origin, "HX-Request": "true"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.perf_counter()
        connection.request("POST", found["bookmark"], f"on={turn // len(tokens) % 2}", headers)
        response = connection.getresponse()
        response.read()
        waits.seconds.append(time.perf_counter() - began)
        if response.status != 200:
            waits.refused[response.status] += 1
        time.sleep(0.05)


def bookmarks_meanwhile(server: Server, found: dict[str, Any], command: Sequence[str]) -> tuple[Waits, Any]:
    tokens, waits, ended = Path(found["tokens"]).read_text().split(), Waits(), threading.Event()
    clients = [
        threading.Thread(target=bookmark_until, args=(ended, server, found, tokens[number::CLIENTS], waits), daemon=True)
        for number in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    try:
        run = manage(*command)
    finally:
        ended.set()
        for client in clients:
            client.join(90)
    return waits, run


def export_seconds(server: Server, path: str) -> tuple[float, float]:
    """Return the seconds of an answer, and the processor time of the server meanwhile."""
    began, cpu = time.perf_counter(), server.cpu_seconds
    server.fetch(path, {"Accept-Encoding": "gzip"}).read()
    return time.perf_counter() - began, server.cpu_seconds - cpu


def move(slug: str) -> None:
    manage("shell", "--no-imports", "-c", MOVE.format(slug=slug))


def imports_and_exports_of(name: str, url: str) -> None:
    os.environ["DATABASE_URL"] = url
    manage("migrate", "--verbosity", "0")
    for events in SIZES:
        run = manage("seed_scale", "--events", str(events), "--slug", f"of-{events}")
        write(
            f"| {name} | import of {events:,} | {run.seconds:.1f} s | {run.cpu:.1f} s, {1000 * run.cpu / events:.2f} ms an event "
            f"| {run.megabytes:,.0f} MB |"
        )
    for events in SIZES:
        exports_of(name, events, f"of-{events}")


def exports_of(name: str, events: int, slug: str) -> None:
    """First and next exports of one conference, by a server that has just started."""
    # The first announced change is in every menu, and so builds everything anew.
    move(slug)
    with serving(HALLWAY) as server:
        for turn in ("first", "again", "after a move", "after another"):
            if turn.startswith("after"):
                move(slug)
            for export in ("schedule.json", "schedule.ics"):
                wall, cpu = export_seconds(server, f"/{slug}/{export}")
                write(f"| {name} | {export} of {events:,}, {turn} | {wall:.2f} s | {cpu:.2f} s | |")


def bookmarks_of(name: str, url: str, folder: str) -> None:
    os.environ["DATABASE_URL"] = url
    manage("migrate", "--verbosity", "0")
    manage("seed_scale")
    script = f"from tests.benchmarks.prepare import main; main({SLUG!r}, {folder!r})"
    found = json.loads(manage("shell", "--no-imports", "-c", script).output.splitlines()[-1])
    with serving(HALLWAY) as server:
        for events, slug in ((30_000, SECOND_SLUG), (4500, SLUG)):
            waits, run = bookmarks_meanwhile(server, found, ["seed_scale", "--events", str(events), "--slug", slug])
            write(f"| {name} | import of {events:,} meanwhile, {slug} | {run.seconds:.1f} s | {run.cpu:.1f} s | {waits.row()} |")
        manage("seed_scale", "--slug", SLUG)
        waits, run = bookmarks_meanwhile(server, found, ["shell", "--no-imports", "-c", OTHER_TITLES.format(slug=SLUG)])
        write(f"| {name} | other titles for 3,960 meanwhile | {run.seconds:.1f} s | {run.cpu:.1f} s | {waits.row()} |")


def measure() -> None:
    write("\nImports and exports; the processor time of PostgreSQL is not in it:")
    write("\n| | | wall time | processor time | |\n|---|---|---|---|---|")
    for name in ("sqlite", "postgresql"):
        for part in (imports_and_exports_of, bookmarks_of):
            with database(name) as url, tempfile.TemporaryDirectory() as folder:
                if url is None:
                    write(f"| {name} | there is no server on this machine | | | |")
                elif part is imports_and_exports_of:
                    imports_and_exports_of(name, url)
                else:
                    bookmarks_of(name, url, folder)


if __name__ == "__main__":
    measure()
