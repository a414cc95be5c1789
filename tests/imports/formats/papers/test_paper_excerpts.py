"""Excerpts of ICLR's lists of papers and of its virtual site: counts, the cost at full size, and workshops' pages refused."""

from __future__ import annotations

import copy
import datetime as dt
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "tests/data/excerpts"
VIRTUAL_SITE = FOLDER / "virtual_site.json"
HINTS = Hints(slug="demo", timezone="Asia/Singapore", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 28))
# Papers, people and topics; in the second list three papers stand twice, as oral and as poster.
LISTS = {"accepted.jsonl": (12, 69, 0), "virtual_uids.json": (9, 48, 7)}
WORKSHOPS = ["schedule.yml", "speakers.yml", "timetable.html", "timetable.md"]
# ICLR 2025 has 3,917 orals and posters, the excerpt 19.
COPIES = 206

CHILD = """
import re, sys, time
from pathlib import Path
from events.imports.formats import registry as formats
from events.imports.formats.document import Document
from events.imports.formats.document import Hints

_, schedule = formats.parse_document(Document.read(Path(sys.argv[1])), Hints(slug="demo", timezone="Asia/Singapore"))
peak = int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024
print(time.process_time(), peak, len(schedule.events))
"""


def test_virtual_site_is_imported_whole() -> None:
    found, schedule = registry.parse_document(Document.read(VIRTUAL_SITE), HINTS)
    events = Counter(event.type for event in schedule.events)
    shown = Counter(Counter(event.paper for event in schedule.events if event.paper).values())

    assert found.name == "virtual-site"
    assert events == {"poster": 11, "spotlight-poster": 3, "oral": 5, "poster-session": 6, "oral-session": 5}
    assert shown == {1: 9, 2: 5}
    assert (len(schedule.papers), len(schedule.people), len(schedule.rooms), len(schedule.topics)) == (14, 68, 4, 8)
    assert (schedule.warnings, schedule.skipped) == ((), ())


def test_every_oral_and_poster_is_part_of_its_session() -> None:
    _, schedule = registry.parse_document(Document.read(VIRTUAL_SITE), HINTS)
    events = {event.key: event for event in schedule.events}
    members = [event for event in schedule.events if event.session]

    assert len(members) == 19
    for event in members:
        session = events[event.session]
        assert event.start
        assert event.end
        assert session.start
        assert session.end
        assert session.start <= event.start < event.end <= session.end


def copied(record: dict[str, Any], number: int) -> dict[str, Any]:
    """The record as another paper's, with authors of its own and an abstract as long as most are."""
    other = copy.deepcopy(record)
    other["uid"] = f"{number:08x}{record['uid'][8:]}"
    other["id"] = record["id"] + number * 10_000
    other["abstract"] = f"{record['abstract']} " * 12
    for author in other["authors"]:
        author["id"] += number * 100_000
    return other


def test_virtual_site_of_full_size_takes_seconds_and_little_memory(tmp_path: Path) -> None:
    site = json.loads(VIRTUAL_SITE.read_bytes())
    site["results"] = [copied(record, number) for number in range(COPIES) for record in site["results"]]
    site["count"] = len(site["results"])
    path = tmp_path / "site.json"
    path.write_text(json.dumps(site))

    run = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, check=True, cwd=ROOT, timeout=120)
    seconds, megabytes, events = map(float, run.stdout.split())

    assert events > COPIES * 19
    # A real file of this size took one second and 85 MB.
    assert seconds < 5
    assert megabytes < 150


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_papers_are_imported_whole(name: str) -> None:
    found, schedule = registry.parse_document(Document.read(FOLDER / "papers" / name), HINTS)

    assert found.name == "paperlists"
    assert (len(schedule.papers), len(schedule.people), len(schedule.topics)) == LISTS[name]
    assert (len(schedule.events), schedule.skipped) == (0, ())


@pytest.mark.parametrize("name", WORKSHOPS)
def test_pages_of_workshops_are_refused_with_a_reason(name: str) -> None:
    with pytest.raises(ScheduleParseError, match=name):
        registry.parse_document(Document.read(FOLDER / "workshops" / name), HINTS)
