"""Processes that a measurement starts and ends, and what they took."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
HALLWAY = "conference.wsgi:application"
LIMITS = "tests.benchmarks.limits:application"
"""The same bytes without the product, for what the machine allows at most."""


@dataclass(frozen=True)
class Run:
    """A command that ended: what it said, its seconds, the most memory it held, in MB, and its processor time."""

    output: str
    seconds: float
    megabytes: float
    cpu: float = 0


def manage(*arguments: str) -> Run:
    """A management command in a process of its own."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "manage.py", *arguments], cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}:\n{output[-2000:]}")
    return Run(output, time.perf_counter() - began, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


@contextlib.contextmanager
def serving(application: str, environment: Mapping[str, str] | None = None, *, project: Path = PROJECT) -> Iterator[Server]:
    """The application on a free port, as `make serve` starts it."""
    port = _free_port()
    address = {"HOST": "127.0.0.1", "PORT": str(port)}
    process = subprocess.Popen(
        # It ends with this process, also if that is killed.
        ["setpriv", "--pdeathsig", "TERM", str(project / "deploy/serve"), application],
        cwd=project,
        env={**os.environ, **(environment or {}), **address},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(process, port)
        yield Server(process.pid, port)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            # Told to end while its workers were starting, or busy with those who left.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)


@dataclass(frozen=True)
class Server:
    pid: int
    port: int

    @property
    def pids(self) -> list[str]:
        return subprocess.run(["pgrep", "-g", str(self.pid)], check=False, capture_output=True, text=True).stdout.split()

    @property
    def megabytes(self) -> float:
        """What its processes hold; memory they share is counted once."""
        return sum(_kilobytes(pid, "Pss") for pid in self.pids) / 1024

    @property
    def workers(self) -> list[float]:
        """MB that each process of its workers holds, shared memory included."""
        pids = subprocess.run(["pgrep", "-P", str(self.pid)], check=False, capture_output=True, text=True).stdout.split()
        held = sorted((_kilobytes(pid, "Rss") / 1024 for pid in pids), reverse=True)
        # The smallest is the one that Python starts beside worker processes, to tidy up after them.
        return held[: int(os.environ.get("WORKERS", "2"))]

    @property
    def cpu_seconds(self) -> float:
        return sum(_cpu_ticks(Path(f"/proc/{pid}/stat").read_text()) for pid in self.pids) / os.sysconf("SC_CLK_TCK")

    def fetch(self, path: str, headers: Mapping[str, str] | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=dict(headers or {}))
        return connection.getresponse()


def _kilobytes(pid: str, which: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{which}:"))


def _cpu_ticks(stat: str) -> int:
    """In the process and in the system, of a line in /proc/…/stat; the name in brackets may contain spaces."""
    fields = stat.rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def busy_cores() -> tuple[float, float]:
    """Seconds that all cores were busy since the machine started, and those of all time."""
    ticks = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK"), sum(ticks) / os.sysconf("SC_CLK_TCK")


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None:
            raise SystemExit(f"the server ended with {process.returncode}")
        time.sleep(0.1)
    raise SystemExit("the server did not answer within 20 s")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
