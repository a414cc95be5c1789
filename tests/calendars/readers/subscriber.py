"""Somebody's computer: vdirsyncer fetches the feed, khal shows it. Both are programs people use, run as they run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

VDIRSYNCER = """\
[general]
status_path = "{folder}/status/"
[pair feed]
a = "there"
b = "here"
collections = null
conflict_resolution = "a wins"
[storage there]
type = "http"
url = "{url}"
[storage here]
type = "filesystem"
path = "{folder}/calendar/"
fileext = ".ics"
"""
KHAL = """\
[calendars]
[[feed]]
path = {folder}/calendar/
readonly = True
[locale]
local_timezone = Asia/Singapore
default_timezone = Asia/Singapore
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = {folder}/khal.db
"""
# It tells entries apart by what is in them, stamps left out: one that changed is one that is gone and one that is new.
DID = {"new": "Copying (uploading) item", "changed": "Copying (updating) item", "gone": "Deleting item"}


class Shown(NamedTuple):
    title: str
    start: str
    end: str
    status: str


class Subscriber:
    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        (folder / "calendar").mkdir()
        for name, text in [("vdirsyncer.conf", VDIRSYNCER), ("khal.conf", KHAL)]:
            (folder / name).write_text(text.format(folder=folder, url=url))
        self.run("vdirsyncer", "--config", str(folder / "vdirsyncer.conf"), "discover")

    def run(self, program: str, *arguments: str) -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1,localhost"}
        command = [str(Path(sys.executable).with_name(program)), *arguments]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def sync(self) -> dict[str, int]:
        """How many files it did what to."""
        said = self.run("vdirsyncer", "--config", str(self.folder / "vdirsyncer.conf"), "sync")
        return {verb: said.count(words) for verb, words in DID.items() if words in said}

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.folder / "calendar").iterdir()}

    def shown(self, day: str) -> list[Shown]:
        """What the calendar of this day and the next says."""
        fields = ["title", "start", "end", "status"]
        asked = [part for field in fields for part in ("--json", field)]
        said = self.run("khal", "--config", str(self.folder / "khal.conf"), "list", *asked, "--once", day, "2d")
        return [Shown(*(event[field].strip() for field in fields)) for line in said.splitlines() for event in json.loads(line)]
