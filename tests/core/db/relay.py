"""A TCP relay to a database that can be cut, silenced and restored, as if the database went away or hung."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Relay:
    """Listens on ``port`` of 127.0.0.1. While it is cut, it refuses connections; those it had are closed.

    While it is silent, it takes connections and what is sent, and answers nothing; those it then has are closed at the end.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._is_silent = False
        self.port = 0
        self._listen()

    def cut(self) -> None:
        _close(self._listener)
        self._close_all()

    def silence(self) -> None:
        self._is_silent = True

    def restore(self) -> None:
        if self._is_silent:
            self._is_silent = False
            self._close_all()
        else:
            self._listen()

    def _listen(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _close_all(self) -> None:
        with self._lock:
            ends, self._open = self._open, []
        for end in ends:
            _close(end)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                with self._lock:
                    self._open += [near, far]
                for source, target in [(near, far), (far, near)]:
                    threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self._is_silent:
                    target.sendall(data)
        _close(source)
        _close(target)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        # Wakes a thread that waits in accept or recv.
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def relay_to(host: str, port: int) -> Iterator[Relay]:
    relay = Relay(host, port)
    try:
        yield relay
    finally:
        relay.cut()
