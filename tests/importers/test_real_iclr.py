"""Real lists and the scale model of ICLR, where they are: their counts; a reason for every file that cannot be taken."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from events.importers import formats
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "iclr"
HINTS = Hints(slug="demo", timezone="Asia/Singapore", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 28))
SCALE = [path for path in [FOLDER / "iclr2025_scale_model.json"] if path.exists()]
# Papers, people and topics; in the list of 2024 the 95 that were oral and poster stand twice.
LISTS = {"iclr2025_papers.jsonl": (3704, 15179, 0), "iclr2024_virtual_uids.json": (2382 - 95, 9108, 85)}
TOLD = [path for name in LISTS if (path := FOLDER / name).exists()]
WORKSHOPS = sorted((FOLDER / "iclr2025_workshops").glob("*"))

CHILD = """
import re, sys, time
from pathlib import Path
from events.importers import formats
from events.importers.document import Document
from events.importers.hints import Hints

formats.parse(Document.read(Path(sys.argv[1])), Hints(slug="demo", timezone="Asia/Singapore"))
print(time.process_time(), int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


@pytest.mark.parametrize("path", SCALE, ids=lambda path: path.name)
def test_the_scale_model_comes_in_whole(path: Path) -> None:
    found, schedule = formats.parse(Document.read(path), HINTS)
    events = Counter(event.type for event in schedule.events)
    shown = Counter(Counter(event.paper for event in schedule.events if event.paper).values())

    assert found.name == "virtual-site"
    assert events == {"poster": 3704 - 380, "spotlight-poster": 380, "oral": 213, "poster-session": 6, "oral-session": 36}
    assert shown == {1: 3704 - 213, 2: 213}
    assert (len(schedule.papers), len(schedule.people), len(schedule.rooms), len(schedule.topics)) == (3704, 15207, 7, 15)
    assert (schedule.warnings, schedule.skipped) == ((), ())


@pytest.mark.parametrize("path", SCALE, ids=lambda path: path.name)
def test_every_oral_and_poster_is_part_of_its_session(path: Path) -> None:
    _, schedule = formats.parse(Document.read(path), HINTS)
    events = {event.key: event for event in schedule.events}
    members = [event for event in schedule.events if event.session]

    assert len(members) == 3917
    for event in members:
        session = events[event.session]
        assert event.start
        assert event.end
        assert session.start
        assert session.end
        assert session.start <= event.start < event.end <= session.end


@pytest.mark.parametrize("path", SCALE, ids=lambda path: path.name)
def test_the_scale_model_takes_seconds_and_little_memory(path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, check=True, cwd=ROOT, timeout=120)
    seconds, megabytes = map(float, run.stdout.split())

    # Measured: one second and 85 MB.
    assert seconds < 5
    assert megabytes < 150


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.name)
def test_lists_of_papers_come_in_whole(path: Path) -> None:
    found, schedule = formats.parse(Document.read(path), HINTS)

    assert found.name == "paperlists"
    assert (len(schedule.papers), len(schedule.people), len(schedule.topics)) == LISTS[path.name]
    assert (len(schedule.events), schedule.skipped) == (0, ())


@pytest.mark.parametrize("path", WORKSHOPS, ids=lambda path: path.name)
def test_workshops_own_pages_are_refused_with_a_reason(path: Path) -> None:
    with pytest.raises(ScheduleParseError, match=path.name):
        formats.parse(Document.read(path), HINTS)
