"""An opening morning: 500 impatient visitors, while organisers change the programme (`make bench-opening`; prints Markdown)."""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.benchmarks.mix import EVENT_PAGES, SHARES, WITH_EXPORTS, Mix
from tests.benchmarks.servers import HALLWAY, LIMITS, PROJECT, Server, busy_cores, manage, serving
from tests.benchmarks.visitors import Outcome, percentile, visit

PARTS = ["mix", "changes", "import", "django", "sizes", "memory"]
SIZES = [10_000, 30_000]
SIZE_OF_ICLR = 3_959
BARE_PAGES = 300
COLUMNS = ["", "requests/s", "p50 s", "p95 s", "p99 s", "longest ÷ p50", "errors", "never served", "CPU ms/request"]
COLUMNS += ["the server's CPU of all", "workers, MB"]
HEAD = f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|"


@dataclass(frozen=True)
class Options:
    databases: list[str]
    parts: list[str]
    runs: int
    seconds: float
    connections: int
    events: int | None
    minutes: float
    per_second: float | None = None


@dataclass(frozen=True)
class Measured:
    outcome: Outcome
    cpu: float
    """Seconds of the server's processes."""
    busy: float
    """Of all cores, by whom ever."""
    everything: float
    workers: list[float]

    @property
    def cpu_per_request(self) -> float:
        return 1000 * self.cpu / max(1, self.outcome.answers)

    def row(self, name: str) -> str:
        out, p50 = self.outcome, self.outcome.late(50)
        errors = ", ".join(f"{count} × {what}" for what, count in out.errors.most_common(3)) or "0"
        return (
            f"| {name} | {out.per_second:,.0f} | {p50:.2f} | {out.late(95):.2f} | {out.late(99):.2f} "
            f"| {out.late(100) / max(p50, 1e-6):.1f} | {errors} | {out.unserved} | {self.cpu_per_request:.2f} "
            f"| {self.cpu:.0f} of {self.busy:.0f} s busy, of {self.everything:.0f} s "
            f"| {' + '.join(f'{megabytes:,.0f}' for megabytes in self.workers)} |"
        )


