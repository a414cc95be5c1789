"""A Redis of the test's own, which stops, hangs and comes back."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.processes import free_port, running, skip


class RedisServer:
    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder
        self._process = contextlib.ExitStack()
        self._pid = 0

    @property
    def url(self) -> str:
        return f"rediscache://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self._pid = self._process.enter_context(running(command, self.port, self.folder / "redis.log"))

    def stop(self) -> None:
        self._process.close()

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        """It takes connections, as the system does that for it, and answers nothing."""
        os.kill(self._pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._pid, signal.SIGCONT)

    def stored_keys(self) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), 5) as client:
            client.sendall(b"KEYS *\r\n")
            return client.recv(65536)


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    if shutil.which("redis-server") is None:
        skip("redis-server is not installed: apt install redis-server")
    folder.mkdir(parents=True, exist_ok=True)
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
