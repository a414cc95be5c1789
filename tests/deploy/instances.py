"""A server that shares its database, photos and uploads with others, and browsers that ask it."""

from __future__ import annotations

import contextlib
import http.client
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.opening import database
from tests.deploy.processes import DEPLOY, free_port, running, skip
from tests.processes import manage, manage_shell, run_manage

KEY = "k" * 50
COOKIE = re.compile(r"([^=]+)=([^;]*)")


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Visitor:
    """A browser that knows several servers of one site, and keeps the cookies that any of them sets."""

    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, port: int, path: str, form: dict[str, str] | None = None, **headers: str) -> Reply:
        body = urlencode(form).encode() if form is not None else None
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        return self.send("GET" if body is None else "POST", port, path, body, kind | headers)

    def send(self, method: str, port: int, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Origin": f"http://127.0.0.1:{port}", "Cookie": cookies} | headers
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as client:
            client.request(method, path, body, headers)
            response = client.getresponse()
            data = response.read()
        for value in response.headers.get_all("Set-Cookie", []):
            if found := COOKIE.match(value):
                self.cookies[found[1]] = found[2]
        return Reply(response.status, data, {name.lower(): value for name, value in response.headers.items()})


@dataclass(frozen=True)
class Instance:
    folder: Path
    environment: dict[str, str]

    @property
    def port(self) -> int:
        return int(self.environment["PORT"])

    @property
    def media(self) -> Path:
        return Path(self.environment["MEDIA_ROOT"])

    @property
    def log(self) -> str:
        return (self.folder / "serve.log").read_text()

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return run_manage(*command, **self.environment | environment)

    def manage(self, *command: str) -> str:
        return manage(*command, **self.environment)

    def shell(self, code: str) -> str:
        return manage_shell(code, **self.environment)

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        with running([str(DEPLOY / "serve")], self.port, self.folder / "serve.log", self.environment):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=60).close()
            yield


def instance(folder: Path, database_url: str, *, shared: Path | None = None, **environment: str) -> Instance:
    """A server, not started, with files in ``shared`` or in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    files = shared or folder
    roots = {name: str(files / name.lower()) for name in ("MEDIA_ROOT", "UPLOAD_ROOT")}
    return Instance(folder, {"DATABASE_URL": database_url, "SECRET_KEY": KEY, "PORT": str(free_port())} | roots | environment)


@contextlib.contextmanager
def fresh_database(name: str) -> Iterator[str]:
    with database(name) as url:
        if url is None:
            skip("PostgreSQL is not installed: apt install postgresql")
        yield url
