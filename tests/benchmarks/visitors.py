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
from collections import Counter, deque
from contextlib import ExitStack, suppress
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
    """One connection, which asks for one thing after the other."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.served = self.is_waiting = False
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, ask: Ask, began: float) -> None:
        """``began`` is when the visitor wanted to ask, on the clock of ``time.perf_counter``."""
        self.ask, self.began, self.head, self.missing, self.end = ask, began, b"", -1, b""
        self.is_waiting = True
        self.socket.sendall(ask.raw)

    def receive(self) -> bool:
        """Read what has come, and return whether the answer is complete; raise OSError if the connection was closed."""
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


def visit(port: int, mix: Mix, *, connections: int, seconds: float, per_second: float | None = None) -> Outcome:
    """So many visitors for so long, who together ask for the mix.

    Each asks again as soon as it was answered; with ``per_second`` they ask so often together, and a question for which
    no connection is free waits, which counts.
    """
    outcome, asks, sent = Outcome(), iter(mix), 0
    with ExitStack() as stack:
        poll = stack.enter_context(select.epoll())
        visitors = {visitor.socket.fileno(): visitor for visitor in (Visitor(port) for _ in range(connections))}
        stack.callback(lambda: [visitor.socket.close() for visitor in visitors.values()])
        for fileno in visitors:
            poll.register(fileno, select.EPOLLIN)
        free = deque(visitors.values())
        began, worked = time.perf_counter(), time.process_time()
        end = began + seconds
        while (now := time.perf_counter()) < end:
            next_due = began + sent / per_second if per_second else now
            if free and next_due <= now:
                visitor, sent = free.popleft(), sent + 1
                # One that was closed meanwhile is heard of next.
                with suppress(OSError):
                    visitor.send(next(asks), next_due)
                continue
            for fileno, _ in poll.poll((min(end, next_due) if free else end) - now):
                visitor = visitors[fileno]
                was_waiting = visitor.is_waiting
                _hear(visitors, fileno, poll, mix, outcome)
                if was_waiting and not visitor.is_waiting:
                    free.append(visitor)
        ended = time.perf_counter()
        outcome.seconds, outcome.client_seconds = ended - began, time.process_time() - worked
        asked = [visitor.began for visitor in visitors.values() if visitor.is_waiting]
        due = [began + number / per_second for number in range(sent, int(outcome.seconds * per_second))] if per_second else []
        outcome.waiting = [ended - moment for moment in [*asked, *due]]
        outcome.unserved = sum(not visitor.served for visitor in visitors.values())
    return outcome


def _hear(visitors: dict[int, Visitor], fileno: int, poll: select.epoll, mix: Mix, out: Outcome) -> None:
    """Read what came for a visitor. A connection that was closed is opened again, and an answer that it lost is an error."""
    visitor = visitors[fileno]
    try:
        if visitor.receive():
            _note(visitor, mix, out)
            visitor.is_waiting = False
    except OSError as error:
        out.errors[type(error).__name__] += visitor.is_waiting
        visitor.is_waiting = False
        visitor.socket.close()
        visitor.connect()
        del visitors[fileno]
        visitors[visitor.socket.fileno()] = visitor
        poll.register(visitor.socket.fileno(), select.EPOLLIN)


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
