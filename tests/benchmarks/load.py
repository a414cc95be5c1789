"""Impatient clients, as wrk plays them: how many answers a second, and how late."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SECONDS = 4


@dataclass(frozen=True)
class Rate:
    """Answers a second, milliseconds of the middle and of the late ones, and answers of a status that was not expected."""

    per_second: float
    median: float
    late: float
    wrong: int

    def __str__(self) -> str:
        return f"{self.per_second:,.0f} | {self.median:.1f} | {self.late:.1f}" + (f" ({self.wrong} wrong)" if self.wrong else "")


def require_wrk() -> None:
    if shutil.which("wrk") is None:
        raise SystemExit("make bench needs wrk to play the clients: apt install wrk")


def get(
    port: int, path: str, headers: Mapping[str, str], *, connections: int, status: int = 200, questions: Path | None = None
) -> Rate:
    """The same address again and again, on connections that stay open; with another question in it each time."""
    options = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    return _wrk(port, path, options, HERE / "get.lua", [str(status), *map(str, filter(None, [questions]))], connections)


def post(port: int, path: str, tokens: Path, *, connections: int) -> Rate:
    """Bookmarks set and taken back by the agendas whose tokens stand in a file, one a line."""
    return _wrk(port, path, [], HERE / "post.lua", [str(tokens), f"http://127.0.0.1:{port}"], connections)


def _wrk(port: int, path: str, options: Sequence[str], script: Path, arguments: Sequence[str], connections: int) -> Rate:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--timeout", "20s", *options, "-s", str(script)]
    command += [f"http://127.0.0.1:{port}{path}", "--", *arguments]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures = json.loads(told.rpartition("FIGURES ")[2])
    return Rate(figures["per_second"], figures["median"], figures["late"], figures["wrong"])
