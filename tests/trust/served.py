"""A site of its own: a database file, the server as `make serve` starts it, and its log."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.migrated import MIGRATED_DATABASE
from tests.processes import PROJECT, manage

SERVE = PROJECT / "deploy/serve"
GUID = "0a3b7b86-6d26-5b5e-8a53-b5a4dd0b2a01"
AGENDAS = 8
ROWS = f"""
from tests.factories import make_conference, make_event, make_agenda
event = make_event(make_conference(slug="demo"), title="Opening", guid="{GUID}", start="09:00", end="10:00")
made = [make_agenda(event.conference, event) for _ in range({AGENDAS})]
print(made[0][0].feed_token, *(token for _, token in made))
"""
BOOKMARKS = """
import sys
from events.models import Agenda, Bookmark, Visitor
agendas = [Agenda.objects.get(visitor=Visitor.objects.for_token(it)) for it in sys.stdin.read().split()]
print(*(len(agenda.events.all()) for agenda in agendas), Bookmark.objects.count())
"""


@dataclass
class Site:
    """A server on a free port, and the secrets of agendas that have its event: a feed of the first, and tokens of all."""

    folder: Path
    port: int
    environment: dict[str, str]
    feed: str = ""
    tokens: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> Path:
        return self.folder / "site.sqlite3"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def manage(self, *command: str, said: str = "") -> str:
        return manage(*command, said=said, **self.environment)

    def bookmarks(self) -> tuple[list[int], int]:
        """How many events each agenda has, and how many rows of bookmarks there are."""
        *each, rows = self.manage("shell", "--no-imports", "-c", BOOKMARKS, said=" ".join(self.tokens)).split()[-AGENDAS - 1 :]
        return [int(it) for it in each], int(rows)

    def start(self, log: Path | None = None) -> float:
        """Start the server; return the seconds until it answers."""
        began = time.monotonic()
        output = (log or self.log).open("ab")
        self.process = subprocess.Popen(
            [str(SERVE)], cwd=PROJECT, env=self.environment, stdout=output, stderr=output, start_new_session=True
        )
        output.close()
        while time.monotonic() - began < 60:
            with contextlib.suppress(OSError):
                if self.status("/healthz") == 200:
                    return time.monotonic() - began
            time.sleep(0.05)
        raise AssertionError(f"the server did not answer: {self.log.read_text()[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server and its workers; with SIGKILL none of them is asked."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if how == signal.SIGKILL:
                os.killpg(self.pid, how)
            else:
                os.kill(self.pid, how)
        self.process.wait(60)
        self.process = None
        # Its workers end a moment later, and each of them has the lock of the port.
        with (PROJECT / f"var/serve-{self.port}.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)

    def workers(self) -> list[int]:
        found = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=False).stdout
        return [int(it) for it in found.split()]

    def status(self, path: str, *, data: bytes | None = None, token: str = "", timeout: float = 60) -> int:
        headers = {"Cookie": f"hallway={token or self.tokens[0]}", "Origin": f"http://127.0.0.1:{self.port}"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, headers=headers)
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            with opener.open(request, timeout=timeout) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return int(error.code)

    def bookmark(self, token: str, *, on: bool) -> int:
        return self.status(f"/demo/events/{GUID}/bookmark/", data=b"on=%d" % on, token=token)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def copy_of(site: Site, folder: Path) -> Site:
    """Another site with the same rows, not started."""
    shutil.copy(site.database, folder)
    return dataclasses.replace(site, folder=folder, environment=site.environment | {"DATABASE_URL": _database_url(folder)})


@contextlib.contextmanager
def serving_site(folder: Path) -> Iterator[Site]:
    site = prepared_site(folder)
    site.start()
    try:
        yield site
    finally:
        site.stop()


def prepared_site(folder: Path, database_url: str = "") -> Site:
    """A migrated database, SQLite unless another one is named, with one event and agendas, and no server yet."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    plain = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "VIRTUAL_ENV"}}
    environment = plain | {"DATABASE_URL": database_url or _database_url(folder), "PORT": str(port), "SECRET_KEY": "x" * 50}
    site = Site(folder, port, environment)
    if not (PROJECT / "var" / "static" / "staticfiles.json").exists():
        site.manage("collectstatic", "--noinput", "--verbosity", "0")
    if database_url:
        site.manage("migrate", "--verbosity", "0")
    else:
        MIGRATED_DATABASE.copy_to(site.database)
    site.feed, *tokens = site.manage("shell", "--no-imports", "-c", ROWS).split()[-AGENDAS - 1 :]
    site.tokens = tuple(tokens)
    return site


def _database_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'site.sqlite3'}"
