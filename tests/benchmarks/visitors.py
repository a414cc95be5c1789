"""Hundreds of impatient visitors in one process, each on a connection of its own: who was served, and after how long.

wrk knows nothing of its connections: one that was never served is in none of its figures. Here each one counts, and a request
that is still waiting at the end counts with its wait so far.
"""

from __future__ import annotations

import math
import re
import select
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from tests.benchmarks.mix import Ask, Mix

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_ETAG = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)
# 301 of an event whose title was changed since.
_EXPECTED = {200, 301, 304}
_BUFFER_BYTES = 256 * 1024


def percentile(values: list[float], percent: float) -> float:
    """Return the smallest of the values that so many percent of them do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(len(ordered) * percent / 100)) - 1] if ordered else 0.0


@dataclass
class Outcome:
    """What visitors saw in so many seconds."""

    seconds: float = 0.0
    client_seconds: float = 0.0
    """CPU time of the visitors themselves, which they take from the server."""
    unserved: int = 0
    waits: dict[str, list[float]] = field(default_factory=dict)
    """Kind → seconds until each answer."""
    waiting: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def answers(self) -> int:
        return sum(map(len, self.waits.values()))

    @property
    def per_second(self) -> float:
        return self.answers / self.seconds

    def late(self, percent: float) -> float:
        """Seconds, of all kinds together."""
        return percentile([*self.waiting, *(wait for waits in self.waits.values() for wait in waits)], percent)


class Visitor:
    """One connection; it asks again as soon as it was answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.served = False
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, ask: Ask) -> None:
        self.ask, self.began, self.head, self.missing, self.end = ask, time.perf_counter(), b"", -1, b""
        self.socket.sendall(ask.raw)

    def receive(self) -> bool:
        """Read what has come, and return whether the answer is complete."""
        data = self.socket.recv(_BUFFER_BYTES)
        if not data:
            raise ConnectionResetError
        if self.missing < 0:
            self.head += data
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return False
            self.head, data = self.head[:end], self.head[end + 4 :]
            length = _LENGTH.search(self.head)
            self.missing = int(length[1]) if length and self.status != 304 else 0
        if _CHUNKED.search(self.head):
            self.end = (self.end + data)[-5:]
            return self.end == b"0\r\n\r\n"
        self.missing -= len(data)
        return self.missing <= 0

    @property
    def status(self) -> int:
        return int(self.head[9:12])


def visit(port: int, mix: Mix, *, connections: int, seconds: float) -> Outcome:
    """So many visitors for so long, who together ask for the mix."""
    outcome, asks = Outcome(), iter(mix)
    with ExitStack() as stack:
        poll = stack.enter_context(select.epoll())
        visitors = {visitor.socket.fileno(): visitor for visitor in (Visitor(port) for _ in range(connections))}
        stack.callback(lambda: [visitor.socket.close() for visitor in visitors.values()])
        began, worked = time.perf_counter(), time.process_time()
        for fileno, visitor in visitors.items():
            poll.register(fileno, select.EPOLLIN)
            visitor.send(next(asks))
        while (now := time.perf_counter()) < began + seconds:
            for fileno, _ in poll.poll(began + seconds - now):
                _serve(visitors, fileno, poll, mix, asks, outcome)
        outcome.seconds, outcome.client_seconds = time.perf_counter() - began, time.process_time() - worked
        outcome.waiting = [began + outcome.seconds - visitor.began for visitor in visitors.values()]
        outcome.unserved = sum(not visitor.served for visitor in visitors.values())
    return outcome


def _serve(visitors: dict[int, Visitor], fileno: int, poll: select.epoll, mix: Mix, asks: Iterator[Ask], out: Outcome) -> None:
    visitor = visitors[fileno]
    try:
        if not visitor.receive():
            return
        _note(visitor, mix, out)
        visitor.send(next(asks))
    except OSError as error:
        out.errors[type(error).__name__] += 1
        visitor.socket.close()
        visitor.connect()
        del visitors[fileno]
        visitors[visitor.socket.fileno()] = visitor
        poll.register(visitor.socket.fileno(), select.EPOLLIN)
        visitor.send(next(asks))


def _note(visitor: Visitor, mix: Mix, out: Outcome) -> None:
    """An answer that was not expected is counted as an error, and not as served."""
    ask = visitor.ask
    if visitor.status not in _EXPECTED:
        out.errors[f"{visitor.status} {ask.kind}"] += 1
        return
    visitor.served = True
    out.waits.setdefault(ask.kind, []).append(time.perf_counter() - visitor.began)
    if ask.kind.startswith("feed") and (etag := _ETAG.search(visitor.head)):
        mix.etags[ask.path] = etag[1].decode()
