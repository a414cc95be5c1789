"""Clients that hold connections: slow bodies, slow headers, slow readers, and connections that send nothing."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Iterator

COUNT = 200
PROBE_SECONDS = 1.0
# To answer 200 clients who come at once takes a moment, slow or not.
SETTLING_SECONDS = 5
PAGES = ["/healthz", "/", "/account/sign-in/"]

# What each client sends first, then a byte each second.
OPENINGS = {
    "bodies": (
        "POST /account/sign-in/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Cookie: csrftoken=0123456789abcdefghijklmnopqrstuv\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        "Content-Length: 100000\r\n\r\nmailbox="
    ),
    "headers": "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Long: ",
    # More than the buffers between take.
    "readers": "GET /static/admin/js/vendor/xregexp/xregexp.js HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "idle": "",
}
DRIPPING = {"bodies", "headers"}


@contextlib.contextmanager
def slow_clients(kind: str, port: int, count: int = COUNT) -> Iterator[None]:
    """``count`` clients of one kind; one that is cut off comes back a second later."""
    ended = threading.Event()
    opening = OPENINGS[kind].format(port=port).encode()
    with contextlib.ExitStack() as open_sockets:
        clients = [open_sockets.enter_context(_client(port, opening)) for _ in range(count)]

        def drip() -> None:
            while not ended.wait(1):
                for number, client in enumerate(clients):
                    try:
                        if kind in DRIPPING:
                            client.send(b"a")
                    except BlockingIOError:
                        continue
                    except OSError:
                        clients[number] = open_sockets.enter_context(_client(port, opening))

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            time.sleep(SETTLING_SECONDS)
            yield
        finally:
            ended.set()
            dripping.join()


def _client(port: int, opening: bytes) -> socket.socket:
    client = socket.socket()
    # A slow reader that never reads gets little into its own buffer.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(5)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        client.send(opening)
    return client


def answers(port: int, rounds: int = 4) -> list[str]:
    """What each page answered within PROBE_SECONDS, in ``rounds`` a second apart: a status or the name of the error."""
    found = []
    for turn in range(rounds):
        time.sleep(min(turn, 1))
        found += [_answer(port, page) for page in PAGES]
    return found


def _answer(port: int, page: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PROBE_SECONDS)
    began = time.monotonic()
    try:
        connection.request("GET", page)
        response = connection.getresponse()
        response.read()
    except OSError as error:
        return type(error).__name__
    finally:
        connection.close()
    return str(response.status) if time.monotonic() - began < PROBE_SECONDS else "late"