def write(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextlib.contextmanager
def database(name: str) -> Iterator[str | None]:
    """The address of an empty database that lasts as long as the measurement; None without a server for it."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/hallway.sqlite3"
        return
    asked = subprocess.run([sys.executable, ".ci/postgres_url.py"], cwd=PROJECT, check=False, capture_output=True, text=True)
    if asked.returncode:
        yield None
        return
    server, own = asked.stdout.strip(), f"hallway_opening_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(own)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{own}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(own)))


def inside(call: str) -> list[str]:
    """A command that runs a function of morning.py inside the served project."""
    return ["shell", "--no-imports", "-c", f"from tests.benchmarks import morning; morning.{call}"]


def loaded(events: int | None, asked: int | None = None) -> dict[str, Any]:
    """A programme of that size in DATABASE_URL (None: as large as ICLR 2025), and what visitors ask for."""
    manage("migrate", "--verbosity", "0")
    found: dict[str, Any] = json.loads(manage(*inside(f"load({events}, {asked})")).output.splitlines()[-1])
    return found


@contextlib.contextmanager
def organiser(call: str) -> Iterator[dict[str, Any]]:
    """Somebody who changes the programme meanwhile, from now on; the dictionary has what it took, afterwards."""
    told: dict[str, Any] = {}
    command = [sys.executable, "manage.py", *inside(call)]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if json.loads(process.stdout.readline() or "null") != "ready":
            raise SystemExit(f"{call} did not start")
        if not call.startswith("publish"):
            process.stdin.write("go\n")
            process.stdin.flush()
        yield told
        process.stdin.close()
        told.update(json.loads(process.stdout.read().splitlines()[-1]))


def settle(server: Server, most_seconds: int = 120) -> None:
    """Wait until the server has answered those who left: it works for them too."""
    for _ in range(most_seconds):
        before = server.cpu_seconds
        time.sleep(1)
        if server.cpu_seconds - before < 0.05:
            return


def measure(server: Server, mix: Mix, options: Options) -> Measured:
    cpu, (busy, everything) = server.cpu_seconds, busy_cores()
    outcome = visit(server.port, mix, connections=options.connections, seconds=options.seconds, per_second=options.per_second)
    busy_after, everything_after = busy_cores()
    return Measured(outcome, server.cpu_seconds - cpu, busy_after - busy, everything_after - everything, server.workers)


def kinds(measured: list[Measured]) -> None:
    """Where the waits of several runs were, by what was asked for."""
    write("\n| of these, kind | answers | p50 s | p95 s |\n|---|---|---|---|")
    for kind in sorted({kind for each in measured for kind in each.outcome.waits}):
        waits = [wait for each in measured for wait in each.outcome.waits.get(kind, [])]
        write(f"| {kind} | {len(waits):,} | {percentile(waits, 50):.2f} | {percentile(waits, 95):.2f} |")
    client = sum(each.outcome.client_seconds for each in measured) / max(1, sum(each.outcome.answers for each in measured))
    write(f"\nThe visitors themselves took {1000 * client:.2f} ms of CPU for each request.\n")


def plain_mornings(options: Options, server: Server, mix: Mix) -> None:
    write(HEAD)
    measured = []
    for run in range(1, options.runs + 1):
        settle(server)
        measured.append(measure(server, mix, options))
        write(measured[-1].row(f"mix, run {run}"))
    kinds(measured)


def mornings_with_changes(options: Options, server: Server, mix: Mix) -> None:
    write(HEAD)
    measured, notes = [], []
    for run in range(1, options.runs + 1):
        settle(server)
        with organiser("publish()") as told:
            measured.append(measure(server, mix, options))
        write(measured[-1].row(f"a change each second, run {run}"))
        took, worked = told["took"], told["worked"]
        notes.append(
            f"Run {run}: {len(took)} changes; each took the organiser {1000 * percentile(took, 50):.0f} ms, "
            f"95 % within {1000 * percentile(took, 95):.0f} ms, and {1000 * percentile(worked, 50):.0f} ms of CPU."
        )
    kinds(measured)
    write("\n".join(notes) + "\n")


def mornings_with_imports(options: Options, server: Server, mix: Mix, found: Mapping[str, Any]) -> None:
    write(HEAD)
    notes = []
    for run in range(1, options.runs + 1):
        settle(server)
        with organiser(f"reimport({found['opening']!r}, {found['zone']!r}, {options.events}, {run})") as told:
            measured = measure(server, mix, options)
        write(measured.row(f"a re-import of 300 changes, run {run}"))
        cost = f"{told['took']:.1f} s, CPU {told['worked']:.1f} s, {told['megabytes']:.0f} MB"
        notes.append(f"Run {run}: {cost}, “{told['report']}”.")
    write("\n" + "\n".join(notes) + "\n")


def mornings(options: Options, found: Mapping[str, Any]) -> None:
    """The mix, the mix with a change each second, and the mix with imports, on one server."""
    with serving(HALLWAY) as server:
        mix = Mix(found, server.port)
        if "mix" in options.parts:
            plain_mornings(options, server, mix)
        if "changes" in options.parts:
            mornings_with_changes(options, server, mix)
        if "import" in options.parts:
            mornings_with_imports(options, server, mix, found)


def beside_django(options: Options, found: Mapping[str, Any]) -> None:
    """Event pages alone, by a server that has just started, and the same pages from a bare Django view on the same server."""
    few = {**found, "events": found["events"][:BARE_PAGES]}
    write(HEAD)
    with tempfile.TemporaryDirectory() as name, serving(HALLWAY) as server:
        folder, answers = Path(name), {}
        for run in range(1, options.runs + 1):
            settle(server)
            own = measure(server, Mix(few, server.port, shares=EVENT_PAGES), options)
            write(own.row(f"{len(few['events'])} event pages, run {run}"))
        settle(server)
        for number, path in enumerate(few["events"]):
            response = server.fetch(path, {"Accept-Encoding": "gzip"})
            (folder / str(number)).write_bytes(response.read())
            answers[path] = (f"{response.status} OK", str(number))
        (folder / "answers.json").write_text(json.dumps(answers))
        with serving(LIMITS, {"BENCH_ANSWERS": name, "BENCH_LIMIT": "django"}) as bare:
            least = measure(bare, Mix(few, bare.port, shares=EVENT_PAGES), options)
            write(least.row("the same from a bare Django view"))
    write()


def sizes(options: Options, name: str) -> None:
    """The mix on larger programmes; as many different event pages are asked for as in the smallest."""
    write("| events | requests/s | CPU ms/request | of the smallest |\n|---|---|---|---|")
    least = None
    for events in [options.events, *SIZES]:
        with database(name) as url:
            os.environ["DATABASE_URL"] = url or ""
            found = loaded(events, options.events or SIZE_OF_ICLR)
            with serving(HALLWAY) as server:
                first = measure(server, Mix(found, server.port), options)
                settle(server)
                second = measure(server, Mix(found, server.port, seed=2), options)
            cost = 1000 * (first.cpu + second.cpu) / max(1, first.outcome.answers + second.outcome.answers)
            least = least or cost
            rate = (first.outcome.per_second + second.outcome.per_second) / 2
            write(f"| {found['count']:,} | {rate:,.0f} | {cost:.2f} | {cost / least:.2f} |")
    write()


def memory(options: Options, found: Mapping[str, Any]) -> None:
    """What each worker holds while visitors ask for the mix and exports, and organisers change something each second."""
    write("| minute | workers, MB | requests/s | errors |\n|---|---|---|---|")
    most = 0.0
    with serving(HALLWAY) as server, organiser("publish()"):
        mix = Mix(found, server.port, shares=WITH_EXPORTS)
        began = time.monotonic()
        while (minute := (time.monotonic() - began) / 60) < options.minutes:
            outcome = visit(server.port, mix, connections=options.connections, seconds=min(60, 60 * (options.minutes - minute)))
            held = server.workers
            most = max(most, *held)
            errors = ", ".join(f"{count} × {what}" for what, count in outcome.errors.most_common(3)) or "0"
            write(f"| {minute + 1:.0f} | {' + '.join(f'{each:,.0f}' for each in held)} | {outcome.per_second:,.0f} | {errors} |")
    write(f"\nThe largest worker held {most:,.0f} MB.\n")


def conditions(options: Options) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, check=False, capture_output=True, text=True)
    write(f"{dt.date.today():%d %B %Y}, {commit.stdout.strip()}: {os.cpu_count()} cores for the server, the database "  # noqa: DTZ011
          f"and the visitors together, load average {os.getloadavg()[0]:.1f} before, Python {platform.python_version()}, "
          f"{os.environ.get('WORKERS', '2')} workers, {options.connections} connections, {options.seconds:g} s"
          f"{f', {options.per_second:g} questions a second' if options.per_second else ''}.")  # fmt: skip
    write(f"Of 100 requests: {', '.join(f'{share:g} {kind}' for kind, share in SHARES.items())}.\n")


def parsed(arguments: list[str]) -> Options:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.opening", description=__doc__)
    parser.add_argument("--database", default="sqlite,postgresql", help="sqlite, postgresql or both")
    parser.add_argument("--part", default="mix,changes,import,django,sizes", help=f"some of {','.join(PARTS)}")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="of each run")
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--events", type=int, help="a smaller programme (default: as large as ICLR 2025)")
    parser.add_argument("--minutes", type=float, default=60, help="of the part memory")
    parser.add_argument("--per-second", type=float, help="so many questions of all visitors together (default: no pauses)")
    given = parser.parse_args(arguments)
    parts, databases = given.part.split(","), given.database.split(",")
    if wrong := {*parts, *databases} - {*PARTS, "sqlite", "postgresql"}:
        parser.error(f"unknown: {', '.join(sorted(wrong))}")
    return Options(databases, parts, given.runs, given.seconds, given.connections, given.events, given.minutes, given.per_second)


def main(arguments: list[str]) -> None:
    options = parsed(arguments)
    conditions(options)
    for name in options.databases:
        with database(name) as url:
            if url is None:
                write("There is no PostgreSQL on this machine: its part is left out.")
                continue
            write(f"## {'SQLite' if name == 'sqlite' else 'PostgreSQL'}\n")
            os.environ["DATABASE_URL"] = url
            found = loaded(options.events)
            write(f"{found['count']:,} events, which open in a minute.\n")
            if {"mix", "changes", "import"} & {*options.parts}:
                mornings(options, found)
            if "django" in options.parts:
                beside_django(options, found)
            if "memory" in options.parts:
                memory(options, found)
        if "sizes" in options.parts:
            sizes(options, name)


if __name__ == "__main__":
    main(sys.argv[1:])
