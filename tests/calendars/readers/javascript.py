"""Readers that are written in JavaScript, in one process of node that is asked again and again."""

from __future__ import annotations

import atexit
import datetime as dt
import json
import os
import shutil
import subprocess
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tests.calendars.readers.entry import Entry

HERE = Path(__file__).parent
NODE = shutil.which("node")
HOW_TO_HAVE_THEM = "apt install nodejs npm (node 18 or later), then make test again, which runs npm ci"
INSTALLED = bool(NODE) and (HERE / "node_modules" / "ical.js").exists() and (HERE / "node_modules" / "node-ical").exists()


def by_ical_js(body: bytes) -> list[Entry]:
    return _entries("ical.js", body)


def by_node_ical(body: bytes) -> list[Entry]:
    return _entries("node-ical", body)


def _entries(name: str, body: bytes) -> list[Entry]:
    answer = _answers(body)[name]
    assert "error" not in answer, f"{name}: {answer['error']}"
    return [Entry(uid, _moment(start), _moment(end), summary, status) for uid, start, end, summary, status in answer["entries"]]


def _moment(text: str) -> dt.date:
    return dt.datetime.fromisoformat(text) if "T" in text else dt.date.fromisoformat(text)


@cache
def _process() -> subprocess.Popen[str]:
    assert NODE
    # A zone of its own, so that a time without one would be read as another.
    environment = os.environ | {"TZ": "America/New_York"}
    process = subprocess.Popen(
        [NODE, "read.mjs"], cwd=HERE, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(_end, process)
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.communicate()


@lru_cache(maxsize=8)
def _answers(body: bytes) -> dict[str, Any]:
    """Of both: they are asked at once."""
    process = _process()
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{json.dumps(body.decode())}\n")
    process.stdin.flush()
    answers: dict[str, Any] = json.loads(process.stdout.readline())
    return answers
