"""How fast the product is at the size of ICLR, beside the least that could answer (`make bench`; prints Markdown)."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks import importing, load
from tests.benchmarks.load import Rate
from tests.benchmarks.opening import database
from tests.benchmarks.servers import HALLWAY, LIMITS, PROJECT, Server, manage, serving

SIZES = [500, 2000, 3960]
SLUG = "example-at-scale"
FEEDS = {"feed": 20, "feed of 60": 60}


@dataclass(frozen=True)
class Case:
    """One line of the table: what is asked for, by whom."""

    name: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    queries: int | None = None
    question: str = ""
    questions: Path | None = None
    """A file of what takes the place of QUESTION in the path; ``question`` is one of them."""

    @property
    def example(self) -> str:
        return self.path.replace("QUESTION", self.question)


def cases(found: dict[str, Any], etags: dict[str, str]) -> Iterator[Case]:
    asked = found["queries"]
    packed = {"Accept-Encoding": "gzip"}
    yield Case("day page, no agenda", found["day"], packed, queries=asked["day"])
    mine = packed | {"Cookie": f"hallway={found['token']}"}
    yield Case("day page, 20 bookmarks", found["day"], mine, queries=asked["day, 20 picks"])
    sixty = packed | {"Cookie": f"hallway={found['token of 60']}"}
    yield Case("agenda of 60 bookmarks", found["agenda"], sixty, queries=asked["agenda of 60"])
    yield Case("overview, no agenda", found["overview"], packed, queries=asked["overview"])
    yield Case("poster session page", found["session"], packed, queries=asked["session"])
    yield Case("event page", found["event"], packed, queries=asked["event"])
    yield Case("search, asked before", found["search"], packed, queries=asked["search"])
    new = {"question": found["question"], "questions": Path(found["questions"])}
    yield Case("search, a new question", found["new search"], packed, queries=asked["search, new"], **new)
    yield Case("schedule.ics", found["schedule.ics"], queries=asked["schedule.ics"])
    yield Case("schedule.json", found["schedule.json"], packed, queries=asked["schedule.json"])
    for feed, picks in FEEDS.items():
        name = f"feed of {picks} bookmarks"
        yield Case(name, found[feed], queries=asked[feed])
        yield Case(f"{name}, 304", found[feed], {"If-None-Match": etags[feed]}, 304, asked[f"{feed}, 304"])


def write(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fill(events: int | None, folder: Path, url: str = "") -> dict[str, Any]:
    """A database of that size (None: as large as ICLR 2025), SQLite's without an address, and what to ask for."""
    os.environ["DATABASE_URL"] = url or f"sqlite:///{folder}/hallway.sqlite3"
    manage("migrate", "--verbosity", "0")
    command = ["seed_scale", *(["--events", str(events)] if events else [])]
    first, again = manage(*command), manage(*command)
    script = f"from tests.benchmarks.prepare import main; main({SLUG!r}, {str(folder)!r})"
    found: dict[str, Any] = json.loads(manage("shell", "--no-imports", "-c", script).output.splitlines()[-1])
    return found | {"import": first, "re-import": again}


def limits(server: Server, todo: list[Case], folder: Path) -> dict[str, list[Rate]]:
    """The same bytes from a minimal Django view and from a minimal WSGI application."""
    answers = {}
    for number, case in enumerate(todo):
        response = server.fetch(case.example, case.headers)
        (folder / str(number)).write_bytes(response.read())
        answers[case.path.partition("?")[0] + f"~{number}"] = (f"{response.status} OK", str(number))
    (folder / "answers.json").write_text(json.dumps(answers))
    rates: dict[str, list[Rate]] = {case.name: [] for case in todo}
    for limit in ("django", "wsgi"):
        with serving(LIMITS, {"BENCH_ANSWERS": str(folder), "BENCH_LIMIT": limit}) as least:
            for case, path in zip(todo, answers, strict=True):
                rates[case.name].append(load.get(least.port, path, case.headers, connections=8, status=case.status))
    return rates


