"""How fast the pages people open most are answered: a server of its own, the seeds, and impatient clients (`make bench`)."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROJECT = Path(__file__).parents[2]
CLIENTS = 8
SECONDS = 5.0
MAKE_AGENDA = """
from events.models import Agenda, Conference, Event
from events.models.agenda import new_token
conference, token = Conference.objects.get(slug="iclr-2025"), new_token()
agenda = Agenda.begin(token, conference)
for event in Event.objects.public().filter(conference=conference).exclude(day=None)[:20]:
    agenda.bookmark(event, on=True)
print(agenda.feed_token(token))
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def manage(*arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout


def serve(port: int) -> subprocess.Popen[bytes]:
    server = subprocess.Popen(
        ["make", "--silent", "serve", f"PORT={port}"], cwd=PROJECT, start_new_session=True, stdout=subprocess.DEVNULL
    )
    for _ in range(100):
        try:
            fetch(http.client.HTTPConnection("127.0.0.1", port), "/healthz", {})
        except OSError:
            time.sleep(0.1)
        else:
            break
    return server


def fetch(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    response.read()
    return response


def one_client(port: int, path: str, headers: dict[str, str], status: int) -> list[float]:
    """Milliseconds of each answer; a wrong status ends the measurement."""
    connection, taken, until = http.client.HTTPConnection("127.0.0.1", port), [], time.perf_counter() + SECONDS
    while time.perf_counter() < until:
        began = time.perf_counter()
        response = fetch(connection, path, headers)
        taken.append((time.perf_counter() - began) * 1000)
        if response.status != status:
            raise SystemExit(f"{path} answered {response.status}, not {status}")
    return taken


def measure(port: int, name: str, path: str, headers: dict[str, str], status: int = 200) -> None:
    fetch(http.client.HTTPConnection("127.0.0.1", port), path, headers)
    with ThreadPoolExecutor(CLIENTS) as pool:
        futures = [pool.submit(one_client, port, path, headers, status) for _ in range(CLIENTS)]
        taken = sorted(ms for future in futures for ms in future.result())
    middle, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
    sys.stdout.write(f"| {name} | {len(taken) / SECONDS:.0f} | {middle:.0f} | {late:.0f} |\n")


def measure_all(port: int, feed: str) -> None:
    etag = fetch(http.client.HTTPConnection("127.0.0.1", port), feed, {}).headers["ETag"]
    sys.stdout.write(f"{CLIENTS} clients, {SECONDS:.0f} s each\n\n| | requests/s | median ms | 95 % ms |\n|---|---|---|---|\n")
    measure(port, "a day of the schedule", "/iclr-2025/schedule/2025-04-24/", {})
    measure(port, "the overview", "/iclr-2025/", {})
    measure(port, "the schedule as a calendar", "/iclr-2025/schedule.ics", {})
    measure(port, "a feed of 20 events, changed", feed, {})
    measure(port, "a feed of 20 events, current (304)", feed, {"If-None-Match": etag}, 304)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/hallway.sqlite3"
        manage("migrate", "--verbosity", "0")
        manage("seed")
        token = manage("shell", "--no-imports", "-c", MAKE_AGENDA).strip()
        port = free_port()
        server = serve(port)
        try:
            measure_all(port, f"/feeds/{token}.ics")
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    main()
