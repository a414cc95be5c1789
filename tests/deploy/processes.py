"""The server and the two proxies as they are installed, on free ports and in folders of the test."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.migrated import MIGRATED_DATABASE
from tests.processes import PROJECT

DEPLOY = PROJECT / "deploy"
ORGANISE = "organise/"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: list[str], port: int, log: Path, environment: dict[str, str] | None = None) -> Iterator[int]:
    """A process that listens on the port, in a group of its own, which is ended in any case, also if this process is killed."""
    plain = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = ["setpriv", "--pdeathsig", "TERM", *command]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=PROJECT, env=plain | (environment or {}), stdout=output, stderr=output, start_new_session=True
        )
    try:
        _wait_until_it_listens(process, port, log)
        yield process.pid
    finally:
        _end(process)


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError(f"{process.args!r} does not listen on {port}:\n{log.read_text()}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(10)
    # Workers that were busy with slow clients.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def skip(reason: str) -> None:
    if os.environ.get("STRICT"):
        pytest.fail(f"STRICT: {reason}")
    pytest.skip(reason)


def migrated(folder: Path) -> Path:
    """An empty database, which each server gets a copy of."""
    file = folder / "empty.sqlite3"
    MIGRATED_DATABASE.copy_to(file)
    return file


@contextlib.contextmanager
def hallway(database: Path, folder: Path, port: int, **environment: str) -> Iterator[None]:
    """The server as ``deploy/serve`` starts it."""
    file = shutil.copy(database, folder / "hallway.sqlite3")
    settings = {"DATABASE_URL": f"sqlite:///{file}", "SECRET_KEY": "k" * 50, "PORT": str(port)}
    with running([str(DEPLOY / "serve")], port, folder / "serve.log", settings | environment):
        # It listens before its workers are ready.
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60).close()
        yield


def caddy(folder: Path, text: str, port: int, upstream: int) -> contextlib.AbstractContextManager[int]:
    file = folder / "Caddyfile"
    file.write_text(text)
    environment = {
        "SITE_ADDRESS": f"http://127.0.0.1:{port}",
        "CADDY_ADMIN": "off",
        "PORT": str(upstream),
        "HOME": str(folder),
    }
    return running(["caddy", "run", "--adapter", "caddyfile", "--config", str(file)], port, folder / "caddy.log", environment)


def nginx(folder: Path, text: str, port: int, upstream: int) -> contextlib.AbstractContextManager[int]:
    """The file as it is but for its addresses, certificates and log, inside the frame that Debian gives it."""
    site = re.sub(r"^server \{\s+listen 80;.*?^\}$", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
    site = re.sub(r"^ *(listen|ssl_\w+) .*;\n", "", site, flags=re.MULTILINE)
    site = site.replace("server_name schedule.example.org;", f"listen 127.0.0.1:{port};\n    server_name _;")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}").replace("/var/log/nginx/hallway.log", f"{folder}/access.log")
    site = site.replace("/var/lib/nginx/hallway-files", f"{folder}/files")
    kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    file = folder / "nginx.conf"
    file.write_text(
        f"user {os.environ.get('USER', 'root')};\n" * (os.geteuid() == 0)
        + f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n"
        + f"events {{ worker_connections 1024; }}\nhttp {{\naccess_log {folder}/inherited.log;\n{places}\n{site}\n}}\n"
    )
    command = [shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx", "-e", str(folder / "error.log")]
    return running([*command, "-p", str(folder), "-c", str(file)], port, folder / "nginx.log")


Proxy = Callable[[Path, str, int, int], contextlib.AbstractContextManager[int]]
PROXIES: dict[str, tuple[Proxy, str]] = {"caddy": (caddy, "Caddyfile"), "nginx": (nginx, "nginx.conf")}
MISSING = [name for name in PROXIES if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