def table(found: dict[str, Any], folder: Path) -> None:
    """Everything at one size."""
    with serving(HALLWAY) as server:
        etags = {feed: server.fetch(found[feed]).headers["ETag"] for feed in FEEDS}
        todo = list(cases(found, etags))
        sizes = {case.name: warmed(server, case.example, case.headers) for case in todo}
        rates = {
            case.name: [
                load.get(server.port, case.path, case.headers, connections=n, status=case.status, questions=case.questions)
                for n in (1, 8)
            ]
            for case in todo
        }
        bookmark = load.post(server.port, found["bookmark"], Path(found["tokens"]), connections=64)
        megabytes = server.megabytes
        least = limits(server, todo, folder)
    write("| | 1 client, requests/s | median ms | 95 % ms | 8 clients, requests/s | median ms | 95 % ms | bytes | queries "
          "| minimal Django view | minimal WSGI |")  # fmt: skip
    write("|---|---|---|---|---|---|---|---|---|---|---|")
    for case in todo:
        one, eight = rates[case.name]
        django, wsgi = least[case.name]
        write(f"| {case.name} | {one} | {eight} | {sizes[case.name]:,} | {case.queries} "
              f"| {django.per_second:,.0f} | {wsgi.per_second:,.0f} |")  # fmt: skip
    write(f"\n{bookmarks_by_64(bookmark)} The server held {megabytes:,.0f} MB at the end.")


def bookmarks_by_64(rate: Rate) -> str:
    return (
        f"Bookmarks set and taken back by 64 clients at once: {rate.per_second:,.0f} a second, "
        f"median {rate.median:.0f} ms, 95 % {rate.late:.0f} ms, {rate.wrong} errors."
    )


def bookmarks_on_postgresql() -> None:
    """Three times, because statements are planned at first."""
    with database("postgresql") as url, tempfile.TemporaryDirectory() as name:
        if url is None:
            write("\nThere is no PostgreSQL on this machine: its bookmarks are left out.")
            return
        found = fill(None, Path(name), url)
        write("\nOn PostgreSQL:\n")
        with serving(HALLWAY) as server:
            for _ in range(3):
                rate = load.post(server.port, found["bookmark"], Path(found["tokens"]), connections=64)
                write(f"- {bookmarks_by_64(rate)}")


def warmed(server: Server, path: str, headers: dict[str, str]) -> int:
    """The bytes of an answer, asked for until both workers have surely made it once."""
    return [len(server.fetch(path, headers).read()) for _ in range(12)][-1]


def smaller(events: int, folder: Path) -> None:
    found = fill(events, folder)
    packed = {"Accept-Encoding": "gzip"}
    asked = [(found["day"], packed), (found["day"], packed | {"Cookie": f"hallway={found['token']}"}), (found["session"], packed)]
    with serving(HALLWAY) as server:
        cells = []
        for path, headers in asked:
            size = warmed(server, path, headers)
            cells.append(f"{load.get(server.port, path, headers, connections=8).per_second:,.0f} ({size:,} bytes)")
    write(f"| {found['events']:,} | {' | '.join(cells)} |")


def conditions() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, check=False, capture_output=True, text=True)
    write(f"{dt.date.today():%d %B %Y}, {commit.stdout.strip()}: {os.cpu_count()} cores for two server processes and the "  # noqa: DTZ011
          f"clients together, load average {os.getloadavg()[0]:.1f} before, Python {platform.python_version()}, SQLite, "
          f"granian as deploy/serve starts it, wrk with 1 thread, {load.SECONDS} s each, loopback.\n")  # fmt: skip


def main() -> None:
    load.require_wrk()
    conditions()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = fill(None, folder)
        write(f"{found['events']:,} events of an invented programme.\n")
        for what in ("import", "re-import"):
            write(
                f"- {what}: {found[what].seconds:.1f} s, {found[what].megabytes:.0f} MB, “{found[what].output.splitlines()[-1]}”"
            )
        write()
        table(found, folder)
    bookmarks_on_postgresql()
    importing.measure()
    write("\nThe same of an invented programme, 8 clients, requests a second:")
    write("\n| events | day page, no agenda | day page, 20 bookmarks | largest session's page |\n|---|---|---|---|")
    for events in SIZES:
        with tempfile.TemporaryDirectory() as name:
            smaller(events, Path(name))


if __name__ == "__main__":
    main()
